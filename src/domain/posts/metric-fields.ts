import { Type } from 'typebox'
import { component } from '../../platform/http/schema.ts'
import { fieldsOf, REFUSED, type View } from '../../platform/objects/shape.ts'
import { type Figures, type PostMetric, postFigure } from '../analytics/metrics.ts'
import { sumsOf } from '../analytics/promoted.ts'
import type { SeenPostRow } from './queries.ts'

/** What metrics are derived from. */
interface MetricSource {
  readonly row: SeenPostRow
}

/** Only the author sees private metrics, for a month. */
const PRIVATE_FOR_MS = 30 * 86_400_000
const isOwnAndRecent = ({ row }: MetricSource, { userId, now }: View) =>
  row.author_id === userId && now - row.created_at < PRIVATE_FOR_MS

const { batched, restricted } = fieldsOf<MetricSource>()
const count = Type.Integer({ minimum: 0 })
const object = <Members extends Parameters<typeof Type.Object>[0]>(members: Members, description: string) =>
  Type.Object(members, { additionalProperties: false, description })

const reach = {
  impression_count: count,
  like_count: count,
  reply_count: count,
  repost_count: count,
  url_link_clicks: count,
  user_profile_clicks: count,
}

const Reach = component(
  'PostReach',
  object(reach, 'Reach without advertising, or by advertising. Only for the author, for 30 days.'),
)

/** The metrics of a post, public and private (core reference, 08 section 5). */
export const metricFields = {
  non_public_metrics: restricted(
    object(
      {
        impression_count: count,
        url_link_clicks: count,
        user_profile_clicks: count,
        engagements: count,
      },
      'Only for the author, for 30 days.',
    ),
    isOwnAndRecent,
    async (page, view) => {
      const metrics = await metricsOf(page, view)
      return (source) => {
        const { sum, clicks } = metrics(source)
        return {
          impression_count: sum('impressions', source.row.impression_count),
          ...clicks,
          engagements: sum('engagements', engagementsIn(source.row)),
        }
      }
    },
  ),
  organic_metrics: restricted(Reach, isOwnAndRecent, async (page, view) => {
    const metrics = await metricsOf(page, view)
    return (source) => ({ ...publicReach(source.row), ...metrics(source).organicClicks })
  }),
  promoted_metrics: restricted(Reach, isOwnAndRecent, async (page, { store }) => {
    const sums = await sumsOf(store, page.map(firstVersion))
    return (source) => {
      const figures = sums(firstVersion(source)).promoted
      if (!figures) return REFUSED
      const of = (metric: string) => figures.get(metric) ?? 0
      return {
        impression_count: of('impressions'),
        like_count: of('likes'),
        reply_count: of('replies'),
        repost_count: of('reposts'),
        url_link_clicks: of('url_clicks'),
        user_profile_clicks: of('user_profile_clicks'),
      }
    }
  }),
  public_metrics: batched(
    object(
      {
        repost_count: count,
        reply_count: count,
        like_count: count,
        quote_count: count,
        bookmark_count: count,
        impression_count: count,
      },
      'Public reach metrics, with those of advertising.',
    ),
    async (page, { store }) => {
      const sums = await sumsOf(store, page.map(firstVersion))
      return (source) => {
        const { row } = source
        const { promoted } = sums(firstVersion(source))
        const of = (metric: string) => promoted?.get(metric) ?? 0
        return {
          repost_count: row.repost_count + of('reposts'),
          reply_count: row.reply_count + of('replies'),
          like_count: row.like_count + of('likes'),
          quote_count: row.quote_count,
          bookmark_count: row.bookmark_count,
          impression_count: row.impression_count + of('impressions'),
        }
      }
    },
  ),
}

const firstVersion = ({ row }: MetricSource) => row.first_version_id

const publicReach = ({ impression_count, like_count, reply_count, repost_count }: SeenPostRow) => ({
  ...{ impression_count, like_count, reply_count, repost_count },
})

const engagementsIn = (row: SeenPostRow) =>
  row.like_count + row.reply_count + row.repost_count + row.quote_count + row.bookmark_count

const NO_FIGURES: Figures = new Map()

/** What is counted of posts, in addition to their columns: with advertising, and without. */
async function metricsOf(page: readonly MetricSource[], { store }: View) {
  const sums = await sumsOf(store, page.map(firstVersion))
  return (source: MetricSource) => {
    const { own, promoted = NO_FIGURES } = sums(firstVersion(source))
    const sum = (metric: PostMetric, column: number) =>
      column + postFigure(own, metric) + postFigure(promoted, metric)
    const organicClicks = {
      url_link_clicks: postFigure(own, 'url_clicks'),
      user_profile_clicks: postFigure(own, 'user_profile_clicks'),
    }
    const clicks = {
      url_link_clicks: sum('url_clicks', 0),
      user_profile_clicks: sum('user_profile_clicks', 0),
    }
    return { sum, clicks, organicClicks }
  }
}
