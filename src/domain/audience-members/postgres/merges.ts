import type { Store, Transaction } from '../../../platform/storage/store.ts'
import { StoreUnavailable } from '../../../platform/storage/store.ts'
import { Backoff } from '../backoff.ts'
import { isOutOfMemory } from '../failure.ts'
import type { Step } from '../membership.ts'
import type { Changes, MemberTable, PersonRow, StoredKeys, WaitingBatch } from '../merge.ts'
import { ABSENT, mergeBatches } from '../merge.ts'
import { KEY_BYTES } from '../packed.ts'
import { Spans } from '../spans.ts'
import { countStep, EXPIRE_AFTER_SECONDS, expireStep, forgetStep } from './maintenance.ts'
import type { AudienceRow } from './queries.ts'
import * as rows from './queries.ts'

/** Per transaction: with more, others would wait for its rows. A single batch may have more. */
const MAX_KEYS = 20_000
const MAX_BATCHES = 200
const MAX_AUDIENCES = 100
/** Per statement: the database cancels long statements. */
const MAX_ROWS = 5_000
const MAX_PEOPLE_BYTES = 4 * 1024 * 1024
/** Per background step. */
const STEP_ROWS = 5_000
/** A step gives up after this many audiences that other nodes have leased. */
const MAX_LEASED = 10

const seconds = (ms: number) => Math.floor(ms / 1000)

/** Batches are due if they were accepted up to `until`, or later than now, because a clock was set back. */
interface Due {
  until: number
  now: number
}

/** The maximum number of batches of an audience, and those that were taken. */
interface Attempt extends Due {
  audience: string
  most: number
  seqs: number[]
}

/** Merges and counts members on PostgreSQL. A lease is a row lock, so it ends with its transaction. */
export class PostgresMerges {
  readonly #store: Store
  readonly #stepRows: number
  readonly #mergeBackoff: Backoff
  readonly #maintenanceBackoff: Backoff
  /** Audiences with a batch that could not be merged: this many of their next batches are merged one at a time. */
  readonly #careful = new Map<string, number>()

  /** `stepRows`: rows per step of maintenance; `elapsed`: milliseconds of a monotonic clock. */
  constructor(store: Store, { stepRows = STEP_ROWS, elapsed = () => performance.now() } = {}) {
    this.#store = store
    this.#stepRows = stepRows
    this.#mergeBackoff = new Backoff({ now: elapsed })
    this.#maintenanceBackoff = new Backoff({ now: elapsed })
  }

  /** Merges the waiting batches of the first audience that no other node has leased. Rejects if the database is unavailable. */
  async merge(due: Due): Promise<Step> {
    const except = this.#mergeBackoff.names()
    const waiting = await this.#store.all(rows.waitingAudiences, { ...due, limit: MAX_AUDIENCES, except })
    const troubles: Error[] = []
    for (const { audience } of waiting) {
      const keys = await this.#mergeOne(audience, due, troubles)
      if (keys !== undefined) return { keys, more: true, troubles }
    }
    return { keys: 0, more: false, troubles }
  }

