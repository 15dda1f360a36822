import { mkdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { query } from '../src/app/tables.ts'
import { enqueueDeliveries } from '../src/delivery/webhooks/enqueue.ts'
import { systemClock } from '../src/platform/common/clock.ts'
import { openStore } from '../src/platform/storage/open.ts'
import { bearerOf, Client, expectStatus, register } from './client.ts'
import { median } from './closed-loop.ts'
import { deliveryBody } from './delivery-body.ts'
import type { Figure } from './figure.ts'
import type { Arrivals } from './hook.ts'
import {
  type Running,
  type RunningPlaza,
  spareOf,
  startBarePosts,
  startHook,
  startPlaza,
  type Tls,
  temporaryFolder,
} from './processes.ts'
import { BenchStream } from './stream-reader.ts'
import { percentile, publish } from './streams.ts'

// Deliveries to webhooks on this machine: a backlog as fast as it goes, over plain HTTP and over
// TLS, beside a loop that posts the same bodies; from POST /2/posts to the arrival at 1,000
// deliveries a second, with and without a webhook that never answers; and one activity on many
// streams. npm run bench -- deliveries [--backlog N] [--seconds N]

/** Of a backlog. Each has 32 requests in progress. */
const WEBHOOKS = 4
const CONNECTIONS = WEBHOOKS * 32
const TLS_SHARE = 0.2
const ADDED_AT_ONCE = 5_000
const TARGET_PER_SECOND = { plain: 10_000, tls: 3_000 }
const TARGET_RATIO = 0.4
const TARGET_GROWTH = 1.2
/** What one lane may have in memory, and what is sent again or later than others. */
const MAX_AHEAD = 2_048
const POLL_MS = 100

const MANY_WEBHOOKS = 100
/** The last webhook of the second server. */
const HANGING = 2 * MANY_WEBHOOKS - 1
/** Deliveries a second, of all webhooks. */
const RATE = 1_000
/** Until the compiler has little left to do. */
const WARM_UP_SECONDS = 5
/** How many times as long as the other measurements: few posts reach many webhooks. */
const HANGING_TIMES = 6
const TARGET_ARRIVAL_MS = 50
const TARGET_HANGING = 1.1
const MANY_STREAMS = 1_000
const FANNED_OUT = 40
const FANNED_OUT_BEFORE = 10
const TARGET_FAN_OUT_MS = 100
const GRACE_MS = 10_000

interface Options {
  add(figure: Figure): void
  seconds: number
  backlog: number
  certificate(folder: string): Promise<Tls>
}

export async function measureDeliveries(folder: string, options: Options): Promise<void> {
  const { add, backlog } = options
  console.log(`\ndeliveries: a backlog of ${backlog}, beside a bare loop; load ${load()}`)
  await measureBacklog({ name: 'plain HTTP', count: backlog, add, target: TARGET_PER_SECOND.plain })
  const tls = await options.certificate(folder)
  const count = Math.ceil(backlog * TLS_SHARE)
  await measureBacklog({ name: 'TLS', count, add, target: TARGET_PER_SECOND.tls, tls })
  await measureArrivals(folder, options)
  console.log(`load ${load()}`)
}

const load = () => loadavg()[0]?.toFixed(1)

/** The server of the webhooks. */
class Hook {
  readonly running: Running
  readonly origin: string
  readonly ca: string | undefined
  readonly #client: Pool

  private constructor(running: Running, tls: Tls | undefined) {
    this.running = running
    this.origin = `${tls ? 'https' : 'http'}://127.0.0.1:${running.port}`
    this.ca = tls && readFileSync(tls.authority, 'utf8')
    this.#client = new Pool(this.origin, { connections: 1, connect: { ca: this.ca } })
  }

  static async start(folder: string, tls?: Tls): Promise<Hook> {
    return new Hook(await startHook(folder, tls), tls)
  }

  async #get<T>(path: string): Promise<T> {
    const { body } = await this.#client.request({ method: 'GET', path })
    return (await body.json()) as T
  }

  /**
   * Of all deliveries so far. `forged`: of those that were looked at, the ones whose signature is
   * not right.
   */
  counts(): Promise<{ count: number; forged: number }> {
    return this.#get('/count')
  }

  arrivals(): Promise<Arrivals> {
    return this.#get('/arrivals')
  }

  async hang(hook: number | 'none'): Promise<void> {
    await this.#get(`/hang?${hook}`)
  }

  async stop(): Promise<void> {
    await this.#client.destroy()
    await this.running.stop()
  }
}

