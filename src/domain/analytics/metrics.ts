// The metrics of analytics (core reference, 08 sections 2.1 and 3).

/** Clicks, and other actions that leave no trace but their number. */
export const CLICK_METRICS = [
  'app_install_attempts',
  'app_opens',
  'detail_expands',
  'email_post',
  'hashtag_clicks',
  'link_clicks',
  'media_engagements',
  'permalink_clicks',
  'profile_visits',
  'shares',
  'url_clicks',
  'user_profile_clicks',
] as const

/** What users do with a post, as often as they do it: nothing is subtracted when it is undone. */
const ACTION_METRICS = ['bookmarks', 'likes', 'quote_posts', 'replies', 'reposts'] as const

/** What is counted of a post. */
export const COUNTED_POST_METRICS = [
  ...CLICK_METRICS,
  ...ACTION_METRICS,
  'follows',
  'impressions',
  'media_views',
  'unfollows',
  'unlikes',
] as const
export type CountedPostMetric = (typeof COUNTED_POST_METRICS)[number]

/** Metrics whose sum is the engagements of a post. */
const ENGAGEMENTS: readonly CountedPostMetric[] = [...CLICK_METRICS, ...ACTION_METRICS, 'follows']

/** Those without a column of the post that holds their sum. */
export const TOTALED: readonly CountedPostMetric[] = [...CLICK_METRICS, 'follows']

export const POST_METRICS = [...COUNTED_POST_METRICS, 'engagements'].sort() as readonly PostMetric[]
export type PostMetric = CountedPostMetric | 'engagements'

export const MEDIA_METRICS = [
  'cta_url_clicks',
  'cta_watch_clicks',
  'play_from_tap',
  'playback25',
  'playback50',
  'playback75',
  'playback_complete',
  'playback_start',
  'video_views',
  'watch_time_ms',
] as const
export type MediaMetric = (typeof MEDIA_METRICS)[number]

/** Counts by metric; a metric that is missing is 0. */
export type Figures = ReadonlyMap<string, number>

/** A metric of a post, which may be derived from others. */
export function postFigure(figures: Figures, metric: PostMetric): number {
  if (metric !== 'engagements') return figures.get(metric) ?? 0
  return ENGAGEMENTS.reduce((sum, name) => sum + (figures.get(name) ?? 0), 0)
}

export const HOUR_MS = 3_600_000
/** The UTC hour of a time in epoch milliseconds, counted from 1970-01-01. */
export const hourOf = (timeMs: number) => Math.floor(timeMs / HOUR_MS)
