import { Type } from 'typebox'
import {
  type Figures,
  type MediaMetric,
  POST_METRICS,
  type PostMetric,
  postFigure,
} from '../../../domain/analytics/metrics.ts'
import {
  type Bucket,
  type Granularity,
  readMedia,
  readPosts,
  type Span,
} from '../../../domain/analytics/read.ts'
import { idIn } from '../../../domain/media/media.ts'
import { objectTime } from '../../../platform/common/time.ts'
import { messageText, msg } from '../../../platform/http/message.ts'
import { choice, choices, component, id, ids, time } from '../../../platform/http/schema.ts'
import { type AnalyticsDependencies, type Owned, ownPosts } from '../analytics/owned.ts'

const MAX_POSTS = 25
const closed = { additionalProperties: false }

/** Metrics of the videos of a post. Viewers are not told apart: each start is one. */
const VIDEO_METRICS = {
  UniqueVideoViews: 'playback_start',
  VideoCompletions: 'playback_complete',
  VideoPlayed25Percent: 'playback25',
  VideoPlayed50Percent: 'playback50',
  VideoPlayed75Percent: 'playback75',
  VideoStarts: 'playback_start',
  VideoViews: 'video_views',
} as const satisfies Record<string, MediaMetric>

/** Metrics of analytics that insights have not. */
const NOT_IN_INSIGHTS: readonly PostMetric[] = ['bookmarks', 'shares', 'unfollows', 'unlikes']
const spelled = (metric: string) =>
  metric.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
const OF_POSTS: ReadonlyMap<string, PostMetric> = new Map(
  POST_METRICS.filter((metric) => !NOT_IN_INSIGHTS.includes(metric)).map((metric) => [
    spelled(metric),
    metric,
  ]),
)
const NAMES = [...OF_POSTS.keys(), ...Object.keys(VIDEO_METRICS)].sort()

const GRANULARITIES = { Daily: 'daily', Hourly: 'hourly', Weekly: 'weekly', Total: 'total' } as const
export type InsightGranularity = keyof typeof GRANULARITIES
export const granularityOf = (name: InsightGranularity): Granularity => GRANULARITIES[name]

export const insightParameters = {
  post_ids: ids(id('A post.'), 'Posts of the user.', MAX_POSTS),
  granularity: choice(['Daily', 'Hourly', 'Weekly', 'Total'], 'Length of each period.'),
  requested_metrics: choices(NAMES, 'Metrics to return.', 'InsightMetric'),
  'engagement.fields': Type.Optional(
    choices(['errors', 'measurement'], 'Members to return; all by default.', 'EngagementField'),
  ),
}

const Value = component(
  'InsightValue',
  Type.Object(
    {
      metric_type: choice(NAMES, 'The metric.', 'InsightMetric'),
      metric_value: Type.Number({ minimum: 0 }),
    },
    closed,
  ),
)
const Period = Type.Object(
  {
    metric_values: Type.Array(Value),
    timestamp: Type.Object({ iso8601_time: time('Start of the period.') }, closed),
  },
  closed,
)
const Measurement = component(
  'InsightMeasurement',
  Type.Object(
    {
      metrics_total: Type.Array(Type.Object({ post_id: id('The post.'), value: Type.Array(Value) }, closed)),
      metrics_time_series: Type.Optional(
        Type.Array(Type.Object({ post_id: id('The post.'), value: Period }, closed), {
          description: 'Periods, oldest first, post by post.',
        }),
      ),
    },
    closed,
  ),
)

/** The reply of insights (core reference, 08 section 4.2). */
export const insightReply = Type.Object(
  {
    data: Type.Array(
      component(
        'Insights',
        Type.Object(
          {
            errors: Type.Optional(
              Type.Array(Type.Object({ error: Type.String(), posts: Type.Array(id('A post.')) }, closed)),
            ),
            measurement: Type.Optional(Measurement),
          },
          closed,
        ),
      ),
    ),
  },
  closed,
)

