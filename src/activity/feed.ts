import type { Clock } from '../common/clock.ts'
import { systemClock, WOKEN } from '../common/clock.ts'
import { seenIsDurable } from '../events/log.ts'
import { consentsOf } from '../identity/consents.ts'
import type { TokenScope } from '../identity/scopes.ts'
import type { Store } from '../storage/store.ts'
import type { StreamConnection } from '../streams/connections/connection.ts'
import { lineOf } from '../streams/connections/connection.ts'
import { ACTIVITY_CHANNEL } from './producer.ts'
import type { StoredActivity } from './queries.ts'
import { activityEventsAfter, lastActivityEventBefore } from './queries.ts'

/** A place in what the subscriptions of an app matched. */
interface Place {
  readonly position: number
  readonly number: number
}

const BEGINNING: Place = { position: 0, number: 0 }

export interface Feed {
  readonly connection: StreamConnection
  readonly app: string
  /** What came before it is not sent. */
  readonly after: Place
  /** Epoch milliseconds: what came since is not sent, and the stream ends. Undefined: it goes on. */
  readonly until: number | undefined
}

interface FeedParts {
  readonly store: Store
  readonly clock: Clock
  onError(error: unknown): void
}

/** Activities that are read at once. */
const AT_ONCE = 100
/** A wake-up may be lost: the table is looked at this often. In real time, like the waits below. */
const LOOK_MS = 500
const AFTER_ERROR_MS = 1_000
/** A reader that takes nothing for so long is slow. */
const STALLED_MS = 30_000

/** The place of the last activity before a time. Without a time: of the last one that there is. */
export async function placeBefore(
  app: string,
  timeMs: number | undefined,
  { store }: Pick<FeedParts, 'store'>,
): Promise<Place> {
  return (
    (await store.first(lastActivityEventBefore, { app, at: timeMs ?? Number.MAX_SAFE_INTEGER })) ?? BEGINNING
  )
}

/**
 * Sends an app what its subscriptions matched, from the table that the producer fills: whatever is stored behind the place
 * arrives, in its order, on whichever node the reader is. What waits stays in the table, so that a reader costs the memory
 * of a connection and no more.
 */
export async function feedActivities(feed: Feed, parts: FeedParts): Promise<void> {
  const { connection } = feed
  let sleep = new AbortController()
  let place = feed.after
  const listener = parts.store.listen(ACTIVITY_CHANNEL, () => sleep.abort(WOKEN))
  void connection.over.then(() => sleep.abort(WOKEN))
  try {
    while (connection.isOpen) {
      sleep = new AbortController()
      const waitMs = await sendNext({ ...feed, after: place }, parts, (sent) => {
        place = sent
      })
      if (connection.isOpen && waitMs > 0) await systemClock.at(systemClock.now() + waitMs, sleep.signal)
    }
  } finally {
    listener[Symbol.dispose]()
  }
}

/** Sends the next activities. Resolves to how long there is nothing more to do. */
async function sendNext(
  { connection, app, after, until }: Feed,
  parts: FeedParts,
  sent: (place: Place) => void,
): Promise<number> {
  const { store, onError } = parts
  try {
    const rows = await store.all(activityEventsAfter, { app, ...after, limit: AT_ONCE })
    if (rows.length > 0) await seenIsDurable(store)
    const maySee = await visibilityOf(rows, app, parts)
    for (const row of rows) {
      const { position, number, body, at } = row
      if (until !== undefined && at >= until) break
      if (maySee(row) && !(await taken(connection, body))) return 0
      sent({ position, number })
    }
    if (rows.length === AT_ONCE) return 0
    if (until === undefined) return LOOK_MS
    await connection.end('completed')
    return 0
  } catch (error) {
    onError(error)
    return AFTER_ERROR_MS
  }
}

/**
 * What the app may see now. It may have been longer ago that an activity was matched: a post that was deleted or protected since,
 * and what a user no longer lets the app see, stay unsent.
 */
async function visibilityOf(
  rows: readonly StoredActivity[],
  app: string,
  { store, clock }: FeedParts,
): Promise<(row: StoredActivity) => boolean> {
  const users = new Set(rows.flatMap(({ user_id }) => user_id ?? []))
  const pairs = [...users].map((user) => ({ app, user }))
  const allows = await consentsOf(store, pairs, clock.now())
  return ({ hidden, user_id: user, scope }) =>
    hidden === 0 && (user === null || scope === null || allows({ app, user }, scope as TokenScope))
}

/** Waits until the reader has room for a line. Resolves to false when the connection is over. */
async function taken(connection: StreamConnection, body: string): Promise<boolean> {
  const waiting = new AbortController()
  const stalled = systemClock.at(systemClock.now() + STALLED_MS, waiting.signal)
  const offered = connection.offer(lineOf(body)).then(() => false)
  if (await Promise.race([offered, stalled])) await connection.end('slow_reader')
  waiting.abort()
  return connection.isOpen
}
