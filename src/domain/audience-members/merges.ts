import { StoreUnavailable } from '../../platform/storage/store.ts'
import { Backoff } from './backoff.ts'
import type { MemberDatabase, MemberTransaction } from './database.ts'
import { countStep, EXPIRE_AFTER_SECONDS, expireStep, forgetStep } from './maintenance.ts'
import type { Step } from './membership.ts'
import { mergeBatches, type WaitingBatch } from './merge.ts'
import type { AudienceRow } from './queries.ts'
import * as rows from './queries.ts'
import { Spans } from './spans.ts'
import { type Tally, type TallyRequest, tallySlice } from './tally.ts'

/** Per transaction. A single batch may have more. */
export interface MergeLimits {
  keys: number
  batches: number
  /** Of each kind, per step of maintenance. */
  rows: number
}

const MAX_AUDIENCES = 100
/** A step gives up after this many audiences that other nodes have leased. */
const MAX_LEASED = 10

const seconds = (ms: number) => Math.floor(ms / 1000)

/**
 * Batches are due if they were accepted up to `until`, or later than now, because a clock was set
 * back.
 */
interface TurnTimes {
  until: number
  now: number
}

/** The maximum number of batches of an audience, and those that were taken. */
interface Attempt extends TurnTimes {
  audience: string
  most: number
  seqs: number[]
}

/** The keys of the merged batches, and whether others are due. */
type Merged = Pick<Step, 'keys' | 'more'>

/**
 * Merges and counts members. A lease is a row lock on PostgreSQL, so it ends with its transaction;
 * on SQLite there is one writer.
 */
export class Merges {
  readonly #database: MemberDatabase
  readonly #limits: MergeLimits
  readonly #mergeBackoff: Backoff
  readonly #maintenanceBackoff: Backoff
  /**
   * Audiences with a batch that could not be merged: this many of their next batches are merged one
   * at a time.
   */
  readonly #oneByOne = new Map<string, number>()

  /** `elapsed`: milliseconds of a monotonic clock. */
  constructor(database: MemberDatabase, limits: MergeLimits, { elapsed = () => performance.now() } = {}) {
    this.#database = database
    this.#limits = limits
    this.#mergeBackoff = new Backoff({ now: elapsed })
    this.#maintenanceBackoff = new Backoff({ now: elapsed })
  }

  /**
   * Merges the waiting batches of the first audience that no other node has leased. Rejects if the
   * database is unavailable.
   */
  async merge(due: TurnTimes): Promise<Step> {
    const except = JSON.stringify(this.#mergeBackoff.names())
    const waiting = await this.#database.all(rows.waitingAudiences, { ...due, limit: MAX_AUDIENCES, except })
    const errors: Error[] = []
    for (const { audience } of waiting) {
      const merged = await this.#mergeOne(audience, due, errors)
      if (merged) return { keys: merged.keys, more: merged.more || waiting.length > 1, errors }
    }
    return { keys: 0, more: false, errors }
  }

  /** Undefined if there was nothing to do, or nothing could be done now. */
  async #mergeOne(audience: string, due: TurnTimes, errors: Error[]): Promise<Merged | undefined> {
    const attempt: Attempt = {
      audience,
      ...due,
      most: this.#oneByOne.has(audience) ? 1 : this.#limits.batches,
      seqs: [],
    }
    try {
      const merged = await this.#merged(attempt)
      this.#mergeBackoff.done(audience)
      return merged
    } catch (error) {
      if (!isOfData(error)) return this.#backOff(this.#mergeBackoff, audience, error, errors)
      if (attempt.most === 1) return this.#addDeadLetter(attempt, error, errors)
      this.#oneByOne.set(audience, this.#limits.batches)
      return this.#mergeOne(audience, due, errors)
    }
  }

  async #merged(attempt: Attempt): Promise<Merged | undefined> {
    const { audience } = attempt
    const database = this.#database
    // Created in a transaction of its own: inserting the row would otherwise wait for the whole
    // merge of another node.
    if (!(await database.first(rows.findAudience, { audience })))
      await database.write((tx) => tx.run(rows.addAudience, { audience }))
    const merged = await database.write((tx) => this.#mergeAudience(tx, attempt))
    await database.removeMerged(audience)
    const left = this.#oneByOne.get(audience)
    if (left === 1) this.#oneByOne.delete(audience)
    else if (left !== undefined) this.#oneByOne.set(audience, left - 1)
    return merged
  }

