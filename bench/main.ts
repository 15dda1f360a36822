import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/platform/common/clock.ts'
import { systemRandom } from '../src/platform/common/random.ts'
import { loadCertificates } from '../src/platform/tls/authority.ts'
import { measureAdDelivery } from './ad-delivery.ts'
import { measureAds } from './ads.ts'
import { latencyAtLoad } from './at-load.ts'
import { measureAudiences } from './audiences.ts'
import { measureAudiencesOnPostgres } from './audiences-postgres.ts'
import { measureBodies } from './bodies.ts'
import { measureCatalogs } from './catalogs.ts'
import { basic, bearerOf, Client, expectStatus, register, signedHeader } from './client.ts'
import { CONNECTIONS, closedLoop, type Load, median, type Wire } from './closed-loop.ts'
import { measureDeliveries } from './deliveries.ts'
import type { Figure } from './figure.ts'
import { measureFirehose } from './firehose.ts'
import { measureIdleStreams } from './idle-streams.ts'
import { measureInsights } from './insights.ts'
import { measureJournal } from './journal.ts'
import { measureLists } from './lists.ts'
import { measureMatcher } from './matcher.ts'
import { measurePostsMemory } from './posts-memory.ts'
import {
  type BareReply,
  freePort,
  PUBLIC_HOST,
  type Running,
  type RunningPlaza,
  startBare,
  startConsumer,
  startPlaza,
  type Tls,
  temporaryFolder,
} from './processes.ts'
import { measureSearch, measureSearchOnPostgres } from './search.ts'
import { measureSnapshots } from './snapshots.ts'
import { measureSoak } from './soak.ts'
import { measureStreamSoak } from './stream-soak.ts'
import { measureStreams } from './streams.ts'

// Compares Plaza with a bare route that replies the same bytes: only the ratios of one run are
// meaningful. npm run bench [-- bearer signed validate token start memory ads catalogs audiences
// audiences-postgres ad-delivery matcher search insights streams firehose lists idle-streams
// journal snapshots stream-soak deliveries bodies soak] [--tls] [--json FILE] [--seconds N]
// [--rounds N] [--rows N] [--case WORD] [--load-seconds N] [--backlog N] [--millions N]
// [--minutes N] [--database-url URL]

/** Until the compiler has nothing left to do for either side. */
const WARM_UP_SECONDS = 6
/** So many that none is checked again before its last check has ended. */
const WEBHOOKS = 256
const TARGET_EMPTY_MS = 1000
const TARGET_EXISTING_MS = 400
const TARGET_READY_MB = 100
const TARGET_RSS_MB = 200
const MEMORY_REQUESTS = 400_000
const STARTS = 10

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tls: { type: 'boolean', default: false },
    json: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '1000000' },
    // Of the advertising API, the cases whose name has this word: --case PUT.
    case: { type: 'string' },
    'load-seconds': { type: 'string', default: '60' },
    backlog: { type: 'string', default: '100000' },
    minutes: { type: 'string', default: '10' },
    millions: { type: 'string', default: '20' },
    'database-url': { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/test' },
  },
})
const seconds = Number(flags.seconds)
const rounds = Number(flags.rounds)
const wanted = (name: string) => positionals.length === 0 || positionals.includes(name)

interface Case {
  name: string
  what: string
  /** Requests per second as a share of the bare route's. */
  target?: number
  /** Always the same, or another one each time. */
  request: Wire | (() => Wire)
  /** Takes its signatures from the pool. */
  signed?: boolean
  /** The bare route's path, where requests differ in it. */
  route?: string
  /** What must be there for this case and not for those before. */
  prepare?(): Promise<void>
}

const figures: Figure[] = []

/** Signatures made before the measurement, so that it does not pay for them. */
class SignedPool {
  readonly #path: string
  #headers: string[] = []
  #used = 0

  constructor(path: string) {
    this.#path = path
  }

