import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { conformanceName } from '../../scripts/endpoints-page.ts'
import { endpoints } from '../../src/app/endpoints.ts'
import type { PlazaEndpoint as Endpoint } from '../../src/identity/auth/endpoint.ts'
import type { AuthKind } from '../../src/identity/auth/principal.ts'
import { isAdsEndpoint } from '../../src/platform/protocols/ads/endpoint.ts'
import { stages } from '../support/stages.ts'
import { assertRejected, assertSucceeded, call, draft } from './calls.ts'
import { openWorld, type World } from './world.ts'

type PoolKind = keyof Endpoint['limits']

/** The callers that count towards a pool. */
const CALLERS: Readonly<Record<PoolKind, readonly AuthKind[]>> = {
  app: ['app'],
  user: ['user'],
  client: ['client', 'pending', 'basic'],
  address: ['none'],
  account: ['user'],
  'user-24hour': ['user'],
  'app-24hour': ['user'],
}

/** Pools that are counted in addition to that of the caller, and the headers with their limits. */
const BESIDE: Readonly<Record<PoolKind, string>> = {
  account: 'x-account-rate-limit',
  'user-24hour': 'x-user-limit-24hour',
  'app-24hour': 'x-app-limit-24hour',
}

const FEW = 2
const WINDOW_SECONDS = 60

const pools = endpoints.flatMap((endpoint) =>
  (Object.keys(endpoint.limits) as PoolKind[]).map((pool) => ({ endpoint, pool })),
)
const withTotals = endpoints.filter((one) => isAdsEndpoint(one) && one.totalsLimit !== undefined)

/** The same small limit for every documented limit of some pools; the others are off. */
const fewCalls = (wanted: (pool: string) => boolean) =>
  Object.fromEntries(
    endpoints.map(({ id, limits }) => [
      id,
      Object.fromEntries(
        [...Object.keys(limits), 'totals'].map((pool) => [
          pool,
          wanted(pool) ? `${FEW}/${WINDOW_SECONDS}s` : 'off',
        ]),
      ),
    ]),
  )

/** One endpoint of each pool of each protocol: with Redis, only where calls are counted differs. */
const onePerPool = [
  ...new Map(pools.map((one) => [`${one.endpoint.protocol} ${one.pool}`, one] as const)).values(),
]

for (const stage of stages.filter(({ name }) => name !== 'SQLite in memory')) {
  describe(`limits on ${stage.name}`, { skip: stage.skip }, () => {
    let callers: World
    /** For each pool that is counted in addition to that of the caller. */
    const beside: Record<PoolKind, World> = {}
    let totals: World
    before(async () => {
      // So many worlds would use up the connections of the database server.
      const open = (wanted: (pool: string) => boolean) =>
        openWorld(stage, { rateLimits: fewCalls(wanted), databaseConnections: 4 })
      callers = await open((pool) => !(pool in BESIDE) && pool !== 'totals')
      for (const wanted of Object.keys(BESIDE)) beside[wanted] = await open((pool) => pool === wanted)
      totals = await open((pool) => pool === 'totals')
    })
    after(() => Promise.all([callers, totals, ...Object.values(beside)].map((world) => world?.close())))
    const few = { calls: FEW, windowSeconds: WINDOW_SECONDS }
    const isShared = stage.name === 'PostgreSQL and Redis'
    for (const { endpoint, pool } of isShared ? onePerPool : pools) {
      test(`${conformanceName(endpoint)} allows so many calls of one ${pool}, and again in the next window`, () =>
        exhaust(beside[pool] ?? callers, endpoint, pool, few))
    }
    for (const endpoint of isShared ? withTotals.slice(0, 1) : withTotals) {
      test(`${conformanceName(endpoint)} allows so many calls that ask for a total`, () =>
        exhaust(totals, endpoint, 'user', few, { with_total_count: 'true' }))
    }
  })
}

describe('the documented figures', () => {
  let world: World
  before(async () => {
    const [memory] = stages
    if (memory) world = await openWorld(memory, { rateLimits: 'documented' })
  })
  after(() => world?.close())

  test('450 calls in 15 minutes list webhooks, one more does not', async () => {
    const listWebhooks = endpoints.find(({ id }) => id === 'listWebhooks') as Endpoint
    await exhaust(world, listWebhooks, 'app', { calls: 450, windowSeconds: 900 })
  })

  test('the pools of two users are two', async () => {
    const listWebhooks = endpoints.find(({ id }) => id === 'listWebhooks') as Endpoint
    for (const user of [await world.newUser(), await world.newUser()]) {
      const reply = await call(world, listWebhooks, await draft(world, listWebhooks, 'user', user), {
        kind: 'user',
      })
      assert.equal(reply.headers['x-rate-limit-remaining'], '449')
    }
  })
})

async function exhaust(
  world: World,
  endpoint: Endpoint,
  pool: PoolKind,
  { calls, windowSeconds }: { calls: number; windowSeconds: number },
  query: Record<string, string> = {},
): Promise<void> {
  const kind = CALLERS[pool]?.find((one) => endpoint.auth.includes(one))
  assert.ok(kind, `no auth kind of ${endpoint.id} draws on the pool ${pool}`)
  const user = await world.newUser()
  // The limit of an account only shows in calls about the same account.
  const same = pool === 'account' ? await draft(world, endpoint, kind, user) : undefined
  const prefix = BESIDE[pool] ?? 'x-rate-limit'
  const good = async () => {
    const one = same ?? (await draft(world, endpoint, kind, user))
    return call(world, endpoint, { ...one, query: [...one.query, ...Object.entries(query)] }, { kind })
  }
  const opened = Math.floor(world.plaza.clock.now() / 1000)
  for (let left = calls - 1; left >= 0; left--) {
    const reply = await good()
    assertSucceeded(world, endpoint, reply)
    assertHeaders(prefix, reply.headers, calls, left, opened + windowSeconds)
  }
  const rejected = await good()
  assertRejected(world, endpoint.protocol, rejected, endpoint.overLimit)
  assertHeaders(prefix, rejected.headers, calls, 0, opened + windowSeconds)

  const { clock } = world.plaza
  clock.moveTo((opened + windowSeconds) * 1000 - 1)
  assertRejected(world, endpoint.protocol, await good(), endpoint.overLimit)
  clock.moveTo(Number(rejected.headers[`${prefix}-reset`]) * 1000)
  assertSucceeded(world, endpoint, await good())
}

function assertHeaders(
  prefix: string,
  headers: Record<string, string | string[] | undefined>,
  limit: number,
  remaining: number,
  reset: number,
): void {
  assert.deepEqual(
    ['limit', 'remaining', 'reset'].map((name) => headers[`${prefix}-${name}`]),
    [limit, remaining, reset].map(String),
  )
}
