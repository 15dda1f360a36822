import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { AudienceLoad, AudienceLoadResult } from './audience-load.ts'
import { Client, expectStatus, signedHeader } from './client.ts'
import type { Figure } from './figure.ts'
import { openLoop } from './open-loop.ts'
import { PUBLIC_HOST, type RunningPlaza, startPlaza } from './processes.ts'

// Uploads of users to an audience: at a steady rate beside reads of other endpoints, as fast as
// they go beside a plain loop of upserts, and into an audience that grows to many millions.

export const OPERATIONS = 2_500
/** Uploads a second, of a steady load. */
const RATE = 25
/** Into an audience of many millions, where every merge writes nearly every page. */
const LARGE_RATE = 16
const LARGE_MILLIONS = 10
const READS_PER_SECOND = 200
const CONNECTIONS = 8
export const ACCOUNT = 'benchaccount'
const P99_TARGET_MS = 30
const RAW_TARGET = 0.5
const MERGED_TARGET = 40_000
const RSS_TARGET_MB = 300
const SAMPLE_MS = 100
const MILLION = 1_000_000
const POLL_MS = 50

type Add = (figure: Figure) => void

export interface AudienceOptions {
  add: Add
  /** Of the steady load. */
  seconds: number
  /** Millions of members that the audience grows to. */
  millions: number
}

/** Measures uploads. */
export async function measureAudiences(
  folder: string,
  { add, seconds, millions }: AudienceOptions,
): Promise<void> {
  const plaza = await seeded(folder)
  const memory = watchMemory(plaza)
  const client = new Client({ port: plaza.adsPort, tls: false, connections: 1 })
  try {
    console.log(`\naudiences: ${OPERATIONS} operations an upload, one user with one e-mail address each`)
    const one = await Bench.create(plaza, client)
    await steady(one, { add, seconds, keys: 1, rate: RATE })
    await steady(one, { add, seconds: Math.ceil(seconds / 4), keys: 2, rate: RATE })
    const large = await Bench.create(plaza, client)
    await large.fill(MILLION)
    const few = await large.fill(MILLION)
    while (large.members < (millions - 1) * MILLION) await large.fill(MILLION)
    const many = await large.fill(MILLION)
    const growth = `audiences: ${millions - 1} to ${millions} | 1 to 2 million`
    add({
      name: `${growth}, merged`,
      unit: '/s',
      plaza: many.perSecond,
      bare: few.perSecond,
      ratio: many.perSecond / few.perSecond,
      target: `≥ ${MERGED_TARGET}/s`,
      pass: many.perSecond >= MERGED_TARGET,
    })
    add({
      name: `${growth}, processor time of a member`,
      unit: 'µs',
      plaza: many.cpuMicroseconds,
      bare: few.cpuMicroseconds,
      ratio: few.cpuMicroseconds / many.cpuMicroseconds,
    })
    const rate = millions < LARGE_MILLIONS ? RATE : LARGE_RATE
    await steady(large, { add, seconds: Math.ceil(seconds / 2), keys: 1, rate })
    const raw = rawRate(folder, { before: MILLION, rows: MILLION })
    add({
      name: 'audiences: 1 to 2 million, beside a plain loop of upserts',
      unit: '/s',
      plaza: few.perSecond,
      bare: raw,
      ratio: few.perSecond / raw,
      target: `ratio ≥ ${RAW_TARGET}`,
      pass: few.perSecond / raw >= RAW_TARGET,
    })
  } finally {
    memory.stop()
    await client.close()
    await plaza.process.stop()
  }
  add({
    name: 'audiences: resident memory at its most',
    unit: 'MB',
    plaza: memory.most / 2 ** 20,
    target: `< ${RSS_TARGET_MB}`,
    pass: memory.most / 2 ** 20 < RSS_TARGET_MB,
  })
}

/** A Plaza with an account of the seeded user. */
async function seeded(folder: string): Promise<RunningPlaza> {
  const first = await startPlaza({ folder })
  await first.process.stop()
  seedAccount(first)
  return startPlaza({ folder })
}

/** Puts an account of the seeded user into the store of a Plaza that is stopped. Its id. */
export function seedAccount({ data }: Pick<RunningPlaza, 'data'>): string {
  const db = new DatabaseSync(join(data, 'plaza.db'))
  const user = db.prepare("SELECT id FROM users WHERE screen_name = 'owner'").get() as { id: string }
  const now = Date.now()
  db.prepare(
    `INSERT INTO accounts (id, environment, name, name_key, timezone, approval_status, created_at, updated_at, deleted)
     VALUES (?, 'production', 'Bench', 'bench', 'UTC', 'ACCEPTED', ?, ?, 0)`,
  ).run(ACCOUNT, now, now)
  db.prepare(
    "INSERT INTO account_access (user_id, account_id, roles, created_at) VALUES (?, ?, 'ACCOUNT_ADMIN', ?)",
  ).run(user.id, ACCOUNT, now)
  db.close()
  return ACCOUNT
}

interface Audience {
  audience_size: number | null
  reasons_not_targetable: string[]
}

/** An audience, and how it is filled. */
export class Bench {
  readonly plaza: RunningPlaza
  readonly client: Client
  readonly #path: string
  members = 0

  private constructor(plaza: RunningPlaza, client: Client, path: string) {
    this.plaza = plaza
    this.client = client
    this.#path = path
  }

  static async create(plaza: RunningPlaza, client: Client): Promise<Bench> {
    const path = `/12/accounts/${ACCOUNT}/custom_audiences`
    const form: [string, string][] = [['name', `Bench ${randomBytes(6).toString('hex')}`]]
    const made = expectStatus(await client.signed({ method: 'POST', path, form }), 201, 'an audience')
    const { id } = (JSON.parse(made.text) as { data: { id: string } }).data
    return new Bench(plaza, client, `${path}/${id}`)
  }

