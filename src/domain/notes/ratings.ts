export const HELPFULNESS = ['helpful', 'somewhat_helpful', 'not_helpful'] as const
export type Helpfulness = (typeof HELPFULNESS)[number]

/** The viewpoint of a rater. The operator who records a rating states it; it is not estimated. */
export const VIEWPOINTS = ['positive', 'neutral', 'negative'] as const
export type Viewpoint = (typeof VIEWPOINTS)[number]

/** Why a note is helpful. */
export const HELPFUL_TAGS = [
  'addresses_claim',
  'clear',
  'good_sources',
  'important_context',
  'unbiased_language',
] as const

/** Why a note is not helpful. */
export const NOT_HELPFUL_TAGS = [
  'argumentative_or_biased',
  'hard_to_understand',
  'incorrect',
  'irrelevant_sources',
  'missing_key_points',
  'note_not_needed',
  'opinion_or_speculation',
  'sources_missing_or_unreliable',
  'spam_harassment_or_abuse',
] as const

export const STATUSES = [
  'currently_rated_helpful',
  'currently_rated_not_helpful',
  'firm_reject',
  'insufficient_consensus',
  'minimum_ratings_not_met',
  'needs_more_ratings',
  'needs_your_help',
] as const
export type NoteStatus = (typeof STATUSES)[number]

/** The counted ratings of one viewpoint. */
interface ViewpointCounts extends Record<Helpfulness, number> {
  /** How often each tag was given. */
  tags: Record<string, number>
}

/** The counted ratings of a note, by viewpoint. */
export type RatingCounts = Record<Viewpoint, ViewpointCounts>

/** One rating. */
export interface NoteRating {
  helpfulness: Helpfulness
  viewpoint: Viewpoint
  tags: readonly string[]
}

const none = (): ViewpointCounts => ({ helpful: 0, somewhat_helpful: 0, not_helpful: 0, tags: {} })

export const noRatings = (): RatingCounts => ({ positive: none(), neutral: none(), negative: none() })

/** The counts with a rating added or removed. */
export function withRating(counts: RatingCounts, rating: NoteRating, by: 1 | -1): RatingCounts {
  const { helpfulness, viewpoint } = rating
  const before = counts[viewpoint]
  const tags = { ...before.tags }
  for (const tag of rating.tags) tags[tag] = (tags[tag] ?? 0) + by
  return { ...counts, [viewpoint]: { ...before, [helpfulness]: before[helpfulness] + by, tags } }
}

const totalOf = ({ helpful, somewhat_helpful, not_helpful }: ViewpointCounts) =>
  helpful + somewhat_helpful + not_helpful
/** A rating of `somewhat_helpful` counts half as much as one of `helpful`. */
const pointsOf = ({ helpful, somewhat_helpful }: ViewpointCounts) => helpful + somewhat_helpful / 2

const MIN_RATINGS = 5
const MIN_RATINGS_OF_REJECTION = 10
const HELPFUL_SHARE = 0.7
const NEAR_SHARE = 0.6
const CONSENSUS_SHARE = 0.5
const NOT_HELPFUL_SHARE = 0.3
const REJECTED_SHARE = 0.1

/**
 * The status that follows from the ratings. A share is relative to the points that the ratings
 * could have at most. The consensus is the lowest share among the viewpoints that rated.
 */
export function statusOf(counts: RatingCounts): NoteStatus {
  const rated = VIEWPOINTS.map((viewpoint) => counts[viewpoint]).filter((counts) => totalOf(counts) > 0)
  const total = rated.reduce((sum, viewpointCounts) => sum + totalOf(viewpointCounts), 0)
  if (total === 0) return 'needs_more_ratings'
  if (total < MIN_RATINGS) return 'minimum_ratings_not_met'
  const share = rated.reduce((sum, viewpointCounts) => sum + pointsOf(viewpointCounts), 0) / total
  const consensus = Math.min(
    ...rated.map((viewpointCounts) => pointsOf(viewpointCounts) / totalOf(viewpointCounts)),
  )
  if (share >= HELPFUL_SHARE)
    return consensus >= CONSENSUS_SHARE ? 'currently_rated_helpful' : 'insufficient_consensus'
  if (share >= NEAR_SHARE) return 'needs_your_help'
  if (share > NOT_HELPFUL_SHARE) return 'needs_more_ratings'
  return share <= REJECTED_SHARE && total >= MIN_RATINGS_OF_REJECTION
    ? 'firm_reject'
    : 'currently_rated_not_helpful'
}

/** The most frequent of some tags; in a tie, the first in their order. */
export function topTag(counts: ViewpointCounts, tags: readonly string[]) {
  const [first] = [...tags].sort((a, b) => (counts.tags[b] ?? 0) - (counts.tags[a] ?? 0))
  const tag_count = first === undefined ? 0 : (counts.tags[first] ?? 0)
  return first === undefined || tag_count === 0 ? undefined : { tag_name: first, tag_count }
}
