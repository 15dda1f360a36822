import { consentsOf } from '../../identity/tokens/consents.ts'
import { Freshness } from '../../identity/tokens/freshness.ts'
import type { TokenScope } from '../../identity/tokens/scopes.ts'
import type { Clock, TimeSource } from '../../platform/common/clock.ts'
import { systemClock, WOKEN } from '../../platform/common/clock.ts'
import { AT_ONCE, Loop, SHORT_PAUSES, WHEN_WOKEN } from '../../platform/common/loop.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Line, StreamConnection } from '../streams/connections/connection.ts'
import { lineOf } from '../streams/connections/connection.ts'
import { Arrivals } from './arrivals.ts'
import type { StoredActivity } from './queries.ts'
import { activityEventsAfter, lastActivityEventBefore } from './queries.ts'

/** A position among the activities that the subscriptions of an app matched. */
interface FeedPosition {
  readonly position: number
  readonly number: number
}

const BEGINNING: FeedPosition = { position: 0, number: 0 }

/** The connection of a reader. */
type Reader = Pick<StreamConnection, 'isOpen' | 'over' | 'offer' | 'offerNow' | 'end'>

export interface Feed {
  readonly connection: Reader
  readonly app: string
  /** Only later activities are sent. */
  readonly after: FeedPosition
  /**
   * Epoch milliseconds. Activities from this time on are not sent, and the stream ends. Undefined: it does not end.
   */
  readonly until: number | undefined
}

interface FeedParts {
  readonly store: Store
  readonly clock: Clock
  readonly monotonic: TimeSource
  onError(error: unknown): void
}

/** Activities per read. */
const ROWS_AT_ONCE = 100
/** A reader that takes nothing for this long is disconnected. In real time. */
const STALLED_MS = 30_000

/** The place of the last activity before a time, or of the newest activity if no time is given. */
export async function placeBefore(
  app: string,
  timeMs: number | undefined,
  { store }: Pick<FeedParts, 'store'>,
): Promise<FeedPosition> {
  return (
    (await store.first(lastActivityEventBefore, { app, at: timeMs ?? Number.MAX_SAFE_INTEGER })) ?? BEGINNING
  )
}

/**
 * Sends an app the activities that its subscriptions matched, from the table that the producer fills. Everything after
 * the place arrives in order, whichever node the reader is connected to. Pending activities stay in the table, so a
 * reader needs no more memory than a connection. Readers of an app at the same place share one read and its lines.
 */
export async function feedActivities(feed: Feed, parts: FeedParts): Promise<void> {
  const { connection, app } = feed
  const { onError } = parts
  let place = feed.after
  const loop = new Loop({
    wakeUps: (wake) => arrivalsOf(parts).listen(app, wake),
    async round() {
      const isDone = await sendNext({ ...feed, after: place }, parts, (sent) => {
        place = sent
      })
      return isDone || !connection.isOpen ? WHEN_WOKEN : AT_ONCE
    },
    onError,
    pauses: SHORT_PAUSES,
  })
  loop.start()
  await connection.over
  await loop.stop()
}

/** Sends the next activities. Resolves to whether there is nothing more to send for now. */
async function sendNext(
  { connection, app, after, until }: Feed,
  parts: FeedParts,
  sent: (place: FeedPosition) => void,
): Promise<boolean> {
  const freshness = new Freshness(parts.monotonic)
  const isFresh = freshness.begin()
  const lines = await linesAfter(app, after, parts)
  isFresh()
  let isOver = false
  for (const { place, line, at } of lines) {
    isOver = until !== undefined && at >= until
    if (isOver) break
    const isWaited = line !== undefined && !connection.offerNow(line)
    if (isWaited && !(await taken(connection, line))) return false
    sent(place)
    // Visibility may have changed: read the remaining rows again.
    if (isWaited && freshness.isStale) return false
  }
  if (lines.length === ROWS_AT_ONCE && !isOver) return false
  if (until === undefined) return true
  await connection.end('completed')
  return false
}

/**
 * What the app may see now. An activity may have been matched a while ago. It is not sent if its post has been deleted
 * or protected since, or if the user no longer grants the app access.
 */
async function visibilityOf(
  rows: readonly StoredActivity[],
  app: string,
  { store, clock }: FeedParts,
): Promise<(row: StoredActivity) => boolean> {
  const pairs = rows.flatMap(({ user_id: user }) => (user === null ? [] : [{ app, user }]))
  const allows = await consentsOf(store, pairs, clock.now())
  return ({ hidden, user_id: user, scope }) =>
    hidden === 0 && (user === null || scope === null || allows({ app, user }, scope as TokenScope))
}

/** Waits until the reader takes a line. Resolves to false when the connection has ended. */
async function taken(connection: Reader, line: Line): Promise<boolean> {
  const waiting = new AbortController()
  const stalled = systemClock.at(systemClock.now() + STALLED_MS, waiting.signal)
  const offered = connection.offer(line).then(() => false)
  if (await Promise.race([offered, stalled])) await connection.end('slow_reader')
  waiting.abort(WOKEN)
  return connection.isOpen
}

interface PlacedLine {
  readonly place: FeedPosition
  /** Undefined when the app may no longer see it. */
  readonly line: Line | undefined
  readonly at: number
}

/** Reads of the current turn of the event loop, by app and place. */
const reads = new WeakMap<Store, Map<string, Promise<readonly PlacedLine[]>>>()

/** The next lines of an app. Waits until their rows are durable. */
function linesAfter(app: string, after: FeedPosition, parts: FeedParts): Promise<readonly PlacedLine[]> {
  const { store } = parts
  const version = store.snapshotVersion()
  if (version === undefined) return readLines(app, after, parts)
  const known = reads.get(store)
  const turn = known ?? new Map<string, Promise<readonly PlacedLine[]>>()
  if (!known) {
    reads.set(store, turn)
    setImmediate(() => reads.delete(store))
  }
  const key = `${version} ${app} ${after.position} ${after.number}`
  const lines = turn.get(key) ?? readLines(app, after, parts)
  turn.set(key, lines)
  return lines
}

async function readLines(app: string, after: FeedPosition, parts: FeedParts): Promise<PlacedLine[]> {
  const { store } = parts
  const rows = await store.all(activityEventsAfter, { app, ...after, limit: ROWS_AT_ONCE })
  if (rows.length > 0) await store.durable()
  const maySee = await visibilityOf(rows, app, parts)
  return rows.map((row) => ({
    place: { position: row.position, number: row.number },
    line: maySee(row) ? lineOf(row.body) : undefined,
    at: row.at,
  }))
}

const known = new WeakMap<Store, Arrivals>()

function arrivalsOf({ store, onError }: FeedParts): Arrivals {
  const arrivals = known.get(store) ?? new Arrivals(store, onError)
  known.set(store, arrivals)
  return arrivals
}