export interface InsightQuery {
  readonly post_ids: readonly string[]
  readonly requested_metrics: readonly string[]
  readonly 'engagement.fields'?: readonly ('errors' | 'measurement')[]
}

/** What a call measures: the periods of its time series, undefined for a total alone. */
interface Measured {
  readonly userId: string
  readonly span: Span
  readonly series: Granularity | undefined
}

/** The one item of a reply. */
export async function insights(
  query: InsightQuery,
  { userId, span, series }: Measured,
  dependencies: AnalyticsDependencies,
) {
  const fields = query['engagement.fields'] ?? ['errors', 'measurement']
  const posts = await ownPosts(query.post_ids, userId, dependencies)
  const errors = fields.includes('errors') ? errorsOf(posts, dependencies) : []
  const isMeasured = fields.includes('measurement') && posts.own.length > 0
  const read = (granularity: Granularity) =>
    measure(posts, query.requested_metrics, { store: dependencies.store, span, granularity })
  const measurement = isMeasured && {
    metrics_total: totalsOf(await read('total')),
    ...(series !== undefined && { metrics_time_series: seriesOf(await read(series)) }),
  }
  return { ...(errors.length > 0 && { errors }), ...(measurement && { measurement }) }
}

function errorsOf({ missing, foreign }: Owned<unknown>, { naming: { vocabulary } }: AnalyticsDependencies) {
  const reasons = [
    { error: msg`Could not find these posts.`, posts: missing },
    { error: msg`Sorry, you are not authorized to see the metrics of these posts.`, posts: foreign },
  ]
  return reasons.flatMap(({ error, posts }) =>
    posts.length === 0 ? [] : [{ error: messageText(error, vocabulary), posts: [...posts] }],
  )
}

type Measure = { post_id: string; startMs: number; values: { metric_type: string; metric_value: number }[] }

const totalsOf = (measures: readonly Measure[]) =>
  measures.map(({ post_id, values }) => ({ post_id, value: values }))

const seriesOf = (measures: readonly Measure[]) =>
  measures.map(({ post_id, startMs, values }) => ({
    post_id,
    value: { metric_values: values, timestamp: { iso8601_time: objectTime(startMs) } },
  }))

type Posts = Owned<{ first_version_id: string; media_keys: string }>

/** The metrics of each post in each period. */
async function measure(
  { own }: Posts,
  names: readonly string[],
  options: Parameters<typeof readPosts>[1],
): Promise<Measure[]> {
  const mediaOf = (row: { media_keys: string }) => (JSON.parse(row.media_keys) as string[]).map(idIn)
  const needsMedia = names.some((name) => name in VIDEO_METRICS)
  const media = needsMedia ? [...new Set(own.flatMap(({ row }) => mediaOf(row)))] : []
  const bucketsOf = await readPosts(
    own.map(({ row }) => row.first_version_id),
    options,
  )
  const mediaBucketsOf = await readMedia(media, options)
  return own.flatMap(({ key, row }) => {
    const videos = (needsMedia ? mediaOf(row) : []).map(mediaBucketsOf)
    return bucketsOf(row.first_version_id).map(({ startMs, figures }, at) => ({
      post_id: key,
      startMs,
      values: names.map((name) => ({
        metric_type: name,
        metric_value: valueIn(
          name,
          figures,
          videos.map((buckets) => (buckets[at] as Bucket).figures),
        ),
      })),
    }))
  })
}

function valueIn(name: string, ofPost: Figures, ofVideos: readonly Figures[]): number {
  const metric = OF_POSTS.get(name)
  if (metric !== undefined) return postFigure(ofPost, metric)
  const video = VIDEO_METRICS[name as keyof typeof VIDEO_METRICS]
  return ofVideos.reduce((sum, figures) => sum + (figures.get(video) ?? 0), 0)
}