/** What a process sent between a tenth and nine tenths of the way. */
interface Flow {
  perSecond: number
  /** As if it had a core for itself. */
  perCore: number
  /** Resident at the first look, the one in the middle and the last one, in megabytes. */
  megabytes: [first: number, half: number, last: number]
}

async function flowOf(
  hook: Hook,
  sender: Running,
  { before, total }: { before: number; total: number },
): Promise<Flow> {
  const looks: { at: number; count: number; cpu: number; megabytes: number }[] = []
  for (;;) {
    const count = (await hook.counts()).count - before
    if (count >= total) break
    looks.push({
      at: performance.now(),
      count,
      cpu: sender.cpuMicroseconds() ?? Number.NaN,
      megabytes: (sender.residentBytes() ?? Number.NaN) / 2 ** 20,
    })
    if (!sender.alive) throw new Error(`the sender ended after ${count} of ${total}`)
    await sleep(POLL_MS)
  }
  const within = looks.filter(({ count }) => count >= total * 0.1 && count <= total * 0.9)
  const [first, half, last] = [within[0], within.find(({ count }) => count >= total / 2), within.at(-1)]
  if (!first || !half || !last || first === last)
    throw new Error('too few deliveries to measure: --backlog is higher')
  const sent = last.count - first.count
  return {
    perSecond: (sent * 1e3) / (last.at - first.at),
    perCore: (sent * 1e6) / (last.cpu - first.cpu),
    megabytes: [first.megabytes, half.megabytes, last.megabytes],
  }
}

interface Backlog {
  name: string
  count: number
  target: number
  tls?: Tls
  add(figure: Figure): void
}

async function measureBacklog({ name, count, target, tls, add }: Backlog): Promise<void> {
  const folder = temporaryFolder()
  const hook = await Hook.start(folder.path, tls)
  try {
    const bare = await bareFlow(folder.path, hook, count)
    await hook.arrivals()
    const ours = await plazaFlow(folder.path, hook, { count, tls })
    const ahead = mostAhead(await hook.arrivals())
    const ratio = ours.perSecond / bare.perSecond
    add({
      name: `deliveries over ${name}`,
      unit: '/s',
      plaza: ours.perSecond,
      bare: bare.perSecond,
      ratio,
      target: `≥ ${target}, ratio ≥ ${TARGET_RATIO}`,
      pass: ours.perSecond >= target && ratio >= TARGET_RATIO,
    })
    const ofCores = ours.perCore / bare.perCore
    add({ name: `${name}: of one core`, unit: '/s', plaza: ours.perCore, bare: bare.perCore, ratio: ofCores })
    add({
      name: `${name}: not signed or not recorded`,
      unit: '',
      plaza: ours.wrong,
      target: '0',
      pass: ours.wrong === 0,
    })
    addMemory(add, name, ours.megabytes)
    add({
      name: `${name}: places by which one overtook older ones`,
      unit: '',
      plaza: ahead,
      target: `≤ ${MAX_AHEAD}`,
      pass: ahead <= MAX_AHEAD,
    })
  } finally {
    await hook.stop()
    folder.remove()
  }
}

/** The heap grows at first, whatever the backlog; what grows after that would grow with it. */
function addMemory(add: Options['add'], name: string, [first, half, last]: Flow['megabytes']): void {
  add({ name: `${name}: memory at a tenth`, unit: 'MB', plaza: first })
  add({ name: `${name}: memory at a half`, unit: 'MB', plaza: half })
  add({
    name: `${name}: memory at nine tenths`,
    unit: 'MB',
    plaza: last,
    target: `≤ ${TARGET_GROWTH} times half`,
    pass: last <= TARGET_GROWTH * half,
  })
}

async function bareFlow(folder: string, hook: Hook, count: number): Promise<Flow> {
  const { origin, ca } = hook
  const { count: before } = await hook.counts()
  const bare = await startBarePosts(folder, { origin, ...(ca && { ca }), connections: CONNECTIONS, count })
  const flow = await flowOf(hook, bare, { before, total: count })
  await bare.exited
  return flow
}

