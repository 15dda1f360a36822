import { Type } from 'typebox'
import { timeZone } from '../../../domain/ad-delivery/time-zone.ts'
import { compileReply, RawJson } from '../../../platform/http/reply.ts'
import {
  base36,
  choice,
  choices,
  closedObject,
  ids,
  instant,
  localInstant,
  nullable,
} from '../../../platform/http/schema.ts'
import type { Vocabulary } from '../../../platform/http/vocabulary.ts'
import { AdsApiError } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import type { AccountScope } from '../scope.ts'
import { ENTITIES, METRIC_GROUPS } from './metrics.ts'
import { SEGMENTATION_TYPES, type Segmentation } from './segments.ts'
import { GRANULARITIES, notAtMidnight, notOnTheHour, type Window, windowOf, wrongSpan } from './window.ts'

/** Ids of one call or job (reference: analytics, limits). */
export const MAX_ENTITIES = 20

const PLACEMENTS = ['ALL_ON_SERVICE', 'PUBLISHER_NETWORK', 'SPOTLIGHT', 'TREND'] as const

const SHARED = {
  entity: choice([...ENTITIES], 'Type of the entities that the ids name.', 'StatsEntity'),
  granularity: choice(
    [...GRANULARITIES],
    'Period of each number: a day of the account’s time zone, an hour, or the whole time.',
    'StatsGranularity',
  ),
  placement: choice(
    [...PLACEMENTS],
    'Where it was shown. Everything is shown on the service; other placements have no figures.',
    'StatsPlacement',
  ),
  metric_groups: choices([...METRIC_GROUPS], 'Groups of metrics.', 'MetricGroup'),
} as const

/** The parameters of analytics, at once or as a job (reference: analytics, common parameters). */
export const statsParameters = {
  ...SHARED,
  entity_ids: ids(base36('An entity.'), 'The entities. Unknown ones are left out.', MAX_ENTITIES),
  start_time: localInstant(
    'Start: a whole hour; for days, midnight in the time zone of the account. A date is midnight there.',
  ),
  end_time: localInstant('End, exclusive, in the same form.'),
}

export const segmentationType = choice(
  [...SEGMENTATION_TYPES],
  'Divides the figures by a kind of people.',
  'SegmentationType',
)

/** The parameters as replies and jobs show them. */
export const shownParameters = {
  start_time: instant('Start.'),
  segmentation_type: nullable(segmentationType),
  entity_ids: Type.Array(Type.String(), { description: 'The entities.' }),
  end_time: instant('End, exclusive.'),
  country: nullable(Type.String({ description: 'Targeting value of a country.' })),
  ...SHARED,
  platform: nullable(Type.String({ description: 'Targeting value of a platform.' })),
} as const

const Params = closedObject({ params: closedObject(shownParameters) })

/** The parameters of analytics as they were understood. */
export interface StatsQuery {
  readonly entity: (typeof ENTITIES)[number]
  readonly entity_ids: readonly string[]
  readonly start_time: number
  readonly end_time: number
  readonly granularity: (typeof GRANULARITIES)[number]
  readonly placement: (typeof PLACEMENTS)[number]
  readonly metric_groups: readonly (typeof METRIC_GROUPS)[number][]
  readonly segmentation_type: Segmentation | null
  readonly country: string | null
  readonly platform: string | null
}

/** What a reply repeats: times in UTC, and members without a value as null. */
export const repeated = (params: StatsQuery, vocabulary: Vocabulary): RawJson =>
  new RawJson(compileReply(Params, vocabulary)({ params }))

interface SentParameters
  extends Omit<StatsQuery, 'start_time' | 'end_time' | 'segmentation_type' | 'country' | 'platform'> {
  readonly start_time: string
  readonly end_time: string
}

/** Ends a call at the first check that fails. */
export function rejectFirst(...checks: readonly (() => readonly AdsError[])[]): void {
  for (const check of checks) {
    const errors = check()
    if (errors.length > 0) throw new AdsApiError({ errors })
  }
}

/**
 * Reads the window of a call. Rejects times that are not on the hour, days that do not begin at
 * midnight, and windows that are empty or too long, in this order.
 */
export function checkedWindow(
  sent: Pick<SentParameters, 'start_time' | 'end_time' | 'granularity'>,
  { account, now, days }: { account: AccountScope['account']; now: number; days: number },
): Window {
  const zone = timeZone(account.timezone)
  const window = windowOf(sent, zone, now)
  rejectFirst(
    () => notOnTheHour(window, zone),
    () => (sent.granularity === 'DAY' ? notAtMidnight(window, zone, now) : []),
    () => wrongSpan(window, days),
  )
  return window
}
