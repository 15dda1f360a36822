import { setImmediate as nextTurn } from 'node:timers/promises'
import { compareIds } from '../../platform/common/ids.ts'
import { foldText, isContent, type PostTerms } from './terms.ts'

/** A post that stories are built from. */
export interface NewsItem extends PostTerms {
  readonly id: string
  readonly author: string
  /** The story that it belongs to so far. */
  readonly story: string | null
}

/** Posts about the same topic, the most typical first. */
export interface NewsCluster {
  readonly items: readonly NewsItem[]
  /** Terms that more than half of the posts have, with their weights, highest first. */
  readonly core: ReadonlyMap<string, number>
}

export const MIN_POSTS = 3
export const MIN_AUTHORS = 2

/** The share of the lighter post's weight that two posts must have in common. */
const MIN_OVERLAP = 0.4
const MIN_SHARED = 2
/** From this many posts on, a term that more than half of them have is ignored. */
const SMALL_WINDOW = 50
const COMMON_SHARE = 0.5
/** How much more a rare term weighs than one that many posts have, or only one. */
const RARITY_WEIGHT = 0.25
/**
 * Clusters are searched by this many terms of a post, and for each term by this many clusters and
 * single posts, newest first.
 */
const LOOKED_UP_TERMS = 8
const LOOKED_UP_CLUSTERS = 20
/** Greater than any weight: links, tags and names are looked up before other words. */
const STRONG_FIRST = 1_000
/** After this many posts, the terms of a cluster are fixed. */
const SETTLED_POSTS = 50
/** Posts that are compared between two turns of the event loop. */
const POSTS_AT_ONCE = 10