/** Registers webhooks, stops, adds the backlog, and starts again. */
async function plazaFlow(
  folder: string,
  hook: Hook,
  { count, tls }: { count: number; tls: Tls | undefined },
): Promise<Flow & { wrong: number }> {
  const more = [
    ...['--webhooks-per-app', '1000', '--delivery-queue', '10000000'],
    ...(tls ? ['--outbound-ca', tls.authority] : []),
  ]
  const earlier = await startPlaza({ folder, more })
  const webhooks = await registered(earlier, hook, WEBHOOKS)
  await earlier.process.stop()
  await addBacklog(earlier.data, webhooks, count)
  const at = await hook.counts()
  const plaza = await startPlaza({ folder, more })
  try {
    const flow = await flowOf(hook, plaza.process, { before: at.count, total: count })
    await plaza.process.stop()
    const forged = (await hook.counts()).forged - at.forged
    return { ...flow, wrong: forged + (await notDelivered(plaza.data)) }
  } finally {
    await plaza.process.stop()
  }
}

/** How many deliveries are not recorded as delivered by one attempt. */
async function notDelivered(data: string): Promise<number> {
  const store = await openAt(data)
  const row = await store.first(undelivered, {})
  await store.close()
  return Number(row?.count)
}

const openAt = (data: string) =>
  openStore({ kind: 'file', path: join(data, 'plaza.db') }, { clock: systemClock, onError: console.error })

const undelivered = query<object, { count: number }>('benchUndelivered', (db) =>
  db
    .selectFrom('deliveries')
    .select((on) => on.fn.countAll<number>().as('count'))
    .where((on) => on.or([on('state', '<>', 'delivered'), on('attempts', '<>', 1)])),
)

/** The ids of new webhooks, in the order of the numbers in their paths. */
async function registered(
  { process: { port } }: RunningPlaza,
  hook: Hook,
  count: number,
  first = 0,
): Promise<string[]> {
  const client = new Client({ port, tls: false, connections: 8 })
  const ids: string[] = []
  while (ids.length < count) ids.push(await register(client, `${hook.origin}/${first + ids.length}`))
  await client.close()
  return ids
}

/** The numbers of deliveries are in their order. */
async function addBacklog(data: string, webhooks: readonly string[], count: number): Promise<void> {
  const store = await openAt(data)
  for (let at = 0; at < count; at += ADDED_AT_ONCE) {
    const some = Array.from({ length: Math.min(ADDED_AT_ONCE, count - at) }, (_, n) => at + n)
    const deliveries = some.map((n) => ({
      webhookId: webhooks[n % webhooks.length] ?? '',
      eventId: String(n),
      body: deliveryBody(n),
    }))
    await store.write((tx) => enqueueDeliveries(tx, deliveries))
  }
  await store.close()
}

/** By how many places a delivery came before an older one of its webhook, at most. */
function mostAhead({ hooks, numbers }: Arrivals): number {
  const places = new Map<number, number>()
  let most = 0
  for (const [at, hook] of hooks.entries()) {
    const place = places.get(hook) ?? 0
    places.set(hook, place + 1)
    most = Math.max(most, Math.floor((numbers[at] ?? 0) / WEBHOOKS) - place)
  }
  return most
}

async function measureArrivals(folder: string, { add, seconds }: Options): Promise<void> {
  const hook = await Hook.start(folder)
  const parts = await startParts(folder, { hook, add, first: 0 })
  try {
    for (const webhook of parts.webhooks.slice(0, 10)) await subscribe(parts, 0, webhook)
    await subscribe(parts, 2, undefined)
    const few = (length: number) => arrivedAfter([parts], { author: 0, webhooks: 10, seconds: length })
    const many = (length: number) =>
      arrivedAfter([parts], { author: 1, webhooks: MANY_WEBHOOKS, seconds: length })
    await few(WARM_UP_SECONDS)
    addArrival(add, 'deliveries: 100 posts/s to 10 webhooks', await few(seconds))
    await many(WARM_UP_SECONDS)
    addArrival(add, 'deliveries: 10 posts/s to 100 webhooks', await many(seconds))
    await measureHanging(folder, parts, seconds)
    await measureFanOut(parts)
  } finally {
    await stopParts(parts)
    await hook.stop()
  }
}

