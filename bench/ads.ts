import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { latencyAtLoad } from './at-load.ts'
import { Client, signedHeader } from './client.ts'
import { closedLoop, type Load, median, type Server, type Wire } from './closed-loop.ts'
import type { Figure } from './figure.ts'
import { type RunningPlaza, startBare, startPlaza } from './processes.ts'

// Line items of the advertising API: beside a bare route that serializes the same objects, and in
// an account of a million beside one of a thousand.

const SMALL = 1_000
const PER_CAMPAIGN = 100
const PAGE = 200
const DEEP = 1_000
const PAGE_TARGET = 1.3
const PROBES = 200
/** Each costs about as much as a page in the order of creation. */
const SORTS = ['updated_at-desc', 'bid_amount_local_micro-asc', 'created_at-desc']
const WARM_UP_SECONDS = 4
const VOCABULARY = fileURLToPath(new URL('../docs/vocabulary.example.json', import.meta.url))
const EXISTING = 5_000
const FLAT = 1.15
const MEMORY_REQUESTS = 20_000

type Add = (figure: Figure) => void

interface Account {
  id: string
  campaign: string
  lineItems: string[]
}

/** Ascending ids of 12 characters in base 36, like those of the program. */
const idOf = (prefix: string, count: number) => prefix + count.toString(36).padStart(12 - prefix.length, '0')

/** Writes an account with this many line items into the store of a stopped Plaza. */
export function addLineItems(db: DatabaseSync, userId: string, prefix: string, count: number): Account {
  const now = Date.now()
  const columnsOf = (table: string) =>
    db.prepare(`SELECT name, "notnull" AS needed, type FROM pragma_table_info('${table}')`).all() as {
      name: string
      needed: number
      type: string
    }[]
  const adder = (table: string) => {
    const columns = columnsOf(table)
    const statement = db.prepare(
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join()}) VALUES (${columns.map(() => '?').join()})`,
    )
    return (row: Record<string, string | number | null>) =>
      statement.run(
        ...columns.map(
          ({ name, needed, type }) => row[name] ?? (needed ? (/int/i.test(type) ? 0 : '') : null),
        ),
      )
  }
  const account = idOf(prefix, 0)
  const common = { account_id: account, created_at: now, updated_at: now }
  adder('accounts')({
    id: account,
    environment: 'production',
    name: 'Bench',
    name_key: 'bench',
    timezone: 'UTC',
    approval_status: 'ACCEPTED',
    created_at: now,
    updated_at: now,
  })
  adder('account_access')({ user_id: userId, account_id: account, roles: 'ACCOUNT_ADMIN', created_at: now })
  const funding = idOf(prefix, 1)
  adder('funding_instruments')({
    ...common,
    id: funding,
    type: 'CREDIT_LINE',
    currency: 'USD',
    start_time: now,
    entity_status: 'ACTIVE',
  })
  const addCampaign = adder('campaigns')
  const addLineItem = adder('line_items')
  const lineItems: string[] = []
  let campaign = ''
  db.exec('BEGIN')
  for (let n = 0; n < count; n++) {
    if (n % PER_CAMPAIGN === 0) {
      campaign = idOf(`${prefix}c`, n)
      addCampaign({
        ...common,
        id: campaign,
        name: `Campaign ${n}`,
        name_key: `campaign ${n}`,
        funding_instrument_id: funding,
        currency: 'USD',
        budget_optimization: 'LINE_ITEM',
        entity_status: 'ACTIVE',
      })
    }
    const id = idOf(`${prefix}l`, n)
    if (lineItems.length < SMALL) lineItems.push(id)
    addLineItem({
      ...common,
      id,
      campaign_id: campaign,
      funding_instrument_id: funding,
      name: `Line item ${n}`,
      name_key: `line item ${n}`,
      updated_at: now - ((n * 7919) % 1_000_003),
      objective: 'ENGAGEMENTS',
      product_type: 'PROMOTED_POSTS',
      placements: '["ALL_ON_SERVICE"]',
      goal: 'ENGAGEMENT',
      bid_strategy: 'MAX',
      bid_amount_local_micro: ((n * 31) % 5000) * 10_000 + 10_000,
      pay_by: 'ENGAGEMENT',
      categories: '[]',
      currency: 'USD',
      entity_status: 'ACTIVE',
      creative_source: 'MANUAL',
    })
  }
  db.exec('COMMIT')
  return { id: account, campaign, lineItems }
}

/** Starts a Plaza once to create its store, seeds it, and starts it again. */
async function seeded(
  folder: string,
  rows: number,
): Promise<{ plaza: RunningPlaza; big: Account; small: Account }> {
  const first = await startPlaza({ folder })
  await first.process.stop()
  const db = new DatabaseSync(`${first.data}/plaza.db`)
  db.exec('PRAGMA synchronous = OFF')
  const user = db.prepare("SELECT id FROM users WHERE screen_name = 'owner'").get() as { id: string }
  const began = performance.now()
  const big = addLineItems(db, user.id, 'b', rows)
  const small = addLineItems(db, user.id, 's', SMALL)
  addLineItems(db, user.id, 'm', EXISTING)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  console.log(
    `\nads: seeded ${rows + SMALL + EXISTING} line items in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )
  return { plaza: await startPlaza({ folder }), big, small }
}

