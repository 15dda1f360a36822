import { Slices } from '../../platform/common/slices.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { MIN_AUTHORS } from '../posts/min-authors.ts'
import type { BlockPosts } from './block.ts'
import { placesIn } from './block.ts'
import { placesOfTerms, textsAt } from './queries.ts'
import { termsOf } from './terms.ts'

/** The posts of a block that a search matched. */
export interface Match {
  readonly block: number
  readonly posts: BlockPosts
  readonly places: readonly number[]
}

/** Terms that are returned. */
const MAX_RELATED = 30
/** Maximum posts whose texts are read, and maximum blocks that they come from. */
const MAX_TEXTS = 500
const MAX_BLOCKS = 10
/** Maximum rows read to determine how frequent terms are in general. */
const MAX_ROWS = 1_000

interface Asked {
  store: Pick<Store, 'all'>
  country: string
  /** Terms not to return. */
  given: ReadonlySet<string>
}

/**
 * Terms that occur with keywords more often than by chance, the most closely related first (ADR 0048): by normalized pointwise
 * mutual information, discounted for rare pairs. Reads the blocks with the most matches, and in each of them evenly spaced
 * posts, so that the same posts give the same terms. Terms that few authors use are not returned.
 */
export async function relatedTerms(matches: readonly Match[], asked: Asked): Promise<string[]> {
  const chosen = mostMatched(matches)
  const matched = sum(chosen.map(({ places }) => places.length))
  if (matched === 0) return []
  const texts = await sampleOf(chosen, asked)
  const beside = await countTerms(texts, asked.given)
  const candidates = mostFrequent(beside, Math.floor(MAX_ROWS / chosen.length))
  const counts = await postsWith(candidates, chosen, asked)
  // Plus one post that has none of the terms: otherwise a term that every post has would score nothing.
  const posts = 1 + sum(chosen.map((one) => one.posts.shown))
  const scale = matched / texts.length
  const scored = [...counts].map(([term, having]) => {
    const both = Math.min((beside.get(term)?.posts ?? 0) * scale, having)
    return { term, both, score: closeness({ both, matched, having, posts }) }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort(
      (one, other) => other.score - one.score || other.both - one.both || (one.term < other.term ? -1 : 1),
    )
    .slice(0, MAX_RELATED)
    .map(({ term }) => mostWritten(beside.get(term)?.forms ?? new Map([[term, 1]])))
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/** The blocks with the most matches, newer ones first among equals, until they have enough posts. */
function mostMatched(matches: readonly Match[]): Match[] {
  const sorted = matches
    .filter(({ places }) => places.length > 0)
    .sort((one, other) => other.places.length - one.places.length || other.block - one.block)
  const chosen: Match[] = []
  for (let posts = 0; chosen.length < Math.min(sorted.length, MAX_BLOCKS) && posts < MAX_TEXTS; ) {
    const next = sorted[chosen.length] as Match
    chosen.push(next)
    posts += next.places.length
  }
  return chosen
}

/** The texts of matched posts, the same number from each block. */
async function sampleOf(chosen: readonly Match[], { store, country }: Asked) {
  const ofEach = Math.ceil(MAX_TEXTS / chosen.length)
  const places = chosen.flatMap(({ block, places }) => {
    const step = Math.max(1, places.length / ofEach)
    const length = Math.min(ofEach, places.length)
    return Array.from({ length }, (_, at) => [block, places[Math.floor(at * step)]])
  })
  return store.all(textsAt, { country, places: JSON.stringify(places) })
}

/** The number of visible posts of some blocks that have each term. */
async function postsWith(
  terms: readonly string[],
  chosen: readonly Match[],
  { store, country }: Asked,
): Promise<Map<string, number>> {
  const rows = await store.all(placesOfTerms, {
    country,
    blocks: JSON.stringify(chosen.map(({ block }) => block)),
    terms: JSON.stringify(terms),
  })
  const postsOf = new Map(chosen.map(({ block, posts }) => [block, posts]))
  const counts = new Map<string, number>()
  const slices = new Slices()
  for (const { block, term, places } of rows) {
    const shown = placesIn(places).filter((place) => postsOf.get(block)?.isShown(place)).length
    counts.set(term, (counts.get(term) ?? 0) + shown)
    if (slices.isOver) await slices.next()
  }
  return counts
}

/** A term that occurs with keywords: the number of posts, in total and per spelling, and their authors. */
interface Beside {
  posts: number
  authors: Set<string>
  forms: Map<string, number>
}

async function countTerms(
  texts: readonly { author_id: string; text: string; entities: string }[],
  given: ReadonlySet<string>,
): Promise<Map<string, Beside>> {
  const beside = new Map<string, Beside>()
  const slices = new Slices()
  for (const { author_id, text, entities } of texts) {
    const forms = new Map<string, string>()
    const terms = await termsOf(text, JSON.parse(entities) as Entities, slices, (term, form) => {
      if (!forms.has(term)) forms.set(term, form)
    })
    for (const term of terms) {
      if (given.has(term) || !isTelling(term)) continue
      const known = beside.get(term) ?? { posts: 0, authors: new Set(), forms: new Map() }
      beside.set(term, known)
      known.posts++
      known.authors.add(author_id)
      const form = forms.get(term) ?? term
      known.forms.set(form, (known.forms.get(form) ?? 0) + 1)
    }
    if (slices.isOver) await slices.next()
  }
  return beside
}

const mostWritten = (forms: ReadonlyMap<string, number>): string =>
  [...forms].reduce((one, other) =>
    other[1] > one[1] || (other[1] === one[1] && other[0] < one[0]) ? other : one,
  )[0]

/** Words with a letter, except single Latin letters. */
const isTelling = (term: string) =>
  /\p{L}/u.test(term) && !/^[@#$]?[a-z]$/.test(term) && !term.startsWith('@')

const mostFrequent = (beside: ReadonlyMap<string, Beside>, limit: number): string[] =>
  [...beside]
    .filter(([, { authors }]) => authors.size >= MIN_AUTHORS)
    .sort(([one, a], [other, b]) => b.posts - a.posts || (one < other ? -1 : 1))
    .slice(0, limit)
    .map(([term]) => term)

interface Counts {
  /** Posts with the term that match the keywords. */
  both: number
  matched: number
  /** Posts with the term. */
  having: number
  posts: number
}

/**
 * Normalized pointwise mutual information: 1 if a term and the keywords only occur together, 0 if they occur together by
 * chance. Times n/(n+1) for n common posts, because a single common post says little.
 */
function closeness({ both, matched, having, posts }: Counts): number {
  if (both === 0) return 0
  const together = both / posts
  const information = Math.log((both * posts) / (matched * having)) / -Math.log(together)
  return information * (both / (both + 1))
}
