import type { AdsDependencies } from '../../dependencies.ts'
import { endOfTurn } from '../../../common/turn.ts'
import { SAMPLE_KEYS } from '../../../storage/sampling.ts'
import type { Query } from '../../../storage/query.ts'
import { latestPosts, sampleOfUsers } from '../queries.ts'
import type { Answer } from './answers.ts'
import { MAYBE, NO, YES } from './answers.ts'
import type { Person } from './matching.ts'
import { whereaboutsReader } from './whereabouts.ts'
import { saidIn } from './words.ts'

/** Maximum number of sampled users, however many there are. */
export const SAMPLE_SIZE = 1000
const POSTS_OF_EACH = 10
/** Users between two turns of the event loop. */
const PEOPLE_AT_ONCE = 10

/** 95 of 100 samples are within this many standard errors. */
const STANDARD_ERRORS = 1.96

type RowOf<Q> = Q extends Query<never, infer Row> ? Row : never

export interface AudienceSize {
  min: number
  max: number
}

/** How many users match, estimated from a sample: from those who certainly match to those who may. */
export async function audienceSize(
  match: (person: Person) => Answer,
  environment: string,
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<AudienceSize> {
  const users = await store.all(sampleOfUsers, { limit: SAMPLE_SIZE })
  const placesIn = await whereaboutsReader()
  const counted = { [NO]: 0, [MAYBE]: 0, [YES]: 0 }
  await eachSampled(users, environment, store, ({ location, description }, own) => {
    counted[
      match({
        places: placesIn(location),
        languages: new Set(own.map(({ lang }) => lang).filter((lang) => lang !== 'und')),
        said: saidIn([description, ...own.map(({ text }) => text)]),
      })
    ]++
  })
  const isWhole = users.length < SAMPLE_SIZE
  return sizeOf({
    sure: counted[YES],
    possible: counted[YES] + counted[MAYBE],
    share: isWhole ? 1 : shareOf(users.at(-1)?.sample_key ?? 0),
  })
}

type Sampled = RowOf<typeof sampleOfUsers>

/** Visits users who are not suspended, with their latest posts. Other requests get a turn in between. */
export async function eachSampled(
  users: readonly Sampled[],
  environment: string,
  store: AdsDependencies['store'],
  visit: (user: Sampled, posts: readonly RowOf<typeof latestPosts>[]) => void,
): Promise<void> {
  for (let at = 0; at < users.length; at += PEOPLE_AT_ONCE) {
    const some = users.slice(at, at + PEOPLE_AT_ONCE).filter(({ suspended }) => suspended === 0)
    const posts = await Promise.all(some.map(({ id }) => lastSaid(id, environment, store)))
    for (const [index, user] of some.entries()) visit(user, posts[index] ?? [])
    await endOfTurn()
  }
}

/** The latest public posts of a user. */
export const lastSaid = (author: string, environment: string, store: AdsDependencies['store']) =>
  store.all(latestPosts, { author, environment, limit: POSTS_OF_EACH })

/** Sample keys are evenly distributed, so the keys up to the last one of a sample are this share of all. */
const shareOf = (lastKey: number) => (Number(lastKey) + 1) / SAMPLE_KEYS

/**
 * Extrapolates from counts in a sample. They vary like a Poisson number, whose square root has a standard error of one
 * half, whatever its size. The result is at least the number of sampled matches, and exact if all users were sampled.
 */
function sizeOf({ sure, possible, share }: { sure: number; possible: number; share: number }): AudienceSize {
  if (share === 1) return { min: sure, max: possible }
  const error = STANDARD_ERRORS / 2
  const least = Math.max(0, Math.sqrt(sure) - error) ** 2 / share
  const most = (Math.sqrt(possible + 1) + error) ** 2 / share
  return { min: Math.max(sure, Math.floor(least)), max: Math.ceil(most) }
}
