import type { App } from '../../identity/apps/app.ts'
import { consentsOf } from '../../identity/tokens/consents.ts'
import { Freshness } from '../../identity/tokens/freshness.ts'
import type { TokenScope } from '../../identity/tokens/scopes.ts'
import { type Clock, systemClock, type TimeSource, WOKEN } from '../../platform/common/clock.ts'
import { AT_ONCE, Loop, SHORT_PAUSES, WHEN_WOKEN } from '../../platform/common/loop.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Reply, stream } from '../../platform/http/reply-kinds.ts'
import type { Store } from '../../platform/storage/store.ts'
import { type Line, lineOf, type StreamConnection } from '../streams/connections/connection.ts'
import type { StreamConnections } from '../streams/connections/connections.ts'
import type { Past } from '../streams/span.ts'
import { Arrivals } from './arrivals.ts'
import { activityEventsAfter, lastActivityEventBefore, type StoredActivity } from './queries.ts'

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
   * Epoch milliseconds. Activities from this time on are not sent, and the stream ends. Undefined:
   * it does not end.
   */
  readonly until: number | undefined
}

interface FeedsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly monotonic: TimeSource
  /** Called when activities could not be read. They are read again. */
  onError(error: unknown): void
}

interface PlacedLine {
  readonly place: FeedPosition
  /** Undefined when the app may no longer see it. */
  readonly line: Line | undefined
  readonly at: number
}

/** Activities per read. */
const ROWS_AT_ONCE = 100
/** A reader that takes nothing for this long is disconnected. In real time. */
const STALLED_MS = 30_000

/**
 * The feeds of activities to the streams of this node, from the table that the producer fills.
 * Everything after the position of a feed arrives in order, whichever node the reader is connected
 * to. Pending activities stay in the table, so a reader needs no more memory than a connection.
 * Readers of an app at the same position share one read and its lines.
 */
export class ActivityFeeds {
  readonly #options: FeedsOptions
  readonly #arrivals: Arrivals
  /** Reads of the current turn of the event loop, by version of the data, app and position. */
  #reads: Map<string, Promise<readonly PlacedLine[]>> | undefined

  constructor(options: FeedsOptions) {
    this.#options = options
    this.#arrivals = new Arrivals(options.store, options.onError)
  }

  /**
   * The position of the last activity before a time, or of the newest activity if no time is given.
   */
  async positionBefore(app: string, timeMs = Number.MAX_SAFE_INTEGER): Promise<FeedPosition> {
    return (await this.#options.store.first(lastActivityEventBefore, { app, at: timeMs })) ?? BEGINNING
  }

  /** Sends an app the activities that its subscriptions matched, until the connection ends. */
  async send(feed: Feed): Promise<void> {
    const { connection, app } = feed
    const { onError } = this.#options
    let after = feed.after
    const loop = new Loop({
      wakeUps: (wake) => this.#arrivals.listen(app, wake),
      round: async () => {
        const isDone = await this.#sendNext({ ...feed, after }, (sent) => {
          after = sent
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
  async #sendNext(
    { connection, app, after, until }: Feed,
    sent: (position: FeedPosition) => void,
  ): Promise<boolean> {
    const freshness = new Freshness(this.#options.monotonic)
    const isFresh = freshness.begin()
    const lines = await this.#linesAfter(app, after)
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

  /** The next lines of an app. Waits until their rows are durable. */
  #linesAfter(app: string, after: FeedPosition): Promise<readonly PlacedLine[]> {
    const version = this.#options.store.snapshotVersion()
    if (version === undefined) return this.#readLines(app, after)
    if (!this.#reads)
      setImmediate(() => {
        this.#reads = undefined
      })
    this.#reads ??= new Map()
    const key = `${version} ${app} ${after.position} ${after.number}`
    const lines = this.#reads.get(key) ?? this.#readLines(app, after)
    this.#reads.set(key, lines)
    return lines
  }

  async #readLines(app: string, after: FeedPosition): Promise<PlacedLine[]> {
    const { store } = this.#options
    const rows = await store.all(activityEventsAfter, { app, ...after, limit: ROWS_AT_ONCE })
    if (rows.length > 0) await store.durable()
    const maySee = await visibilityOf(rows, app, this.#options)
    return rows.map((row) => ({
      place: { position: row.position, number: row.number },
      line: maySee(row) ? lineOf(row.body) : undefined,
      at: row.at,
    }))
  }
}

/**
 * What the app may see now. An activity may have been matched a while ago. It is not sent if its
 * post has been deleted or protected since, or if the user no longer grants the app access.
 */
async function visibilityOf(
  rows: readonly StoredActivity[],
  app: string,
  { store, clock }: FeedsOptions,
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

interface Opening {
  readonly app: App
  readonly address: string
  readonly past: Past
}

export interface ActivityStreamParts {
  readonly config: Pick<Config, 'activityConnectionsPerApp' | 'streamRecoveryJobs'>
  readonly connections: StreamConnections
  readonly activityFeeds: ActivityFeeds
}

/**
 * Opens the activity stream of an app. It sends new activities, after those of the backfill; with a
 * recovery, only those of a past period.
 * @throws ApiError `too many connections`
 */
export async function openActivityStream(
  { app, address, past }: Opening,
  { config, connections, activityFeeds }: ActivityStreamParts,
): Promise<Reply<never>> {
  const isRecovery = past.kind === 'recovery'
  // Read before the connection opens, so that activities stored in the meantime are sent.
  const after = await activityFeeds.positionBefore(app.id, past.kind === 'none' ? undefined : past.fromMs)
  const connection = await connections.open({
    app,
    address,
    endpointName: 'activity_stream',
    purpose: isRecovery ? 'recovery' : 'live',
    max: isRecovery ? config.streamRecoveryJobs : config.activityConnectionsPerApp,
  })
  const feed = { connection, app: app.id, after, until: isRecovery ? past.toMs : undefined }
  return stream<never>(
    (sink, signal) => {
      void activityFeeds.send(feed)
      return connection.run(sink, signal)
    },
    () => void connection.end('client_closed'),
  )
}