interface AdsCase {
  name: string
  target: number
  method: 'GET' | 'PUT'
  paths: readonly string[]
}

interface AdsOptions {
  add: Add
  seconds: number
  rounds: number
  rows: number
  /** A word in the name of the only case to measure. */
  only: string | undefined
}

/** Measures the advertising API. */
export async function measureAds(
  folder: string,
  { add, seconds, rounds, rows, only }: AdsOptions,
): Promise<void> {
  const { plaza, big, small } = await seeded(folder, rows)
  const server: Server = { port: plaza.adsPort, cpuMicroseconds: () => plaza.process.cpuMicroseconds() }
  const client = new Client({ port: plaza.adsPort, tls: false, connections: 1 })
  const path = (account: Account, rest: string) => `/12/accounts/${account.id}/line_items${rest}`
  let turn = 0
  const cases: AdsCase[] = [
    {
      name: 'one line item',
      target: 0.5,
      method: 'GET',
      paths: small.lineItems.map((id) => path(small, `/${id}`)),
    },
    { name: 'list of 200 line items', target: 0.5, method: 'GET', paths: [path(big, '')] },
    {
      name: 'PUT of a line item',
      target: 0.25,
      method: 'PUT',
      // Another name each time, so that every call writes.
      paths: small.lineItems.flatMap((id) =>
        ['a', 'b'].map((name) => path(small, `/${id}?name=${name}${turn++}`)),
      ),
    },
  ]
  try {
    for (const one of cases)
      if (only === undefined || one.name.includes(only))
        await besideBare(folder, one, { client, server, add, seconds, rounds })
    if (only !== undefined) return
    await pages(client, { big, small, rows, path, add })
    await memory(server, plaza, path(big, ''), add)
  } finally {
    await client.close()
    await plaza.process.stop()
  }
  await underVocabulary(folder, path(big, ''), { add, seconds, rounds })
}

/** The list once more as most clients meet it: with names of their own. */
async function underVocabulary(
  folder: string,
  list: string,
  parts: Pick<Parts, 'add' | 'seconds' | 'rounds'>,
): Promise<void> {
  const { process, adsPort } = await startPlaza({ folder, more: ['--vocabulary', VOCABULARY] })
  const client = new Client({ port: adsPort, tls: false, connections: 1 })
  const server: Server = { port: adsPort, cpuMicroseconds: () => process.cpuMicroseconds() }
  const one: AdsCase = { name: 'list under a vocabulary', target: 0.5, method: 'GET', paths: [list] }
  try {
    await besideBare(folder, one, { client, server, ...parts })
  } finally {
    await client.close()
    await process.stop()
  }
}

