import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { faultsOfReply } from '../../support/public-description.ts'
import { CAPPED, type Caller, PREPARED, SEEDED } from './callers.ts'
import type { Reply } from './client.ts'
import type { Area, Exchange, Story } from './exchange.ts'
import { assertMatches, like, Matcher } from './match.ts'
import { resolve } from './variables.ts'
import { send, type World } from './world.ts'

/** Creates a test for every row of an area. */
export function run({ name, base, as: usual, rows }: Area, world: () => World): void {
  describe(name, () => {
    for (const row of rows) {
      const as = 'send' in row ? (row.as ?? usual) : row.needs
      test(titleOf(row, as, base), async (t) => {
        if ((await lacks(t, as, world())) || (await lacks(t, row.needs, world()))) return
        if ('run' in row) return row.run(world())
        const full = { ...row, as: row.as ?? usual, send: absolute(row.send, base) }
        if (row.differs === undefined) await exchange(full, world())
        else await difference(t, full, row.differs, world())
      })
    }
  })
}

const titleOf = (row: Exchange | Story, as: Story['needs'], base: string) =>
  'send' in row ? `${absolute(row.send, base)} as ${as} → ${row.status}: ${row.it}` : row.it

/** `GET /campaigns` with the base of its area; what begins with a host stays as it is. */
function absolute(request: string, base: string): string {
  const [method, target = ''] = request.split(' ')
  return `${method} ${target.startsWith('{') ? target : base + target}`
}

/** Whether the Plaza under test lacks the caller of a row, which is then skipped. */
async function lacks(t: TestContext, as: Story['needs'], world: World): Promise<boolean> {
  if (as === undefined) return false
  if (SEEDED.has(as) && !world.isSeeded) {
    t.skip('needs a Plaza that was started with --seed test/interface/seed.json')
    return true
  }
  const isThere =
    (as !== 'a command' || world.server.command !== undefined) &&
    (!PREPARED.has(as) || (await world.prepared)) &&
    (as !== 'proxied' || (await world.isProxied)) &&
    (!CAPPED.has(as) || (await world.isCapped))
  if (!isThere) t.skip('needs a Plaza that the suite starts')
  return !isThere
}

/**
 * A row with a known difference is reported as open and does not fail; if the difference is gone,
 * it fails.
 */
async function difference(
  t: TestContext,
  row: Exchange & { as: Caller },
  differs: string,
  world: World,
): Promise<void> {
  const kept = await exchange(row, world).then(
    () => true,
    () => false,
  )
  if (kept) throw new Error(`The row is kept now: take its \`differs\` away (${differs})`)
  t.todo(differs)
  throw new Error(`not kept: ${differs}`)
}

/** Sends a request and compares the reply with its literal. */
export async function exchange(row: Exchange & { as: Caller }, world: World): Promise<Reply> {
  world.consumer.answerWith(row.consumer ?? 'right')
  const reply = await send(world, row)
  const { variables, seen } = world
  const body = isJson(reply) && reply.text !== '' ? JSON.parse(reply.text) : reply.text
  assertMatches({ status: reply.status, body }, { status: row.status, body: row.reply ?? '' }, variables)
  const expected = headersOf(row, world)
  const actual = Object.fromEntries(Object.keys(expected).map((name) => [name, reply.headers[name] ?? null]))
  assertMatches(actual, expected, variables)
  for (const [name, value] of Object.entries(expected)) if (value !== null) seen.headers.add(name)
  if (row.status < 400) {
    const [method = '', target = ''] = row.send.split(' ')
    const { pathname: path } = new URL(resolve(target, variables))
    assert.deepEqual(faultsOfReply({ method, path, status: reply.status }, body), [])
    seen.calls.push({ method, path })
  }
  seen.error(reply.status, body)
  return reply
}

const isJson = ({ headers }: Reply) => /[/+]json\b/.test(String(headers['content-type']))

const digits = like(/^[0-9]+$/)
const QUARTER_HOUR_SECONDS = 900

/** Unix seconds within the next quarter of an hour, which is the longest window. */
const reset = new Matcher('a time within 15 minutes', (value) => {
  const inSeconds = Number(value) - Date.now() / 1000
  return /^[0-9]+$/.test(String(value)) && inSeconds > -1 && inSeconds <= QUARTER_HOUR_SECONDS + 1
})

/** The headers of every reply, and the additional ones of this reply. */
function headersOf(row: Exchange & { as: Caller }, { variables, callers }: World) {
  const credentials = callers.get(row.as)
  const level = credentials?.scheme === 'oauth' ? credentials.access : undefined
  const isSecure = String(variables.base_url).startsWith('https:') && row.as !== 'proxied'
  return {
    'cache-control': 'no-cache, no-store, max-age=0',
    'x-transaction-id': like(/^[0-9a-f]{16}$/),
    'x-response-time': digits,
    'x-connection-hash': like(/^[0-9a-f]{64}$/),
    ...(isSecure && { 'strict-transport-security': 'max-age=31536000' }),
    ...(row.reply !== undefined && { 'content-type': row.type ?? typeOf(row) }),
    ...(level !== undefined && row.status < 400 && { 'x-access-level': level }),
    ...(row.limit !== undefined && limitHeaders('x-rate-limit', row.limit)),
    ...(row.accountLimit !== undefined && limitHeaders('x-account-rate-limit', row.accountLimit)),
    ...(row.status === 503 && { 'retry-after': digits }),
    ...(ADVERTISING.test(row.send) && { 'x-current-api-version': '12' }),
    ...row.has,
  }
}

/** Calls of the advertising API, on every host that serves it. */
const ADVERTISING = / \{(ads|ads_sandbox|proxied_ads|capped_ads)_url\}/

const limitHeaders = (prefix: string, limit: number) => ({
  [`${prefix}-limit`]: String(limit),
  [`${prefix}-remaining`]: new Matcher(`less than ${limit}`, (value) => Number(value) < limit),
  [`${prefix}-reset`]: reset,
})

/** Failures under `/2/` are Problem Details. */
function typeOf({ send: request, status }: Exchange): string {
  const isProblem = status >= 400 && /\{(base|capped)_url\}\/2\//.test(request)
  return `application/${isProblem ? 'problem+json' : 'json'}; charset=utf-8`
}