  /** Makes a dead letter of a batch that cannot be merged, so that the next ones can. */
  async #addDeadLetter(
    { audience, seqs: [seq] }: Attempt,
    reason: Error,
    errors: Error[],
  ): Promise<Merged | undefined> {
    try {
      if (seq === undefined) throw reason
      // The data itself may be unreadable.
      const found = await this.#database.first(rows.batchData, { seq }).catch(() => undefined)
      const set = await this.#database.write(async (tx) => {
        if (!(await tx.first(rows.leaseAudience, { audience }))) return 0
        await tx.run(rows.addDeadLetter, {
          seq,
          reason: reason.message,
          data: found?.data ?? Buffer.alloc(0),
        })
        return tx.run(rows.finishBatches, { audience, seqs: JSON.stringify([seq]), last: seq })
      })
      await this.#database.removeMerged(audience)
      this.#oneByOne.delete(audience)
      // Another node has leased the audience, or has already removed the batch.
      if (set === 0) return undefined
      errors.push(new Error(`batch ${seq} of audience ${audience} became a dead letter: ${reason.message}`))
      return { keys: 0, more: true }
    } catch (error) {
      return this.#backOff(this.#mergeBackoff, audience, error, errors)
    }
  }

  /** Reports an audience whose work failed. If too many fail, the error is not theirs. */
  #backOff(backoff: Backoff, audience: string, error: unknown, errors: Error[]): undefined {
    if (error instanceof StoreUnavailable || !backoff.add(audience)) throw error
    errors.push(new Error(`audience ${audience} must wait: ${(error as Error).message}`))
    return undefined
  }

  /** Counts a slice of a combination, as it was at one moment on SQLite. */
  tally(request: TallyRequest): Promise<Tally> {
    return this.#database.write((tx) =>
      tallySlice(
        tx,
        (audience) => this.#database.table(tx, { audience, people: 0 }),
        request,
        this.#limits.rows,
      ),
    )
  }

  /** One bounded step of each kind of maintenance that is due. */
  async maintain(now: number): Promise<Step> {
    const at = seconds(now)
    const errors: Error[] = []
    const forgets = await this.#step(rows.forgottenAudience, at, forgetStep, errors)
    const counts = await this.#step(rows.dueAudience, at, countStep, errors)
    const sweeps = await this.#step(rows.audienceToSweep, at, expireStep, errors)
    return { keys: 0, more: forgets || counts || sweeps, errors }
  }

  /**
   * One step for the first audience that a query finds and no other node has leased. Returns false
   * if there is none.
   */
  async #step(
    due: typeof rows.dueAudience,
    now: number,
    work: (tx: MemberTransaction, step: { audience: string; now: number; limit: number }) => Promise<unknown>,
    errors: Error[],
  ): Promise<boolean> {
    const except = this.#maintenanceBackoff.names()
    for (let leased = 0; leased < MAX_LEASED; leased++) {
      const found = await this.#database.first(due, { now, except: JSON.stringify(except) })
      if (!found) return false
      const { audience } = found
      try {
        // Before the audience may be removed, which records what was merged.
        await this.#database.removeMerged(audience)
        const isOurs = await this.#database.write(async (tx) => {
          if (!(await tx.first(rows.leaseAudience, { audience }))) return false
          await work(tx, { audience, now, limit: this.#limits.rows })
          return true
        })
        this.#maintenanceBackoff.done(audience)
        if (isOurs) return true
      } catch (error) {
        this.#backOff(this.#maintenanceBackoff, audience, error, errors)
      }
      except.push(audience)
    }
    return false
  }

  /** Undefined if another node has leased the audience, or has merged it. */
  async #mergeAudience(tx: MemberTransaction, attempt: Attempt): Promise<Merged | undefined> {
    const { audience, most, until, now } = attempt
    const leased = await tx.first(rows.leaseAudience, { audience })
    if (!leased) return undefined
    const listed = await tx.all(rows.nextBatches, { audience, limit: most })
    const isDue = ({ accepted_at: at }: { accepted_at: number }) => at <= until || at > now
    const batches: typeof listed = []
    let keys = 0
    for (const batch of listed) {
      if (!isDue(batch) || (batches.length > 0 && keys + batch.keys > this.#limits.keys)) break
      batches.push(batch)
      keys += batch.keys
    }
    const last = batches.at(-1)
    if (!last) return undefined
    attempt.seqs = batches.map(({ seq }) => seq)
    await this.#mergeLeased(tx, leased, batches)
    await tx.run(rows.finishBatches, { audience, seqs: JSON.stringify(attempt.seqs), last: last.seq })
    const next = listed[batches.length]
    return { keys, more: next ? isDue(next) : listed.length === most }
  }

  /** Batches before an order to forget the audience are not merged. */
  async #mergeLeased(
    tx: MemberTransaction,
    leased: AudienceRow,
    batches: readonly { seq: number; accepted_at: number; forget: number }[],
  ): Promise<void> {
    const { audience } = leased
    const isForgotten = batches.some(({ forget }) => forget === 1)
    if (isForgotten) await tx.run(rows.markForgotten, leased)
    if (isForgotten || leased.forgotten === 1) return
    const waiting: WaitingBatch[] = []
    for (const { seq, accepted_at } of batches) {
      const found = await tx.first(rows.batchData, { seq })
      if (found) waiting.push({ data: bufferOf(found.data), acceptedAt: seconds(accepted_at) })
    }
    const at = seconds(batches.at(-1)?.accepted_at ?? 0)
    // Members who count since they were uploaded are counted with the merge, without later changes.
    const countedAt = await countStep(tx, { audience, now: at, limit: this.#limits.rows })
    const table = this.#database.table(tx, leased)
    const spans = new Spans(Math.max(leased.counted_at, countedAt))
    await mergeBatches(waiting, table, spans)
    await tx.run(rows.resizeAudience, {
      audience,
      by: spans.now,
      people: table.nextPerson,
      ended: spans.hasEnded ? at : 0,
      sweepAt: at + EXPIRE_AFTER_SECONDS,
    })
    await table.addChanges([...spans.later].filter(([, delta]) => delta !== 0))
  }
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length)

/**
 * SQLSTATE classes of errors that a retry does not solve: invalid data, exceeded limits, corrupt
 * stored data.
 */
const OF_DATA = /^(22|23|54|XX)/

/** Whether the cause is the data to be merged, rather than the database or the machine. */
function isOfData(error: unknown): error is Error {
  if (!(error instanceof Error) || error.name.startsWith('Store')) return false
  const { code } = error as { code?: string }
  // On SQLite, the other failures are `StoreUnavailable`.
  if (code !== undefined) return code === 'ERR_SQLITE_ERROR' || OF_DATA.test(code)
  return !isOutOfMemory(error)
}

const isOutOfMemory = (error: Error) => error instanceof RangeError && /allocation/i.test(error.message)
