import { platformByValue } from '../../../domain/reference-data/platforms.ts'
import { msg, words } from '../../../platform/http/message.ts'
import { type AdsError, missingParameter, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { metricsIn, type StatsEntity } from '../stats/metrics.ts'
import type { StatsQuery } from '../stats/parameters.ts'
import { groupsOf, isCountry, neededBy, type Segmentation } from '../stats/segments.ts'
import { lengthOf } from '../stats/window.ts'

/** Numbers of one result. */
const MAX_FIGURES = 3_000_000
/** Segments that a job may have, where their number is known only later. */
const USUAL_SEGMENTS = 20

/** Entities whose figures cannot be divided. */
const WHOLE: readonly StatsEntity[] = ['MEDIA_CREATIVE', 'ORGANIC_POST']

/** What is wrong with the segmentation of a job (reference: analytics, segmentation). */
export function wrongSegmentation({
  segmentation_type: type,
  entity,
  metric_groups,
  ...given
}: StatsQuery): AdsError[] {
  if (type === null) return []
  const needed = neededBy(type)
  if (needed !== undefined && given[needed] === null) return [missingParameter(needed)]
  if (needed === 'country' && !isCountry(given.country ?? ''))
    return [wrong('country', given.country, msg`the targeting_value of a country`)]
  if (needed === 'platform' && !platformByValue(given.platform ?? ''))
    return [wrong('platform', given.platform, msg`the targeting_value of a platform`)]
  if (WHOLE.includes(entity))
    return [
      wrongParameter(
        'segmentation_type',
        msg`Figures of ${words([entity])} cannot be divided by ${words([type])}`,
      ),
    ]
  const possible = groupsOf(type)
  const impossible = metric_groups.filter((group) => !possible.includes(group))
  if (impossible.length === 0) return []
  return [
    wrongParameter(
      'metric_groups',
      msg`Expected values in ${words(possible)} with ${words([type])}, got "${words(impossible)}" for metric_groups`,
    ),
  ]
}

const wrong = (name: 'country' | 'platform', value: string | null, what: ReturnType<typeof msg>) =>
  wrongParameter(name, msg`Expected ${what}, got "${value ?? ''}" for ${name}`)

/** How many segments each entity has at most. */
const SEGMENTS: Readonly<Partial<Record<Segmentation, number>>> = {
  AGE: 4,
  GENDER: 2,
  PLATFORMS: 3,
  METROS: 210,
}

/** A result has a bounded number of numbers. */
export function tooComplex({
  entity_ids,
  granularity,
  metric_groups,
  segmentation_type: type,
  ...times
}: StatsQuery): AdsError[] {
  const periods = lengthOf({ fromMs: times.start_time, untilMs: times.end_time }, granularity)
  const segments = type === null ? 1 : (SEGMENTS[type] ?? USUAL_SEGMENTS)
  const figures = entity_ids.length * periods * segments * metricsIn(metric_groups).length
  if (figures <= MAX_FIGURES) return []
  return [
    {
      code: 'REQUEST_TOO_COMPLEX',
      message: msg`Expected at most ${MAX_FIGURES} numbers in a result, got ${figures}: ask for fewer entities, periods or metrics`,
    },
  ]
}
