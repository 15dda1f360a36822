import { instantText } from '../../../platform/common/instant.ts'
import { fixed, msg, word } from '../../../platform/http/message.ts'
import { type AdsError, wrongAttribute, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { emptyWindow } from '../messages.ts'
import type { TestStatus } from './fields.ts'
import type { TestedRow } from './queries.ts'

const DAY_MS = 86_400_000
const MIN_DAYS = 1
/** Installs and events of apps need longer. */
const MIN_DAYS_OF_APPS = 5

/** When a test runs: epoch milliseconds, the end exclusive. */
interface TestWindow {
  readonly start_time: number
  readonly end_time: number
}

/** The state of a test at a time. */
export const statusAt = ({ start_time, end_time }: TestWindow, now: number): TestStatus =>
  now < start_time ? 'SCHEDULED' : now < end_time ? 'LIVE' : 'COMPLETED'

/** The rules that the times of a test break. */
export function wrongWindow(
  { start_time, end_time }: TestWindow,
  { now, before, rows }: { now: number; before: TestWindow | undefined; rows: readonly TestedRow[] },
): AdsError[] {
  const present = rows.filter(({ gone }) => gone === 0)
  const days = present.some(({ app }) => app === 1) ? MIN_DAYS_OF_APPS : MIN_DAYS
  const apart = present.find((row) => row.start_time >= end_time || row.end_time <= start_time)
  const past = Object.entries({ start_time, end_time }).filter(
    ([name, time]) => time !== before?.[name as keyof TestWindow] && time <= now,
  )
  return [
    ...past.map(([name, time]) =>
      wrongParameter(
        name,
        msg`Expected a time in the future, got "${instantText(time)}" for ${word(name)}`,
        'INVALID_TIME_WINDOW',
      ),
    ),
    ...(end_time <= start_time
      ? [emptyWindow(start_time, end_time)]
      : end_time - start_time < days * DAY_MS
        ? [tooShort(days, end_time)]
        : []),
    ...(apart ? [noOverlap(apart)] : []),
  ]
}

const tooShort = (days: number, end: number) =>
  wrongParameter(
    'end_time',
    msg`Expected at least ${days === 1 ? fixed('1 day') : fixed(`${days} days`)} after start_time, got "${instantText(end)}" for end_time`,
    'INVALID_TIME_WINDOW',
  )

const noOverlap = ({ id, campaign_id }: TestedRow) =>
  wrongParameter(
    'start_time',
    msg`${fixed(id === campaign_id ? 'Campaign' : 'Line Item')} ${id} does not run between start_time and end_time`,
    'INVALID_TIME_WINDOW',
  )

/** What may still be changed in each state. */
const CHANGEABLE: Readonly<Record<TestStatus, (name: string) => boolean>> = {
  SCHEDULED: () => true,
  LIVE: (name) => name === 'end_time',
  COMPLETED: () => false,
}

/** The members that a test does not let change any more. */
export function wrongState(
  { id, ...window }: TestWindow & { readonly id: string },
  supplied: object,
  now: number,
): AdsError[] {
  const status = statusAt(window, now)
  return Object.keys(supplied)
    .filter((name) => !CHANGEABLE[status](name))
    .map((name) =>
      wrongAttribute(name, msg`setting ${word(name)} is not allowed while A/B Test ${id} is ${word(status)}`),
    )
}
