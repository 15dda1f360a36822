import { Type } from 'typebox'
import { idAt } from '../../common/ids.ts'
import { instantText } from '../../common/instant.ts'
import { invalid } from '../../http/errors.ts'
import { msg, word } from '../../http/message.ts'
import { id, utcInstant } from '../../http/schema.ts'
import type { PageArgs } from '../paging.ts'

/** The bounds of a timeline. */
export const windowParameters = {
  since_id: Type.Optional(id('Only posts newer than this one.')),
  until_id: Type.Optional(id('Only posts older than this one.')),
  start_time: Type.Optional(utcInstant('Start of the time window, inclusive. ISO 8601, to the second.')),
  end_time: Type.Optional(utcInstant('End of the time window, exclusive.')),
}

interface SentWindow {
  since_id?: string
  until_id?: string
  start_time?: number
  end_time?: number
}

const ID_DIGITS = 19
const FIRST_MS = Date.UTC(2010, 10, 4, 1, 42, 54, 657)
/** Longer than any id, so it sorts after all of them. */
const LAST_ID = '9'.repeat(ID_DIGITS + 1)

/** Ids are compared as text of equal length. */
const padded = (text: string) => text.padStart(ID_DIGITS, '0')
const firstIdAt = (timeMs: number | undefined) =>
  timeMs === undefined ? undefined : padded(idAt(Math.max(timeMs, FIRST_MS), 0, 0))
const greatest = (...ids: string[]) => ids.reduce((one, other) => (one > other ? one : other))
const least = (...ids: string[]) => ids.reduce((one, other) => (one < other ? one : other))

/** Rejects a window that ends before it begins. */
function checkWindow({ start_time, end_time }: SentWindow): void {
  if (start_time === undefined || end_time === undefined || start_time < end_time) return
  const explanation = msg`Invalid '${word('end_time')}':'${instantText(end_time)}'. '${word('end_time')}' must be after '${word('start_time')}'.`
  throw invalid({
    place: 'query',
    name: 'end_time',
    value: instantText(end_time),
    fault: { kind: 'rule', explanation },
  })
}

/**
 * The range of ids of a page: after `id` in its direction, up to `edge`. The window begins at `since_id` and
 * `start_time`.
 */
function idsOf({ since_id, until_id, start_time, end_time }: SentWindow, page: PageArgs) {
  const since = since_id === undefined ? '' : (BigInt(since_id) + 1n).toString()
  const from = greatest(padded(since), firstIdAt(start_time) ?? '')
  const before = least(until_id === undefined ? LAST_ID : padded(until_id), firstIdAt(end_time) ?? LAST_ID)
  const { direction, limit } = page
  const behind = padded(page.id)
  if (direction === 'older') return { id: least(behind, before), edge: from, limit }
  // Newer than the last id before the window.
  const below = padded((BigInt(from) - 1n < 0n ? 0n : BigInt(from) - 1n).toString())
  return { id: greatest(behind, below), edge: before, limit }
}

const EXCLUDED = ['replies', 'reposts'] as const

/** What a call excludes. */
export const excludedBy = ({ exclude }: Readonly<Record<string, unknown>>): ReadonlySet<string> =>
  new Set(EXCLUDED.filter((one) => Array.isArray(exclude) && exclude.includes(one)))

/** Reads a page of a timeline. Throws for a window that ends before it begins. */
export function readTimeline<Row>(
  page: PageArgs,
  sent: Readonly<Record<string, unknown>>,
  read: (args: ReturnType<typeof idsOf>) => Promise<Row[]>,
): Promise<Row[]> {
  const window: SentWindow = sent
  checkWindow(window)
  return read(idsOf(window, page))
}
