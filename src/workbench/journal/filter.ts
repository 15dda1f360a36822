import { Slices } from '../../platform/common/slices.ts'
import { routeMatcher } from '../route-pattern.ts'
import { maskedText } from './entry.ts'
import type { EntryKind, Journal, JournalRecord } from './journal.ts'

/** Which entries are meant. Entries must satisfy every condition that is present. */
export interface JournalFilter {
  readonly kind?: EntryKind | undefined
  readonly host?: string | undefined
  /** `POST /2/posts`, `/2/posts`, `GET /2/*`. */
  readonly route?: string | undefined
  /** `404`, `4xx`. */
  readonly status?: string | undefined
  readonly app_id?: string | undefined
  readonly user_id?: string | undefined
  /** In URLs, headers, bodies and errors, as they are shown; the case does not matter. */
  readonly text?: string | undefined
  /** Epoch milliseconds, on the clock that users see. */
  readonly sinceMs?: number | undefined
  readonly untilMs?: number | undefined
  /** Sequence numbers, exclusive. */
  readonly after?: number | undefined
  readonly before?: number | undefined
}

type Condition = (record: JournalRecord) => boolean

/** Compiles a filter. `text` comes last, because it reads whole bodies. */
export function matcherOf(filter: JournalFilter): Condition {
  const { kind, host, route, status, app_id, user_id, text, sinceMs, untilMs, after, before } = filter
  const conditions: Condition[] = []
  const add = <Value>(value: Value | undefined, condition: (value: Value) => Condition) => {
    if (value !== undefined) conditions.push(condition(value))
  }
  add(after, (value) => (record) => record.sequence > value)
  add(before, (value) => (record) => record.sequence < value)
  add(kind, (value) => (record) => record.kind === value)
  add(host, (value) => (record) => record.host === value)
  add(app_id, (value) => (record) => record.appId === value)
  add(user_id, (value) => (record) => record.userId === value)
  add(sinceMs, (value) => (record) => record.timeMs >= value)
  add(untilMs, (value) => (record) => record.timeMs < value)
  add(status, statusMatcher)
  add(route, (value) => {
    const matches = routeMatcher(value)
    return ({ route }) => matches(route)
  })
  add(text?.toLowerCase(), (value) => (record) => maskedText(record).toLowerCase().includes(value))
  return (record) => conditions.every((condition) => condition(record))
}

export const STATUS_PATTERN = '^([1-5][0-9]{2}|[1-5]xx)$'

const statusMatcher = (value: string): Condition =>
  value.endsWith('xx')
    ? ({ status = 0 }) => Math.floor(status / 100) === Number(value[0])
    : ({ status }) => status === Number(value)

/** The entries that match, the newest first, in slices of the event loop. */
export async function findEntries(
  journal: Journal,
  filter: JournalFilter,
  limit: number,
): Promise<JournalRecord[]> {
  return firstMatches(journal.newestFirst, filter, limit)
}

async function firstMatches(
  records: readonly JournalRecord[],
  filter: JournalFilter,
  limit: number,
): Promise<JournalRecord[]> {
  const matches = matcherOf(filter)
  const slices = new Slices()
  const found: JournalRecord[] = []
  for (const record of records) {
    if (found.length === limit) break
    if (slices.isOver) await slices.next()
    if (matches(record)) found.push(record)
  }
  return found
}

/**
 * Waits for an entry: the oldest one that matches, or the next one. Resolves to undefined when the
 * signal is aborted first.
 */
export async function waitForEntry(
  journal: Journal,
  filter: JournalFilter,
  signal: AbortSignal,
): Promise<JournalRecord | undefined> {
  const matches = matcherOf(filter)
  const next = Promise.withResolvers<JournalRecord | undefined>()
  // Before the search, because entries that arrive meanwhile count.
  const stop = journal.watch((record) => {
    if (matches(record)) next.resolve(record)
  })
  const end = () => next.resolve(undefined)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    const [known] = await firstMatches(journal.oldestFirst, filter, 1)
    return known ?? (await next.promise)
  } finally {
    stop()
    signal.removeEventListener('abort', end)
  }
}

export interface EntryCounts {
  readonly host: string
  readonly route: string
  readonly status: number | undefined
  count: number
  totalMs: number
}

/** How many entries match, by listener, route and status. */
export function countEntries(journal: Journal, filter: JournalFilter): EntryCounts[] {
  const matches = matcherOf(filter)
  const counts = new Map<string, EntryCounts>()
  for (const record of journal.oldestFirst) {
    if (!matches(record)) continue
    const { host, route, status, durationMs } = record
    const key = `${host} ${route} ${status}`
    const known = counts.get(key) ?? { host, route, status, count: 0, totalMs: 0 }
    known.count++
    known.totalMs += durationMs
    counts.set(key, known)
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)
}
