import { SharedRun } from '../common/shared-run.ts'
import type { Store, Transaction } from '../storage/store.ts'
import type { EventData, EventKind, LoggedEvent } from './event.ts'
import {
  appendEvent,
  assignPositions,
  eventPositions,
  eventsAfter,
  eventsOfSpan,
  eventWithoutPosition,
  lockPositions,
  movePositions,
  recordGap,
  removeEvents,
  type StoredEventRow,
} from './queries.ts'

/** The channel that notifies listeners of the store of committed events. */
export const EVENTS_CHANNEL = 'events'

/** Events that get their positions in one transaction. */
const ASSIGN_AT_ONCE = 1_000
/** Events that are removed in one transaction. */
const TRIM_AT_ONCE = 1_000

/** Appends an event to the log, in the transaction of the change. */
export async function emit<Data extends EventData>(
  tx: Transaction,
  kind: EventKind<Data>,
  data: Data,
): Promise<void> {
  const items = kind.items(data)
  const position = tx.dialect === 'sqlite' ? await nextPosition(tx, items) : null
  const said = { kind: kind.name, subject: kind.subject(data), data: JSON.stringify(data) }
  await tx.run(appendEvent, { position, items, ...said, at: tx.now })
  tx.notify(EVENTS_CHANNEL)
}

async function nextPosition(tx: Transaction, items: number): Promise<number> {
  const position = (await lastPosition(tx)) + items
  await tx.run(movePositions, { value: String(position) })
  return position
}

/** The last assigned position, locked until the transaction ends. */
const lastPosition = async (tx: Transaction) => Number((await tx.first(lockPositions, {}))?.value)

/** The current end of the log: events that are committed from now on get later positions. */
export const currentPosition = async (store: Store): Promise<number> =>
  Number((await store.first(eventPositions, {}))?.value)

/**
 * The end of the log. Every event that was committed before the call is at this position, or before
 * it.
 */
export async function endOfLog(store: Store): Promise<number> {
  await positionsGiven(store)
  return currentPosition(store)
}

/** Where a reader continues, and how much it reads. */
interface LogPage {
  readonly after: number
  readonly limit: number
}

/** The next events after a position, oldest first. */
export async function readEvents(store: Store, page: LogPage): Promise<readonly LoggedEvent[]> {
  await positionsGiven(store)
  return parsed(await store.all(eventsAfter, page))
}

const parsed = (rows: readonly StoredEventRow[]): LoggedEvent[] =>
  rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) as EventData }))

/** The events of a period in pages, in the order of their times, as far as the log has them. */
export async function* eventsWithin(
  store: Store,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  limit: number,
): AsyncGenerator<readonly LoggedEvent[]> {
  await positionsGiven(store)
  const place = { at: fromMs, after: 0 }
  for (;;) {
    const rows = await store.all(eventsOfSpan, { ...place, before: toMs, limit })
    yield parsed(rows)
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    Object.assign(place, { at: last.at, after: last.position })
  }
}

/**
 * On PostgreSQL, events may become visible in a different order than they were appended in. So they
 * get their positions after the commit, in one transaction at a time: a newly visible position is
 * greater than all visible ones, and the events of a transaction that ends late get late positions.
 * On SQLite, where only one transaction writes at a time, an event has its position from the start.
 */
async function givePositions(store: Store): Promise<void> {
  while (await store.first(eventWithoutPosition, {})) {
    await store.write(async (tx) => {
      const last = await lastPosition(tx)
      const assigned = await tx.all(assignPositions, { last, limit: ASSIGN_AT_ONCE })
      const end = assigned.reduce((highest, { position }) => Math.max(highest, position), last)
      await tx.run(movePositions, { value: String(end) })
    })
  }
}

const assignments = new WeakMap<Store, SharedRun<void>>()

/**
 * Resolves when every event committed before the call has its position. Consumers share the work.
 */
function positionsGiven(store: Store): Promise<void> | undefined {
  if (store.dialect === 'sqlite') return undefined
  let assignment = assignments.get(store)
  if (!assignment) {
    assignment = new SharedRun(() => givePositions(store))
    assignments.set(store, assignment)
  }
  return assignment.run()
}

/**
 * Removes the events before a time, handled or not, and notifies consumers that had not handled
 * them. Resolves to the number of removed events.
 */
export async function trimEvents(store: Store, beforeMs: number, signal?: AbortSignal): Promise<number> {
  await positionsGiven(store)
  let removed = 0
  for (;;) {
    const some = await store.write(async (tx) => {
      const gone = await tx.all(removeEvents, { before: beforeMs, limit: TRIM_AT_ONCE })
      const last = gone.reduce((highest, { position }) => Math.max(highest, position), 0)
      await tx.run(recordGap, { to: last })
      return gone.length
    })
    removed += some
    if (some < TRIM_AT_ONCE || signal?.aborted) return removed
  }
}
