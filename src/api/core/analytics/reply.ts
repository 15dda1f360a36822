import { type TSchema, type TUnsafe, Type } from 'typebox'
import type { Figures } from '../../../domain/analytics/metrics.ts'
import type { Bucket, Granularity } from '../../../domain/analytics/read.ts'
import { Slices } from '../../../platform/common/slices.ts'
import { objectTime } from '../../../platform/common/time.ts'
import { component, time } from '../../../platform/http/schema.ts'
import { ResourceProblem } from '../../../platform/protocols/problem/resource.ts'

const closed = { additionalProperties: false }
const count = Type.Integer({ minimum: 0 })

/**
 * The reply of analytics (core reference, 08 section 2.2): periods with metrics; of a total, the
 * metrics also stand beside them.
 */
export function analyticsReply(name: string, key: Record<string, TSchema>, metrics: readonly string[]) {
  const members = Object.fromEntries(metrics.map((metric) => [metric, Type.Optional(count)]))
  const Period = component(
    `${name}Period`,
    Type.Object(
      {
        timestamp: time('Start of the period.'),
        metrics: component(`${name}Metrics`, Type.Object(members, closed)),
      },
      closed,
    ),
  )
  const Item = component(
    name,
    Type.Object(
      {
        ...key,
        timestamped_metrics: Type.Array(Period, { description: 'Periods, oldest first.' }),
        timestamp: Type.Optional(time('Start of the time span of a total.')),
        ...members,
      },
      closed,
    ),
  )
  return Type.Object(
    {
      data: Type.Optional(Type.Array(Item as unknown as TUnsafe<object>)),
      errors: Type.Optional(Type.Array(ResourceProblem)),
    },
    closed,
  )
}

/** The metrics that a call selects: all, unless it names some. */
export function selected<Metric extends string>(
  fields: readonly string[] | undefined,
  metrics: readonly Metric[],
): readonly Metric[] {
  const named = metrics.filter((metric) => fields?.includes(metric))
  return named.length > 0 || (fields && !fields.includes('timestamped_metrics')) ? named : metrics
}

interface ShowOptions<Metric extends string> {
  readonly metrics: readonly Metric[]
  readonly granularity: Granularity
  figure(figures: Figures, metric: Metric): number
}

/** There may be many periods, so they are written in slices of the event loop. */
export async function shownBuckets<Metric extends string>(
  items: readonly { key: object; buckets: readonly Bucket[] }[],
  { metrics, granularity, figure }: ShowOptions<Metric>,
): Promise<object[]> {
  const slices = new Slices()
  const data: object[] = []
  for (const { key, buckets } of items) {
    const periods: { timestamp: string; metrics: object }[] = []
    for (const { startMs, figures } of buckets) {
      if (slices.isOver) await slices.next()
      const shown = Object.fromEntries(metrics.map((metric) => [metric, figure(figures, metric)]))
      periods.push({ timestamp: objectTime(startMs), metrics: shown })
    }
    const [only] = periods
    const beside = granularity === 'total' && only && { timestamp: only.timestamp, ...only.metrics }
    data.push({ ...key, timestamped_metrics: periods, ...beside })
  }
  return data
}