interface Parts {
  client: Client
  server: Server
  add: Add
  seconds: number
  rounds: number
}

/** One case, alternating with a bare route that serializes the same objects. */
async function besideBare(folder: string, one: AdsCase, { client, server, add, seconds, rounds }: Parts) {
  const [first = ''] = one.paths
  const answer = await client.signed({ method: one.method, path: first })
  if (answer.status !== 200) throw new Error(`${one.name}: ${answer.status} ${answer.text}`)
  const route = one.paths.length === 1 ? first : first.replace(/[^/]+$/, ':id')
  const bare = await startBare(folder, [
    {
      method: one.method,
      path: route,
      status: 200,
      type: 'application/json; charset=utf-8',
      body: answer.text,
      serialize: true,
    },
  ])
  const sides = [
    { server, loads: [] as Load[], expect: 12_000 },
    { server: bare, loads: [] as Load[], expect: 30_000 },
  ]
  try {
    for (let round = -1; round < rounds; round++) {
      for (const side of sides) {
        const duration = round < 0 ? WARM_UP_SECONDS : seconds
        const load = await closedLoop(side.server, signedRequests(one, side.expect * duration), {
          tls: false,
          seconds: duration,
        })
        side.expect = Math.ceil(load.perSecond * 1.3) + 500
        if (round >= 0) side.loads.push(load)
      }
    }
    const [ours, theirs] = sides.map(({ loads }) => loads) as [Load[], Load[]]
    report(one, ours, theirs, add)
    const missed = await latencyAtLoad({
      name: `ads: ${one.name}`,
      plaza: server.port,
      bare: bare.port,
      tls: false,
      seconds,
      rounds,
      maximum: ours,
      requests: (count) => Array.from({ length: count }, signedRequests(one, count)),
      add,
    })
    if (missed > 0) console.log(`  ${missed} missed`)
  } finally {
    await bare.stop()
  }
}

function report(one: AdsCase, ours: Load[], theirs: Load[], add: Add): void {
  const errors = ours.reduce((sum, load) => sum + load.errors, 0)
  const ratio = median(ours.map((load, round) => load.perSecond / (theirs[round]?.perSecond ?? Number.NaN)))
  add({
    name: `ads: signed ${one.name}`,
    unit: '/s',
    plaza: median(ours.map(({ perSecond }) => perSecond)),
    bare: median(theirs.map(({ perSecond }) => perSecond)),
    ratio,
    target: `ratio ≥ ${one.target}`,
    pass: ratio >= one.target && errors === 0,
  })
  if (errors > 0) console.log(`  ${errors} errors`)
  const cpu = (loads: Load[]) => median(loads.map(({ cpuPerRequest }) => cpuPerRequest ?? Number.NaN))
  add({
    name: `ads: ${one.name}: processor time`,
    unit: 'µs',
    plaza: cpu(ours),
    bare: cpu(theirs),
    ratio: cpu(theirs) / cpu(ours),
  })
}

/** Requests that are signed before the measurement. */
function signedRequests({ method, paths }: AdsCase, count: number): () => Wire {
  const wires = Array.from({ length: count }, (_, n): Wire => {
    const path = paths[n % paths.length] as string
    return { method, path, headers: { authorization: signedHeader(method, path) } }
  })
  let next = 0
  return () => {
    const wire = wires[next++]
    if (wire) return wire
    const path = paths[next % paths.length] as string
    return { method, path, headers: { authorization: signedHeader(method, path) } }
  }
}

interface Pages {
  rows: number
  big: Account
  small: Account
  path(account: Account, rest: string): string
  add: Add
}

