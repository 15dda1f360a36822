import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { grantAccess } from '../../src/api/ads/accounts/open.ts'
import { query } from '../../src/app/tables.ts'
import { Desk, dataOf, errorOf, listOf, newPerson, paramsOf, totalOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { letRepost, makeMedium, makePost, schedulePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

const HOUR_MS = 3_600_000

const protectUser = query<{ id: string }>('protectInPromoting', (db, at) =>
  db.updateTable('users').set({ protected: 1 }).where('id', '=', at.id),
)

const FOR_ACCOUNTS = {
  objective: 'FOLLOWERS',
  product_type: 'PROMOTED_ACCOUNT',
  placements: ['ALL_ON_SERVICE'],
}
const FOR_VIDEOS = { objective: 'VIDEO_VIEWS', product_type: 'MEDIA', placements: ['ALL_ON_SERVICE'] }
const ON_NETWORK = {
  product_type: 'MEDIA',
  placements: ['PUBLISHER_NETWORK'],
  advertiser_domain: 'example.com',
  categories: ['IAB1'],
}

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id)

for (const stage of stages) {
  describe(`promoting on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    const context = () => opened.plaza.context

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    /** Every test advertises for itself. */
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
    })

    const lineItem = async (values: object = {}, desk = ann) =>
      (await desk.advertiser.lineItem({ ...values })).id
    const aPost = async (values: object = {}) =>
      (await makePost(context(), { authorId: ann.person.id, nullcast: true, ...values })).id
    const promote = (line_item_id: string, post_ids: readonly string[], desk = ann) =>
      desk.post('/promoted_posts', { line_item_id, post_ids: post_ids.join(',') })
    const protect = (id: string) => context().store.write((tx) => tx.run(protectUser, { id }))
    const shown = async (path: string, query = '') => listOf(await ann.get(`${path}${query}`))

    describe('promoted posts', () => {
      test('are created many at a time, in the order of the posts', async () => {
        const line_item_id = await lineItem()
        const posts = [await aPost(), await aPost({ nullcast: false }), await aPost()]
        const reply = await promote(line_item_id, posts)
        assert.equal(reply.status, 201, reply.text)
        assert.equal(totalOf(reply), 3)
        assert.deepEqual(paramsOf(reply), { account_id: ann.accountId, line_item_id, post_ids: posts })
        assert.equal('next_cursor' in (reply.json as object), false)
        const now = new Date(opened.plaza.clock.now()).toISOString().replace('.000', '')
        assert.deepEqual(
          listOf(reply).map(({ id: _, ...rest }) => rest),
          posts.map((post_id) => ({
            line_item_id,
            post_id,
            entity_status: 'ACTIVE',
            approval_status: 'ACCEPTED',
            created_at: now,
            updated_at: now,
            deleted: false,
          })),
        )
        assert.deepEqual(await shown('/promoted_posts'), listOf(reply))
        const [one] = listOf(reply)
        assert.deepEqual(dataOf(await ann.get(`/promoted_posts/${one?.id}`)), one)
      })

      test('of a post that is promoted already stay as they are', async () => {
        const line_item_id = await lineItem()
        const [first, second] = [await aPost(), await aPost()]
        const [known] = listOf(await promote(line_item_id, [first]))
        opened.plaza.clock.advance(HOUR_MS)
        const again = await promote(line_item_id, [second, first])
        assert.equal(again.status, 201)
        assert.equal(totalOf(again), 2)
        assert.deepEqual(listOf(again)[1], known)
        assert.equal((await shown('/promoted_posts')).length, 2)
        const elsewhere = listOf(await promote(await lineItem(), [first]))
        assert.notEqual(elsewhere[0]?.id, known?.id)
      })

      test('are created all or none, and every invalid post is reported', async () => {
        const line_item_id = await lineItem()
        const bob = await newPerson(opened.plaza)
        const foreign = await aPost({ authorId: bob.id, nullcast: false })
        const good = await aPost()
        const reply = await promote(line_item_id, [good, '1', foreign, '2'])
        assert.deepEqual(errorOf(reply), [
          404,
          'POST_NOT_FOUND post_ids',
          'INVALID_USER_ID of user_id',
          'POST_NOT_FOUND post_ids',
        ])
        assert.deepEqual(await shown('/promoted_posts', '?with_deleted=true'), [])
        assert.deepEqual(errorOf(await promote(line_item_id, [foreign])), [400, 'INVALID_USER_ID of user_id'])
      })

      test('name posts of this environment that the account may know', async () => {
        const line_item_id = await lineItem()
        const bob = await newPerson(opened.plaza)
        const secret = await aPost({ authorId: bob.id })
        const played = await aPost({ environment: 'sandbox' })
        for (const id of [secret, played])
          assert.deepEqual(errorOf(await promote(line_item_id, [id])), [404, 'POST_NOT_FOUND post_ids'])
        const sandbox = await Desk.open(opened.plaza, client, { environment: 'sandbox', person: ann.person })
        const there = await lineItem({}, sandbox)
        assert.equal((await promote(there, [played], sandbox)).status, 201)
        assert.deepEqual(errorOf(await promote(there, [await aPost()], sandbox)), [
          404,
          'POST_NOT_FOUND post_ids',
        ])
      })

      test('are up to fifty numbers in one call', async () => {
        const line_item_id = await lineItem()
        const posts = await Promise.all(Array.from({ length: 51 }, () => aPost()))
        assert.deepEqual(errorOf(await promote(line_item_id, posts)), [400, 'INVALID_PARAMETER post_ids'])
        const fifty = posts.slice(0, 50)
        assert.equal(totalOf(await promote(line_item_id, [...fifty, posts[0] as string])), 50)
        const words = await promote(line_item_id, ['12', 'twelve'])
        assert.deepEqual(errorOf(words), [400, 'INVALID_PARAMETER post_ids'])
        assert.match(words.text, /Expected Long, got \\"twelve\\" for post_ids/)
        const none = await ann.post('/promoted_posts', { line_item_id, post_ids: '' })
        assert.deepEqual(errorOf(none), [400, 'INVALID_PARAMETER post_ids'])
      })

      test('hang on a line item that is there and can hold them', async () => {
        const post = await aPost()
        const bob = await Desk.open(opened.plaza, client)
        const deleted = await lineItem()
        await ann.delete(`/line_items/${deleted}`)
        for (const id of ['nosuchid', await lineItem({}, bob), deleted])
          assert.deepEqual(errorOf(await promote(id, [post])), [404, 'LINE_ITEM_NOT_FOUND line_item_id'])
        assert.deepEqual(errorOf(await promote(await lineItem(FOR_VIDEOS), [post])), [
          400,
          'INCOMPATIBLE_LINE_ITEM line_item_id',
        ])
        for (const settings of [FOR_ACCOUNTS, { entity_status: 'DRAFT' }, { entity_status: 'PAUSED' }])
          assert.equal((await promote(await lineItem(settings), [post])).status, 201)
      })

      test('of one post are one, however many promote it at once', async () => {
        const line_item_id = await lineItem()
        const posts = [await aPost(), await aPost()]
        const replies = await Promise.all(
          Array.from({ length: 10 }, (_, turn) =>
            promote(line_item_id, turn % 2 === 0 ? posts : posts.toReversed()),
          ),
        )
        assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
        assert.equal(new Set(replies.flatMap((reply) => idsOf(listOf(reply)))).size, 2)
        assert.equal((await shown('/promoted_posts', '?with_deleted=true')).length, 2)
      })

      test('are deleted permanently, and can be created again', async () => {
        const line_item_id = await lineItem()
        const post = await aPost()
        const [made] = listOf(await promote(line_item_id, [post]))
        const path = `/promoted_posts/${made?.id}`
        const gone = await ann.delete(path)
        assert.deepEqual([gone.status, dataOf(gone).deleted], [200, true])
        for (const reply of [await ann.delete(path), await ann.get(path)])
          assert.deepEqual(errorOf(reply), [404, 'PROMOTED_POST_NOT_FOUND promoted_post_id'])
        assert.equal(dataOf(await ann.get(`${path}?with_deleted=true`)).deleted, true)
        assert.deepEqual(await shown('/promoted_posts'), [])
        const [anew] = listOf(await promote(line_item_id, [post]))
        assert.notEqual(anew?.id, made?.id)
        assert.deepEqual(
          (await shown('/promoted_posts', '?with_deleted=true')).map((one) => one.deleted),
          [true, false],
        )
        assert.equal((await ann.send('PUT', path, { entity_status: 'PAUSED' })).status, 404)
      })

      test('whose line item is deleted stay, and are shown only with deleted ones', async () => {
        const [kept, doomed] = [await lineItem(), await lineItem()]
        const post = await aPost()
        const [safe] = listOf(await promote(kept, [post]))
        const [child] = listOf(await promote(doomed, [post]))
        await ann.delete(`/line_items/${doomed}`)
        assert.deepEqual(idsOf(await shown('/promoted_posts')), [safe?.id])
        assert.deepEqual(await shown('/promoted_posts', `?line_item_ids=${doomed}`), [])
        const all = await shown('/promoted_posts', '?with_deleted=true')
        assert.deepEqual(
          all.map(({ id, deleted }) => [id, deleted]),
          [
            [safe?.id, false],
            [child?.id, false],
          ],
        )
        const path = `/promoted_posts/${child?.id}`
        assert.equal((await ann.get(path)).status, 404)
        assert.deepEqual(dataOf(await ann.get(`${path}?with_deleted=true`)), child)
        assert.equal(totalOf(await ann.get('/promoted_posts?with_total_count=true')), 1)
      })

      test('are found by line item and by id; strangers see none of them', async () => {
        const [one, two] = [await lineItem(), await lineItem()]
        const post = await aPost()
        const [first] = listOf(await promote(one, [post]))
        const [second] = listOf(await promote(two, [post]))
        const found = async (query: string) => idsOf(await shown('/promoted_posts', query))
        assert.deepEqual(await found(`?line_item_ids=${two},nosuchid`), [second?.id])
        assert.deepEqual(await found(`?promoted_post_ids=${first?.id},${second?.id}`), [
          first?.id,
          second?.id,
        ])
        assert.deepEqual(await found('?sort_by=created_at-desc'), [second?.id, first?.id])
        const bob = await Desk.open(opened.plaza, client)
        assert.deepEqual(listOf(await bob.get(`/promoted_posts?promoted_post_ids=${first?.id}`)), [])
        const missing = [404, 'PROMOTED_POST_NOT_FOUND promoted_post_id']
        assert.deepEqual(errorOf(await bob.get(`/promoted_posts/${first?.id}?with_deleted=true`)), missing)
        assert.deepEqual(errorOf(await bob.delete(`/promoted_posts/${first?.id}`)), missing)
        assert.equal((await ann.get(`/promoted_posts/${first?.id}`)).status, 200)
      })

      test('make a campaign complete', async () => {
        const campaign_id = (await ann.advertiser.campaign()).id
        const line_item_id = await lineItem({ campaign_id })
        const reasons = async () =>
          dataOf(await ann.get(`/campaigns/${campaign_id}`)).reasons_not_servable as string[]
        assert.ok((await reasons()).includes('INCOMPLETE'))
        await promote(line_item_id, [await aPost()])
        assert.ok(!(await reasons()).includes('INCOMPLETE'))
      })

      test('of a user whose posts may be reposted show one repost, whichever call comes first', async () => {
        const bob = await newPerson(opened.plaza)
        await letRepost(context(), ann.advertiser, bob.id)
        const original = await aPost({
          authorId: bob.id,
          nullcast: false,
          text: `${'Great! '.repeat(30)}end`,
        })
        const lines = [await lineItem(), await lineItem(), await lineItem()]
        const replies = await Promise.all(lines.map((one) => promote(one, [original])))
        const posts = new Set(replies.map((reply) => listOf(reply)[0]?.post_id))
        assert.equal(posts.size, 1, replies[0]?.text)
        const [repost] = posts
        assert.notEqual(repost, original)
        const known = listOf(await promote(lines[0] as string, [original]))
        assert.deepEqual(known, listOf(replies[0] as (typeof replies)[number]))
        const [listed] = listOf(await ann.get(`/posts?post_type=PUBLISHED&post_ids=${repost}`))
        assert.match(String(listed?.full_text), new RegExp(`^RP @${bob.screenName}: Great! .*…$`))
        assert.deepEqual(
          [listed?.nullcast, (listed?.user as { id_str: string } | undefined)?.id_str],
          [true, ann.person.id],
        )
        const secret = await aPost({ authorId: bob.id })
        assert.deepEqual(errorOf(await promote(lines[0] as string, [secret])), [
          404,
          'POST_NOT_FOUND post_ids',
        ])
      })

      test('of such a user are not those that others do not see; of the own user they are', async () => {
        const bob = await newPerson(opened.plaza)
        await letRepost(context(), ann.advertiser, bob.id)
        const line = await lineItem()
        const narrow = [{ superFollowersOnly: true }, { communityId: '42' }]
        for (const values of narrow) {
          const restricted = await aPost({ authorId: bob.id, nullcast: false, ...values })
          assert.deepEqual(errorOf(await promote(line, [restricted])), [404, 'POST_NOT_FOUND post_ids'])
          assert.equal((await promote(line, [await aPost({ nullcast: false, ...values })])).status, 201)
        }
        const open = { nullcast: false, communityId: '42', shareWithFollowers: true }
        assert.equal((await promote(line, [await aPost({ authorId: bob.id, ...open })])).status, 201)
        const hidden = await aPost({ authorId: bob.id, nullcast: false })
        await protect(bob.id)
        assert.deepEqual(errorOf(await promote(line, [hidden])), [404, 'POST_NOT_FOUND post_ids'])
      })

      test('are the business of who manages campaigns', async () => {
        const person = await newPerson(opened.plaza)
        const { clock, store } = context()
        const grant = { accountId: ann.accountId, userId: person.id, roles: ['CREATIVE_MANAGER'] as const }
        await store.write((tx) => grantAccess(tx, { ...grant, now: clock.now() }))
        const form = { line_item_id: await lineItem(), post_ids: await aPost() }
        const reply = await ann.post('/promoted_posts', form, person.keys)
        assert.deepEqual(errorOf(reply), [403, 'ACTION_NOT_ALLOWED undefined'])
        assert.equal((await ann.send('GET', '/promoted_posts', undefined, person.keys)).status, 200)
      })
    })

    describe('promoted accounts', () => {
      const follow = (line_item_id: string, user_id = ann.person.id) =>
        ann.post('/promoted_accounts', { line_item_id, user_id })

      test('live from their making to their end', async () => {
        const line_item_id = await lineItem(FOR_ACCOUNTS)
        const made = await follow(line_item_id)
        assert.equal(made.status, 201, made.text)
        const { id, created_at, updated_at, ...data } = dataOf(made)
        assert.deepEqual(data, {
          line_item_id,
          user_id: ann.person.id,
          entity_status: 'ACTIVE',
          approval_status: 'ACCEPTED',
          deleted: false,
        })
        assert.equal(created_at, updated_at)
        assert.deepEqual(paramsOf(made), { account_id: ann.accountId, line_item_id, user_id: ann.person.id })
        opened.plaza.clock.advance(HOUR_MS)
        assert.deepEqual(dataOf(await follow(line_item_id)), dataOf(made))
        assert.deepEqual(await shown('/promoted_accounts'), [dataOf(made)])
        assert.equal(dataOf(await ann.delete(`/promoted_accounts/${id}`)).deleted, true)
        assert.deepEqual(errorOf(await ann.delete(`/promoted_accounts/${id}`)), [
          404,
          'PROMOTED_ACCOUNT_NOT_FOUND promoted_account_id',
        ])
        assert.notEqual(dataOf(await follow(line_item_id)).id, id)
      })

      test('need a line item for accounts and a user whom the account promotes in full', async () => {
        const line_item_id = await lineItem(FOR_ACCOUNTS)
        const bob = await newPerson(opened.plaza)
        assert.deepEqual(errorOf(await follow(line_item_id, bob.id)), [400, 'INVALID_USER_ID of user_id'])
        await letRepost(context(), ann.advertiser, bob.id)
        assert.deepEqual(errorOf(await follow(line_item_id, bob.id)), [400, 'INVALID_USER_ID of user_id'])
        assert.deepEqual(errorOf(await follow(line_item_id, 'me')), [400, 'INVALID_PARAMETER user_id'])
        for (const settings of [{}, FOR_VIDEOS])
          assert.deepEqual(errorOf(await follow(await lineItem(settings))), [
            400,
            'INCOMPATIBLE_LINE_ITEM line_item_id',
          ])
        await ann.delete(`/line_items/${line_item_id}`)
        for (const id of [line_item_id, 'nosuchid'])
          assert.deepEqual(errorOf(await follow(id)), [404, 'LINE_ITEM_NOT_FOUND line_item_id'])
        assert.deepEqual(await shown('/promoted_accounts', '?with_deleted=true'), [])
      })

      test('are listed of line items of which one can hold them', async () => {
        const [forAccounts, forPosts] = [await lineItem(FOR_ACCOUNTS), await lineItem()]
        const bob = await Desk.open(opened.plaza, client)
        const theirs = await lineItem(FOR_ACCOUNTS, bob)
        const { id } = dataOf(await follow(forAccounts))
        const list = (ids: string, more = '') => ann.get(`/promoted_accounts?line_item_ids=${ids}${more}`)
        assert.deepEqual(idsOf(listOf(await list(`${forPosts},${forAccounts}`))), [id])
        for (const ids of [forPosts, `${forPosts},nosuchid`, theirs])
          assert.deepEqual(errorOf(await list(ids)), [400, 'INCOMPATIBLE_LINE_ITEM line_item_ids'])
        await ann.delete(`/line_items/${forAccounts}`)
        assert.deepEqual(listOf(await list(forAccounts)), [])
        const children = listOf(await list(forAccounts, '&with_deleted=true'))
        assert.deepEqual(
          children.map((one) => [one.id, one.deleted]),
          [[id, false]],
        )
      })

      test('of one user are one, however many promote it at once', async () => {
        const line_item_id = await lineItem(FOR_ACCOUNTS)
        const replies = await Promise.all(Array.from({ length: 8 }, () => follow(line_item_id)))
        assert.equal(new Set(replies.map((reply) => dataOf(reply).id)).size, 1)
        assert.equal((await shown('/promoted_accounts')).length, 1)
      })
    })

    describe('media creatives', () => {
      const hang = (form: Record<string, string>) => ann.post('/media_creatives', form)
      const medium = async (type: string) => (await makeMedium(ann.advertiser, type)).id

      test('of videos live from their making to their end, and lead nowhere', async () => {
        const line_item_id = await lineItem(FOR_VIDEOS)
        const account_media_id = await medium('PREROLL')
        const made = await hang({ line_item_id, account_media_id, landing_url: 'https://example.com/' })
        assert.equal(made.status, 201, made.text)
        const { id, created_at: _c, updated_at: _u, ...data } = dataOf(made)
        assert.deepEqual(data, {
          line_item_id,
          account_media_id,
          landing_url: null,
          creative_type: 'PREROLL',
          entity_status: 'ACTIVE',
          approval_status: 'ACCEPTED',
          deleted: false,
        })
        assert.deepEqual(await shown('/media_creatives'), [dataOf(made)])
        assert.equal(dataOf(await ann.delete(`/media_creatives/${id}`)).deleted, true)
        assert.deepEqual(errorOf(await ann.delete(`/media_creatives/${id}`)), [
          404,
          'MEDIA_CREATIVE_NOT_FOUND media_creative_id',
        ])
      })

      test('of images are shown on the publisher network, and lead somewhere for clicks', async () => {
        const account_media_id = await medium('BANNER')
        const landing_url = 'https://example.com/landing?a=b'
        const video = await lineItem(FOR_VIDEOS)
        assert.deepEqual(errorOf(await hang({ line_item_id: video, account_media_id })), [
          400,
          'INCOMPATIBLE_LINE_ITEM line_item_id',
        ])
        const clicks = await lineItem({ ...ON_NETWORK, objective: 'WEBSITE_CLICKS' })
        assert.deepEqual(errorOf(await hang({ line_item_id: clicks, account_media_id })), [
          400,
          'MISSING_PARAMETER landing_url',
        ])
        const made = await hang({ line_item_id: clicks, account_media_id, landing_url })
        assert.deepEqual([made.status, dataOf(made).landing_url], [201, landing_url])
        const reach = await lineItem({ ...ON_NETWORK, objective: 'ENGAGEMENTS' })
        const bare = await hang({ line_item_id: reach, account_media_id })
        assert.deepEqual([bare.status, dataOf(bare).landing_url], [201, null])
        for (const wrong of ['example.com', 'ftp://example.com/', `https://example.com/${'a'.repeat(2048)}`])
          assert.deepEqual(
            errorOf(await hang({ line_item_id: clicks, account_media_id, landing_url: wrong })),
            [400, 'INVALID_PARAMETER landing_url'],
          )
      })

      test('need a line item for media, and media of the account', async () => {
        const account_media_id = await medium('PREROLL')
        assert.deepEqual(errorOf(await hang({ line_item_id: await lineItem(), account_media_id })), [
          400,
          'INCOMPATIBLE_LINE_ITEM line_item_id',
        ])
        const bob = await Desk.open(opened.plaza, client)
        const theirs = (await makeMedium(bob.advertiser, 'PREROLL')).id
        const line_item_id = await lineItem(FOR_VIDEOS)
        for (const id of ['nosuchid', theirs])
          assert.deepEqual(errorOf(await hang({ line_item_id, account_media_id: id })), [
            404,
            'ACCOUNT_MEDIA_NOT_FOUND account_media_id',
          ])
        assert.deepEqual(
          errorOf(await hang({ line_item_id: await lineItem(FOR_VIDEOS, bob), account_media_id })),
          [404, 'LINE_ITEM_NOT_FOUND line_item_id'],
        )
      })

      test('are found by campaign, and hidden with their line item', async () => {
        const account_media_id = await medium('PREROLL')
        const campaign_id = (await ann.advertiser.campaign()).id
        const line_item_id = await lineItem({ ...FOR_VIDEOS, campaign_id })
        const { id } = dataOf(await hang({ line_item_id, account_media_id }))
        await hang({ line_item_id: await lineItem(FOR_VIDEOS), account_media_id })
        assert.deepEqual(idsOf(await shown('/media_creatives', `?campaign_id=${campaign_id}`)), [id])
        await ann.delete(`/line_items/${line_item_id}`)
        assert.deepEqual(await shown('/media_creatives', `?campaign_id=${campaign_id}`), [])
        const [child] = await shown('/media_creatives', `?campaign_id=${campaign_id}&with_deleted=true`)
        assert.deepEqual([child?.id, child?.deleted], [id, false])
      })
    })

    describe('scheduled promoted posts', () => {
      const hang = (line_item_id: string, scheduled_post_id: string) =>
        ann.post('/scheduled_promoted_posts', { line_item_id, scheduled_post_id })
      const schedule = (inMs = HOUR_MS, desk = ann) =>
        schedulePost(context(), desk.advertiser, { userId: desk.person.id, inMs })

      test('live from their making to their end', async () => {
        const line_item_id = await lineItem()
        const scheduled_post_id = await schedule()
        const made = await hang(line_item_id, scheduled_post_id)
        assert.equal(made.status, 201, made.text)
        const { id, created_at: _c, updated_at: _u, ...data } = dataOf(made)
        assert.deepEqual(data, { line_item_id, scheduled_post_id, post_id: null, deleted: false })
        assert.equal(paramsOf(made).scheduled_post_id, scheduled_post_id)
        assert.deepEqual(dataOf(await hang(line_item_id, scheduled_post_id)), dataOf(made))
        assert.deepEqual(await shown('/scheduled_promoted_posts'), [dataOf(made)])
        assert.equal(dataOf(await ann.delete(`/scheduled_promoted_posts/${id}`)).deleted, true)
        assert.deepEqual(errorOf(await ann.delete(`/scheduled_promoted_posts/${id}`)), [
          404,
          'NOT_FOUND scheduled_promoted_post_id',
        ])
      })

      test('need a scheduled post of the account and a line item that holds posts', async () => {
        const bob = await Desk.open(opened.plaza, client)
        const line_item_id = await lineItem()
        for (const id of ['1', await schedule(HOUR_MS, bob)])
          assert.deepEqual(errorOf(await hang(line_item_id, id)), [404, 'NOT_FOUND scheduled_post_id'])
        assert.deepEqual(errorOf(await hang(await lineItem(FOR_VIDEOS), await schedule())), [
          400,
          'INCOMPATIBLE_LINE_ITEM line_item_id',
        ])
        assert.deepEqual(errorOf(await hang('nosuchid', await schedule())), [
          404,
          'LINE_ITEM_NOT_FOUND line_item_id',
        ])
      })

      test('are neither made nor deleted once the time of the post has come', async () => {
        const line_item_id = await lineItem()
        const scheduled_post_id = await schedule(HOUR_MS)
        const { id } = dataOf(await hang(line_item_id, scheduled_post_id))
        opened.plaza.clock.advance(HOUR_MS - 1)
        const other = await lineItem()
        assert.equal((await hang(other, scheduled_post_id)).status, 201)
        opened.plaza.clock.advance(1)
        const due = [400, 'INVALID of scheduled_post_id']
        assert.deepEqual(errorOf(await ann.delete(`/scheduled_promoted_posts/${id}`)), due)
        assert.equal(dataOf(await ann.get(`/scheduled_promoted_posts/${id}`)).deleted, false)
        assert.deepEqual(errorOf(await hang(await lineItem(), scheduled_post_id)), due)
      })

      test('are hidden with their line item', async () => {
        const line_item_id = await lineItem()
        const { id } = dataOf(await hang(line_item_id, await schedule()))
        await ann.delete(`/line_items/${line_item_id}`)
        assert.deepEqual(await shown('/scheduled_promoted_posts'), [])
        const [child] = await shown('/scheduled_promoted_posts', '?with_deleted=true')
        assert.deepEqual([child?.id, child?.deleted], [id, false])
      })
    })
  })
}
