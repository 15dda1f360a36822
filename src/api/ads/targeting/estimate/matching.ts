import { type Location, locationById } from '../../../../domain/reference-data/locations.ts'
import type { Store } from '../../../../platform/storage/store.ts'
import type { TargetingType } from '../names.ts'
import { followersOf } from '../queries.ts'
import { targetingTypes } from '../types.ts'
import { allOf, anyOf, MAYBE, type MatchAnswer, NO, not, YES } from './answers.ts'
import { isIn } from './whereabouts.ts'
import { distinctiveWords, finder, type PostWords } from './words.ts'

/** A parsed criterion of an estimate. */
export interface Criterion {
  type: TargetingType
  value: string
  operator: string
  /** The name of its target. */
  name: string
}

/** What the platform knows about a user. */
export interface SampledUser {
  /** Every place that the profile may mean; empty if it names none. */
  places: readonly Location[]
  /** The languages of the latest posts. */
  languages: ReadonlySet<string>
  /** In the description, and in the latest posts. */
  words: PostWords
}

type Match = (person: SampledUser) => MatchAnswer

const saying =
  (find: (post: PostWords) => boolean): Match =>
  ({ words }) =>
    find(words) ? YES : NO

const language =
  (code: string): Match =>
  ({ languages }) =>
    languages.size === 0 ? MAYBE : languages.has(code) ? YES : NO

const interested = (name: string): Match => {
  const finders = distinctiveWords(name).map((word) => finder(word, 'beginnings'))
  return saying((post) => finders.some((find) => find(post)))
}

/** The place of a market follows the name of a show. */
const withoutMarket = (name: string) => name.replace(/ \(.*\)$/, '')

/** How each type is matched. The platform knows nothing about the others. */
function matchOf({ type, value, name }: Criterion, followers: number): Match {
  switch (type) {
    case 'BROAD_KEYWORD':
      return saying(finder(value, 'beginnings'))
    case 'UNORDERED_KEYWORD':
      return saying(finder(value, 'words'))
    case 'EXACT_KEYWORD':
    case 'PHRASE_KEYWORD':
      return saying(finder(value, 'phrase'))
    case 'INTEREST':
      return interested(name)
    case 'CONVERSATION':
    case 'EVENT':
    case 'LIVE_TV_EVENT':
    case 'TV_SHOW':
      return saying(finder(withoutMarket(name), 'phrase'))
    case 'LANGUAGE':
      return language(value)
    case 'LOCATION': {
      const place = locationById(value)
      return ({ places }) => (place ? isIn(place, places) : NO)
    }
    case 'FOLLOWERS_OF_USER':
    case 'SIMILAR_TO_FOLLOWERS_OF_USER':
      return () => (followers === 0 ? NO : MAYBE)
    case 'CAMPAIGN_ENGAGEMENT':
    case 'CAMPAIGN_ENGAGEMENT_LOOKALIKE':
    case 'USER_ENGAGEMENT':
    case 'USER_ENGAGEMENT_LOOKALIKE':
      // The people who engage with advertisements are simulated: no user has.
      return () => NO
    default:
      return () => MAYBE
  }
}

/** The topics of videos say nothing about who watches them. */
const ABOUT_CONTENT: readonly TargetingType[] = ['IAB_CATEGORY', 'CONTENT_PUBLISHER_USER']

/**
 * Whether a user is targeted: primary types are combined with OR, other types narrow, values of one
 * type are combined with OR, and users who match an excluded value are not targeted (reference:
 * targeting criteria, matching).
 */
export async function targetingOf(
  criteria: readonly Criterion[],
  store: Pick<Store, 'first'>,
): Promise<Match> {
  const excluded: Match[] = []
  const groups = new Map<string, Match[]>()
  for (const criterion of criteria) {
    if (ABOUT_CONTENT.includes(criterion.type)) continue
    const match = matchOf(criterion, await followersIn(criterion, store))
    if (criterion.operator === 'NE') excluded.push(match)
    else {
      const group = targetingTypes[criterion.type].primary ? 'primary' : criterion.type
      groups.set(group, [...(groups.get(group) ?? []), match])
    }
  }
  const narrowing = [...groups.values()]
  return (person) =>
    allOf(
      answers([...narrowing, undefined], (group) =>
        group
          ? anyOf(answers(group, (match) => match(person)))
          : not(anyOf(answers(excluded, (match) => match(person)))),
      ),
    )
}

/** One criterion after another, stopping at the first that decides. */
function* answers<Item>(items: readonly Item[], answer: (item: Item) => MatchAnswer): Generator<MatchAnswer> {
  for (const candidate of items) yield answer(candidate)
}

async function followersIn({ type, value }: Criterion, store: Pick<Store, 'first'>): Promise<number> {
  if (!type.endsWith('FOLLOWERS_OF_USER')) return 0
  return Number((await store.first(followersOf, { id: value }))?.followers_count ?? 0)
}