/** Links are stronger evidence than tags, and tags are stronger than words. */
const kindWeight = (term: string) => (term.startsWith('url:') ? 4 : /^[#$]/.test(term) ? 2 : 1)

/** The terms that make posts worth a story: a link, a tag, or a name. */
const strongTermsOf = ({ terms, names }: PostTerms): Set<string> =>
  new Set([
    ...terms.filter((term) => /^(?:url:|[#$])/.test(term)),
    ...names.flatMap((name) => foldText(name).split(' ').filter(isContent)),
  ])

/** A cluster to which posts are still added. */
class GrowingCluster {
  readonly items: NewsItem[] = []
  readonly strong = new Set<string>()
  /** The terms by which it is found. */
  readonly found = new Set<string>()
  readonly #counts = new Map<string, number>()
  readonly #weightOf: (term: string) => number
  core = new Map<string, number>()
  #coreWeight = 0

  constructor(weightOf: (term: string) => number) {
    this.#weightOf = weightOf
  }

  add(item: NewsItem, strong: ReadonlySet<string>): void {
    this.items.push(item)
    if (this.items.length > SETTLED_POSTS) return
    for (const term of item.terms) this.#counts.set(term, (this.#counts.get(term) ?? 0) + 1)
    for (const term of strong) this.strong.add(term)
    const half = this.items.length / 2
    this.core = new Map()
    this.#coreWeight = 0
    for (const [term, count] of this.#counts) {
      const weight = this.#weightOf(term)
      if (count <= half || weight === 0) continue
      this.core.set(term, weight)
      this.#coreWeight += weight
    }
  }

  /**
   * The share of the lighter one's weight that a post and the cluster have in common; 0 if it is
   * too small for the same story.
   */
  similarity(
    { terms }: NewsItem,
    { weight, strong }: { weight: number; strong: ReadonlySet<string> },
  ): number {
    const shared = terms.filter((term) => this.core.has(term))
    if (shared.some((term) => term.startsWith('url:'))) return 1
    const isStrong = shared.some((term) => strong.has(term) || this.strong.has(term))
    if (shared.length < MIN_SHARED || !isStrong) return 0
    const overlap = sumOf(shared, this.#weightOf) / Math.min(weight, this.#coreWeight)
    return overlap >= MIN_OVERLAP ? overlap : 0
  }
}

const sumOf = (terms: readonly string[], weightOf: (term: string) => number) =>
  terms.reduce((sum, term) => sum + weightOf(term), 0)

/**
 * Groups posts about the same topic. In the order of their ids, each post joins the cluster with
 * which it has most in common, or begins a new one. The same posts always give the same clusters.
 * Those that are too small for a story are omitted. Yields to the event loop between slices.
 */
export async function clustersOf(items: readonly NewsItem[], signal?: AbortSignal): Promise<NewsCluster[]> {
  const frequency = new Map<string, number>()
  for (const { terms } of items) for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  const weightOf = weightsOf(frequency, items.length)
  const clusters: GrowingCluster[] = []
  const index = new TermIndex()
  for (const [at, item] of items.entries()) {
    if (at % POSTS_AT_ONCE === POSTS_AT_ONCE - 1) await nextTurn()
    signal?.throwIfAborted()
    const shareable = item.terms.filter((term) => (frequency.get(term) ?? 0) > 1 && weightOf(term) > 0)
    if (shareable.length === 0) continue
    const strong = strongTermsOf(item)
    const significanceOf = (term: string) => weightOf(term) + (strong.has(term) ? STRONG_FIRST : 0)
    const bySignificance = [...shareable].sort((a, b) => significanceOf(b) - significanceOf(a))
    const known = index.find(bySignificance.slice(0, LOOKED_UP_TERMS))
    const own = { weight: sumOf(item.terms, weightOf), strong }
    const cluster = mostSimilar(known, item, own) ?? new GrowingCluster(weightOf)
    if (cluster.items.length === 0) clusters.push(cluster)
    cluster.add(item, strong)
    index.add(cluster, shareable)
  }
  return clusters.filter(isStory).map(finishedCluster)
}

function weightsOf(frequency: ReadonlyMap<string, number>, posts: number): (term: string) => number {
  const most = posts < SMALL_WINDOW ? posts : posts * COMMON_SHARE
  return (term) => {
    const found = frequency.get(term) ?? 0
    if (found > most) return 0
    return kindWeight(term) * (found > 1 ? 1 + RARITY_WEIGHT * Math.log(1 + posts / found) : 1)
  }
}

/** The first of the most similar clusters. */
function mostSimilar(
  clusters: Iterable<GrowingCluster>,
  item: NewsItem,
  own: Parameters<GrowingCluster['similarity']>[1],
): GrowingCluster | undefined {
  let best: GrowingCluster | undefined
  let most = 0
  for (const cluster of clusters) {
    const similarity = cluster.similarity(item, own)
    if (similarity > most) [best, most] = [cluster, similarity]
  }
  return best
}

/**
 * Finds clusters by their terms. Clusters of several posts are found however many single posts have
 * a term.
 */
class TermIndex {
  readonly #singles = new Map<string, GrowingCluster[]>()
  readonly #groups = new Map<string, GrowingCluster[]>()

  find(terms: readonly string[]): Set<GrowingCluster> {
    return new Set(
      [this.#groups, this.#singles].flatMap((known) =>
        terms.flatMap((term) => known.get(term)?.slice(-LOOKED_UP_CLUSTERS) ?? []),
      ),
    )
  }

  /** Call it whenever a post joins a cluster, with the terms of the post. */
  add(cluster: GrowingCluster, terms: readonly string[]): void {
    const fresh = terms.filter((term) => !cluster.found.has(term))
    for (const term of fresh) cluster.found.add(term)
    const posts = cluster.items.length
    for (const term of posts === 2 ? cluster.found : fresh) {
      const map = posts === 1 ? this.#singles : this.#groups
      const known = map.get(term)
      if (known) known.push(cluster)
      else map.set(term, [cluster])
    }
  }
}

const isStory = ({ items, core, strong }: GrowingCluster) =>
  items.length >= MIN_POSTS &&
  new Set(items.map(({ author }) => author)).size >= MIN_AUTHORS &&
  [...core.keys()].some((term) => strong.has(term))

/**
 * The most typical posts have the most terms in common with the others; of two equal ones, the
 * older is first.
 */
function finishedCluster({ items, core }: GrowingCluster): NewsCluster {
  const weights = new Map(
    [...core].sort(([termA, weightA], [termB, weightB]) => weightB - weightA || (termA < termB ? -1 : 1)),
  )
  const typical = new Map(
    items.map((item) => [
      item,
      sumOf(
        item.terms.filter((term) => weights.has(term)),
        (term) => weights.get(term) ?? 0,
      ),
    ]),
  )
  const order = (a: NewsItem, b: NewsItem) =>
    (typical.get(b) ?? 0) - (typical.get(a) ?? 0) || compareIds(a.id, b.id)
  return { items: [...items].sort(order), core: weights }
}
