import type { Store, Transaction } from '../../../../store/store.ts'
import type { Step } from '../membership.ts'
import type { Changes, MemberTable, StoredKeys, WaitingBatch } from '../merge.ts'
import { ABSENT, LINKED, mergeBatches } from '../merge.ts'
import { KEY_BYTES } from '../packed.ts'
import { Spans } from '../spans.ts'
import type { AudienceRow } from './queries.ts'
import * as rows from './queries.ts'

/** Of one transaction: more would make others wait for its rows, and come near the database's own time limit. */
const MAX_KEYS = 20_000
const MAX_BATCHES = 200
const MAX_AUDIENCES = 100
/** Of one step in the background. */
const STEP_ROWS = 5_000
const SWEEP_AFTER_SECONDS = 86_400
const BEFORE_ALL = Buffer.alloc(0)

const seconds = (ms: number) => Math.floor(ms / 1000)

/** Merges and counts members on PostgreSQL. A lease is the lock of a row: it ends with its transaction, however that ends. */
export class PostgresMerges {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** Merges what waits for the first audience that no other node is at. */
  async merge(until: number): Promise<Step> {
    const waiting = await this.#store.all(rows.waitingAudiences, { until, limit: MAX_AUDIENCES })
    for (const { audience } of waiting) {
      const keys = await this.#store.write((tx) => mergeAudience(tx, audience, until))
      if (keys !== undefined) return { keys, more: true }
    }
    return { keys: 0, more: false }
  }

  /** One bounded step of what is due. */
  async upkeep(now: number): Promise<Step> {
    const at = seconds(now)
    const more = await this.#store.write(
      async (tx) => (await forgetStep(tx)) || (await countStep(tx, at)) || (await sweepStep(tx, at)),
    )
    return { keys: 0, more }
  }
}

/** The number of keys merged; undefined when another node is at this audience, or was. */
async function mergeAudience(tx: Transaction, audience: string, until: number): Promise<number | undefined> {
  await tx.run(rows.addAudience, { audience, now: seconds(until) })
  const leased = await tx.first(rows.leaseAudience, { audience })
  if (!leased) return undefined
  const listed = await tx.all(rows.nextBatches, { audience, limit: MAX_BATCHES })
  const batches: typeof listed = []
  let keys = 0
  for (const one of listed) {
    if (one.accepted_at > until || (batches.length > 0 && keys + one.keys > MAX_KEYS)) break
    batches.push(one)
    keys += one.keys
  }
  if (batches.length === 0) return undefined
  await mergeLeased(tx, leased, batches)
  await tx.run(rows.removeBatches, { seqs: batches.map(({ seq }) => seq) })
  return keys
}

/** A batch before the word to forget the audience need not be merged. */
async function mergeLeased(
  tx: Transaction,
  audience: AudienceRow,
  batches: readonly { seq: number; accepted_at: number; forget: number }[],
): Promise<void> {
  const last = batches.findLastIndex(({ forget }) => forget === 1)
  if (last !== -1) await tx.run(rows.markForgotten, audience)
  if (last !== -1 || audience.forgotten === 1) return
  const waiting: WaitingBatch[] = []
  for (const { seq, accepted_at } of batches) {
    const found = await tx.first(rows.batchData, { seq })
    if (found) waiting.push({ data: found.data, acceptedAt: seconds(accepted_at) })
  }
  const table = new PostgresTable(tx, audience)
  const spans = new Spans(audience.counted_at)
  await mergeBatches(waiting, table, spans)
  await tx.run(rows.resizeAudience, { audience: audience.audience, by: spans.now, people: table.nextPerson })
  const later = [...spans.later].filter(([, delta]) => delta !== 0)
  if (later.length > 0)
    await tx.run(rows.addChanges, {
      audience: audience.audience,
      at: later.map(([at]) => at),
      deltas: later.map(([, delta]) => delta),
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
    const asked = Array.from({ length: count }, (_, place) => keyAt(keys, place))
    const known = await this.#tx.all(rows.loadKeys, { audience: this.#audience, keys: asked })
    for (const { place, effective, expires } of known) stored.put(place, effective, expires)
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
    const listed = [...places]
    const removed = listed.filter((place) => stored.kind[place] === ABSENT)
    const put = listed.filter((place) => stored.kind[place] !== ABSENT)
    if (gone.length > 0) await this.#tx.run(rows.removePeople, { audience, ids: gone })
    if (people.length > 0)
      await this.#tx.run(rows.putPeople, {
        audience,
        ids: people.map(({ id }) => id),
        effective: people.map(({ effective }) => effective),
        expires: people.map(({ expires }) => expires),
        keys: people.map((one) => Buffer.from(one.keys)),
      })
    if (removed.length > 0)
      await this.#tx.run(rows.removeKeys, { audience, keys: removed.map((place) => keyAt(keys, place)) })
    if (put.length > 0)
      await this.#tx.run(rows.putKeys, {
        audience,
        keys: put.map((place) => keyAt(keys, place)),
        kinds: put.map((place) => stored.kind[place] as number),
        effective: put.map((place) => stored.effective[place] as number),
        expires: put.map((place) => stored.expires[place] as number),
      })
  }
}

const keyAt = (keys: Buffer, place: number) => keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES)

async function forgetStep(tx: Transaction): Promise<boolean> {
  const row = await tx.first(rows.forgottenAudience, {})
  if (!row) return false
  const some = { audience: row.audience, limit: STEP_ROWS }
  const removed =
    (await tx.run(rows.forgetSomeKeys, some)) +
    (await tx.run(rows.forgetSomePeople, some)) +
    (await tx.run(rows.forgetSomeChanges, some))
  if (removed === 0) await tx.run(rows.removeAudience, some)
  return true
}

/** Takes changes that came due into the size of an audience. */
async function countStep(tx: Transaction, now: number): Promise<boolean> {
  const due = await tx.first(rows.dueAudience, { now })
  if (!due) return false
  // Another node that has the audience leased does it.
  const leased = await tx.first(rows.leaseAudience, due)
  if (!leased) return false
  const changes = await tx.all(rows.dueChanges, { ...due, now, limit: STEP_ROWS })
  const until = changes.length < STEP_ROWS ? now : (changes.at(-1)?.at ?? now)
  await tx.run(rows.removeChanges, { ...due, until })
  const by = changes.reduce((sum, { delta }) => sum + delta, 0)
  await tx.run(rows.countAudience, { ...due, by, until, ended: changes.length > 0 ? 1 : 0 })
  return true
}

/** Drops members who expired, a day after the last time that this was done: keys first, then persons. */
async function sweepStep(tx: Transaction, now: number): Promise<boolean> {
  const row = await tx.first(rows.endedAudience, { before: now - SWEEP_AFTER_SECONDS })
  if (!row) return false
  const { audience, swept_until } = row
  const from = swept_until ?? BEFORE_ALL
  const { last, total } = (await tx.first(rows.sweepEnd, { audience, from, limit: STEP_ROWS })) ?? {
    last: null,
    total: 0,
  }
  if (last) {
    await tx.run(rows.sweepKeys, { audience, from, last, now, linked: LINKED })
    await tx.run(rows.sweptUntil, { audience, until: last })
  }
  if (total === STEP_ROWS) return true
  if ((await tx.run(rows.sweepPeople, { audience, now, limit: STEP_ROWS })) === STEP_ROWS) return true
  await tx.run(rows.swept, { audience, now })
  return true
}
