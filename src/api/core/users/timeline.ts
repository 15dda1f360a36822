import { Type } from 'typebox'
import {
  boundOf,
  FIRST_ID,
  firstIdAt,
  greatestId,
  idAfter,
  idBefore,
  LAST_ID,
  leastId,
} from '../../../platform/common/ids.ts'
import { instantText } from '../../../platform/common/instant.ts'
import { invalid } from '../../../platform/http/errors.ts'
import { msg, word } from '../../../platform/http/message.ts'
import { id, utcInstant } from '../../../platform/http/schema.ts'
import type { PageArgs } from '../paging.ts'

/** The bounds of a timeline. */
export const windowParameters = {
  since_id: Type.Optional(id('Only posts newer than this one.')),
  until_id: Type.Optional(id('Only posts older than this one.')),
  start_time: Type.Optional(utcInstant('Start of the time window, inclusive. RFC 3339, to the second.')),
  end_time: Type.Optional(utcInstant('End of the time window, exclusive.')),
}

interface TimelineWindowQuery {
  since_id?: string
  until_id?: string
  start_time?: number
  end_time?: number
}

/** Rejects a window that ends before it begins. */
function checkWindow({ start_time, end_time }: TimelineWindowQuery): void {
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
 * The range of ids of a page: after `id` in its direction, up to `edge`. The window begins at
 * `since_id` and `start_time`.
 */
function idsOf({ since_id, until_id, start_time, end_time }: TimelineWindowQuery, page: PageArgs) {
  const from = greatestId(
    since_id === undefined ? FIRST_ID : idAfter(boundOf(since_id)),
    start_time === undefined ? FIRST_ID : firstIdAt(start_time),
  )
  const before = leastId(
    until_id === undefined ? LAST_ID : boundOf(until_id),
    end_time === undefined ? LAST_ID : firstIdAt(end_time),
  )
  const { direction, limit } = page
  if (direction === 'older') return { id: leastId(page.id, before), edge: from, limit }
  // Newer than the last id before the window.
  return { id: greatestId(page.id, idBefore(from)), edge: before, limit }
}

const EXCLUDED = ['replies', 'reposts'] as const

/** What a call excludes. */
export const excludedBy = ({ exclude }: Readonly<Record<string, unknown>>): ReadonlySet<string> =>
  new Set(EXCLUDED.filter((kind) => Array.isArray(exclude) && exclude.includes(kind)))

/** Reads a page of a timeline. Throws for a window that ends before it begins. */
export function readTimeline<Row>(
  page: PageArgs,
  query: Readonly<Record<string, unknown>>,
  read: (args: ReturnType<typeof idsOf>) => Promise<Row[]>,
): Promise<Row[]> {
  const window: TimelineWindowQuery = query
  checkWindow(window)
  return read(idsOf(window, page))
}