/** The time of one page among a million rows beside the same page among a thousand. */
async function pages(client: Client, { big, small, rows, path, add }: Pages): Promise<void> {
  const next = async (from: string) => {
    const { text } = await client.signed({ method: 'GET', path: from })
    return (JSON.parse(text) as { next_cursor: string | null }).next_cursor
  }
  const deep = async (account: Account, page: number) => {
    let cursor: string | null = null
    for (let n = 1; n < page; n++)
      cursor = await next(path(account, `?count=${PAGE}${cursor ? `&cursor=${cursor}` : ''}`))
    return path(account, `?count=${PAGE}&cursor=${cursor}`)
  }
  const forms: [string, string, string][] = [
    ['the first page', path(big, `?count=${PAGE}`), path(small, `?count=${PAGE}`)],
    [`page ${DEEP} (beside page 3)`, await deep(big, Math.min(DEEP, rows / PAGE - 1)), await deep(small, 3)],
    ...SORTS.map((sort): [string, string, string] => [
      `sorted by ${sort}`,
      path(big, `?count=${PAGE}&sort_by=${sort}`),
      path(small, `?count=${PAGE}&sort_by=${sort}`),
    ]),
    [
      'of one campaign',
      path(big, `?campaign_ids=${big.campaign}`),
      path(small, `?campaign_ids=${small.campaign}`),
    ],
    [
      'of one campaign, sorted',
      path(big, `?campaign_ids=${big.campaign}&sort_by=updated_at-desc`),
      path(small, `?campaign_ids=${small.campaign}&sort_by=updated_at-desc`),
    ],
    [
      'with deleted ones',
      path(big, `?count=${PAGE}&with_deleted=true`),
      path(small, `?count=${PAGE}&with_deleted=true`),
    ],
  ]
  for (const [name, ofBig, ofSmall] of forms)
    await comparePages(client, [ofBig, ofSmall], `ads: ${name}, ${rows} | ${SMALL}`, add)
  for (const sort of SORTS) {
    const sorted = path(big, `?count=${PAGE}&sort_by=${sort}`)
    await comparePages(
      client,
      [sorted, path(big, `?count=${PAGE}`)],
      `ads: sorted by ${sort} | unsorted`,
      add,
    )
  }
}

/** The times of two pages, asked for in turn. */
async function comparePages(
  client: Client,
  pages: readonly [string, string],
  name: string,
  add: Add,
): Promise<void> {
  const times: [number[], number[]] = [[], []]
  for (let probe = -20; probe < PROBES; probe++) {
    for (const [side, target] of pages.entries()) {
      const authorization = signedHeader('GET', target)
      const began = performance.now()
      const answer = await client.send({ method: 'GET', path: target, authorization })
      const took = performance.now() - began
      if (answer.status !== 200) throw new Error(`${target}: ${answer.status} ${answer.text}`)
      if (probe >= 0) times[side]?.push(took)
    }
  }
  const [slow, fast] = [median(times[0]), median(times[1])]
  add({
    name,
    unit: 'ms',
    plaza: slow,
    bare: fast,
    ratio: slow / fast,
    target: `ratio ≤ ${PAGE_TARGET}`,
    pass: slow / fast <= PAGE_TARGET,
  })
}

/** Resident memory while page after page is asked for. */
async function memory(server: Server, { process }: RunningPlaza, path: string, add: Add): Promise<void> {
  const megabytes = () => (process.residentBytes() ?? Number.NaN) / 2 ** 20
  const marks: number[] = []
  for (let half = 0; half < 2; half++) {
    let sent = 0
    while (sent < MEMORY_REQUESTS) {
      const one: AdsCase = { name: '', target: 0, method: 'GET', paths: [path] }
      const { perSecond } = await closedLoop(server, signedRequests(one, 5_000), { tls: false, seconds: 2 })
      sent += perSecond * 2
    }
    marks.push(megabytes())
  }
  const [first = Number.NaN, second = Number.NaN] = marks
  add({ name: `ads: memory after ${MEMORY_REQUESTS} lists of ${PAGE}`, unit: 'MB', plaza: first })
  add({
    name: `ads: memory after ${2 * MEMORY_REQUESTS} lists`,
    unit: 'MB',
    plaza: second,
    ratio: second / first,
    target: `ratio ≤ ${FLAT}`,
    pass: second / first <= FLAT,
  })
}
