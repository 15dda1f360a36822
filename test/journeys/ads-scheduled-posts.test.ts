import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { grantAccess } from '../../src/api/ads/accounts/open.ts'
import { removeAccess } from '../../src/api/ads/accounts/queries.ts'
import { enqueuePublication } from '../../src/api/ads/scheduled-posts/publication.ts'
import { scheduledPosts } from '../../src/api/ads/scheduled-posts/scheduled-posts.ts'
import { publication } from '../../src/api/ads/scheduled-posts/work.ts'
import type { Role } from '../../src/api/ads/scope.ts'
import type { ApiTables } from '../../src/api/tables.ts'
import type { Context } from '../../src/app/start/context.ts'
import { setSuspended } from '../../src/identity/apps/suspension.ts'
import { msg } from '../../src/platform/http/message.ts'
import { adsApiError } from '../../src/platform/protocols/ads/api-error.ts'
import { wrongParameter } from '../../src/platform/protocols/ads/codes.ts'
import { startWorker } from '../../src/platform/queue/worker.ts'
import {
  cursorOf,
  type Data,
  Desk,
  dataOf,
  errorOf,
  listOf,
  newPerson,
  paramsOf,
} from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { gif, mp4, png, uploaded } from '../support/media.ts'
import { letRepost, schedulePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

type ScheduledPostRow = ApiTables['scheduled_posts']
type Tx = Parameters<Parameters<Context['store']['write']>[0]>[0]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const texts = (posts: readonly Data[]) => posts.map(({ text }) => text)

for (const stage of stages) {
  describe(`drafts and scheduled posts on ${stage.name}`, { skip: stage.skip }, () => {
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

    const now = () => opened.plaza.clock.now()
    /** A time as callers send it. */
    const inMs = (ms: number) => new Date(now() + ms).toISOString()
    const schedule = (form: Record<string, string> = {}, desk = ann) =>
      desk.post('/scheduled_posts', { text: 'Later', scheduled_at: inMs(HOUR_MS), ...form })
    const scheduled = async (form: Record<string, string> = {}) => {
      const reply = await schedule(form)
      assert.equal(reply.status, 201, reply.text)
      return dataOf(reply)
    }
    const drafted = async (form: Record<string, string> = {}) => {
      const reply = await ann.post('/draft_posts', { text: 'Some day', ...form })
      assert.equal(reply.status, 201, reply.text)
      return dataOf(reply)
    }
    const publish = () => opened.plaza.tasks.runDue('publish scheduled post')
    const get = async (path: string) => dataOf(await ann.get(path))
    const upload = async (content: Buffer) => (await uploaded(context(), ann.person.id, content)).media_key
    const employ = async (roles: readonly Role[]) => {
      const person = await newPerson(opened.plaza)
      const at = { accountId: ann.accountId, userId: person.id, roles, now: now() }
      await context().store.write((tx) => grantAccess(tx, at))
      return person
    }
    const card = async () => {
      const poll = { name: 'a', first_choice: 'b', second_choice: 'c', duration_in_minutes: '5' }
      return dataOf(await ann.post('/cards/poll', poll))
    }

    describe('drafts', () => {
      test('a draft is kept as it was sent', async () => {
        const key = await upload(png(3, 3))
        const { card_uri } = await card()
        const form = {
          as_user_id: ann.person.id,
          text: ' Hello ',
          name: 'A draft',
          media_keys: key,
          card_uri: String(card_uri),
          nullcast: 'false',
        }
        const reply = await ann.post('/draft_posts', form)
        assert.equal(reply.status, 201, reply.text)
        const { id, created_at, ...data } = dataOf(reply)
        assert.match(id, /^[0-9]{19}$/)
        assert.deepEqual(data, {
          name: 'A draft',
          text: 'Hello',
          user_id: ann.person.id,
          nullcast: false,
          media_keys: [key],
          card_uri,
          updated_at: created_at,
        })
        assert.equal(paramsOf(reply).account_id, ann.accountId)
        assert.deepEqual(await get(`/draft_posts/${id}`), dataOf(reply))
        // What it carries is in the library, and was not posted.
        const [medium] = listOf(await ann.get('/media_library'))
        assert.deepEqual([medium?.media_key, medium?.posted], [key, false])
      })
      test('its author is the user that the account belongs to', async () => {
        assert.equal((await drafted()).user_id, ann.person.id)
        const bob = await newPerson(opened.plaza)
        await letRepost(context(), ann.advertiser, bob.id)
        const reply = await ann.post('/draft_posts', { text: 'a', as_user_id: bob.id })
        assert.deepEqual(errorOf(reply), [400, 'INVALID_USER_ID as_user_id'])
      })
      test('a draft must be publishable', async () => {
        for (const [form, error] of [
          [{ text: '' }, [400, 'POST_CANNOT_BE_BLANK text']],
          [{ text: 'x'.repeat(281) }, [400, 'INVALID_POST text']],
          [{ media_keys: '3_1' }, [404, 'MEDIA_NOT_FOUND media_keys']],
          [{ card_uri: 'card://1' }, [404, 'CARD_NOT_FOUND card_uri']],
          [
            { media_keys: '3_1,16_2' },
            [400, 'INVALID_MEDIA media_keys', 'MEDIA_NOT_FOUND media_keys', 'MEDIA_NOT_FOUND media_keys'],
          ],
        ] as const)
          assert.deepEqual(errorOf(await ann.post('/draft_posts', { text: 'a', ...form })), error)
      })
      test('one can be copied with every member that it has', async () => {
        const { text, name, card_uri, media_keys } = await drafted()
        assert.deepEqual([name, card_uri, media_keys], [null, null, []])
        const inJson = await ann.json('POST', '/draft_posts', { text, name, card_uri, media_keys })
        const inForm = await ann.post('/draft_posts', {
          text: String(text),
          name: '',
          card_uri: '',
          media_keys: '',
        })
        for (const reply of [inJson, inForm]) {
          assert.equal(reply.status, 201, reply.text)
          const copy = dataOf(reply)
          assert.deepEqual([copy.text, copy.name, copy.card_uri, copy.media_keys], [text, null, null, []])
        }
      })
      test('a change keeps what it does not name, and takes away what is empty', async () => {
        const draft = await drafted({
          name: 'a',
          media_keys: await upload(gif(3, 3)),
          card_uri: String((await card()).card_uri),
        })
        const path = `/draft_posts/${draft.id}`
        opened.plaza.clock.advance(1000)
        const changed = dataOf(await ann.put(path, { text: 'b', media_keys: '', card_uri: '', name: '' }))
        assert.deepEqual(
          [changed.text, changed.media_keys, changed.card_uri, changed.name, changed.nullcast],
          ['b', [], null, null, true],
        )
        assert.notEqual(changed.updated_at, draft.updated_at)
        assert.deepEqual(dataOf(await ann.put(path, { text: 'b' })), changed)
        assert.deepEqual(errorOf(await ann.put(path, { text: '' })), [400, 'POST_CANNOT_BE_BLANK text'])
        assert.deepEqual(errorOf(await ann.put(path, { as_user_id: '1' })), [
          400,
          'INVALID_PARAMETER as_user_id',
        ])
        assert.deepEqual(await get(path), changed)
      })
      test('a text goes when media stay', async () => {
        const { id } = await drafted({ media_keys: await upload(png(3, 3)) })
        assert.equal(dataOf(await ann.put(`/draft_posts/${id}`, { text: '' })).text, '')
      })
      test('a deleted one is gone', async () => {
        const draft = await drafted()
        const path = `/draft_posts/${draft.id}`
        assert.deepEqual(dataOf(await ann.delete(path)), { ...draft, status: 'DELETED' })
        for (const reply of [await ann.get(path), await ann.delete(path), await ann.put(path, { text: 'a' })])
          assert.deepEqual(errorOf(reply), [404, 'NOT_FOUND draft_post_id'])
      })
      test('lists come oldest first, a page at a time', async () => {
        for (const text of ['a', 'b', 'c']) await drafted({ text })
        const first = await ann.get('/draft_posts?count=2')
        assert.deepEqual(texts(listOf(first)), ['a', 'b'])
        const second = await ann.get(`/draft_posts?count=2&cursor=${cursorOf(first)}`)
        assert.deepEqual([texts(listOf(second)), cursorOf(second)], [['c'], null])
        assert.deepEqual(errorOf(await ann.get('/draft_posts?count=201')), [400, 'INVALID_PARAMETER count'])
        const stranger = await newPerson(opened.plaza)
        assert.deepEqual(errorOf(await ann.get(`/draft_posts?user_id=${stranger.id}`)), [
          400,
          'INVALID_USER_ID user_id',
        ])
      })
      test('accounts see their own', async () => {
        const { id } = await drafted()
        const bob = await Desk.open(opened.plaza, client, { person: ann.person })
        assert.deepEqual(errorOf(await bob.get(`/draft_posts/${id}`)), [404, 'NOT_FOUND draft_post_id'])
        assert.deepEqual(listOf(await bob.get('/draft_posts')), [])
      })
      test('the last user to change it counts as its writer', async () => {
        const composer = await employ(['CREATIVE_MANAGER', 'POST_COMPOSER'])
        const { id } = await drafted()
        const contributors = async () =>
          listOf(await ann.get(`/posts?post_type=DRAFT&post_ids=${id}`)).map((one) => one.contributors)
        const rewrite = (text: string, keys = ann.person.keys) =>
          ann.send('PUT', `/draft_posts/${id}`, { text }, keys)
        await rewrite('Some day', composer.keys)
        assert.deepEqual(await contributors(), [null])
        await rewrite('By another', composer.keys)
        assert.deepEqual(await contributors(), [[Number(composer.id)]])
        await rewrite('By its author again')
        assert.deepEqual(await contributors(), [null])
      })
      test('others write in the name of the user as composers, for advertisements', async () => {
        const eve = await employ(['CREATIVE_MANAGER'])
        const write = (form: Record<string, string>, keys: (typeof eve)['keys']) =>
          ann.post('/draft_posts', { text: 'a', ...form }, keys)
        assert.deepEqual(errorOf(await write({}, eve.keys)), [403, 'ACTION_NOT_ALLOWED as_user_id'])
        const composer = await employ(['CREATIVE_MANAGER', 'POST_COMPOSER'])
        assert.equal((await write({}, composer.keys)).status, 201)
        assert.deepEqual(errorOf(await write({ nullcast: 'false' }, composer.keys)), [
          403,
          'ACTION_NOT_ALLOWED nullcast',
        ])
      })
    })

    describe('scheduled posts', () => {
      test('one waits for its minute', async () => {
        const reply = await schedule({ scheduled_at: '2036-01-01T00:00:00Z' })
        assert.deepEqual(errorOf(reply), [400, 'INVALID_PARAMETER scheduled_at'])
        const time = new Date(Math.floor(now() / MINUTE_MS) * MINUTE_MS + HOUR_MS)
        const data = await scheduled({
          scheduled_at: new Date(time.getTime() + 59_000).toISOString(),
          name: 'x',
        })
        const { id, created_at, ...rest } = data
        assert.deepEqual(rest, {
          name: 'x',
          text: 'Later',
          user_id: ann.person.id,
          nullcast: true,
          media_keys: [],
          card_uri: null,
          scheduled_at: time.toISOString().replace('.000', ''),
          scheduled_status: 'SCHEDULED',
          completed_at: null,
          post_id: null,
          updated_at: created_at,
        })
        assert.deepEqual(await get(`/scheduled_posts/${id}`), data)
      })
      test('its time is in the next 365 days', async () => {
        for (const [ms, status] of [
          [-MINUTE_MS, 400],
          [0, 400],
          [2 * MINUTE_MS, 201],
          [364 * DAY_MS, 201],
          [366 * DAY_MS, 400],
        ] as const) {
          const reply = await schedule({ scheduled_at: inMs(ms) })
          assert.equal(reply.status, status, `${ms}: ${reply.text}`)
          if (status === 400) assert.deepEqual(errorOf(reply), [400, 'INVALID_PARAMETER scheduled_at'])
        }
        const reply = await ann.post('/scheduled_posts', { text: 'a' })
        assert.deepEqual(errorOf(reply), [400, 'MISSING_PARAMETER scheduled_at'])
      })
      test('it is published when its time comes, and not before', async () => {
        const key = await upload(mp4(16, 9))
        const { id } = await scheduled({ text: 'Now', name: 'launch', media_keys: key })
        await publish()
        assert.equal((await get(`/scheduled_posts/${id}`)).scheduled_status, 'SCHEDULED')
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        const data = await get(`/scheduled_posts/${id}`)
        assert.equal(data.scheduled_status, 'SUCCESS')
        assert.equal(data.completed_at, new Date(now()).toISOString().replace('.000', ''))
        const [post] = listOf(await ann.get(`/posts?post_type=PUBLISHED&post_ids=${data.post_id}`))
        assert.deepEqual(
          [post?.full_text, post?.nullcast, post?.name, post?.post_type],
          ['Now', true, 'launch', 'PUBLISHED'],
        )
        const [medium] = listOf(await ann.get('/media_library'))
        assert.equal(medium?.posted, true)
        await publish()
        assert.equal(listOf(await ann.get('/posts?post_type=PUBLISHED')).length, 1)
      })
      test('line items that wait for it show the post', async () => {
        const { id } = await scheduled()
        const lineItem = await ann.advertiser.lineItem()
        const gone = await ann.advertiser.lineItem()
        for (const { id: line_item_id } of [lineItem, gone])
          assert.equal(
            (await ann.post('/scheduled_promoted_posts', { line_item_id, scheduled_post_id: id })).status,
            201,
          )
        await ann.delete(`/line_items/${gone.id}`)
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        const { post_id, scheduled_status } = await get(`/scheduled_posts/${id}`)
        assert.equal(scheduled_status, 'SUCCESS')
        const promoted = listOf(await ann.get('/promoted_posts?with_deleted=true'))
        assert.deepEqual(
          promoted.map((one) => [one.line_item_id, one.post_id, one.entity_status]),
          [[lineItem.id, post_id, 'ACTIVE']],
        )
        const [waited] = listOf(await ann.get('/scheduled_promoted_posts'))
        assert.equal(waited?.post_id, post_id)
      })
      test('promotions that did not happen do not have the post', async () => {
        const { id } = await scheduled()
        const [shows, removed, gone] = [
          await ann.advertiser.lineItem(),
          await ann.advertiser.lineItem(),
          await ann.advertiser.lineItem(),
        ]
        const waiting: string[] = []
        for (const lineItem of [shows, removed, gone]) {
          const reply = await ann.post('/scheduled_promoted_posts', {
            line_item_id: lineItem.id,
            scheduled_post_id: id,
          })
          waiting.push(dataOf(reply).id)
        }
        await ann.delete(`/scheduled_promoted_posts/${waiting[1]}`)
        await ann.delete(`/line_items/${gone.id}`)
        const shown = async () =>
          new Map(
            listOf(await ann.get('/scheduled_promoted_posts?with_deleted=true')).map((one) => [one.id, one]),
          )
        const before = await shown()
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        const { post_id } = await get(`/scheduled_posts/${id}`)
        const after = await shown()
        assert.deepEqual(
          waiting.map((one) => after.get(one)?.post_id),
          [post_id, null, null],
        )
        for (const one of waiting.slice(1)) assert.deepEqual(after.get(one), before.get(one))
      })
      test('one that can no longer be published fails', async () => {
        const same = await ann.post('/post', { as_user_id: ann.person.id, text: 'x' })
        assert.equal(same.status, 201)
        const { id: cardId, card_uri } = await card()
        const failing = [
          await scheduled({ text: 'with a card', card_uri: String(card_uri) }),
          await scheduled({ text: 'twice' }),
          await scheduled({ text: 'twice' }),
        ]
        await ann.delete(`/cards/poll/${cardId}`)
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        const states = []
        for (const { id } of failing) {
          const { scheduled_status, completed_at, post_id } = await get(`/scheduled_posts/${id}`)
          states.push([scheduled_status, completed_at !== null, post_id !== null])
        }
        assert.deepEqual(states, [
          ['FAILED', true, false],
          ['SUCCESS', true, true],
          ['FAILED', true, false],
        ])
      })
      test('until its time it can be changed', async () => {
        const { id, scheduled_at } = await scheduled()
        const path = `/scheduled_posts/${id}`
        const later = dataOf(await ann.put(path, { text: 'Even later', scheduled_at: inMs(2 * HOUR_MS) }))
        assert.equal(later.text, 'Even later')
        assert.notEqual(later.scheduled_at, scheduled_at)
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        assert.deepEqual(await get(path), later)
        opened.plaza.clock.advance(HOUR_MS)
        assert.deepEqual(errorOf(await ann.put(path, { text: 'a' })), [400, 'INVALID of scheduled_post_id'])
        await publish()
        assert.deepEqual(errorOf(await ann.put(path, { text: 'a' })), [400, 'INVALID of scheduled_post_id'])
        assert.equal((await get(path)).scheduled_status, 'SUCCESS')
      })
      test('a deleted one is gone, and is not published', async () => {
        const data = await scheduled()
        const path = `/scheduled_posts/${data.id}`
        assert.deepEqual(dataOf(await ann.delete(path)), { ...data, scheduled_status: 'DELETED' })
        assert.deepEqual(errorOf(await ann.get(path)), [404, 'NOT_FOUND scheduled_post_id'])
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        assert.deepEqual(listOf(await ann.get('/posts?post_type=PUBLISHED')), [])
      })
      test('30 are scheduled in 15 minutes, no more', async () => {
        const time = inMs(HOUR_MS)
        let last = ''
        for (let count = 0; count < 30; count++)
          last = (await scheduled({ text: `${count}`, scheduled_at: time })).id
        const crowd = [400, 'SCHEDULED_POST_LIMIT_EXCEEDED scheduled_at']
        assert.deepEqual(errorOf(await schedule({ scheduled_at: time })), crowd)
        for (const minutes of [-14, 14])
          assert.deepEqual(
            errorOf(await schedule({ scheduled_at: inMs(HOUR_MS + minutes * MINUTE_MS) })),
            crowd,
          )
        await scheduled({ scheduled_at: inMs(HOUR_MS - 15 * MINUTE_MS) })
        const { id } = await scheduled({ scheduled_at: inMs(HOUR_MS + 15 * MINUTE_MS) })
        assert.deepEqual(errorOf(await ann.put(`/scheduled_posts/${id}`, { scheduled_at: time })), crowd)
        // Those that are there can be changed.
        assert.equal((await ann.put(`/scheduled_posts/${last}`, { text: 'other' })).status, 200)
        await ann.delete(`/scheduled_posts/${last}`)
        assert.equal((await schedule({ scheduled_at: time })).status, 201)
      })
      test('what fits into 15 minutes does not depend on the order of requests', async () => {
        // 20 posts 7 minutes before, and 20 posts 7 minutes after: each half is allowed without the
        // other only.
        const at = (minutes: number) => inMs(HOUR_MS + minutes * MINUTE_MS)
        const forms = Array.from({ length: 40 }, (_, n) => ({
          text: `${n}`,
          scheduled_at: at(n < 20 ? -7 : 7),
        }))
        const counts: number[] = []
        for (const order of [
          forms,
          forms.toReversed(),
          forms.toSorted((a, b) => (Number(a.text) % 20) - (Number(b.text) % 20)),
        ]) {
          ann = await Desk.open(opened.plaza, client)
          let taken = 0
          for (const form of order) if ((await schedule(form)).status === 201) taken++
          counts.push(taken)
          const middle = await schedule({ text: 'middle', scheduled_at: at(0) })
          assert.deepEqual(errorOf(middle), [400, 'SCHEDULED_POST_LIMIT_EXCEEDED scheduled_at'])
        }
        assert.deepEqual(counts, [30, 30, 30])
      })
      test('the window counts what a user schedules through every account', async () => {
        const time = inMs(HOUR_MS)
        const other = await Desk.open(opened.plaza, client, { person: ann.person })
        for (let count = 0; count < 30; count++)
          assert.equal((await schedule({ text: `${count}` }, count % 2 ? ann : other)).status, 201)
        assert.deepEqual(errorOf(await schedule({ scheduled_at: time }, other)), [
          400,
          'SCHEDULED_POST_LIMIT_EXCEEDED scheduled_at',
        ])
        // What is tried out in the sandbox is not of this world.
        const sandbox = await Desk.open(opened.plaza, client, {
          person: ann.person,
          environment: 'sandbox',
        })
        assert.equal((await schedule({ scheduled_at: time }, sandbox)).status, 201)
      })
      test('the last user to change it counts as its writer', async () => {
        const composer = await employ(['CREATIVE_MANAGER', 'POST_COMPOSER'])
        const path = (id: string) => `/scheduled_posts/${id}`
        const form = { text: 'By another', scheduled_at: inMs(HOUR_MS) }
        const theirs = dataOf(await ann.post('/scheduled_posts', form, composer.keys))
        const taken = await ann.put(path(theirs.id), { nullcast: 'false' })
        assert.equal(taken.status, 200, taken.text)
        const mine = await scheduled({ text: 'By its author' })
        const rewritten = await ann.send('PUT', path(mine.id), { text: 'Rewritten' }, composer.keys)
        assert.equal(rewritten.status, 200, rewritten.text)
        const same = await scheduled({ text: 'Left as it was' })
        assert.equal(
          (await ann.send('PUT', path(same.id), { text: 'Left as it was' }, composer.keys)).status,
          200,
        )
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        const posts = listOf(await ann.get('/posts?post_type=PUBLISHED&timeline_type=ALL'))
        assert.deepEqual(posts.map((one) => [one.full_text, one.nullcast, one.contributors]).sort(), [
          ['By another', false, null],
          ['Left as it was', true, null],
          ['Rewritten', true, [Number(composer.id)]],
        ])
      })
      test('those that cannot be published now keep no other waiting', async () => {
        const good = await schedulePost(context(), ann.advertiser, { userId: ann.person.id })
        const template = (await context().store.first(scheduledPosts.rows.byId, {
          account: ann.accountId,
          id: good,
        })) as ScheduledPostRow
        const broken = Array.from({ length: 101 }, () => ({
          ...template,
          account_id: ann.accountId,
          id: context().ids.next(),
          media_keys: 'no JSON',
          scheduled_at: template.scheduled_at - 1,
        }))
        const each = (work: (tx: Tx, row: ScheduledPostRow) => Promise<unknown>) =>
          context().store.write(async (tx) => {
            for (const row of broken) await work(tx, row)
          })
        await each(async (tx, row) => {
          await tx.run(scheduledPosts.rows.add, row)
          await enqueuePublication(tx, row)
        })
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        await each((tx, { account_id: account, id }) =>
          tx.run(scheduledPosts.rows.remove, { account, id, now: now() }),
        )
        assert.equal((await get(`/scheduled_posts/${good}`)).scheduled_status, 'SUCCESS')
      })
      test('one that is rejected while it is published has failed, and the log says why', async (t) => {
        const { id } = await scheduled({ name: 'rejected' })
        opened.plaza.clock.advance(HOUR_MS)
        const told = t.mock.method(context().log, 'info')
        const gone = () => adsApiError(wrongParameter('media_keys', msg`It was forgotten`, 'MEDIA_NOT_FOUND'))
        const rejecting = {
          ...context(),
          ids: {
            next() {
              throw gone()
            },
          },
        }
        const { clock, store, random, log } = context()
        const parts = { clock, store, random, log, holder: 'test' }
        const worker = await startWorker([publication(rejecting as Context)], parts, { background: false })
        await worker.runDue()
        const { scheduled_status, completed_at, post_id } = await get(`/scheduled_posts/${id}`)
        assert.deepEqual([scheduled_status, completed_at === null, post_id], ['FAILED', false, null])
        assert.deepEqual(
          told.mock.calls
            .map(({ arguments: [about] }) => about as unknown as object)
            // The audit log writes of earlier events when it comes to them.
            .filter((about) => 'scheduled_post' in about),
          [{ scheduled_post: id, codes: ['MEDIA_NOT_FOUND'] }],
        )
      })
      test('one that cannot be published for a long time for a reason of ours has failed', async () => {
        const id = await schedulePost(context(), ann.advertiser, { userId: ann.person.id })
        const at = { account: ann.accountId, id }
        const row = (await context().store.first(scheduledPosts.rows.byId, at)) as ScheduledPostRow
        const broken = { ...row, account_id: ann.accountId, media_keys: 'no JSON' }
        await context().store.write((tx) =>
          tx.run(scheduledPosts.rows.change(tx.dialect, row, broken), broken),
        )
        for (let hour = 0; hour < 24; hour++) {
          opened.plaza.clock.advance(HOUR_MS)
          await publish()
        }
        const after = await context().store.first(scheduledPosts.rows.byId, at)
        assert.deepEqual([after?.scheduled_status, after?.post_id], ['SCHEDULED', null])
        for (let hour = 24; hour < 40; hour++) {
          opened.plaza.clock.advance(HOUR_MS)
          await publish()
        }
        const failed = await context().store.first(scheduledPosts.rows.byId, at)
        assert.deepEqual([failed?.scheduled_status, failed?.completed_at], ['FAILED', now()])
      })
      test('nothing is published for a writer who has lost the roles that it needs', async () => {
        const roles: readonly Role[] = ['CREATIVE_MANAGER', 'POST_COMPOSER']
        const suspended = await employ(roles)
        const [kept, removed, demoted, reader] = await Promise.all(
          Array.from({ length: 4 }, () => employ(roles)),
        )
        const ids: string[] = []
        for (const who of [kept, removed, demoted, reader, suspended]) {
          const form = { text: `By ${who?.screenName}`, scheduled_at: inMs(HOUR_MS) }
          ids.push(dataOf(await ann.post('/scheduled_posts', form, who?.keys)).id)
        }
        const at = { accountId: ann.accountId, now: now() }
        await context().store.write(async (tx) => {
          await tx.run(removeAccess, { userId: removed?.id ?? '', account: ann.accountId })
          await grantAccess(tx, { ...at, userId: demoted?.id ?? '', roles: ['CREATIVE_MANAGER'] })
          await grantAccess(tx, { ...at, userId: reader?.id ?? '', roles: ['ANALYST'] })
          await setSuspended(tx, { kind: 'user', id: suspended.id, suspended: true })
        })
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        const states = await Promise.all(ids.map((id) => get(`/scheduled_posts/${id}`)))
        assert.deepEqual(
          states.map(({ scheduled_status, post_id }) => [scheduled_status, post_id === null]),
          [['SUCCESS', false], ...ids.slice(1).map(() => ['FAILED', true])],
        )
        // Another user who changes it becomes its writer, and the author is one, too.
        const again = await ann.post(
          '/scheduled_posts',
          { text: 'Mine', scheduled_at: inMs(HOUR_MS) },
          kept?.keys,
        )
        assert.equal((await ann.put(`/scheduled_posts/${dataOf(again).id}`, { text: 'Ours' })).status, 200)
        await context().store.write((tx) =>
          tx.run(removeAccess, { userId: kept?.id ?? '', account: ann.accountId }),
        )
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        assert.equal((await get(`/scheduled_posts/${dataOf(again).id}`)).scheduled_status, 'SUCCESS')
        const own = await scheduled({ text: 'Last' })
        await context().store.write((tx) =>
          tx.run(removeAccess, { userId: ann.person.id, account: ann.accountId }),
        )
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        const row = await context().store.first(scheduledPosts.rows.byId, {
          account: ann.accountId,
          id: own.id,
        })
        assert.equal(row?.scheduled_status, 'FAILED')
      })
      test('a suspended author publishes nothing', async () => {
        const person = await newPerson(opened.plaza, true)
        const desk = await Desk.open(opened.plaza, client, { person })
        const eve = await newPerson(opened.plaza)
        const roles: readonly Role[] = ['ACCOUNT_ADMIN', 'POST_COMPOSER']
        const at = { accountId: desk.accountId, userId: eve.id, roles, now: now() }
        await context().store.write((tx) => grantAccess(tx, at))
        const form = { text: 'a', scheduled_at: inMs(HOUR_MS) }
        const reply = await desk.post('/scheduled_posts', form, eve.keys)
        assert.deepEqual(errorOf(reply), [403, 'ACTION_NOT_ALLOWED as_user_id'])
        // Nor what was scheduled before.
        const id = await schedulePost(context(), desk.advertiser, { userId: person.id })
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        const failed = dataOf(await desk.send('GET', `/scheduled_posts/${id}`, undefined, eve.keys))
        assert.deepEqual([failed.scheduled_status, failed.post_id], ['FAILED', null])
      })
      test('lists come oldest first, a page at a time', async () => {
        for (const text of ['a', 'b', 'c']) await scheduled({ text })
        const first = await ann.get(`/scheduled_posts?count=2&user_id=${ann.person.id}`)
        assert.deepEqual(texts(listOf(first)), ['a', 'b'])
        const second = await ann.get(`/scheduled_posts?count=2&cursor=${cursorOf(first)}`)
        assert.deepEqual([texts(listOf(second)), cursorOf(second)], [['c'], null])
      })
      test('of several nodes one publishes', { skip: !stage.shared && 'one node only' }, async () => {
        const node = await opened.second()
        for (let count = 0; count < 20; count++) await scheduled({ text: `Number ${count}` })
        opened.plaza.clock.advance(HOUR_MS)
        await Promise.all([publish(), node.tasks.runDue('publish scheduled post'), publish()])
        const posts = listOf(await ann.get('/posts?post_type=PUBLISHED'))
        assert.equal(new Set(posts.map((one) => one.full_text)).size, 20)
        assert.equal(posts.length, 20)
        const states = listOf(await ann.get('/scheduled_posts')).map((one) => one.scheduled_status)
        assert.deepEqual(new Set(states), new Set(['SUCCESS']))
      })
    })

    describe('the list of posts', () => {
      const list = async (query: string) => listOf(await ann.get(`/posts?${query}`))
      const shown = (posts: readonly Data[]) => posts.map((one) => one.full_text)

      test('has drafts, newest first', async () => {
        const { id } = await drafted({ text: 'Hello #world', name: 'One' })
        await drafted({ text: 'Two', nullcast: 'false' })
        const posts = await list('post_type=DRAFT&timeline_type=ALL')
        assert.deepEqual(shown(posts), ['Two', 'Hello #world'])
        const { entities, ...post } = posts[1] as Data & { entities: { hashtags: Data[] } }
        assert.deepEqual(
          [post.post_type, post.post_id, post.id_str, post.name, post.scheduled_at, post.nullcast],
          ['DRAFT', id, id, 'One', null, true],
        )
        assert.equal(entities.hashtags[0]?.text, 'world')
        assert.deepEqual(shown(await list('post_type=DRAFT')), ['Hello #world'])
        assert.deepEqual(shown(await list('post_type=DRAFT&timeline_type=ORGANIC')), ['Two'])
      })
      test('has scheduled posts until they are published', async () => {
        const { scheduled_at } = await scheduled({ text: 'Soon' })
        await scheduled({ text: 'Later', scheduled_at: inMs(2 * HOUR_MS) })
        const [, soon] = await list('post_type=SCHEDULED')
        assert.deepEqual(
          [soon?.post_type, soon?.scheduled_at, soon?.scheduled_status],
          ['SCHEDULED', scheduled_at, 'SCHEDULED'],
        )
        opened.plaza.clock.advance(HOUR_MS)
        await publish()
        assert.deepEqual(shown(await list('post_type=SCHEDULED')), ['Later'])
        assert.deepEqual(shown(await list('post_type=PUBLISHED')), ['Soon'])
        assert.deepEqual(await list('post_type=DRAFT'), [])
      })
      test('is narrowed by name and by ids of its kind', async () => {
        const a = await drafted({ text: 'a', name: 'Alpha' })
        const b = await drafted({ text: 'b', name: 'beta', nullcast: 'false' })
        const c = await scheduled({ text: 'c', name: 'alpine' })
        assert.deepEqual(shown(await list('post_type=DRAFT&name=ALP')), ['a'])
        assert.deepEqual(shown(await list('post_type=SCHEDULED&name=ALP')), ['c'])
        const ids = [a, b, c].map(({ id }) => id).join()
        assert.deepEqual(shown(await list(`post_type=DRAFT&post_ids=${ids}`)), ['b', 'a'])
        assert.deepEqual(shown(await list(`post_type=DRAFT&post_ids=${ids}&name=be`)), ['b'])
        assert.deepEqual(shown(await list(`post_type=SCHEDULED&post_ids=${ids}`)), ['c'])
        assert.deepEqual(await list(`post_type=PUBLISHED&post_ids=${ids}`), [])
      })
      test('comes a page at a time', async () => {
        for (const text of ['a', 'b', 'c']) await drafted({ text })
        const first = await ann.get('/posts?post_type=DRAFT&count=2')
        assert.deepEqual(shown(listOf(first)), ['c', 'b'])
        const second = await ann.get(`/posts?post_type=DRAFT&count=2&cursor=${cursorOf(first)}`)
        assert.deepEqual([shown(listOf(second)), cursorOf(second)], [['a'], null])
      })
    })
  })
}