/** A server with webhooks, all of which receive the posts of author 1. */
async function startParts(
  folder: string,
  { hook, add, first }: Pick<Parts, 'hook' | 'add'> & { first: number },
): Promise<Parts> {
  const own = join(folder, `arrivals-${first}`)
  mkdirSync(own)
  const more = ['--webhooks-per-app', '1000', '--activity-connections-per-app', '2000']
  const plaza = await startPlaza({ folder: own, spares: 3, more })
  const client = new Client({ port: plaza.process.port, tls: false, connections: 32 })
  const bearer = await bearerOf(client)
  const webhooks = await registered(plaza, hook, MANY_WEBHOOKS, first)
  const parts = { plaza, client, bearer, hook, add, webhooks }
  for (const webhook of webhooks) await subscribe(parts, 1, webhook)
  return parts
}

async function stopParts({ client, plaza }: Parts): Promise<void> {
  await client.close()
  await plaza.process.stop()
}

/**
 * Two servers get posts in turn, and one of them has a webhook that never answers: whatever else
 * the machine does, both feel it. Few posts make up the slowest hundredth of all deliveries, so
 * that what is compared is the slowest hundredth of each post.
 */
async function measureHanging(folder: string, alone: Parts, seconds: number): Promise<void> {
  const { hook, add } = alone
  const beside = await startParts(folder, { hook, add, first: MANY_WEBHOOKS })
  try {
    const run = (length: number) =>
      arrivedAfter([alone, beside], { author: 1, webhooks: MANY_WEBHOOKS, seconds: length })
    await run(WARM_UP_SECONDS)
    await hook.hang(HANGING)
    await run(WARM_UP_SECONDS)
    const [without, withOne] = await run(seconds * HANGING_TIMES)
    const ratio = median(withOne?.slowest ?? []) / median(without?.slowest ?? [])
    add({
      name: 'deliveries: 5 posts/s to 100 webhooks, p99 of a post',
      unit: 'ms',
      plaza: median(without?.slowest ?? []),
    })
    add({
      name: 'deliveries: the same, one never answers',
      unit: 'ms',
      plaza: median(withOne?.slowest ?? []),
      ratio,
      target: `ratio ≤ ${TARGET_HANGING}, none missed`,
      pass: ratio <= TARGET_HANGING && withOne?.missed === 0,
    })
  } finally {
    await hook.hang('none')
    await stopParts(beside)
  }
}

interface Parts {
  plaza: RunningPlaza
  client: Client
  bearer: string
  hook: Hook
  webhooks: readonly string[]
  add(figure: Figure): void
}

export async function subscribe(
  { client, bearer }: Pick<Parts, 'client' | 'bearer'>,
  author: number,
  webhook: string | undefined,
) {
  const me = await client.signed({ method: 'GET', path: '/2/users/me' }, spareOf(author))
  const { data } = JSON.parse(expectStatus(me, 200, 'the author').text) as { data: { id: string } }
  const answer = await client.send({
    method: 'POST',
    path: '/2/activity/subscriptions',
    authorization: `Bearer ${bearer}`,
    json: {
      event_type: 'post.create',
      filter: { user_id: data.id },
      ...(webhook !== undefined && { webhook_id: webhook }),
    },
  })
  expectStatus(answer, 200, 'a subscription')
}

interface Arrived {
  /** Milliseconds from the request that published a post to each of its deliveries. */
  waited: number[]
  /** Of each post, the 99th percentile of them. */
  slowest: number[]
  missed: number
  /** How much of one core Plaza used. */
  cores: number
}

/**
 * Publishes on servers in turn, at a rate at which `RATE` deliveries a second arrive. Counts those
 * to the webhook that may hang for nothing.
 */
