import { Slices } from '../../platform/common/slices.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { publicTexts } from './queries.ts'
import type { PostSample } from './sample.ts'
import { type Keywords, termsOf } from './terms.ts'

/**
 * Words of posts are suggested to advertisers only if so many authors use them: nobody learns from
 * a suggestion what a single user writes about.
 */
export const MIN_AUTHORS = 3

interface KeywordLists {
  readonly keywords: Keywords
  readonly negativeKeywords: Keywords
}

/** Terms that are returned. */
const MAX_RELATED = 30

/**
 * Terms that occur with keywords more often than by chance, the most closely related first (ADR
 * 0048): by normalized pointwise mutual information, discounted for rare pairs. Terms that few
 * authors use are not returned.
 */
export async function relatedTerms(
  sample: PostSample,
  query: KeywordLists,
  store: Pick<Store, 'all'>,
): Promise<string[]> {
  const { beside, elsewhere, read } = await countTerms(sample, query, store)
  const { matched } = sample
  // Plus one post that has none of the terms: otherwise a term that every post has would score
  // nothing.
  const posts = 1 + matched + elsewhere.posts
  return [...beside]
    .filter(([, { authors }]) => authors.size >= MIN_AUTHORS)
    .map(([term, { posts: count, forms }]) => {
      const both = (count * matched) / read
      const having = both + (elsewhere.having.get(term) ?? 0) + elsewhere.unseen
      return { term, forms, both, score: closeness({ both, matched, having, posts }) }
    })
    .filter(({ score }) => score > 0)
    .sort(
      (one, other) => other.score - one.score || other.both - one.both || (one.term < other.term ? -1 : 1),
    )
    .slice(0, MAX_RELATED)
    .map(({ forms }) => mostWritten(forms))
}

/**
 * A term that occurs with keywords: the number of posts, in total and per spelling, and their
 * authors.
 */
interface Beside {
  posts: number
  authors: Set<string>
  forms: Map<string, number>
}

/** Posts that do not match, as estimated from a sample. */
interface Elsewhere {
  posts: number
  /** How many of them have a term. */
  having: Map<string, number>
  /** How many may have a term that no post of the sample has: none if the sample is all posts. */
  unseen: number
}

/**
 * The terms of a sample of posts: how many match, how many posts that match were read, and the
 * others.
 */
async function countTerms(
  { matching, weights }: PostSample,
  { keywords, negativeKeywords }: KeywordLists,
  store: Pick<Store, 'all'>,
) {
  const given = new Set([...keywords, ...negativeKeywords].flat())
  const beside = new Map<string, Beside>()
  const elsewhere: Elsewhere = { posts: 0, having: new Map(), unseen: 0 }
  let [read, others] = [0, 0]
  const slices = new Slices()
  const ids = JSON.stringify([...new Set([...matching, ...weights.keys()])])
  for (const { id, author_id, text, entities } of ids === '[]' ? [] : await store.all(publicTexts, { ids })) {
    const forms = new Map<string, string>()
    const terms = await termsOf(text, JSON.parse(entities) as Entities, slices, (term, form) => {
      if (!forms.has(term)) forms.set(term, form)
    })
    if (matching.has(id)) {
      read++
      for (const [term, form] of forms)
        if (!given.has(term) && isTelling(term)) add(beside, { term, form, author_id })
    } else if (!hasOne(terms, keywords) || hasOne(terms, negativeKeywords)) {
      others++
      const weight = weights.get(id) ?? 1
      elsewhere.posts += weight
      for (const term of terms) elsewhere.having.set(term, (elsewhere.having.get(term) ?? 0) + weight)
    }
    if (slices.isOver) await slices.next()
  }
  if (others > 0) elsewhere.unseen = elsewhere.posts / others - 1
  return { beside, elsewhere, read }
}

function add(
  beside: Map<string, Beside>,
  { term, form, author_id }: { term: string; form: string; author_id: string },
) {
  const known = beside.get(term) ?? { posts: 0, authors: new Set(), forms: new Map() }
  beside.set(term, known)
  known.posts++
  known.authors.add(author_id)
  known.forms.set(form, (known.forms.get(form) ?? 0) + 1)
}

const hasOne = (terms: ReadonlySet<string>, keywords: Keywords) =>
  keywords.some((keyword) => keyword.every((term) => terms.has(term)))

const mostWritten = (forms: ReadonlyMap<string, number>): string =>
  [...forms].reduce((one, other) =>
    other[1] > one[1] || (other[1] === one[1] && other[0] < one[0]) ? other : one,
  )[0]

/** Words with a letter, except single Latin letters. */
const isTelling = (term: string) =>
  /\p{L}/u.test(term) && !/^[@#$]?[a-z]$/.test(term) && !term.startsWith('@')

interface Counts {
  /** Posts with the term that match the keywords. */
  both: number
  matched: number
  /** Posts with the term. */
  having: number
  posts: number
}

/**
 * Normalized pointwise mutual information: 1 if a term and the keywords only occur together, 0 if
 * they occur together by chance. Times n/(n+1) for n common posts, because a single common post
 * says little.
 */
function closeness({ both, matched, having, posts }: Counts): number {
  const together = both / posts
  const information = Math.log((both * posts) / (matched * having)) / -Math.log(together)
  return information * (both / (both + 1))
}
