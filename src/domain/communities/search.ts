import type { RankedObject, RankedPage } from '../../platform/storage/ranked-terms.ts'
import type { Store } from '../../platform/storage/store.ts'
import { communitiesByIds, communityTerms } from './queries.ts'
import {
  type CommunityQuery,
  communityQueryOf,
  isRankOf,
  placeOf,
  ranksFrom,
  storedTermsFor,
} from './search-terms.ts'

interface FoundPage extends RankedPage {
  readonly direction: 'older' | 'newer'
}

/** A search for communities. */
export class CommunitySearch {
  readonly #store: Pick<Store, 'all'>
  readonly #query: CommunityQuery

  constructor(store: Pick<Store, 'all'>, query: string) {
    this.#store = store
    this.#query = communityQueryOf(query)
  }

  /**
   * Communities with the stored terms of the search: more than match. Exact names come first, then
   * beginnings of names, words of names and words of descriptions, each with the most members
   * first, and the newest where these are equal.
   */
  async read({ direction, ...page }: FoundPage): Promise<RankedObject[]> {
    const { name, prefix, word } = storedTermsFor(this.#query)
    const parts = [
      { term: name, ...ranksFrom('exact name', 'exact name') },
      { term: prefix, ...ranksFrom('name prefix', 'name prefix') },
      { term: word, ...ranksFrom('description word', 'name word') },
    ]
    const found: RankedObject[] = []
    for (const { term, ...ranks } of direction === 'older' ? parts : parts.reverse()) {
      const limit = page.limit - found.length
      if (term !== undefined && limit > 0)
        found.push(
          ...(await this.#store.all(communityTerms.withTerm[direction], { ...page, ...ranks, term, limit })),
        )
    }
    return found
  }

  /** Of consecutive results, those that match in this place: a better place came before. */
  async matching(rows: readonly RankedObject[]): Promise<RankedObject[]> {
    const ids = JSON.stringify([...new Set(rows.map(({ id }) => id))])
    const found = new Map((await this.#store.all(communitiesByIds, { ids })).map((row) => [row.id, row]))
    return rows.filter(({ id, created_at }) => {
      const row = found.get(id)
      const place = row && placeOf(row, this.#query)
      return place !== undefined && isRankOf(created_at, place)
    })
  }
}