  fill(count: number): void {
    this.#headers = Array.from({ length: count }, () => signedHeader('GET', this.#path))
    this.#used = 0
  }

  next(): string {
    // A pool that runs dry costs the generator, not the server.
    return this.#headers[this.#used++] ?? signedHeader('GET', this.#path)
  }

  get ranDry(): boolean {
    return this.#used > this.#headers.length
  }
}

const signedPool = new SignedPool('/2/webhooks')

function requestsOf({ request, signed }: Case, count: number): readonly Wire[] {
  if (typeof request !== 'function') return [request]
  if (signed) signedPool.fill(count)
  return Array.from({ length: count }, request)
}

async function measure(one: Case, plaza: Running, bare: Running): Promise<void> {
  const sides = [
    { server: plaza, loads: [] as Load[], expect: 20_000 },
    { server: bare, loads: [] as Load[], expect: 40_000 },
  ]
  for (let round = -1; round < rounds; round++) {
    for (const side of sides) {
      const duration = round < 0 ? WARM_UP_SECONDS : seconds
      if (one.signed) signedPool.fill(side.expect * duration)
      const load = await closedLoop(side.server, one.request, { tls: flags.tls, seconds: duration })
      side.expect = Math.ceil(load.perSecond * 1.3) + 1000
      if (round >= 0) side.loads.push(load)
    }
  }
  const [ours, theirs] = sides.map(({ loads }) => loads) as [Load[], Load[]]
  const of = (loads: Load[], pick: (load: Load) => number | undefined) =>
    median(loads.map((load) => pick(load) ?? Number.NaN))
  const ratios = ours.map((load, round) => load.perSecond / (theirs[round]?.perSecond ?? Number.NaN))
  const cpuRatios = ours.map(
    (load, round) => (theirs[round]?.cpuPerRequest ?? Number.NaN) / (load.cpuPerRequest ?? Number.NaN),
  )
  const errors = ours.reduce((sum, load) => sum + load.errors, 0)
  const target = one.target === undefined ? {} : { target: `ratio ≥ ${one.target}` }
  add({
    name: `${one.name}: requests`,
    unit: '/s',
    plaza: of(ours, (load) => load.perSecond),
    bare: of(theirs, (load) => load.perSecond),
    ratio: median(ratios),
    ...target,
    ...(one.target !== undefined && { pass: median(ratios) >= one.target && errors === 0 }),
  })
  add({
    name: `${one.name}: processor time a request`,
    unit: 'µs',
    plaza: of(ours, (load) => load.cpuPerRequest),
    bare: of(theirs, (load) => load.cpuPerRequest),
    ratio: median(cpuRatios),
    ...target,
    ...(one.target !== undefined && { pass: median(cpuRatios) >= one.target }),
  })
  for (const percentile of ['p50', 'p99'] as const) {
    add({
      name: `${one.name}: ${percentile}, as fast as it goes`,
      unit: 'ms',
      plaza: of(ours, (load) => load[percentile]),
      bare: of(theirs, (load) => load[percentile]),
    })
  }
  const missed = await latencyAtLoad({
    name: one.name,
    plaza: plaza.port,
    bare: bare.port,
    tls: flags.tls,
    seconds,
    rounds,
    maximum: ours,
    requests: (count) => requestsOf(one, count),
    add,
  })
  const failed = missed + errors
  add({ name: `${one.name}: errors and misses`, unit: '', plaza: failed, target: '0', pass: failed === 0 })
}

function add(figure: Figure): void {
  figures.push(figure)
  const { name, unit, plaza, bare, ratio, target, pass } = figure
  const shown = (value: number | undefined) =>
    value === undefined || Number.isNaN(value) ? '' : format(value)
  console.log(
    [
      name.padEnd(44),
      shown(plaza).padStart(10),
      shown(bare).padStart(10),
      unit.padEnd(4),
      (ratio === undefined ? '' : ratio.toFixed(2)).padStart(6),
      (target ?? '').padEnd(14),
      pass === undefined ? '' : pass ? 'pass' : 'MISS',
    ]
      .join(' ')
      .trimEnd(),
  )
}