  /** The number of keys merged; undefined if there was nothing to do, or nothing could be done now. */
  async #mergeOne(audience: string, due: Due, troubles: Error[]): Promise<number | undefined> {
    const attempt: Attempt = {
      audience,
      ...due,
      most: this.#careful.has(audience) ? 1 : MAX_BATCHES,
      seqs: [],
    }
    try {
      const keys = await this.#merged(attempt)
      this.#mergeBackoff.done(audience)
      return keys
    } catch (error) {
      if (!isOfData(error)) return this.#backOff(this.#mergeBackoff, audience, error, troubles)
      if (attempt.most === 1) return this.#addDeadLetter(attempt, error, troubles)
      this.#careful.set(audience, MAX_BATCHES)
      return this.#mergeOne(audience, due, troubles)
    }
  }

  async #merged(attempt: Attempt): Promise<number | undefined> {
    const { audience } = attempt
    // Created in a transaction of its own: inserting the row would otherwise wait for the whole merge of another node.
    if (!(await this.#store.first(rows.findAudience, { audience })))
      await this.#store.write((tx) => tx.run(rows.addAudience, { audience }))
    const keys = await this.#store.write((tx) => mergeAudience(tx, attempt))
    const left = this.#careful.get(audience)
    if (left === 1) this.#careful.delete(audience)
    else if (left !== undefined) this.#careful.set(audience, left - 1)
    return keys
  }

  /** Makes a dead letter of a batch that cannot be merged, so that the next ones can. */
  async #addDeadLetter(
    { audience, seqs: [seq] }: Attempt,
    reason: Error,
    troubles: Error[],
  ): Promise<number | undefined> {
    try {
      if (seq === undefined) throw reason
      // The data itself may be unreadable.
      const found = await this.#store.first(rows.batchData, { seq }).catch(() => undefined)
      const set = await this.#store.write(async (tx) => {
        if (!(await tx.first(rows.leaseAudience, { audience }))) return 0
        await tx.run(rows.addDeadLetter, {
          seq,
          reason: reason.message,
          data: found?.data ?? Buffer.alloc(0),
        })
        return tx.run(rows.removeBatches, { seqs: [seq] })
      })
      this.#careful.delete(audience)
      // Another node has leased the audience, or has already removed the batch.
      if (set === 0) return undefined
      troubles.push(new Error(`batch ${seq} of audience ${audience} became a dead letter: ${reason.message}`))
      return 0
    } catch (error) {
      return this.#backOff(this.#mergeBackoff, audience, error, troubles)
    }
  }

  /** Reports an audience whose work failed. If too many fail, the error is not theirs. */
  #backOff(backoff: Backoff, audience: string, error: unknown, troubles: Error[]): undefined {
    if (error instanceof StoreUnavailable || !backoff.add(audience)) throw error
    troubles.push(new Error(`audience ${audience} must wait: ${(error as Error).message}`))
    return undefined
  }

  /** One bounded step of each kind of maintenance that is due. */
  async maintain(now: number): Promise<Step> {
    const at = seconds(now)
    const troubles: Error[] = []
    const forgets = await this.#step(rows.forgottenAudience, at, forgetStep, troubles)
    const counts = await this.#step(rows.dueAudience, at, countStep, troubles)
    const sweeps = await this.#step(rows.audienceToSweep, at, expireStep, troubles)
    return { keys: 0, more: forgets || counts || sweeps, troubles }
  }

  /** One step for the first audience that a query finds and no other node has leased. Returns false if there is none. */
  async #step(
    due: typeof rows.dueAudience,
    now: number,
    work: (tx: Transaction, step: { audience: string; now: number; limit: number }) => Promise<void>,
    troubles: Error[],
  ): Promise<boolean> {
    const except = this.#maintenanceBackoff.names()
    for (let leased = 0; leased < MAX_LEASED; leased++) {
      const found = await this.#store.first(due, { now, except })
      if (!found) return false
      const { audience } = found
      try {
        const isOurs = await this.#store.write(async (tx) => {
          if (!(await tx.first(rows.leaseAudience, { audience }))) return false
          await work(tx, { audience, now, limit: this.#stepRows })
          return true
        })
        this.#maintenanceBackoff.done(audience)
        if (isOurs) return true
      } catch (error) {
        this.#backOff(this.#maintenanceBackoff, audience, error, troubles)
      }
      except.push(audience)
    }
    return false
  }
}

/** SQLSTATE classes of errors that a retry does not solve: invalid data, exceeded limits, corrupt stored data. */
const OF_DATA = /^(22|23|54|XX)/

/** Whether the cause is the data to be merged, rather than the database or the machine. */
function isOfData(error: unknown): error is Error {
  if (!(error instanceof Error) || error.name.startsWith('Store')) return false
  const { code } = error as { code?: string }
  if (code !== undefined) return OF_DATA.test(code)
  return !isOutOfMemory(error)
}

/** The number of keys merged; undefined if another node has leased the audience, or has merged it. */
async function mergeAudience(tx: Transaction, attempt: Attempt): Promise<number | undefined> {
  const { audience, most, until, now } = attempt
  const leased = await tx.first(rows.leaseAudience, { audience })
  if (!leased) return undefined
  const listed = await tx.all(rows.nextBatches, { audience, limit: most })
  const batches: typeof listed = []
  let keys = 0
  for (const one of listed) {
    const isDue = one.accepted_at <= until || one.accepted_at > now
    if (!isDue || (batches.length > 0 && keys + one.keys > MAX_KEYS)) break
    batches.push(one)
    keys += one.keys
  }
  if (batches.length === 0) return undefined
  attempt.seqs = batches.map(({ seq }) => seq)
  await mergeLeased(tx, leased, batches)
  await tx.run(rows.removeBatches, attempt)
  return keys
}