async function arrivedAfter(
  sides: readonly Parts[],
  { author, webhooks, seconds }: { author: number; webhooks: number; seconds: number },
): Promise<Arrived[]> {
  const hook = sides[0]?.hook as Hook
  await hook.arrivals()
  const cpuBefore = sides.map(({ plaza }) => plaza.process.cpuMicroseconds() ?? Number.NaN)
  const perSecond = RATE / webhooks
  const published = new Map<number, { at: number; side: Parts; waited: number[] }>()
  const posts: Promise<unknown>[] = []
  const began = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const dueMs = began + (n * 1_000) / perSecond - performance.now()
    if (dueMs > 1) await sleep(dueMs)
    const side = sides[n % sides.length] as Parts
    const at = performance.timeOrigin + performance.now()
    const post = publish(side.client, 'delivered', author)
    posts.push(post.then((number) => published.set(number, { at, side, waited: [] })))
  }
  await Promise.all(posts)
  const ms = performance.now() - began
  const cores = sides.map(
    ({ plaza }, n) =>
      ((plaza.process.cpuMicroseconds() ?? Number.NaN) - (cpuBefore[n] ?? Number.NaN)) / (ms * 1e3),
  )
  const countedOf = (side: Parts) => (side === sides[1] ? webhooks - 1 : webhooks)
  const expected = [...published.values()].reduce((sum, { side }) => sum + countedOf(side), 0)
  let came = 0
  for (let waitedMs = 0; waitedMs < GRACE_MS && came < expected; waitedMs += POLL_MS) {
    const { hooks, numbers, times } = await hook.arrivals()
    for (const [index, number] of numbers.entries()) {
      const post = published.get(number)
      if (!post || hooks[index] === HANGING) continue
      post.waited.push((times[index] ?? 0) - post.at)
      came++
    }
    if (came < expected) await sleep(POLL_MS)
  }
  return sides.map((side, n) => {
    const own = [...published.values()].filter((post) => post.side === side)
    const waited = own.flatMap((post) => post.waited)
    const slowest = own.map((post) => percentile(post.waited, 0.99))
    const missed = own.length * countedOf(side) - waited.length
    return { waited, slowest, missed, cores: cores[n] ?? Number.NaN }
  })
}

function addArrival(add: Parts['add'], name: string, [arrived]: readonly Arrived[]): void {
  const { waited, missed, cores } = arrived as Arrived
  const p99 = percentile(waited, 0.99)
  add({ name: `${name}, of one core`, unit: '', plaza: cores })
  add({ name: `${name}, p50`, unit: 'ms', plaza: percentile(waited, 0.5) })
  add({
    name: `${name}, p99`,
    unit: 'ms',
    plaza: p99,
    target: `< ${TARGET_ARRIVAL_MS}, none missed`,
    pass: p99 < TARGET_ARRIVAL_MS && missed === 0,
  })
}

/** One activity on the streams of many readers. */
async function measureFanOut({ plaza, client, bearer, add }: Parts): Promise<void> {
  const at = { port: plaza.process.port, bearer, path: '/2/activity/stream' }
  const waited: number[] = []
  const lasts: number[] = []
  let began = 0
  let came = 0
  const streams: BenchStream[] = []
  for (let n = 0; n < MANY_STREAMS; n++)
    streams.push(
      await BenchStream.open(at, () => {
        came++
        waited.push(performance.now() - began)
      }),
    )
  const cpuNow = () => {
    const { user, system } = process.cpuUsage()
    return { plaza: plaza.process.cpuMicroseconds() ?? Number.NaN, reader: user + system }
  }
  let cpuBefore = cpuNow()
  for (let n = 0; n < FANNED_OUT_BEFORE + FANNED_OUT; n++) {
    if (n === FANNED_OUT_BEFORE) {
      waited.length = lasts.length = 0
      cpuBefore = cpuNow()
    }
    came = 0
    began = performance.now()
    await publish(client, 'to all', 2)
    while (came < MANY_STREAMS) await sleep(1)
    lasts.push(waited.at(-1) ?? Number.NaN)
  }
  const cpu = cpuNow()
  const msOf = (microseconds: number) => microseconds / FANNED_OUT / 1e3
  for (const stream of streams) stream.close()
  const p99 = percentile(waited, 0.99)
  add({
    name: `activity: one event to ${MANY_STREAMS} streams, p99`,
    unit: 'ms',
    plaza: p99,
    target: `< ${TARGET_FAN_OUT_MS}`,
    pass: p99 < TARGET_FAN_OUT_MS,
  })
  add({ name: 'activity: the last line, median', unit: 'ms', plaza: median(lasts) })
  // The readers share the machine: what they take to read an event is part of what the last of them
  // waits.
  add({
    name: 'activity: processor time of Plaza for one event, and of its readers',
    unit: 'ms',
    plaza: msOf(cpu.plaza - cpuBefore.plaza),
    bare: msOf(cpu.reader - cpuBefore.reader),
  })
}
