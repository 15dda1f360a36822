import { countryCodes, countryName } from '../../platform/common/countries.ts'
import type { NewsCluster, NewsItem } from './cluster.ts'
import { foldText, isContent } from './terms.ts'
import {
  CITIES,
  ENTERTAINMENT_WORDS,
  EVENT_WORDS,
  GIVEN_NAMES,
  NEWS_WORDS,
  ORGANIZATION_WORDS,
  PLACE_WORDS,
  PRODUCT_WORDS,
  SPORTS_WORDS,
  TEAM_WORDS,
  TITLES,
} from './words.ts'

export const CATEGORIES = ['News', 'Sports', 'Entertainment', 'Other'] as const
export type NewsCategory = (typeof CATEGORIES)[number]

/** What a story is about, by kind, as spelled in its posts. */
export interface StoryContexts {
  topics: string[]
  events: string[]
  organizations: string[]
  people: string[]
  places: string[]
  products: string[]
  tickers: string[]
  teams: string[]
}

/** The category, keywords and contexts of a story. */
export interface StoryDescription {
  readonly category: NewsCategory
  /** The most important first. */
  readonly keywords: readonly string[]
  readonly contexts: StoryContexts
}

const MAX_KEYWORDS = 10
const MAX_OF_A_KIND = 10
/** A story is described only by what at least two posts, and a third of them, contain. */
const MIN_SHARE = 1 / 3

/** Describes a story by what its posts have in common. */
export function describe({ items, core }: NewsCluster): StoryDescription {
  const least = Math.max(2, items.length * MIN_SHARE)
  const names = frequent(items, ({ names: itemNames }) => itemNames, least)
  const tags = frequent(items, ({ tags: itemTags }) => itemTags, least)
  const category = categoryOf(items)
  const spelled = new Set([...names, ...tags].flatMap((phrase) => foldText(phrase).split(' ')))
  const words = [...core.keys()].filter((term) => isWord(term) && !spelled.has(term))
  const keywords = [...names, ...tags.filter((tag) => !names.some((name) => isSame(name, tag))), ...words]
  return {
    category,
    keywords: keywords.slice(0, MAX_KEYWORDS),
    contexts: contextsOf({ names, tags, tickers: tickersOf(items, least), category }),
  }
}

const isWord = (term: string) => !/^(?:url:|[#$])/.test(term) && isContent(term)
const isSame = (name: string, tag: string) => foldText(name).replaceAll(' ', '') === foldText(tag)

/** What several posts contain, most frequent first, each in the spelling of most of them. */
function frequent(
  items: readonly NewsItem[],
  of: (item: NewsItem) => readonly string[],
  least: number,
): string[] {
  const forms = new Map<string, Map<string, number>>()
  for (const item of items)
    for (const [key, form] of new Map(of(item).map((spelling) => [foldText(spelling), spelling]))) {
      const known = forms.get(key) ?? new Map<string, number>()
      forms.set(key, known.set(form, (known.get(form) ?? 0) + 1))
    }
  return [...forms]
    .map(([key, known]) => ({ key, count: sum(known.values()), form: mostFrequent(known) }))
    .filter(({ count }) => count >= least)
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
    .map(({ form }) => form)
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0)
const mostFrequent = (known: ReadonlyMap<string, number>) =>
  [...known].sort(
    ([formA, countA], [formB, countB]) => countB - countA || (formA < formB ? -1 : 1),
  )[0]?.[0] ?? ''

const tickersOf = (items: readonly NewsItem[], least: number) =>
  frequent(
    items,
    ({ terms }) => terms.flatMap((term) => (term.startsWith('$') ? [term.slice(1)] : [])),
    least,
  ).map((ticker) => ticker.toUpperCase())

/** The kind whose words most posts contain; `Other` if fewer than two words indicate it. */
function categoryOf(items: readonly NewsItem[]): NewsCategory {
  const words = items.flatMap(({ terms }) => terms.map((term) => term.replace(/^#/, '')))
  const count = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length
  const counts: [NewsCategory, number][] = [
    ['Sports', count(SPORTS_WORDS)],
    ['Entertainment', count(ENTERTAINMENT_WORDS)],
    ['News', count(NEWS_WORDS)],
  ]
  const [best] = counts.sort(([, a], [, b]) => b - a)
  return best && best[1] >= 2 ? best[0] : 'Other'
}

interface StoryTerms {
  names: readonly string[]
  tags: readonly string[]
  tickers: readonly string[]
  category: NewsCategory
}

function contextsOf({ names, tags, tickers, category }: StoryTerms): StoryContexts {
  const contexts: StoryContexts = {
    topics: [...tags],
    events: [],
    organizations: [],
    people: [],
    places: [],
    products: [],
    tickers: [...tickers],
    teams: [],
  }
  for (const name of names) contexts[kindOf(name, category)].push(name)
  for (const list of Object.values(contexts)) list.splice(MAX_OF_A_KIND)
  return contexts
}

/** The kind of a name, by its words; `topics` if they do not indicate one. */
function kindOf(name: string, category: NewsCategory): keyof StoryContexts {
  const words = foldText(name).split(' ')
  const [first = '', last = ''] = [words[0], words.at(-1)]
  const has = (known: ReadonlySet<string>) => words.some((word) => known.has(word))
  if (words.length > 1 && category === 'Sports' && TEAM_WORDS.has(last)) return 'teams'
  if (words.length > 1 && (TITLES.has(first) || GIVEN_NAMES.has(first))) return 'people'
  if (countries().has(foldText(name)) || CITIES.has(foldText(name))) return 'places'
  if (has(EVENT_WORDS)) return 'events'
  if (has(ORGANIZATION_WORDS) || /^\p{Lu}{2,6}$/u.test(name)) return 'organizations'
  if (words.length > 1 && has(PLACE_WORDS)) return 'places'
  if (words.length > 1 && (/\p{N}/u.test(last) || PRODUCT_WORDS.has(last))) return 'products'
  return 'topics'
}

let countryNames: ReadonlySet<string> | undefined

const countries = (): ReadonlySet<string> => {
  countryNames ??= new Set(countryCodes.map((code) => foldText(countryName(code))))
  return countryNames
}
