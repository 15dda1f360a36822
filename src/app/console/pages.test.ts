import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { NOW_MS, type OpenedStore, storeStages } from '../../../test/support/stores.ts'
import { objects } from '../../api/core/objects/objects.ts'
import { addWebhook } from '../../api/core/webhooks/queries.ts'
import { enqueueDeliveries } from '../../delivery/webhooks/enqueue.ts'
import { pageOfDeliveriesTo, recordOutcomes } from '../../delivery/webhooks/queries.ts'
import { addApp, setAppSuspended } from '../../identity/apps/queries.ts'
import { seededRandom } from '../../platform/common/random.ts'
import { readVocabulary } from '../../platform/http/vocabulary.ts'
import { createSealer } from '../../platform/storage/seal.ts'
import { consoleFormToken, newSession, sessionOf } from './access.ts'
import { mountPages } from './pages.ts'

const sealer = createSealer(Buffer.alloc(32, 1), seededRandom('one'))
const vocabulary = readVocabulary('{"words":{"space":"room","spaces":"rooms"}}')
const APP = 'app-1'

for (const stage of storeStages) {
  describe(`the pages of the console on ${stage.name}`, { skip: stage.skip }, () => {
    let at: OpenedStore
    let server: FastifyInstance
    let cookie: string
    let token: string
    let errors: unknown[] = []
    before(async () => {
      at = await stage.open()
      const naming = { vocabulary, problemBase: 'https://p' }
      server = Fastify()
      mountPages(server, {
        ...{ store: at.store, clock: at.clock, sealer, vocabulary },
        emitting: { ...at, graph: objects, naming, mediaOrigin: 'https://m' },
        onError: (error) => errors.push(error),
      })
      await addTestApp()
    })
    beforeEach(async () => {
      errors = []
      at.clock.moveTo(NOW_MS)
      await at.clear()
      const set = newSession({ sealer, now: NOW_MS })
      cookie = set.slice(0, set.indexOf(';'))
      token = consoleFormToken(sessionOf({ cookie }, { sealer, now: NOW_MS }) ?? '', sealer)
    })
    after(async () => {
      await server.close()
      await at.close()
    })

    const addTestApp = () =>
      at.store.write((tx) =>
        tx.run(addApp, {
          ...{ id: APP, owner_user_id: '1', name: 'An app', website: '', consumer_key: 'key' },
          ...{ consumer_secret_sealed: '', permission: 'read', kind: 'web', sign_in: 0, suspended: 0 },
          ...{ bearer_generation: 0, bearer_hash: null, created_at: 0, client_id: null, client_type: null },
          ...{ client_secret_sealed: null, enrolled: 1 },
        }),
      )
    const webhook = async (id: string, valid = 1) => {
      const row = { id, app_id: APP, url: `https://hook.example.com/${id}?a=<b>`, valid }
      await at.store.write((tx) => tx.run(addWebhook, { ...row, created_at: 0, last_success_at: 0 }))
      return id
    }
    /** Deliveries to a webhook; resolves to their numbers, oldest first. */
    const deliver = async (webhookId: string, ...bodies: readonly string[]) => {
      for (const [n, body] of bodies.entries())
        await at.store.write((tx) => enqueueDeliveries(tx, [{ webhookId, eventId: `event ${n}`, body }]))
      return (await stored(webhookId)).map(({ seq }) => seq).toReversed()
    }
    const stored = (webhook: string) =>
      at.store.all(pageOfDeliveriesTo, {
        ...{ webhook, created: Number.MAX_SAFE_INTEGER, before: Number.MAX_SAFE_INTEGER, limit: 100 },
      })

    const send = async (
      method: 'GET' | 'POST',
      url: string,
      form?: Record<string, string>,
      more: object = {},
    ) => {
      const { statusCode, headers, body } = await server.inject({
        ...{ method, url, headers: { host: 'localhost', cookie, ...(form && FORM), ...more } },
        ...(form && { payload: new URLSearchParams(form).toString() }),
      })
      return { status: statusCode, headers, body }
    }
    const get = (url: string) => send('GET', url)
    const post = (url: string, form: Record<string, string> = {}) =>
      send('POST', url, { form_token: token, ...form })
    /** The numbers of the deliveries that a page shows. */
    const shown = (body: string) => [...body.matchAll(/<h2>Delivery (\d+)/g)].map(([, seq]) => Number(seq))
    const nextOf = (body: string) => /<a href="([^"]+)">More</.exec(body)?.[1]

    test('without a session, each shows how to sign in', async () => {
      cookie = ''
      for (const reply of [
        await get('/webhooks'),
        await get('/webhooks/x'),
        await get('/emit'),
        await post('/emit'),
      ]) {
        assert.equal(reply.status, 401)
        assert.match(reply.body, /<title>Sign in – Console<\/title>/)
        assert.equal(reply.headers['cache-control'], 'no-store')
        assert.match(String(reply.headers['content-security-policy']), /default-src 'none'/)
      }
    })

    test('a form needs the token of its session, and the origin of the console', async () => {
      const path = '/webhooks/none/deliveries/1/resend'
      assert.equal((await post(path)).status, 404)
      for (const [form, headers] of [
        [{}, {}],
        [{ form_token: `${token}x` }, {}],
        [{ form_token: token }, { origin: 'https://other.example.com' }],
      ]) {
        const { status, body } = await send('POST', path, form as Record<string, string>, headers)
        assert.equal(status, 403)
        assert.match(body, /This form was not sent from the console/)
      }
    })

    test('what cannot be read is a page with the status, and no error of the server', async () => {
      assert.equal((await get('/webhooks?after=%00')).status, 400)
      assert.equal((await get('/webhooks/%00')).status, 400)
      assert.equal((await send('POST', '/emit', {}, { 'content-type': 'application/xml' })).status, 415)
      const large = await post('/emit', { payload: 'x'.repeat(262_144) })
      assert.equal(large.status, 413)
      assert.match(large.body, /The console does not support this request\./)
      assert.deepEqual(errors, [])
    })

    test('a failure of the store is logged, and shown without its message', async () => {
      const failing = Fastify()
      const store = { ...at.store, all: () => Promise.reject(new Error('secret detail')) }
      const parts = { store, clock: at.clock, sealer, vocabulary, emitting: {} as never }
      mountPages(failing, { ...parts, onError: (error) => errors.push(error) })
      const { statusCode, body } = await failing.inject({
        url: '/webhooks',
        headers: { host: 'localhost', cookie },
      })
      assert.equal(statusCode, 500)
      assert.match(body, /See the log for details\./)
      assert.doesNotMatch(body, /secret detail/)
      assert.equal((errors[0] as Error).message, 'secret detail')
      await failing.close()
    })

    test('webhooks of all apps come in pages of fifty, and their addresses are text', async () => {
      assert.match(
        (await get('/webhooks?after=w')).body,
        /There is no webhook: POST \/2\/webhooks makes one\./,
      )
      for (let n = 100; n < 151; n++) await webhook(`v${n}`, n === 100 ? 0 : 1)
      const first = await get('/webhooks')
      assert.equal(nextOf(first.body), '/webhooks?after=v149')
      assert.match(
        first.body,
        /<a href="\/webhooks\/v100">https:\/\/hook\.example\.com\/v100\?a=&lt;b&gt;<\/a>/,
      )
      assert.match(first.body, /Webhook v100 of app app-1, not valid/)
      assert.match(first.body, /Webhook v101 of app app-1</)
      const second = await get('/webhooks?after=v149')
      assert.deepEqual([nextOf(second.body), second.body.match(/<h2>/g)?.length], [undefined, 1])
    })

    describe('the deliveries of a webhook', () => {
      test('come newest first in pages of twenty', async () => {
        const id = await webhook('w1')
        assert.match((await get(`/webhooks/${id}`)).body, /<p>There are none\.<\/p>/)
        const seqs = (await deliver(id, ...Array.from({ length: 21 }, (_, n) => `{"n":${n}}`))).toReversed()
        const first = await get(`/webhooks/${id}`)
        assert.deepEqual(shown(first.body), seqs.slice(0, 20))
        assert.equal(nextOf(first.body), `/webhooks/w1?before=${seqs[19]}`)
        const second = await get(nextOf(first.body) ?? '')
        assert.deepEqual([shown(second.body), nextOf(second.body)], [seqs.slice(20), undefined])
      })

      test('show what was sent and answered, as text', async () => {
        const id = await webhook('w2')
        const [seq = 0] = await deliver(id, '{"text":"<script>"}')
        const attempt = { at: NOW_MS, ms: 12, status: 500, signature: 'sha256=abc', answer: '<b>no</b>' }
        const outcome = { seq, attempts: 1, state: 'failed', due_at: 0, ended_at: NOW_MS }
        const attempts = [{ ...outcome, attempt: JSON.stringify(attempt) }]
        await at.store.write((tx) => recordOutcomes(tx, attempts))
        const { body } = await get(`/webhooks/${id}`)
        assert.match(body, new RegExp(`<h2>Delivery ${seq}: failed</h2>`))
        assert.match(
          body,
          /<li>2026-03-01T12:00:00\.000Z: 500 after 12 ms<pre>&lt;b&gt;no&lt;\/b&gt;<\/pre><\/li>/,
        )
        assert.match(body, /<pre>\{&quot;text&quot;:&quot;&lt;script&gt;&quot;\}<\/pre>/)
        assert.match(body, /: sha256=abc<\/p>/)
      })

      test('of one that does not exist, or after one that does not, are not found', async () => {
        const id = await webhook('w3')
        for (const [path, what] of [
          ['/webhooks/none', 'webhook'],
          [`/webhooks/${id}?before=x`, 'delivery'],
          [`/webhooks/${id}?before=999999`, 'delivery'],
        ]) {
          const { status, body } = await get(path ?? '')
          assert.equal(status, 404, path)
          assert.match(body, new RegExp(`There is no such ${what}\\.`))
        }
      })

      test('are sent again, only those of the webhook and only while they can be', async () => {
        const [id, other] = [await webhook('w4'), await webhook('w5', 0)]
        const [seq = 0] = await deliver(id, '{}')
        const [foreign] = await deliver(other, '{}')
        const ended = {
          seq,
          attempts: 4,
          state: 'failed',
          due_at: 0,
          ended_at: NOW_MS,
          attempt: '{"at":0,"ms":1,"status":500}',
        }
        await at.store.write((tx) => recordOutcomes(tx, [ended]))
        const again = (webhookId: string, text: unknown) =>
          post(`/webhooks/${webhookId}/deliveries/${text}/resend`)
        for (const text of [foreign, 'x', '-1', 999_999])
          assert.equal((await again(id, text)).status, 404, `${text}`)
        assert.equal((await again(id, seq)).headers.location, '/webhooks/w4')
        const [row] = await stored(id)
        assert.deepEqual(
          [row?.state, row?.attempts, row?.ended_at, row?.resent_at],
          ['pending', 0, null, NOW_MS],
        )
        const invalid = await again(other, foreign)
        assert.equal(invalid.status, 409)
        assert.match(
          invalid.body,
          /Not sent: its webhook is not valid: PUT \/2\/webhooks\/\{webhook_id\} checks it again\./,
        )
        assert.deepEqual(shown(invalid.body), [foreign])
        await at.store.write((tx) => tx.run(setAppSuspended, { id: APP, suspended: 1 }))
        assert.match((await again(id, seq)).body, /Not sent: the app of its webhook is suspended\./)
        await at.store.write((tx) => tx.run(setAppSuspended, { id: APP, suspended: 0 }))
      })
    })

    describe('the form that emits an event', () => {
      const emit = (form: Record<string, string>) => post('/emit', form)
      const SPACE = { event_type: 'rooms.start', user: ' @Ann ', text: '', app: ' ' }
      beforeEach(() => at.addUser('1', 'ann'))

      test('offers the kinds by the names of the vocabulary, with those that were entered', async () => {
        assert.match((await get('/emit')).body, /<option>rooms\.start<\/option>/)
        const { body } = await emit({ event_type: 'rooms.start', text: '"quoted"', direction: 'inbound' })
        assert.match(body, /<option selected>rooms\.start<\/option>/)
        assert.match(body, /name="text" value="&quot;quoted&quot;"/)
        assert.match(body, /<option value="inbound" selected>inbound<\/option>/)
      })

      test('emits an activity about a user, however the name is written', async () => {
        const { body } = await emit(SPACE)
        assert.match(body, /Emitted rooms\.start: those who subscribed receive it\./)
        const emitted = (await at.newEvents()).filter(([kind]) => kind === 'activity.emitted')
        assert.deepEqual(
          emitted.map(([, data]) => [data.kind, data.user_id]),
          [['spaces.start', '1']],
        )
      })

      test('says what is wrong, and then emits nothing', async () => {
        const wrong: [Record<string, string>, RegExp][] = [
          [{ ...SPACE, event_type: 'nothing' }, /There is no such event type\./],
          [{ event_type: 'rooms.start' }, /rooms\.start needs a user\./],
          [{ ...SPACE, text: 'x' }, /rooms\.start has no text\./],
          [{ ...SPACE, direction: 'inbound' }, /rooms\.start has no direction\./],
          [{ ...SPACE, user: 'nobody' }, /There is no user @nobody\. Create one with/],
          [{ ...SPACE, payload: '{' }, /Payload: Expected property name/],
          [{ ...SPACE, payload: '[]' }, /Payload: /],
          [{ ...SPACE, payload: '{"nope":1}' }, /Payload: .*nope/],
          [{ event_type: 'oauth.revoke', app: 'none' }, /There is no app with the id none\./],
        ]
        for (const [form, message] of wrong) {
          const { status, body } = await emit(form)
          assert.equal(status, 400, JSON.stringify(form))
          assert.match(body, message)
        }
        assert.deepEqual(await at.newEvents(), [])
      })
    })
  })
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
