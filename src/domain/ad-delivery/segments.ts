import { fraction, mixed } from './random.ts'

/** A part of the people who see something. */
export interface Segment {
  /** The targeting value. */
  readonly value: string
  /** For people to read. */
  readonly name: string
  /** Its weight among the segments. */
  readonly weight: number
}

/** Ages by which figures are divided: from one age to another. */
const AGES = [
  { value: 'AGE_13_TO_24', name: '13-24', weight: 25, from: 13, to: 24 },
  { value: 'AGE_25_TO_34', name: '25-34', weight: 35, from: 25, to: 34 },
  { value: 'AGE_35_TO_49', name: '35-49', weight: 25, from: 35, to: 49 },
  { value: 'AGE_OVER_50', name: '50+', weight: 15, from: 50, to: Number.POSITIVE_INFINITY },
] as const

const GENDERS: readonly Segment[] = [
  { value: '1', name: 'Male', weight: 55 },
  { value: '2', name: 'Female', weight: 45 },
]

const PLATFORMS: readonly Segment[] = [
  { value: '0', name: 'iOS', weight: 45 },
  { value: '1', name: 'Android', weight: 40 },
  { value: '4', name: 'Desktop and laptop computers', weight: 15 },
]

/** A targeted age as a range: `AGE_18_TO_34` or `AGE_OVER_50`. */
function rangeOf(age: string): { from: number; to: number } {
  const [from = 0, to = Number.POSITIVE_INFINITY] = (age.match(/\d+/g) ?? []).map(Number)
  return { from, to }
}

/** The ages of the people who see something with these targeting values. */
export function ageSegments(targeted: readonly string[] = []): readonly Segment[] {
  if (targeted.length === 0) return AGES
  const ranges = targeted.map(rangeOf)
  return AGES.filter(({ from, to }) => ranges.some((range) => range.from <= to && range.to >= from))
}

const only = (segments: readonly Segment[], targeted: readonly string[] = []) => {
  const left = segments.filter(({ value }) => targeted.includes(value))
  return left.length > 0 ? left : segments
}

export const genderSegments = (targeted?: readonly string[]) => only(GENDERS, targeted)
export const platformSegments = (targeted?: readonly string[]) => only(PLATFORMS, targeted)

/** The segment of one person, whom a hash stands for. */
export function segmentOf(segments: readonly Segment[], hash: number): Segment | undefined {
  let left = fraction(hash) * segments.reduce((sum, { weight }) => sum + weight, 0)
  return segments.find(({ weight }) => {
    left -= weight
    return left < 0
  })
}

/**
 * Divides counts among segments by their weights, into whole numbers whose sums are the counts. A
 * hash decides where single events go, so that they are spread over time.
 */
export function divide(counts: readonly number[], segments: readonly Segment[], hash: number): number[][] {
  const total = segments.reduce((sum, { weight }) => sum + weight, 0)
  const start = fraction(mixed(hash, segments.length))
  let before = 0
  return segments.map(({ weight }, at) => {
    const from = before / total
    before += weight
    const to = at === segments.length - 1 ? 1 : before / total
    return counts.map((count) => Math.floor(count * to + start) - Math.floor(count * from + start))
  })
}