const format = (value: number) =>
  value >= 1000
    ? Math.round(value).toLocaleString('en')
    : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)

async function casesOf(client: Client, consumerPort: number): Promise<Case[]> {
  const hooks = `http://127.0.0.1:${consumerPort}`
  await register(client, `${hooks}/hook`)
  const cases: Case[] = []
  const bearer = await bearerOf(client).catch(
    (error: Error) => void console.log(`without bearer: ${error.message}`),
  )
  if (bearer !== undefined) {
    const headers = { authorization: `Bearer ${bearer}` }
    const list: Wire = { method: 'GET', path: '/2/webhooks', headers }
    cases.push({ name: 'bearer', what: 'GET /2/webhooks', target: 0.5, request: list })
  }
  const signed = (): Wire => ({
    method: 'GET',
    path: '/2/webhooks',
    headers: { authorization: signedPool.next() },
  })
  cases.push({ name: 'signed', what: 'GET /2/webhooks', target: 0.45, request: signed, signed: true })
  if (bearer !== undefined) {
    const form = { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' }
    cases.push({
      name: 'token',
      what: 'POST /oauth2/token',
      target: 0.6,
      request: {
        method: 'POST',
        path: '/oauth2/token',
        headers: form,
        body: 'grant_type=client_credentials',
      },
    })
  }
  if (bearer !== undefined) {
    // A webhook is checked once at a time, so each request of those in progress needs one of its
    // own.
    const paths: string[] = []
    let turn = 0
    cases.push({
      name: 'validate',
      what: 'PUT /2/webhooks/{id}, with the call to the webhook',
      route: '/2/webhooks/:id',
      async prepare() {
        while (paths.length < WEBHOOKS) {
          const path = `${hooks}/${paths.length}`
          paths.push(`/2/webhooks/${await register(client, path)}`)
        }
      },
      request: () => ({
        method: 'PUT',
        path: paths[turn++ % paths.length] as string,
        headers: { authorization: `Bearer ${bearer}` },
      }),
    })
  }
  return cases
}

async function bareReply(client: Client, { request, route }: Case): Promise<BareReply> {
  const { method, path, headers, body } = typeof request === 'function' ? request() : request
  const answer = await client.send({
    method,
    path,
    authorization: headers.authorization ?? '',
    ...(body !== undefined && { form: [...new URLSearchParams(body)] as [string, string][] }),
  })
  expectStatus(answer, 200, `${method} ${path}`)
  return {
    method,
    path: route ?? path,
    status: answer.status,
    type: 'application/json; charset=utf-8',
    body: answer.text,
  }
}

/** Starts a Plaza with its consumer for some measurements, and ends all that was started. */
async function withPlaza(
  folder: string,
  tls: Tls | undefined,
  work: (parts: {
    plaza: Awaited<ReturnType<typeof startPlaza>>
    client: Client
    cases: Case[]
    running: Running[]
  }) => Promise<void>,
): Promise<void> {
  const consumer = await startConsumer(folder, await freePort())
  const plaza = await startPlaza({ folder, tls, more: ['--webhooks-per-app', '1000'] })
  const client = new Client({ port: plaza.process.port, tls: flags.tls, connections: 4 })
  const running: Running[] = [consumer, plaza.process]
  try {
    await work({ plaza, client, cases: await casesOf(client, consumer.port), running })
  } finally {
    await client.close()
    await Promise.all(running.map((one) => one.stop()))
  }
}

const measureRequests = (folder: string, tls: Tls | undefined) =>
  withPlaza(folder, tls, async ({ plaza, client, cases, running }) => {
    for (const one of cases.filter(({ name }) => wanted(name))) {
      await one.prepare?.()
      signedPool.fill(1)
      const bare = await startBare(folder, [await bareReply(client, one)], tls)
      running.push(bare)
      console.log(`\n${one.name}: ${one.what}`)
      await measure(one, plaza.process, bare)
      await bare.stop()
    }
  })

/** Resident memory of a newly started server, after more and more requests. */
async function measureMemory(cases: readonly Case[], { process: server }: RunningPlaza): Promise<void> {
  console.log('\nmemory: bearer and signed requests in turn')
  const mixed = cases.filter(({ name }) => name === 'bearer' || name === 'signed')
  if (mixed.length === 0) return
  const megabytes = () => (server.residentBytes() ?? Number.NaN) / 2 ** 20
  let sent = 0
  add({ name: 'memory before', unit: 'MB', plaza: megabytes() })
  while (sent < MEMORY_REQUESTS) {
    for (const one of mixed) {
      if (one.signed) signedPool.fill(60_000)
      const { perSecond } = await closedLoop(server, one.request, { tls: flags.tls, seconds: 2 })
      sent += perSecond * 2
    }
  }
  const after = megabytes()
  add({
    name: `memory after ${MEMORY_REQUESTS} requests`,
    unit: 'MB',
    plaza: after,
    target: `≤ ${TARGET_RSS_MB}`,
    pass: after <= TARGET_RSS_MB,
  })
}

async function measureStart(folder: string): Promise<void> {
  console.log('\nstart: from spawn to the ready file')
  const starts = { empty: [] as number[], existing: [] as number[] }
  const rss: number[] = []
  const data = join(folder, 'starts')
  for (let round = 0; round < STARTS; round++) {
    rmSync(data, { recursive: true, force: true })
    for (const kind of ['empty', 'existing'] as const) {
      const { process } = await startPlaza({ folder, data })
      starts[kind].push(process.startMs)
      rss.push((process.residentBytes() ?? Number.NaN) / 2 ** 20)
      await process.stop()
    }
  }
  const empty = median(starts.empty)
  const existing = median(starts.existing)
  add({
    name: 'start on an empty folder',
    unit: 'ms',
    plaza: empty,
    target: `< ${TARGET_EMPTY_MS}`,
    pass: empty < TARGET_EMPTY_MS,
  })
  add({
    name: 'start on an existing folder',
    unit: 'ms',
    plaza: existing,
    target: `< ${TARGET_EXISTING_MS}`,
    pass: existing < TARGET_EXISTING_MS,
  })
  const ready = median(rss)
  add({
    name: 'memory when ready',
    unit: 'MB',
    plaza: ready,
    target: `≤ ${TARGET_READY_MB}`,
    pass: ready <= TARGET_READY_MB,
  })
}

async function certificate(folder: string): Promise<Tls> {
  const made = await loadCertificates({ names: [PUBLIC_HOST], clock: systemClock, random: systemRandom })
  const tls = {
    authority: join(folder, 'ca.pem'),
    certificate: join(folder, 'server.pem'),
    key: join(folder, 'server.key.pem'),
  }
  writeFileSync(tls.authority, made.caPem)
  writeFileSync(tls.certificate, made.certPem)
  writeFileSync(tls.key, made.keyPem, { mode: 0o600 })
  return tls
}

const folder = temporaryFolder()
try {
  const transport = flags.tls ? 'TLS' : 'plain HTTP'
  console.log(
    `Node ${process.version}, ${transport}, ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s in turn`,
  )
  console.log(
    ['', 'Plaza', 'bare', '', 'ratio', 'target']
      .map((title, n) =>
        n === 0
          ? title.padEnd(44)
          : n < 3
            ? title.padStart(10)
            : n === 3
              ? title.padEnd(4)
              : n === 4
                ? title.padStart(6)
                : title,
      )
      .join(' '),
  )
  const tls = flags.tls ? await certificate(folder.path) : undefined
  if (['bearer', 'signed', 'token', 'validate'].some(wanted)) await measureRequests(folder.path, tls)
  if (wanted('memory')) {
    // A separate store: the webhooks of earlier cases would make every list long.
    const own = temporaryFolder()
    try {
      await withPlaza(own.path, tls, ({ cases, plaza }) => measureMemory(cases, plaza))
    } finally {
      own.remove()
    }
    const posts = temporaryFolder()
    try {
      await measurePostsMemory(posts.path, { add, tls })
    } finally {
      posts.remove()
    }
  }
  if (wanted('start')) await measureStart(folder.path)
  if (wanted('ads')) {
    const own = temporaryFolder()
    try {
      await measureAds(own.path, { add, seconds, rounds, rows: Number(flags.rows), only: flags.case })
    } finally {
      own.remove()
    }
  }
  if (wanted('catalogs')) {
    const own = temporaryFolder()
    try {
      await measureCatalogs(own.path, { add, seconds, rounds, rows: Number(flags.rows) })
    } finally {
      own.remove()
    }
  }
  if (wanted('audiences')) {
    const own = temporaryFolder()
    try {
      await measureAudiences(own.path, {
        add,
        seconds: Number(flags['load-seconds']),
        millions: Number(flags.millions),
      })
    } finally {
      own.remove()
    }
  }
  if (wanted('search')) await measureSearch({ add, rows: Number(flags.rows) })
  if (positionals.includes('search'))
    await measureSearchOnPostgres({ add, rows: Number(flags.rows), url: flags['database-url'] })
  for (const [name, measure] of [
    ['streams', (folder: string) => measureStreams(folder, { add, seconds: Number(flags.seconds) })],
    ['ad-delivery', (folder: string) => measureAdDelivery(folder, { add })],
    ['lists', (folder: string) => measureLists(folder, { add, rounds })],
    ['firehose', (folder: string) => measureFirehose(folder, { add, seconds })],
    ['idle-streams', (folder: string) => measureIdleStreams(folder, { add })],
    ['journal', (folder: string) => measureJournal(folder, { seconds, rounds, add })],
    ['snapshots', (folder: string) => measureSnapshots(folder, { rows: Number(flags.rows), rounds, add })],
    [
      'deliveries',
      (folder: string) =>
        measureDeliveries(folder, {
          add,
          seconds: Number(flags.seconds),
          backlog: Number(flags.backlog),
          certificate,
        }),
    ],
    ['bodies', (folder: string) => measureBodies(folder, { add, certificate })],
    ['stream-soak', (folder: string) => measureStreamSoak(folder, { add, minutes: Number(flags.minutes) })],
  ] as const) {
    // Only on request: they take long.
    if (!positionals.includes(name)) continue
    const own = temporaryFolder()
    try {
      await measure(own.path)
    } finally {
      own.remove()
    }
  }
  if (wanted('insights'))
    await measureInsights({ add, rows: Number(flags.rows), databaseUrl: flags['database-url'] })
  if (wanted('matcher')) await measureMatcher({ add, seconds: Number(flags.seconds) })
  // Only on request: it requires a database.
  if (positionals.includes('audiences-postgres')) {
    const own = temporaryFolder()
    try {
      await measureAudiencesOnPostgres(own.path, { add, url: flags['database-url'] })
    } finally {
      own.remove()
    }
  }
  // Only on request: it takes minutes.
  if (positionals.includes('soak')) {
    const own = temporaryFolder()
    try {
      const isFlat = await measureSoak(own.path, { add, minutes: Number(flags.minutes) })
      if (!isFlat) process.exitCode = 1
    } finally {
      own.remove()
    }
  }
  if (flags.json)
    writeFileSync(
      flags.json,
      `${JSON.stringify({ node: process.version, transport, connections: CONNECTIONS, seconds, rounds, figures }, null, 2)}\n`,
    )
} finally {
  folder.remove()
}
