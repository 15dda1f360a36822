import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { earlier, MASTER_KEY } from '../../../test/support/earlier.ts'
import { START_MS, startPlaza } from '../../../test/support/plaza.ts'
import { systemRandom } from '../../common/random.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Query } from '../query.ts'
import { query } from '../query.ts'
import { createSealer } from '../seal.ts'

// Opens databases of the version before the task queue, in which work of each kind waits, and sees it done.

const BEFORE = 12
const HOUR_MS = 3_600_000
const sealer = createSealer(Buffer.from(MASTER_KEY, 'hex'), systemRandom)

const user = {
  id: '1001',
  screen_name: 'ada',
  screen_name_key: 'ada',
  name: 'Ada',
  password_hash: '',
  suspended: 0,
  created_at: 1,
}

const app = {
  id: '2001',
  owner_user_id: '1001',
  name: 'App',
  website: 'https://app.test/',
  consumer_key: 'key',
  consumer_secret_sealed: sealer.seal('secret', 'consumer secret 2001'),
  permission: 'read',
  kind: 'web',
  sign_in: 0,
  suspended: 0,
  bearer_generation: 0,
  bearer_hash: null,
  created_at: 1,
}

const webhook = (id: string, next_check_at: number, check_lease_until = 0) => ({
  id,
  app_id: '2001',
  url: `https://hooks.test/${id}`,
  valid: 1,
  created_at: 1,
  last_success_at: START_MS,
  next_check_at,
  check_lease_until,
})

const account = {
  id: 'acc1',
  environment: 'production',
  name: 'Account',
  name_key: 'account',
  business_name: null,
  business_id: null,
  timezone: 'America/Los_Angeles',
  timezone_switch_at: null,
  approval_status: 'ACCEPTED',
  industry_type: null,
  created_at: 1,
  updated_at: 1,
  deleted: 0,
}

const promotableUser = {
  account_id: 'acc1',
  id: 'pu1',
  user_id: '1001',
  promotable_user_type: 'FULL',
  visibility: 0,
  created_at: 1,
  updated_at: 1,
  deleted: 0,
}

const scheduledPost = (id: string, scheduled_at: number, scheduled_status = 'SCHEDULED') => ({
  account_id: 'acc1',
  id,
  user_id: '1001',
  app_id: '2001',
  contributor_id: null,
  name: null,
  text: `Post ${id}`,
  card_uri: null,
  media_keys: '[]',
  nullcast: 1,
  scheduled_at,
  scheduled_status,
  completed_at: null,
  post_id: null,
  created_at: 1,
  updated_at: 1,
})

const medium = (id: string, state: string, lease_until = 0) => ({
  id,
  media_key: `16_${id}`,
  owner_id: '1001',
  additional_owners: '[]',
  category: 'POST_GIF',
  state,
  bytes: 9,
  hash: id.padStart(64, '0'),
  content_type: 'image/gif',
  width: 1,
  height: 1,
  duration_ms: null,
  poster_hash: null,
  poster_type: null,
  posted: 0,
  lease_until,
  expires_at: null,
  created_at: 1,
})

const GOING = 'f'.repeat(64)

const productOf = (catalog_id: string, product_key: string) => ({
  catalog_id,
  product_key,
  id: `sku-${product_key}`,
  revision: 1,
  item_group_key: null,
  shown: 1,
  item: '{}',
  price_currency: 'USD',
  price_amount: 1_000,
})

const set = (id: string, processing_status: string, lease_until = 0) => ({
  id,
  catalog_id: '5001',
  name: 'Set',
  description: null,
  type: 'FILTERED',
  filters: '[{"attribute":"price","operator":"LESS_THAN","value":"100 USD"}]',
  processing_status,
  made_revision: 0,
  position_revision: 0,
  position_key: '',
  failures: 0,
  lease_until,
})

const image = (url: string, due_at: number | null) => ({
  catalog_id: '5001',
  product_key: '6001',
  url,
  problem: null,
  tries: 2,
  due_at,
})

const rows: Parameters<(typeof earlier)[number]['make']>[1] = [
  ['users', user],
  ['apps', app],
  ['webhooks', webhook('3001', START_MS - 1)],
  ['webhooks', webhook('3002', START_MS - 1, START_MS + 1)],
  ['webhooks', webhook('3003', START_MS + HOUR_MS)],
  ['accounts', account],
  ['promotable_users', promotableUser],
  ['scheduled_posts', scheduledPost('4001', START_MS)],
  ['scheduled_posts', scheduledPost('4002', START_MS + HOUR_MS)],
  ['scheduled_posts', scheduledPost('4003', START_MS, 'FAILED')],
  ['media', medium('7001', 'PENDING')],
  ['media', medium('7002', 'PENDING', START_MS + 1_000)],
  ['media', medium('7003', 'READY')],
  ['media_uses', { account_id: 'acc2', holder: 'draft_posts', holder_id: '1', media_id: '7003' }],
  ['media_releases', { account_id: 'acc2', due_at: START_MS }],
  ['media_files', { hash: GOING, bytes: 1, suspect_at: START_MS, going: 1 }],
  ['audience_removals', { audience_id: 'aud1', due_at: START_MS }],
  [
    'product_catalogs',
    {
      id: '5001',
      environment: 'production',
      user_id: '1001',
      name: 'Catalog',
      revision: 1,
      sets: 2,
      filtered_sets: 2,
      created_at: 1,
    },
  ],
  ['products', productOf('5001', '6001')],
  ['products', productOf('5009', '6009')],
  ['product_sets', set('8001', 'PROCESSING', START_MS - 1)],
  ['product_sets', set('8002', 'DONE')],
  ['product_set_members', { set_id: '8009', product_key: '6009' }],
  ['product_images', image('https://images.test/1.png?a="b"', START_MS)],
  ['product_images', image('https://images.test/2.png', null)],
  ['catalog_removals', { id: '5009', kind: 'catalog', lease_until: 0 }],
  ['catalog_removals', { id: '8009', kind: 'set', lease_until: START_MS }],
]

