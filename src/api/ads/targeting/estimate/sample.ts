import { SAMPLE_KEYS } from '../../../../identity/users/sample-sql.ts'
import { Slices } from '../../../../platform/common/slices.ts'
import type { Query } from '../../../../platform/storage/query.ts'
import type { AdsDependencies } from '../../dependencies.ts'
import { latestPosts, sampleOfUsers } from '../queries.ts'
import { MAYBE, type MatchAnswer, NO, YES } from './answers.ts'
import type { SampledUser } from './matching.ts'
import { whereaboutsReader } from './whereabouts.ts'
import { postWordsOf } from './words.ts'

/** Maximum number of sampled users, however many there are. */
export const SAMPLE_SIZE = 1000
const POSTS_OF_EACH = 10
/** Users whose posts are read at once. */
const PEOPLE_AT_ONCE = 10

/** 95 of 100 samples are within this many standard errors. */
const STANDARD_ERRORS = 1.96

type RowOf<Q> = Q extends Query<never, infer Row> ? Row : never

export interface AudienceSize {
  min: number
  max: number
}

/** A sample of the users, or all of them if there are few. */
export interface UserSample {
  readonly people: readonly SampledUser[]
  /** The share of all users that were sampled. */
  readonly share: number
}

/** The same users every time, with their latest public posts in an environment. */
export async function readSample(
  environment: string,
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<UserSample> {
  const users = await store.all(sampleOfUsers, { limit: SAMPLE_SIZE })
  const placesIn = await whereaboutsReader()
  const people: SampledUser[] = []
  await forEachSampledUser(users, environment, store, ({ location, description }, own) => {
    people.push({
      places: placesIn(location),
      languages: new Set(own.map(({ lang }) => lang).filter((lang) => lang !== 'und')),
      words: postWordsOf([description, ...own.map(({ text }) => text)]),
    })
  })
  const isWhole = users.length < SAMPLE_SIZE
  return { people, share: isWhole ? 1 : shareOf(users.at(-1)?.sample_key ?? 0) }
}

/** How many sampled users certainly match, and how many may. Other work gets a turn in between. */
export async function matchesIn(
  { people }: UserSample,
  match: (person: SampledUser) => MatchAnswer,
): Promise<{ sure: number; possible: number }> {
  const counted = { [NO]: 0, [MAYBE]: 0, [YES]: 0 }
  const slices = new Slices()
  for (const person of people) {
    counted[match(person)]++
    if (slices.isOver) await slices.next()
  }
  return { sure: counted[YES], possible: counted[YES] + counted[MAYBE] }
}

/**
 * How many users match, estimated from a sample: from those who certainly match to those who may.
 */
export async function audienceSize(
  match: (person: SampledUser) => MatchAnswer,
  environment: string,
  context: Pick<AdsDependencies, 'store'>,
): Promise<AudienceSize> {
  const sample = await readSample(environment, context)
  return rounded(sizeOf({ ...(await matchesIn(sample, match)), share: sample.share }))
}

/**
 * Visits users who are not suspended, with their latest public posts. Other requests get a turn in
 * between.
 */
export async function forEachSampledUser<User extends { id: string; suspended: number }>(
  users: readonly User[],
  environment: string,
  store: AdsDependencies['store'],
  visit: (user: User, posts: readonly RowOf<typeof latestPosts>[]) => void,
): Promise<void> {
  const slices = new Slices()
  for (let at = 0; at < users.length; at += PEOPLE_AT_ONCE) {
    const batch = users.slice(at, at + PEOPLE_AT_ONCE).filter(({ suspended }) => suspended === 0)
    const posts = await Promise.all(
      batch.map(({ id }) => store.all(latestPosts, { author: id, environment, limit: POSTS_OF_EACH })),
    )
    for (const [index, user] of batch.entries()) {
      if (slices.isOver) await slices.next()
      visit(user, posts[index] ?? [])
    }
  }
}

/**
 * Sample keys are evenly distributed, so the keys up to the last one of a sample are this share of
 * all.
 */
const shareOf = (lastKey: number) => (Number(lastKey) + 1) / SAMPLE_KEYS

/**
 * Extrapolates from counts in a sample. They vary like a Poisson number, whose square root has a
 * standard error of one half, whatever its size. The result is at least the number of sampled
 * matches, and exact if all users were sampled.
 */
function sizeOf({ sure, possible, share }: { sure: number; possible: number; share: number }): AudienceSize {
  if (share === 1) return { min: sure, max: possible }
  const error = STANDARD_ERRORS / 2
  const least = Math.max(0, Math.sqrt(sure) - error) ** 2 / share
  const most = (Math.sqrt(possible + 1) + error) ** 2 / share
  return { min: Math.max(sure, Math.floor(least)), max: Math.ceil(most) }
}

/** Sizes are multiples of this, or of more. */
const LEAST_STEP = 10
const SIGNIFICANT_DIGITS = 2

/** The distance between two neighbours of a size. */
const stepAt = (size: number) => Math.max(LEAST_STEP, 10 ** (String(size).length - SIGNIFICANT_DIGITS))
const roundedDown = (size: number) => size - (size % stepAt(size))

/**
 * Sizes of two significant digits, and whole tens: `min` is at most the given one, `max` is
 * greater. So the reply does not tell whether a single user matches: no user is 0 to 10, as are
 * nine users.
 */
const rounded = ({ min, max }: AudienceSize): AudienceSize => ({
  min: roundedDown(min),
  max: roundedDown(max) + stepAt(max),
})
