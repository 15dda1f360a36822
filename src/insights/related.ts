import type { Entities } from '../text/entities.ts'
import type { Store } from '../storage/store.ts'
import type { BlockPosts } from './block.ts'
import { postsOfTerms, textsAt } from './queries.ts'
import { termsOf } from './terms.ts'

/** The posts of a block that a search matched. */
export interface Match {
  readonly block: number
  readonly posts: BlockPosts
  readonly places: readonly number[]
}

/** Terms that are returned. */
const MAX_RELATED = 30
/** Posts whose texts are read, from so many blocks at most. */
const MAX_TEXTS = 500
const MAX_BLOCKS = 10
/** Rows that are read to compare terms with how frequent they are otherwise. */
const MAX_ROWS = 1_000

interface Asked {
  store: Pick<Store, 'all'>
  country: string
  /** Terms that are not returned. */
  given: ReadonlySet<string>
}

/**
 * Terms that stand beside keywords more often than chance has it, the closest first (ADR 0048): by normalized pointwise
 * mutual information, discounted for pairs that were seen rarely. Looks at the blocks with the most matches, and in each of
 * them at posts that are spread evenly, so that the same posts give the same terms.
 */
export async function relatedTerms(matches: readonly Match[], asked: Asked): Promise<string[]> {
  const chosen = mostMatched(matches)
  const matched = sum(chosen.map(({ places }) => places.length))
  if (matched === 0) return []
  const texts = await sampleOf(chosen, asked)
  const beside = countTerms(texts, asked.given)
  const candidates = mostFrequent(beside, Math.floor(MAX_ROWS / chosen.length))
  const found = await asked.store.all(postsOfTerms, {
    country: asked.country,
    blocks: JSON.stringify(chosen.map(({ block }) => block)),
    terms: JSON.stringify(candidates),
  })
  // One more post that has none of the terms: where every post has one, it still says something.
  const posts = 1 + sum(chosen.map((one) => one.posts.size))
  const scale = matched / texts.length
  const scored = found.map(({ term, posts: having }) => {
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

/** Blocks with the most matches, and the newer of equals, until they hold enough posts. */
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

/** The texts of matched posts, of each block as many. */
async function sampleOf(chosen: readonly Match[], { store, country }: Asked) {
  const ofEach = Math.ceil(MAX_TEXTS / chosen.length)
  const places = chosen.flatMap(({ block, places }) => {
    const step = Math.max(1, places.length / ofEach)
    const length = Math.min(ofEach, places.length)
    return Array.from({ length }, (_, at) => [block, places[Math.floor(at * step)]])
  })
  return store.all(textsAt, { country, places: JSON.stringify(places) })
}

/** A term beside keywords: in how many posts, and in how many of them in each form. */
interface Beside {
  posts: number
  forms: Map<string, number>
}

function countTerms(
  texts: readonly { text: string; entities: string }[],
  given: ReadonlySet<string>,
): Map<string, Beside> {
  const beside = new Map<string, Beside>()
  for (const { text, entities } of texts) {
    const forms = new Map<string, string>()
    const terms = termsOf(text, JSON.parse(entities) as Entities, (term, form) => {
      if (!forms.has(term)) forms.set(term, form)
    })
    for (const term of terms) {
      if (given.has(term) || !isTelling(term)) continue
      const known = beside.get(term) ?? { posts: 0, forms: new Map() }
      beside.set(term, known)
      known.posts++
      const form = forms.get(term) ?? term
      known.forms.set(form, (known.forms.get(form) ?? 0) + 1)
    }
  }
  return beside
}

const mostWritten = (forms: ReadonlyMap<string, number>): string =>
  [...forms].reduce((one, other) =>
    other[1] > one[1] || (other[1] === one[1] && other[0] < one[0]) ? other : one,
  )[0]

/** Words with a letter, and not one Latin letter alone. */
const isTelling = (term: string) =>
  /\p{L}/u.test(term) && !/^[@#$]?[a-z]$/.test(term) && !term.startsWith('@')

const mostFrequent = (beside: ReadonlyMap<string, Beside>, limit: number): string[] =>
  [...beside]
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
 * Normalized pointwise mutual information: 1 where a term and the keywords are together only, 0 where chance alone brings
 * them together. Times n/(n+1) for n common posts, as one common post says little.
 */
function closeness({ both, matched, having, posts }: Counts): number {
  if (both === 0) return 0
  const together = both / posts
  const information = Math.log((both * posts) / (matched * having)) / -Math.log(together)
  return information * (both / (both + 1))
}