const stateOf = query<{ id: string }, { state: string }>('stateOf', (db, at) =>
  db.selectFrom('media').select('state').where('id', '=', at.id),
)
const scheduledById = query<{ id: string }, { scheduled_status: string; post_id: string | null }>(
  'scheduledById',
  (db, at) =>
    db.selectFrom('scheduled_posts').select(['scheduled_status', 'post_id']).where('id', '=', at.id),
)
const membersOf = query<{ set: string }, { product_key: string }>('membersOf', (db, at) =>
  db.selectFrom('product_set_members').select('product_key').where('set_id', '=', at.set),
)
const productsOf = query<{ catalog: string }, { product_key: string }>('productsOf', (db, at) =>
  db.selectFrom('products').select('product_key').where('catalog_id', '=', at.catalog),
)
const goingFiles = query<object, { hash: string }>('goingFiles', (db) =>
  db.selectFrom('media_files').select('hash').where('going', '=', 1),
)
const usesOfAccount = query<{ account: string }, { media_id: string }>('usesOfAccount', (db, at) =>
  db.selectFrom('media_uses').select('media_id').where('account_id', '=', at.account),
)

/** Reaches nobody, and notes who was called. */
function silent(called: string[]): Outbound {
  return {
    checkTarget: (url) => ({ ok: true, url: new URL(url) }),
    async send({ url }) {
      called.push(url.split('?')[0] as string)
      return { outcome: { kind: 'unreachable', detail: 'nobody is there' }, sent: false, internal: false }
    },
    line: () => undefined,
    close: async () => undefined,
  }
}

for (const database of earlier) {
  describe(`work that waited on ${database.name} before there was a task queue`, {
    skip: database.skip,
  }, () => {
    const called: string[] = []
    let plaza: Awaited<ReturnType<typeof startPlaza>>
    let remove: () => Promise<void>
    before(async () => {
      const made = await database.make(BEFORE, rows)
      remove = made.remove
      plaza = await startPlaza(
        { ...made.config, seed: 'none', fetchImages: true },
        { outbound: silent(called) },
      )
    })
    after(async () => {
      await plaza?.close()
      await remove()
    })

    const { run, all } = {
      run: (kind: string) => plaza.tasks.runDue(kind),
      all: async <Args extends object, Row>(one: Query<Args, Row>, args: Args) =>
        (await plaza.context.store.all(one, args)).map((row) => ({ ...row })),
    }

    test('images that were to be fetched are fetched, with the attempts that they had', async () => {
      assert.equal(await run('check product image'), 1)
      assert.deepEqual(called.splice(0), ['https://images.test/1.png'])
      plaza.clock.advance(HOUR_MS / 4)
      assert.equal(await run('check product image'), 0)
      plaza.clock.advance(-HOUR_MS / 4)
    })

    test('sets are processed, and rows of what was deleted are removed', async () => {
      assert.equal(await run('process product set'), 1)
      assert.deepEqual(await all(membersOf, { set: '8001' }), [{ product_key: '6001' }])
      assert.deepEqual(await all(membersOf, { set: '8002' }), [])
      assert.equal(await run('remove catalog rows'), 2)
      assert.deepEqual(await all(membersOf, { set: '8009' }), [])
      assert.deepEqual(await all(productsOf, { catalog: '5009' }), [])
      assert.equal((await all(productsOf, { catalog: '5001' })).length, 1)
    })

    test('media are processed and released, and marked files are deleted', async () => {
      assert.equal(await run('process medium'), 1)
      // Its file is gone.
      assert.deepEqual(await all(stateOf, { id: '7001' }), [{ state: 'FAILED' }])
      assert.deepEqual(await all(stateOf, { id: '7002' }), [{ state: 'PENDING' }])
      plaza.clock.advance(1_000)
      assert.equal(await run('process medium'), 1)
      assert.equal(await run('release media of account'), 1)
      assert.deepEqual(await all(usesOfAccount, { account: 'acc2' }), [])
      assert.equal(await run('delete file'), 1)
      assert.deepEqual(await all(goingFiles, {}), [])
    })

    test('members of deleted audiences are forgotten', async () => {
      assert.equal(await run('forget members of audience'), 1)
    })

    test('webhooks are checked when their checks are due', async () => {
      assert.equal(await plaza.tasks.runDue('check webhook'), 2)
      assert.deepEqual(called.splice(0).sort(), ['https://hooks.test/3001', 'https://hooks.test/3002'])
      plaza.clock.advance(HOUR_MS)
      await plaza.tasks.runDue('check webhook')
      assert.ok(called.splice(0).includes('https://hooks.test/3003'))
    })

    test('scheduled posts are published at their times', async () => {
      assert.equal(await run('publish scheduled post'), 2)
      const states = await Promise.all(['4001', '4002', '4003'].map((id) => all(scheduledById, { id })))
      assert.deepEqual(
        states.flat().map(({ scheduled_status, post_id }) => [scheduled_status, post_id !== null]),
        [
          ['SUCCESS', true],
          ['SUCCESS', true],
          ['FAILED', false],
        ],
      )
    })
  })
}
