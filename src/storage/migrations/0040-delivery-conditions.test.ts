import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { earlier } from '../../../test/support/earlier.ts'
import { startPlaza } from '../../../test/support/plaza.ts'
import type { ActivityEventRow, DeliveryRow } from '../tables.ts'
import { query } from '../query.ts'

// Opens databases of the version before, with deliveries and activities that noted nothing of what must hold.

const BEFORE = 39

const user = {
  ...{ id: '1001', screen_name: 'ada', screen_name_key: 'ada', name: 'Ada' },
  ...{ password_hash: '', suspended: 0, created_at: 1 },
}
const app = {
  ...{ id: '2001', owner_user_id: '1001', name: 'App', website: 'https://app.test/' },
  ...{ consumer_key: 'key', consumer_secret_sealed: 'sealed', permission: 'read', kind: 'web' },
  ...{ sign_in: 0, suspended: 0, bearer_generation: 0, bearer_hash: null, created_at: 1 },
}
const delivery = (seq: number, body: string, more: object = {}) => ({
  ...{ seq, webhook_id: '3001', share: 0, event_id: String(seq), body, state: 'delivered' },
  ...{ due_at: 1, created_at: 1, ended_at: 1, ...more },
})
const activity = (number: number, more: object = {}) => ({
  ...{ app_id: '2001', position: 1, number, body: '{}', at: 1 },
  ...{ post_id: null, user_id: null, scope: null, ...more },
})
const event = (event_type: string, filter: object) =>
  JSON.stringify({ data: { event_uuid: '1', filter, event_type, payload: {} } })

const BODIES: readonly [string, [user: string | null, scope: string | null, subscription: string | null]][] =
  [
    ['{"for_user_id":"1","post_create_events":[]}', ['1', 'post.read', 'account']],
    ['{"for_user_id":"1","direct_message_events":[],"users":{}}', ['1', 'dm.read', 'account']],
    ['{"for_user_id":"1","messages_in_other_words":[]}', ['1', 'dm.read', 'account']],
    ['{"user_event":{"revoke":{}}}', [null, null, null]],
    ['{"data":{"id":"9"},"matching_rules":[]}', [null, null, 'stream']],
    [event('dm.received', { user_id: '1' }), ['1', 'dm.read', null]],
    [event('like.create', { user_id: '1' }), ['1', 'like.read', null]],
    [event('mute.mute', { user_id: '1' }), ['1', 'mute.read', null]],
    [event('block.unblock', { user_id: '1' }), ['1', 'block.read', null]],
    [event('post.mention.create', { user_id: '1' }), ['1', 'post.read', null]],
    [event('post.create', { user_id: '1' }), ['1', null, null]],
    [event('profile.update.bio', { user_id: '1' }), ['1', null, null]],
    [event('news.new', { keyword: 'tea' }), [null, null, null]],
    [event('other.words', { user_id: '1' }), ['1', null, 'unknown']],
    ['no JSON', [null, null, 'unknown']],
    ['', [null, null, 'unknown']],
  ]

const deliveriesNow = query<object, DeliveryRow>('migratedDeliveries', (db) =>
  db.selectFrom('deliveries').selectAll().orderBy('seq'),
)
const activitiesNow = query<object, ActivityEventRow>('migratedActivities', (db) =>
  db.selectFrom('activity_events').selectAll().orderBy('number'),
)

for (const kind of earlier)
  describe(`deliveries and activities of before: ${kind.name}`, { skip: kind.skip }, () => {
    test('deliveries get their conditions from their bodies; activities that cannot be checked go', async (t) => {
      const made = await kind.make(BEFORE, [
        ['users', user],
        ['apps', app],
        ...BODIES.map(([body], index): [string, ReturnType<typeof delivery>] => [
          'deliveries',
          delivery(index + 1, body),
        ]),
        ['deliveries', delivery(100, '{"replay_job_status":{}}', { notice: 1 })],
        ['activity_events', activity(0)],
        ['activity_events', activity(1, { post_id: '9' })],
        ['activity_events', activity(2, { user_id: '1001', scope: 'dm.read' })],
      ])
      t.after(() => made.remove())
      const plaza = await startPlaza({ ...made.config, seed: 'none' }, { backgroundDeliveries: false })
      t.after(() => plaza.close())
      const { store } = plaza.context
      const found = await store.all(deliveriesNow, {})
      assert.deepEqual(
        found.map(({ body, user_id, scope, subscription }) => [body, [user_id, scope, subscription]]),
        [...BODIES, ['{"replay_job_status":{}}', [null, null, null]]],
      )
      assert.deepEqual(
        (await store.all(activitiesNow, {})).map(({ number }) => number),
        [1, 2],
      )
    })
  })
