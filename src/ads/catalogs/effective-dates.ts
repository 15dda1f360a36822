import { parseInstant } from '../../common/instant.ts'

/** From when until when a sale price holds, in epoch milliseconds. */
export interface Period {
  start: number
  end: number
}

/**
 * Reads two times with a slash between, each to the minute or to the second, with a zone:
 * `2022-10-04T17:20+01:00/2022-10-10T04:00:00.000Z`. The rest of a sentence when it is none.
 */
export function readPeriod(text: string): Period | string {
  const parts = text.split('/')
  const [start, end] = parts.map((part) => (part.includes('T') ? parseInstant(part) : undefined))
  if (parts.length !== 2 || start === undefined || end === undefined)
    return 'must be two times with a slash between, for example "2026-10-04T17:20+01:00/2026-10-10T04:00+01:00"'
  return start < end ? { start, end } : 'must end later than it starts'
}
