import { bigint, bytewise, id64, table } from '../../platform/storage/table.ts'
import { media } from '../media/tables.ts'
import { posts } from '../posts/tables.ts'

// Hours are UTC hours since 1970-01-01. Metrics are named as in replies of analytics.

/** What was counted of a post in an hour. All versions of a post count as one. */
export const postHours = table(
  'post_hours',
  {
    /** The first version. */
    post_id: id64({ belongsTo: posts }),
    hour: bigint(),
    metric: bytewise(),
    amount: bigint(),
  },
  { key: ['post_id', 'hour', 'metric'] },
)

/** The sums over all hours of those metrics that a post does not count in a column. */
export const postTotals = table(
  'post_totals',
  {
    /** The first version. */
    post_id: id64({ belongsTo: posts }),
    metric: bytewise(),
    amount: bigint(),
  },
  { key: ['post_id', 'metric'] },
)

/** What was counted of a video in an hour, over all posts that show it. */
export const mediaHours = table(
  'media_hours',
  {
    media_id: id64({ belongsTo: media }),
    hour: bigint(),
    metric: bytewise(),
    amount: bigint(),
  },
  { key: ['media_id', 'hour', 'metric'] },
)

/** The sums over all hours of a video. */
export const mediaTotals = table(
  'media_totals',
  {
    media_id: id64({ belongsTo: media }),
    metric: bytewise(),
    amount: bigint(),
  },
  { key: ['media_id', 'metric'] },
)
