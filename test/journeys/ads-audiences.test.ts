import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { changeAccount, grantFeature } from '../../src/api/ads/accounts/queries.ts'
import { REMOVAL_DELAY_MS } from '../../src/api/ads/audiences/removal.ts'
import { promotedAccounts } from '../../src/api/ads/promoted-accounts/promoted-accounts.ts'
import { targetingCriteria } from '../../src/api/ads/targeting/criteria.ts'
import { cursorOf, type Data, Desk, dataOf, errorOf, listOf, paramsOf, totalOf } from '../support/ads-desk.ts'
import { Client, type Reply } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

const hashed = (text: string) => createHash('sha256').update(text).digest('hex')
const people = (count: number, prefix = 'p') =>
  Array.from({ length: count }, (_, n) => ({ email: [hashed(`${prefix}${n}`)] }))
const MINIMUM = 3

interface Targeted {
  campaign_id: string
  campaign_name: string
  line_items: { id: string; name: string | null; servable: boolean }[]
}

for (const stage of stages) {
  describe(`audiences on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    before(async () => {
      opened = await stage.open({ rateLimits: 'off', audienceMinimum: MINIMUM, activeCampaigns: 1000 })
      client = new Client(opened.plaza)
      ann = await Desk.open(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    let names = 0
    const create = async (desk = ann, name = `Audience ${names++}`) =>
      dataOf(await desk.post('/custom_audiences', { name }))
    const path = (audience: Data) => `/custom_audiences/${audience.id}`
    const shown = async (audience: Data, desk = ann) => dataOf(await desk.get(path(audience)))

    async function upload(audience: Data, operations: object[], desk = ann): Promise<Reply> {
      const url = `${opened.plaza.urls.ads}/12/accounts/${desk.accountId}${path(audience)}/users`
      return client.signed('POST', url, desk.person.keys, { json: operations })
    }

    /** An audience with so many members. */
    async function filled(count = MINIMUM, desk = ann): Promise<Data> {
      const audience = await create(desk)
      const reply = await upload(
        audience,
        [{ operation_type: 'Update', params: { users: people(count) } }],
        desk,
      )
      assert.equal(reply.status, 200, reply.text)
      await opened.plaza.context.membership.drain()
      return audience
    }

    /** Opens an account for another user; of a business, when one is named. */
    async function neighbour(business?: string): Promise<Desk> {
      const desk = await Desk.open(opened.plaza, client)
      const { account } = desk.advertiser
      if (business !== undefined)
        await opened.plaza.context.store.write((tx) =>
          tx.run(changeAccount, { ...account, business_id: business }),
        )
      return desk
    }

    const share = (audience: Data, desk: Desk, level = 'READ_ONLY', owner = ann) =>
      owner.post(`${path(audience)}/permissions`, {
        granted_account_id: desk.accountId,
        permission_level: level,
      })

    const mayShareWithAnybody = (desk: Desk) =>
      opened.plaza.context.store.write((tx) =>
        tx.run(grantFeature, { account_id: desk.accountId, feature_key: 'SHARE_AUDIENCE_OUTSIDE_BUSINESS' }),
      )

    describe('an audience', () => {
      test('is being processed and too small when it is new, and has every member', async () => {
        const reply = await ann.post('/custom_audiences', { name: 'New', description: 'Of today' })
        assert.equal(reply.status, 201)
        const { id, created_at, updated_at, ...rest } = dataOf(reply)
        assert.equal(created_at, updated_at)
        assert.deepEqual(rest, {
          name: 'New',
          description: 'Of today',
          audience_type: 'CRM',
          targetable: false,
          targetable_types: ['CRM', 'EXCLUDED_CRM'],
          reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'],
          audience_size: null,
          owner_account_id: ann.accountId,
          is_owner: true,
          permission_level: 'READ_WRITE',
          partner_source: 'OTHER',
          deleted: false,
        })
        assert.deepEqual(dataOf(await ann.get(`/custom_audiences/${id}`)), dataOf(reply))
      })

      test('has a name that no other of the account has, until it is deleted', async () => {
        const first = await create(ann, 'Only one')
        const second = () => ann.post('/custom_audiences', { name: 'Only one' })
        assert.deepEqual(errorOf(await second()), [400, 'INVALID_PARAMETER name'])
        const other = await create(ann, 'Another')
        assert.deepEqual(errorOf(await ann.send('PUT', path(other), { name: 'Only one' })), [
          400,
          'INVALID_PARAMETER name',
        ])
        assert.equal((await (await neighbour()).post('/custom_audiences', { name: 'Only one' })).status, 201)
        await ann.delete(path(first))
        assert.equal((await second()).status, 201)
      })

      test('has a name that no other writes with other letters or marks', async () => {
        const cafe = 'Café'.normalize('NFC')
        const first = await create(ann, cafe)
        for (const name of [cafe.normalize('NFD'), cafe.toUpperCase(), cafe.toUpperCase().normalize('NFD')]) {
          const reply = await ann.post('/custom_audiences', { name })
          assert.deepEqual(errorOf(reply), [400, 'INVALID_PARAMETER name'], reply.text)
        }
        // Its own name can be written in another way.
        const renamed = await ann.send('PUT', path(first), { name: cafe.normalize('NFD') })
        assert.deepEqual([renamed.status, dataOf(renamed).name], [200, cafe.normalize('NFD')])
        const other = await create(ann, 'Cafe')
        const taken = await ann.send('PUT', path(other), { name: cafe })
        assert.deepEqual(errorOf(taken), [400, 'INVALID_PARAMETER name'])
      })

      test('two names at once that are the same are not both taken', async () => {
        const names = ['Thé'.normalize('NFC'), 'Thé'.normalize('NFD')]
        const replies = await Promise.all(names.map((name) => ann.post('/custom_audiences', { name })))
        assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400])
      })

      test('is changed in what is sent, and keeps its own name', async () => {
        const audience = await create(ann, 'Before')
        const reply = await ann.send('PUT', path(audience), { name: 'Before', description: 'After' })
        assert.deepEqual([dataOf(reply).name, dataOf(reply).description], ['Before', 'After'])
        const cleared = dataOf(await ann.send('PUT', path(audience), { description: '' }))
        assert.equal(cleared.description, null)
        assert.equal(paramsOf(reply).custom_audience_id, audience.id)
      })

      test('is found by name, by id and in its order, a page at a time', async () => {
        const desk = await neighbour()
        const made: Data[] = []
        for (const name of ['beta', 'Alpha', 'alphabet', 'gamma']) made.push(await create(desk, name))
        const named = (reply: Reply) => listOf(reply).map(({ name }) => name)
        const list = (query: string) => desk.get(`/custom_audiences${query}`)
        assert.deepEqual(named(await list('')), ['beta', 'Alpha', 'alphabet', 'gamma'])
        assert.deepEqual(named(await list('?q=ALPHA')), ['Alpha', 'alphabet'])
        assert.deepEqual(named(await list('?sort_by=name-desc')), ['gamma', 'beta', 'alphabet', 'Alpha'])
        const ids = [made[3], made[0]].map((one) => one?.id).join('%2Cx')
        assert.deepEqual(named(await list(`?custom_audience_ids=${ids}`)), ['gamma'])
        const first = await list('?count=3')
        const rest = await list(`?count=3&cursor=${cursorOf(first)}`)
        assert.deepEqual(named(rest), ['gamma'])
        assert.equal(cursorOf(rest), null)
        assert.equal(totalOf(await list('?with_total_count=true')), 4)
      })

      test('that is deleted is returned only with `with_deleted`, and its members are deleted', async () => {
        const audience = await filled()
        const reply = await ann.delete(path(audience))
        const { deleted, targetable, reasons_not_targetable: reasons, audience_size: size } = dataOf(reply)
        assert.deepEqual([deleted, targetable, reasons, size], [true, false, ['TOO_SMALL'], null])
        const gone = [404, 'TAILORED_AUDIENCE_NOT_FOUND custom_audience_id']
        assert.deepEqual(errorOf(await ann.get(path(audience))), gone)
        assert.deepEqual(errorOf(await ann.delete(path(audience))), gone)
        assert.deepEqual(errorOf(await upload(audience, [])), gone)
        assert.equal(dataOf(await ann.get(`${path(audience)}?with_deleted=true`)).deleted, true)
        const { membership } = opened.plaza.context
        const sizeOf = async () => (await membership.states([audience.id])).get(audience.id)?.size
        assert.equal(await sizeOf(), MINIMUM)
        opened.plaza.clock.advance(REMOVAL_DELAY_MS)
        await opened.plaza.tasks.runDue('forget members of audience')
        await membership.drain()
        assert.equal(await sizeOf(), 0)
      })

      test('is found by a name that its alphabet writes another way at its end', async () => {
        const desk = await neighbour()
        const { id } = await create(desk, 'ΟΔΟΣ')
        for (const q of ['ΟΔΟΣ', 'οδος', 'οδοσ', 'οδ']) {
          const found = listOf(await desk.get(`/custom_audiences?q=${encodeURIComponent(q)}`))
          assert.deepEqual([q, ...found.map((one) => one.id)], [q, id])
        }
      })

      test('of another account is as unknown as one that does not exist', async () => {
        const audience = await create()
        const other = await neighbour()
        const gone = [404, 'TAILORED_AUDIENCE_NOT_FOUND custom_audience_id']
        assert.deepEqual(errorOf(await other.get(path(audience))), gone)
        assert.deepEqual(errorOf(await other.send('PUT', path(audience), { name: 'Mine' })), gone)
        assert.deepEqual(errorOf(await other.delete(path(audience))), gone)
        assert.deepEqual(errorOf(await upload(audience, [], other)), gone)
        assert.deepEqual(errorOf(await other.get(`${path(audience)}/targeted`)), gone)
        assert.deepEqual(errorOf(await other.get(`${path(audience)}/permissions`)), gone)
        assert.equal((await shown(audience)).name, audience.name)
      })
    })

    describe('sharing', () => {
      test('inside a business lets another account see and target the audience, and nothing more', async () => {
        const owner = await neighbour('acme')
        const other = await neighbour('acme')
        const audience = await filled(MINIMUM, owner)
        const reply = await share(audience, other, 'READ_ONLY', owner)
        assert.equal(reply.status, 201, reply.text)
        const { id, created_at, updated_at, ...rest } = dataOf(reply)
        assert.ok(id && created_at === updated_at)
        assert.deepEqual(rest, {
          custom_audience_id: audience.id,
          granted_account_id: other.accountId,
          permission_level: 'READ_ONLY',
          deleted: false,
        })
        const [listed] = listOf(await other.get('/custom_audiences?permission_scope=SHARED'))
        assert.deepEqual(
          [listed?.owner_account_id, listed?.is_owner, listed?.permission_level, listed?.audience_size],
          [owner.accountId, false, 'READ_ONLY', MINIMUM],
        )
        assert.deepEqual(await shown(audience, other), listed)
        assert.deepEqual(listOf(await other.get('/custom_audiences')), [])
        const rejected = [403, 'ACTION_NOT_ALLOWED undefined']
        assert.deepEqual(errorOf(await upload(audience, [], other)), rejected)
        assert.deepEqual(errorOf(await other.send('PUT', path(audience), { name: 'Mine' })), rejected)
        assert.deepEqual(errorOf(await other.delete(path(audience))), rejected)
        assert.deepEqual(errorOf(await other.get(`${path(audience)}/permissions`)), rejected)
        assert.deepEqual(errorOf(await share(audience, ann, 'READ_ONLY', other)), rejected)
      })

      test('to write lets another account upload and change', async () => {
        const owner = await neighbour('writers')
        const other = await neighbour('writers')
        const audience = await create(owner)
        await share(audience, other, 'READ_WRITE', owner)
        const users = people(5, 'theirs')
        const reply = await upload(audience, [{ operation_type: 'Update', params: { users } }], other)
        assert.deepEqual(dataOf(reply), { success_count: 5, total_count: 5 })
        await opened.plaza.context.membership.drain()
        const renamed = dataOf(await other.send('PUT', path(audience), { name: 'Renamed' }))
        assert.deepEqual([renamed.is_owner, renamed.permission_level], [false, 'READ_WRITE'])
        const own = await shown(audience, owner)
        assert.deepEqual([own.name, own.audience_size, own.is_owner], ['Renamed', 5, true])
      })

      test('again gives the permission that is there another level', async () => {
        const owner = await neighbour('levels')
        const other = await neighbour('levels')
        const audience = await create(owner)
        const first = dataOf(await share(audience, other, 'READ_ONLY', owner))
        opened.plaza.clock.advance(1000)
        const second = dataOf(await share(audience, other, 'READ_WRITE', owner))
        assert.deepEqual([second.id, second.permission_level], [first.id, 'READ_WRITE'])
        assert.notEqual(second.updated_at, first.updated_at)
        assert.equal((await shown(audience, other)).permission_level, 'READ_WRITE')
        assert.equal(listOf(await owner.get(`${path(audience)}/permissions`)).length, 1)
      })

      test('outside of a business needs a feature of the owner', async () => {
        const owner = await neighbour('us')
        const [stranger, unrelated] = [await neighbour('them'), await neighbour()]
        const audience = await create(owner)
        const rejected = [400, 'FEATURE_NOT_AVAILABLE granted_account_id']
        assert.deepEqual(errorOf(await share(audience, stranger, 'READ_ONLY', owner)), rejected)
        assert.deepEqual(errorOf(await share(audience, unrelated, 'READ_ONLY', owner)), rejected)
        await mayShareWithAnybody(owner)
        assert.equal((await share(audience, stranger, 'READ_ONLY', owner)).status, 201)
      })

      test('without any business is outside of a business', async () => {
        const [owner, other] = [await neighbour(), await neighbour()]
        const audience = await create(owner)
        assert.equal((await share(audience, other, 'READ_ONLY', owner)).status, 400)
      })

      test('with oneself, with no one, and with the sandbox is rejected', async () => {
        await mayShareWithAnybody(ann)
        const audience = await create()
        const sandbox = await Desk.open(opened.plaza, client, { environment: 'sandbox' })
        assert.deepEqual(errorOf(await share(audience, ann)), [400, 'INVALID_PARAMETER granted_account_id'])
        for (const accountId of ['nosuchaccount', sandbox.accountId]) {
          const reply = await share(audience, { accountId } as Desk)
          assert.deepEqual(errorOf(reply), [403, 'ACCOUNT_NOT_FOUND granted_account_id'])
        }
      })

      test('by several callers at once is one permission', async () => {
        const [owner, other] = [await neighbour('hurry'), await neighbour('hurry')]
        for (let round = 0; round < 3; round++) {
          const audience = await create(owner)
          const replies = await Promise.all(
            Array.from({ length: 6 }, () => share(audience, other, 'READ_ONLY', owner)),
          )
          assert.deepEqual(
            replies.map(({ status }) => status),
            replies.map(() => 201),
          )
          assert.equal(listOf(await owner.get(`${path(audience)}/permissions`)).length, 1)
        }
      })

      for (const version of [5, 12])
        test(`under its former name in version ${version} is the same: both names tell of the same permissions`, async () => {
          await mayShareWithAnybody(ann)
          const audience = await create()
          const [one, other] = [await neighbour(), await neighbour()]
          const former = `${opened.plaza.urls.ads}/${version}/accounts/${ann.accountId}/tailored_audiences/${audience.id}/permissions`
          const call = (method: string, url: string, form?: Record<string, string>) =>
            client.signed(method, url, ann.person.keys, form ? { form } : {})
          const made = await call('POST', former, {
            granted_account_id: one.accountId,
            permission_level: 'READ_ONLY',
          })
          assert.equal(made.status, 201, made.text)
          assert.equal(dataOf(made).tailored_audience_id, audience.id)
          const second = dataOf(await share(audience, other))
          const both = listOf(await call('GET', former))
          assert.deepEqual(
            both.map((permission) => permission.id),
            [dataOf(made).id, second.id],
          )
          assert.deepEqual(
            listOf(await call('GET', `${former}?granted_account_ids=${other.accountId}`)).map(({ id }) => id),
            [second.id],
          )
          const ids = `tailored_audience_permission_ids=${dataOf(made).id}`
          assert.equal(listOf(await call('GET', `${former}?${ids}`)).length, 1)
          const ended = await call('DELETE', `${former}/${second.id}`)
          assert.deepEqual([ended.status, dataOf(ended).deleted], [200, true])
          assert.deepEqual(errorOf(await call('DELETE', `${former}/${second.id}`)), [
            404,
            'NOT_FOUND tailored_audience_permission_id',
          ])
          assert.equal(listOf(await ann.get(`${path(audience)}/permissions`)).length, 1)
        })

      test('that ends stops new targeting, and existing targeting continues', async () => {
        await mayShareWithAnybody(ann)
        const other = await neighbour()
        const audience = await filled()
        const permission = dataOf(await share(audience, other))
        const lineItem = await other.advertiser.lineItem()
        const target = async () =>
          other.post('/targeting_criteria', {
            line_item_id: (await other.advertiser.lineItem()).id,
            targeting_type: 'CUSTOM_AUDIENCE',
            targeting_value: audience.id,
          })
        const before = await other.post('/targeting_criteria', {
          line_item_id: lineItem.id,
          targeting_type: 'CUSTOM_AUDIENCE',
          targeting_value: audience.id,
        })
        assert.equal(before.status, 201, before.text)
        await ann.delete(`${path(audience)}/permissions/${permission.id}`)
        assert.deepEqual(errorOf(await target()), [404, 'TAILORED_AUDIENCE_NOT_FOUND targeting_value'])
        assert.deepEqual(listOf(await other.get('/custom_audiences?permission_scope=SHARED')), [])
        const kept = listOf(await other.get(`/targeting_criteria?line_item_ids=${lineItem.id}`))
        assert.deepEqual(
          kept.map((one) => one.targeting_value),
          [audience.id],
        )
        assert.equal((await share(audience, other)).status, 201)
        assert.equal((await target()).status, 201)
      })
    })

    describe('of a sandbox account', () => {
      test('are gone for everyone with the account, and so are their members', async () => {
        const { context, clock, tasks } = opened.plaza
        const sandboxed = async () => {
          const desk = await Desk.open(opened.plaza, client, { environment: 'sandbox' })
          const account = { ...desk.advertiser.account, business_id: 'played' }
          await context.store.write((tx) => tx.run(changeAccount, account))
          return desk
        }
        const [owner, other] = [await sandboxed(), await sandboxed()]
        const audience = await create(owner)
        const list = dataOf(await owner.post('/do_not_reach_lists', {}))
        assert.equal((await share(audience, other, 'READ_WRITE', owner)).status, 201)
        const body = Buffer.from(
          JSON.stringify([{ operation_type: 'Update', params: { users: people(MINIMUM) } }]),
        )
        for (const { id } of [audience, list])
          await context.membership.accept({
            account: owner.accountId,
            audience: id,
            target: 'audience',
            body: Uint8Array.from(body),
          })
        await context.membership.drain()
        const sizes = async () => {
          const states = await context.membership.states([audience.id, list.id])
          return [audience, list].map(({ id }) => states.get(id)?.size)
        }
        assert.deepEqual(await sizes(), [MINIMUM, MINIMUM])
        assert.equal((await shown(audience, other)).audience_size, MINIMUM)

        assert.equal((await owner.delete('')).status, 200)
        const gone = [404, 'TAILORED_AUDIENCE_NOT_FOUND custom_audience_id']
        assert.deepEqual(errorOf(await other.get(path(audience))), gone)
        assert.deepEqual(errorOf(await other.send('PUT', path(audience), { name: 'Mine' })), gone)
        assert.deepEqual(listOf(await other.get('/custom_audiences?permission_scope=SHARED')), [])
        clock.advance(REMOVAL_DELAY_MS)
        await tasks.runDue('forget members of audience')
        await context.membership.drain()
        assert.deepEqual(await sizes(), [0, 0])
      })
    })

    describe('targeting', () => {
      const criterion = (lineItem: string, audience: Data, more: Record<string, string> = {}) => ({
        line_item_id: lineItem,
        targeting_type: 'CUSTOM_AUDIENCE',
        targeting_value: audience.id,
        ...more,
      })

      test('takes an audience that is large enough, by its name, and no other', async () => {
        const { id } = await ann.advertiser.lineItem()
        const small = await filled(MINIMUM - 1)
        assert.deepEqual(errorOf(await ann.post('/targeting_criteria', criterion(id, small))), [
          400,
          'INVALID_PARAMETER targeting_value',
        ])
        const large = await filled()
        const reply = await ann.post('/targeting_criteria', criterion(id, large))
        assert.equal(reply.status, 201, reply.text)
        assert.equal(dataOf(reply).name, large.name)
        const deleted = await filled()
        await ann.delete(path(deleted))
        assert.deepEqual(errorOf(await ann.post('/targeting_criteria', criterion(id, deleted))), [
          404,
          'TAILORED_AUDIENCE_NOT_FOUND targeting_value',
        ])
      })

      test('takes no audience whose members have expired', async () => {
        const audience = await create()
        const expires_at = new Date(opened.plaza.clock.now() + 60_000).toISOString()
        const users = people(MINIMUM)
        await upload(audience, [{ operation_type: 'Update', params: { users, expires_at } }])
        await opened.plaza.context.membership.drain()
        assert.equal((await shown(audience)).targetable, true)
        opened.plaza.clock.advance(60_000)
        assert.equal((await shown(audience)).targetable, false)
        const { id } = await ann.advertiser.lineItem()
        assert.equal((await ann.post('/targeting_criteria', criterion(id, audience))).status, 400)
      })

      test('is returned by campaign, with servability', async () => {
        const audience = await filled()
        const campaign = await ann.advertiser.campaign({ name: 'Running' })
        const other = await ann.advertiser.campaign({ name: 'Incomplete' })
        const running = await promoting({ campaign_id: campaign.id, name: 'Shown' })
        const paused = await promoting({ campaign_id: campaign.id, entity_status: 'PAUSED' })
        const future = await promoting({
          campaign_id: campaign.id,
          start_time: opened.plaza.clock.now() + 86_400_000,
        })
        const empty = await ann.advertiser.lineItem({ campaign_id: other.id })
        const deleted = await promoting({ campaign_id: campaign.id })
        for (const { id } of [running, paused, future, empty, deleted])
          await ann.advertiser.make(targetingCriteria, criterion(id, audience))
        await ann.delete(`/line_items/${deleted.id}`)
        const active = (await ann.get(`${path(audience)}/targeted`)).json as { data: Targeted[] }
        assert.deepEqual(active.data, [
          {
            campaign_id: campaign.id,
            campaign_name: 'Running',
            line_items: [{ id: running.id, name: 'Shown', servable: true }],
          },
        ])
        const reply = await ann.get(`${path(audience)}/targeted?with_active=false`)
        const all = (reply.json as { data: Targeted[] }).data
        assert.deepEqual(
          all.map(({ campaign_id, line_items }) => [
            campaign_id,
            ...line_items.map(({ id, servable }) => `${id} ${servable}`),
          ]),
          [
            [campaign.id, `${running.id} true`, `${paused.id} false`, `${future.id} false`],
            [other.id, `${empty.id} false`],
          ],
        )
        assert.equal(cursorOf(reply), null)
        await ann.send('PUT', `/campaigns/${campaign.id}`, { entity_status: 'PAUSED' })
        assert.deepEqual(listOf(await ann.get(`${path(audience)}/targeted`)), [])
      })

      test('of very many line items is returned a page at a time', async () => {
        const audience = await filled()
        const wanted: string[] = []
        for (let n = 0; n < 3; n++) {
          const { id: campaign_id } = await ann.advertiser.campaign()
          for (let item = 0; item < 75; item++) {
            const { id } = await ann.advertiser.lineItem({ campaign_id })
            await ann.advertiser.make(targetingCriteria, criterion(id, audience))
            wanted.push(id)
          }
        }
        const first = await ann.get(`${path(audience)}/targeted?with_active=false`)
        const second = await ann.get(`${path(audience)}/targeted?with_active=false&cursor=${cursorOf(first)}`)
        assert.equal(cursorOf(second), null)
        const ids = [first, second].map((reply) =>
          (reply.json as { data: Targeted[] }).data.flatMap((one) => one.line_items.map(({ id }) => id)),
        )
        assert.deepEqual(
          ids.map(({ length }) => length),
          [200, 25],
        )
        assert.deepEqual(ids.flat(), wanted)
      })

      /** A line item with something to show. */
      async function promoting(values: Record<string, unknown>): Promise<{ id: string }> {
        const made = await ann.advertiser.lineItem({
          objective: 'FOLLOWERS',
          product_type: 'PROMOTED_ACCOUNT',
          ...values,
        })
        await ann.advertiser.make(promotedAccounts, { line_item_id: made.id, user_id: ann.person.id })
        return made
      }
    })

    describe('a list of people who are not to be reached', () => {
      test('is one for each account, and another when it was deleted', async () => {
        const desk = await neighbour()
        const made = await desk.post('/do_not_reach_lists', {})
        assert.equal(made.status, 201)
        const { id, created_at, updated_at, ...rest } = dataOf(made)
        assert.ok(created_at === updated_at)
        assert.deepEqual(rest, {
          name: 'Do Not Reach List',
          description: null,
          targetable: false,
          reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'],
          list_size: null,
          deleted: false,
        })
        assert.deepEqual(errorOf(await desk.post('/do_not_reach_lists', {})), [400, 'INVALID of account_id'])
        assert.equal(dataOf(await desk.delete(`/do_not_reach_lists/${id}`)).deleted, true)
        assert.deepEqual(errorOf(await desk.delete(`/do_not_reach_lists/${id}`)), [
          404,
          'NOT_FOUND do_not_reach_list_id',
        ])
        assert.equal((await desk.post('/do_not_reach_lists', {})).status, 201)
        assert.equal(listOf(await desk.get('/do_not_reach_lists')).length, 1)
        assert.equal(listOf(await desk.get('/do_not_reach_lists?with_deleted=true')).length, 2)
      })

      test('repeats how operations were understood, without the users, also when they are wrong', async () => {
        const desk = await neighbour()
        const { id } = dataOf(await desk.post('/do_not_reach_lists', { description: 'They asked' }))
        const url = `${opened.plaza.urls.ads}/12/batch/accounts/${desk.accountId}/do_not_reach_lists/${id}/users`
        const send = (json: object) => client.signed('POST', url, desk.person.keys, { json })
        const params = { account_id: desk.accountId, do_not_reach_list_id: id }
        const [email, phone] = [hashed('a').toUpperCase(), hashed('+14155550100')]
        const fine = await send([
          {
            operation_type: 'Update',
            params: {
              expires_at: '2026-09-01',
              users: [{ email: [email], phone_number: [phone] }, ...people(2)],
            },
          },
          { operation_type: 'Delete', params: { users: people(1) } },
        ])
        assert.equal(fine.status, 200, fine.text)
        assert.deepEqual(fine.json, {
          data: [
            { success_count: 3, total_count: 3 },
            { success_count: 1, total_count: 1 },
          ],
          request: [
            { params: { ...params, expires_at: '2026-09-01T00:00:00Z' }, operation_type: 'Update' },
            { params, operation_type: 'Delete' },
          ],
        })
        await opened.plaza.context.membership.drain()
        const [list] = listOf(await desk.get('/do_not_reach_lists'))
        assert.deepEqual([list?.list_size, list?.targetable], [null, false])

        const users = people(1)
        const wrong = await send([
          { operation_type: 'Update', params: { users } },
          { operation_type: 'Update', params: { users, effective_at: '2026-04-01T00:00:00Z' } },
          { operation_type: 'Update', params: { users, expires_at: '2026-03-01T11:00:00Z' } },
          { operation_type: 'Update', params: { users: [{ handle: [hashed('a')] }] } },
        ])
        const { operation_errors: errors, request } = wrong.json as {
          operation_errors: { parameter: string }[][]
          request: object[]
        }
        assert.equal(wrong.status, 400)
        assert.deepEqual(
          errors.map((of) => of.map(({ parameter }) => parameter)),
          [[], ['effective_at'], ['expires_at'], ['users']],
        )
        assert.deepEqual(request[0], { params, operation_type: 'Update' })
      })
    })

    test('a body that is not JSON, not marked as JSON or too large is rejected in the protocol', async () => {
      const audience = await create()
      const url = `${opened.plaza.urls.ads}/12/accounts/${ann.accountId}${path(audience)}/users`
      const statuses: (number | string)[] = []
      for (const [json, type] of [
        [{ users: [] }, 'application/json'],
        [[], 'text/plain'],
        [['x'.repeat(5_000_000)], 'application/json'],
      ] as const) {
        const authorization = client.sign('POST', url, ann.person.keys)
        const reply = await client.send('POST', url, {
          json,
          headers: { authorization, 'content-type': type },
        })
        const { errors } = reply.json as { errors: { code: string }[] }
        statuses.push(reply.status, errors[0]?.code ?? '')
      }
      assert.deepEqual(statuses, [
        400,
        'INVALID_PARAMETER',
        415,
        'INVALID_PARAMETER',
        413,
        'REQUEST_TOO_COMPLEX',
      ])
    })

    test('a batch changes audiences of the account only, and all or none', async () => {
      const [mine, bob] = [await create(), await Desk.open(opened.plaza, client)]
      const his = await create(bob)
      const batch = (json: object[], kind = 'custom') =>
        client.signed(
          'POST',
          `${opened.plaza.urls.ads}/12/batch/accounts/${ann.accountId}/${kind}_audiences`,
          ann.person.keys,
          { json },
        )
      const rename = (audience: Data, name: string, kind = 'custom') => ({
        operation_type: 'Update',
        params: { [`${kind}_audience_id`]: audience.id, name },
      })
      const foreign = await batch([rename(mine, 'Renamed'), rename(his, 'Stolen')])
      assert.equal(foreign.status, 400)
      const { operation_errors } = foreign.json as { operation_errors: { code: string }[][] }
      assert.deepEqual(
        operation_errors.map((list) => list.map(({ code }) => code)),
        [[], ['TAILORED_AUDIENCE_NOT_FOUND']],
      )
      assert.deepEqual([(await shown(mine)).name, (await shown(his, bob)).name], [mine.name, his.name])
      assert.equal((await batch([rename(mine, 'Renamed', 'tailored')], 'tailored')).status, 200)
      assert.equal((await shown(mine)).name, 'Renamed')
      const many = Array.from({ length: 11 }, (_, at) => ({
        operation_type: 'Create',
        params: { name: `Many ${at}` },
      }))
      assert.deepEqual(errorOf(await batch(many)), [400, 'REQUEST_TOO_COMPLEX body'])
      const flexible = { name: 'Flexible', audience_type: 'FLEXIBLE' }
      assert.equal((await batch([{ operation_type: 'Create', params: flexible }])).status, 400)
    })
  })
}