  async state(): Promise<Audience> {
    const answer = await this.client.signed({ method: 'GET', path: this.#path })
    return (JSON.parse(expectStatus(answer, 200, 'the audience').text) as { data: Audience }).data
  }

  async upload(
    load: Pick<AudienceLoad, 'keys' | 'uploads'> & { rate?: number },
  ): Promise<AudienceLoadResult> {
    const workerData: AudienceLoad = {
      port: this.plaza.adsPort,
      path: `${this.#path}/users`,
      operations: OPERATIONS,
      connections: load.rate === undefined ? CONNECTIONS : 64,
      ...load,
    }
    const worker = new Worker(new URL('./audience-load.ts', import.meta.url), { workerData })
    const [result] = (await once(worker, 'message')) as [AudienceLoadResult]
    this.members += result.acknowledged * OPERATIONS
    return result
  }

  /** Waits until everything is merged, and checks that all members are there. */
  async merged(): Promise<void> {
    for (;;) {
      const { reasons_not_targetable: reasons, audience_size } = await this.state()
      if (!reasons.includes('PROCESSING')) {
        if (audience_size !== this.members)
          throw new Error(`${audience_size} members are there of ${this.members}`)
        return
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  /** Adds members as fast as it goes, from the first upload to the last merge. */
  async fill(members: number): Promise<{ perSecond: number; cpuMicroseconds: number }> {
    const cpu = this.plaza.process.cpuMicroseconds() ?? Number.NaN
    const began = performance.now()
    let missing = members / OPERATIONS
    while (missing > 0) {
      const { acknowledged, turnedAway, failed } = await this.upload({ keys: 1, uploads: missing })
      if (failed > 0) throw new Error(`${failed} uploads failed`)
      if (turnedAway > 0) await this.merged()
      missing -= acknowledged
    }
    await this.merged()
    const spent = (this.plaza.process.cpuMicroseconds() ?? Number.NaN) - cpu
    return {
      perSecond: members / ((performance.now() - began) / 1000),
      cpuMicroseconds: spent / members,
    }
  }
}

/** This many uploads a second for a time, while others read. */
async function steady(
  audience: Bench,
  { add, seconds, keys, rate: asked }: { add: Add; seconds: number; keys: number; rate: number },
): Promise<void> {
  const { plaza } = audience
  const name = `audiences: ${asked * OPERATIONS} operations/s${keys === 1 ? '' : `, ${keys} keys each`}, ${(audience.members / 1e6).toFixed(1)} million before`
  const path = `/12/accounts/${ACCOUNT}/campaigns`
  const reads = Array.from({ length: READS_PER_SECOND * seconds }, () =>
    [
      `GET ${path} HTTP/1.1`,
      `host: ${PUBLIC_HOST}`,
      `authorization: ${signedHeader('GET', path)}`,
      '',
      '',
    ].join('\r\n'),
  )
  const began = performance.now()
  const uploading = audience.upload({ keys, uploads: asked * seconds, rate: asked })
  const read = await openLoop({
    target: { port: plaza.adsPort, tls: false },
    rate: READS_PER_SECOND,
    seconds,
    connections: CONNECTIONS,
    next: () => reads.pop() as string,
    status: 200,
  })
  const { acknowledged, turnedAway, failed, ...uploaded } = await uploading
  await audience.merged()
  const all = (performance.now() - began) / 1000
  const rate = (acknowledged * OPERATIONS) / uploaded.seconds
  add({
    name,
    unit: '/s',
    plaza: rate,
    target: 'none lost',
    pass: turnedAway + failed === 0 && rate > 0.98 * asked * OPERATIONS,
  })
  add({ name: '  until all were merged', unit: 's', plaza: all })
  add({ name: '  p99 of an acknowledgement', unit: 'ms', plaza: uploaded.p99 })
  add({
    name: `  p99 of ${READS_PER_SECOND} signed reads/s of campaigns beside`,
    unit: 'ms',
    plaza: read.p99,
    target: `< ${P99_TARGET_MS}`,
    pass: read.p99 < P99_TARGET_MS && read.missed === 0,
  })
}

/**
 * The same rows put into a plain table as they come, one durable transaction for each upload: rows
 * per second.
 */
function rawRate(folder: string, { before, rows }: { before: number; rows: number }): number {
  const file = join(folder, 'raw.db')
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768')
  db.exec(
    'CREATE TABLE members (audience INTEGER, hash BLOB, effective INTEGER, expires INTEGER, PRIMARY KEY (audience, hash)) WITHOUT ROWID',
  )
  const put = db.prepare(
    'INSERT INTO members VALUES (1, ?, 0, ?) ON CONFLICT DO UPDATE SET effective = excluded.effective, expires = excluded.expires',
  )
  const fill = (count: number) => {
    for (let done = 0; done < count; done += OPERATIONS) {
      const hashes = randomBytes(OPERATIONS * 32)
      db.exec('BEGIN')
      for (let n = 0; n < OPERATIONS; n++) put.run(hashes.subarray(n * 32, n * 32 + 32), 1_900_000_000)
      db.exec('COMMIT')
    }
  }
  fill(before)
  const began = performance.now()
  fill(rows)
  const rate = rows / ((performance.now() - began) / 1000)
  db.close()
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  return rate
}

export function watchMemory({ process: server }: RunningPlaza) {
  const watch = {
    most: 0,
    stop: () => clearInterval(timer),
  }
  const timer = setInterval(() => {
    watch.most = Math.max(watch.most, server.residentBytes() ?? 0)
  }, SAMPLE_MS)
  return watch
}
