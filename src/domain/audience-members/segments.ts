// Combinations of audiences (advertising reference, 08 section 5).

export const SEGMENT_OPERATORS = ['AND', 'OR'] as const
export const FREQUENCY_COMPARATORS = ['NUM_GTE', 'NUM_GT', 'NUM_EQ', 'NUM_LTE', 'NUM_LT'] as const
export const LOOKBACK_DAYS = [1, 7, 14, 30] as const

const DAY_SECONDS = 86_400

/**
 * A node of a combination: a leaf names an audience, any other combines its children. The frequency
 * holds for every member of an audience: uploads do not count how often a member did something.
 */
export interface Segment {
  readonly custom_audience_id?: string
  readonly boolean_operator?: (typeof SEGMENT_OPERATORS)[number]
  readonly frequency: number
  readonly frequency_comparator: (typeof FREQUENCY_COMPARATORS)[number]
  /** Days: only members whose membership began in them count. Absent: every member. */
  readonly lookback_window?: number
  readonly negate: boolean
  readonly child_segments: readonly Segment[]
}

/** The leaves of a combination, each with its path: `segments.child_segments[0]`. */
export const leavesOf = (segment: Segment, path = 'segments'): { audience: string; path: string }[] =>
  segment.custom_audience_id === undefined
    ? segment.child_segments.flatMap((child, index) => leavesOf(child, `${path}.child_segments[${index}]`))
    : [{ audience: segment.custom_audience_id, path }]

/** The audiences of a combination, each once. */
export const audiencesIn = (segment: Segment): string[] => [
  ...new Set(leavesOf(segment).map(({ audience }) => audience)),
]

/**
 * Whether a combination includes a person. `beganIn` returns the second in which the person became
 * a member of an audience, or undefined without membership. `now` is in seconds.
 */
export function includes(
  segment: Segment,
  beganIn: (audience: string) => number | undefined,
  now: number,
): boolean {
  const { custom_audience_id: audience, boolean_operator, child_segments, lookback_window, negate } = segment
  if (audience !== undefined) return isWithin(beganIn(audience), lookback_window, now) !== negate
  const isIn = (child: Segment) => includes(child, beganIn, now)
  return (boolean_operator === 'AND' ? child_segments.every(isIn) : child_segments.some(isIn)) !== negate
}

const isWithin = (began: number | undefined, days: number | undefined, now: number) =>
  began !== undefined && (days === undefined || began > now - days * DAY_SECONDS)
