import { Type } from 'typebox'
import { isoTime } from '../../../platform/common/time.ts'
import { msg } from '../../../platform/http/message.ts'
import { choice, closedComponent, id, nullable, time } from '../../../platform/http/schema.ts'
import { type AdsError, missingParameter, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { isTimezone } from '../accounts/account.ts'
import type { ProductFeedRow } from './tables.ts'

const FREQUENCIES = ['HOURLY', 'DAILY', 'WEEKLY'] as const

/** How often a feed is read: every so many hours, or on a day of the week. */
const REPEATS: Readonly<Record<string, readonly string[]>> = {
  HOURLY: ['1', '2', '3', '4', '6', '8', '12'],
  WEEKLY: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'],
}

const MAX_ADDRESS = 2_048
const MAX_ZONE = 64

/** What callers set of a schedule. */
export const feedSchedule = {
  feed_url: Type.String({
    pattern: '^https://[^\\s\\0/][^\\s\\0]*$',
    maxLength: MAX_ADDRESS,
    description: 'Address of the file, with https.',
  }),
  feed_format: choice(['CSV', 'TSV', 'XML'], 'Format of the file.', 'FeedFormat'),
  frequency: choice([...FREQUENCIES], 'How often the file is read.', 'FeedFrequency'),
  start_time: Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    description: 'Hour and minute of the first time of a day: `05:00`.',
  }),
  time_zone: Type.String({ maxLength: MAX_ZONE, description: 'IANA name of the time zone of `start_time`.' }),
}

export const repeat = Type.Optional(
  Type.String({
    maxLength: 16,
    description: '`HOURLY`: 1, 2, 3, 4, 6, 8 or 12 hours. `WEEKLY`: a day, `MONDAY`. `DAILY` has none.',
  }),
)

export const ScheduledFeed = closedComponent('ScheduledFeed', {
  id: id('Identifies the schedule.'),
  product_catalog_id: id('The catalog.'),
  ...feedSchedule,
  repeat: nullable(Type.String({ description: 'Hours, or the day of the week.' })),
  created_at: time('When it was created.'),
  updated_at: time('When it was last updated.'),
})

/** A schedule as replies show it. */
export const shownFeed = ({ catalog_id, created_at, updated_at, ...row }: ProductFeedRow) => ({
  ...row,
  product_catalog_id: catalog_id,
  feed_format: row.feed_format as 'CSV',
  frequency: row.frequency as 'DAILY',
  created_at: secondsOf(created_at),
  updated_at: secondsOf(updated_at),
})

const secondsOf = (ms: number) => isoTime(Math.floor(ms / 1_000) * 1_000)

/** The errors of a schedule. */
export function wrongSchedule({
  frequency,
  repeat: every,
  time_zone: zone,
}: Pick<ProductFeedRow, 'frequency' | 'repeat' | 'time_zone'>): AdsError[] {
  return [
    ...wrongRepeat(frequency, every),
    ...(isTimezone(zone)
      ? []
      : [wrongParameter('time_zone', msg`Expected an IANA time zone, got "${zone}" for time_zone`)]),
  ]
}

function wrongRepeat(frequency: string, every: string | null): AdsError[] {
  const known = REPEATS[frequency]
  if (!known)
    return every === null
      ? []
      : [
          wrongParameter(
            'repeat',
            msg`repeat and frequency ${frequency} are exclusive parameters`,
            'EXCLUSIVE_PARAMETERS',
          ),
        ]
  if (every === null) return [missingParameter('repeat')]
  if (known.includes(every)) return []
  return [
    wrongParameter(
      'repeat',
      msg`Expected a value in ${known.join(', ')} with ${frequency}, got "${every}" for repeat`,
    ),
  ]
}
