import { users } from '../../identity/users/tables.ts'
import { bigint, bytewise, id64, type RowOf, real, table, text } from '../../platform/storage/table.ts'

/** That an author used a term in an hour, at most once per place. Derived from posts. */
export const trendUses = table(
  'trend_uses',
  {
    /** The Where-On-Earth id. */
    woeid: bigint(),
    /** `#tag`, `$ticker` or a phrase, without case and accents. */
    term: bytewise(),
    /** The start of the hour, in epoch milliseconds. */
    hour: bigint(),
    author_id: text({ belongsTo: users }),
    /** The first post of the author with the term in this hour. */
    post_id: id64(),
    /** As the post spells it. */
    name: text(),
    /** Equal for two posts with the same text. */
    fingerprint: text(),
  },
  {
    key: ['woeid', 'term', 'hour', 'author_id'],
    indexes: {
      trend_uses_by_post: ['post_id'],
      trend_uses_by_author: ['author_id', 'hour'],
      trend_uses_by_hour: ['hour'],
    },
  },
)

/** A term of a place that was used since its score was computed. */
export const trendChanges = table(
  'trend_changes',
  { woeid: bigint(), term: bytewise() },
  { key: ['woeid', 'term'] },
)

/** The trends of a place. */
export const trends = table(
  'trends',
  {
    woeid: bigint(),
    term: bytewise(),
    name: text(),
    score: real(),
    post_count: bigint(),
    started_at: bigint(),
  },
  { key: ['woeid', 'term'], indexes: { trends_by_score: ['woeid', 'score', 'term'] } },
)

export type TrendUseRow = RowOf<typeof trendUses>
export type TrendRow = RowOf<typeof trends>