/** Batches before an order to forget the audience are not merged. */
async function mergeLeased(
  tx: Transaction,
  leased: AudienceRow,
  batches: readonly { seq: number; accepted_at: number; forget: number }[],
): Promise<void> {
  const { audience } = leased
  const last = batches.findLastIndex(({ forget }) => forget === 1)
  if (last !== -1) await tx.run(rows.markForgotten, leased)
  if (last !== -1 || leased.forgotten === 1) return
  const waiting: WaitingBatch[] = []
  for (const { seq, accepted_at } of batches) {
    const found = await tx.first(rows.batchData, { seq })
    if (found) waiting.push({ data: found.data, acceptedAt: seconds(accepted_at) })
  }
  const table = new PostgresTable(tx, leased)
  const spans = new Spans(leased.counted_at)
  await mergeBatches(waiting, table, spans)
  const at = seconds(batches.at(-1)?.accepted_at ?? 0)
  await tx.run(rows.resizeAudience, {
    audience,
    by: spans.now,
    people: table.nextPerson,
    ended: spans.hasEnded ? at : 0,
    sweepAt: at + EXPIRE_AFTER_SECONDS,
  })
  const later = [...spans.later].filter(([, delta]) => delta !== 0)
  for (const some of slices(later))
    await tx.run(rows.addChanges, {
      audience,
      at: some.map(([second]) => second),
      deltas: some.map(([, delta]) => delta),
    })
}

/** The members of an audience in a transaction that leases it. */
class PostgresTable implements MemberTable {
  readonly #tx: Transaction
  readonly #audience: string
  nextPerson: number

  constructor(tx: Transaction, { audience, people }: AudienceRow) {
    this.#tx = tx
    this.#audience = audience
    this.nextPerson = people
  }

  async load(keys: Buffer, count: number, stored: StoredKeys): Promise<void> {
    for (let from = 0; from < count; from += MAX_ROWS) {
      const length = Math.min(MAX_ROWS, count - from)
      const asked = Array.from({ length }, (_, n) => keyAt(keys, from + n))
      const known = await this.#tx.all(rows.loadKeys, { audience: this.#audience, keys: asked })
      for (const { place, effective, expires } of known) stored.put(from + place, effective, expires)
    }
  }

  people(ids: readonly number[]) {
    return this.#tx.all(rows.loadPeople, { audience: this.#audience, ids: [...ids] })
  }

  newPeople(count: number): number {
    this.nextPerson += count
    return this.nextPerson - count
  }

  async save({ keys, places, stored, people, gone }: Changes): Promise<void> {
    const audience = this.#audience
    const isAbsent = (place: number) => stored.kind[place] === ABSENT
    for (const ids of slices(gone)) await this.#tx.run(rows.removePeople, { audience, ids })
    for (const some of slices(people, (one) => one.keys.length)) await this.#putPeople(some)
    for (const some of slices([...places].filter(isAbsent)))
      await this.#tx.run(rows.removeKeys, { audience, keys: some.map((place) => keyAt(keys, place)) })
    for (const some of slices([...places].filter((place) => !isAbsent(place))))
      await this.#tx.run(rows.putKeys, {
        audience,
        keys: some.map((place) => keyAt(keys, place)),
        kinds: some.map((place) => stored.kind[place] as number),
        effective: some.map((place) => stored.effective[place] as number),
        expires: some.map((place) => stored.expires[place] as number),
      })
  }

  #putPeople(people: readonly PersonRow[]): Promise<number> {
    return this.#tx.run(rows.putPeople, {
      audience: this.#audience,
      ids: people.map(({ id }) => id),
      effective: people.map(({ effective }) => effective),
      expires: people.map(({ expires }) => expires),
      keys: people.map((one) => Buffer.from(one.keys)),
    })
  }
}

const keyAt = (keys: Buffer, place: number) => keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES)

/** Divides rows into statements, by number and by bytes. */
function* slices<T>(all: readonly T[], bytesOf: (one: T) => number = () => 0): Generator<T[]> {
  let [some, bytes]: [T[], number] = [[], 0]
  for (const one of all) {
    if (some.length === MAX_ROWS || bytes > MAX_PEOPLE_BYTES) {
      yield some
      some = []
      bytes = 0
    }
    some.push(one)
    bytes += bytesOf(one)
  }
  if (some.length > 0) yield some
}
