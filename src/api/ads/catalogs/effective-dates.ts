import { parseInstant } from '../../../platform/common/instant.ts'

/** The period of a sale price, in epoch milliseconds. */
export interface Period {
  start: number
  end: number
}

/**
 * Parses two times separated by a slash, each to the minute or to the second, with a zone:
 * `2022-10-04T17:20+01:00/2022-10-10T04:00:00.000Z`. Returns the rest of a sentence if it is
 * invalid.
 */
export function readPeriod(text: string): Period | string {
  const parts = text.split('/')
  const [start, end] = parts.map((part) => (part.includes('T') ? parseInstant(part) : undefined))
  if (parts.length !== 2 || start === undefined || end === undefined)
    return 'must be two times with a slash between, for example "2026-10-04T17:20+01:00/2026-10-10T04:00+01:00"'
  return start < end ? { start, end } : 'must end later than it starts'
}
