import { pairsAround, readRelations } from '../../identity/relations/queries.ts'
import { profilesOf } from '../../identity/users/profiles.ts'
import { userByScreenName, userTerms } from '../../identity/users/queries.ts'
import {
  EXACT_RANK,
  LOWEST_NAME_RANK,
  placeOf,
  rankOf,
  searchWordsOf,
  storedTermsFor,
} from '../../identity/users/search-terms.ts'
import { compareIds } from '../../platform/common/ids.ts'
import type { RankedObject, RankedPage } from '../../platform/storage/ranked-terms.ts'
import type { Store } from '../../platform/storage/store.ts'

type Reader = Pick<Store, 'all' | 'first'>

interface FoundPage extends RankedPage {
  readonly direction: 'older' | 'newer'
}

/** A search for users. */
export class UserSearch {
  readonly #store: Reader
  readonly #words: readonly string[]
  /** The word whose matches are read and ranked: the longest one has the fewest. */
  readonly #word: string

  constructor(store: Reader, query: string) {
    this.#store = store
    this.#words = [...new Set(searchWordsOf(query))]
    this.#word = this.#words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
  }

  /**
   * Users with the stored beginning of the word of the search: more than match. Matches in
   * usernames come first, then those in names and in descriptions, each with the most followers
   * first.
   */
  async read(page: FoundPage): Promise<RankedObject[]> {
    if (this.#word === '') return []
    const parts = [() => this.#exact(page), () => this.#inNames(page), () => this.#inDescriptions(page)]
    const found: RankedObject[] = []
    for (const part of page.direction === 'older' ? parts : parts.reverse()) {
      if (found.length >= page.limit) break
      found.push(...(await part()))
    }
    return found.slice(0, page.limit)
  }

  /** Of consecutive results, those that match every word and that the viewer may find. */
  async matching(rows: readonly RankedObject[], viewer: string): Promise<RankedObject[]> {
    const ids = [...new Set(rows.map(({ id }) => id))]
    const profiles = await profilesOf(ids, this.#store)
    const relations = await readRelations(this.#store, pairsAround(viewer, ids))
    return rows.filter(({ id, created_at }) => {
      const user = profiles.get(id)
      if (!user || user.suspended === 1 || relations.has('block', id, viewer)) return false
      if (this.#words.some((word) => placeOf(user, word) === undefined)) return false
      if (this.#isExact(user.screen_name_key)) return created_at === EXACT_RANK
      // In its other places, the user was found before.
      const place = placeOf(user, this.#word)
      return place !== undefined && rankOf(place, user) === created_at
    })
  }

  readonly #isExact = (screenNameKey: string) => this.#words.length === 1 && this.#word === screenNameKey

  async #exact({ direction, time, id }: FoundPage): Promise<RankedObject[]> {
    if (this.#words.length !== 1) return []
    const user = await this.#store.first(userByScreenName, { key: this.#word })
    if (!user) return []
    const isAfter =
      time === EXACT_RANK
        ? direction === 'newer' && compareIds(id, user.id) < 0
        : (direction === 'older') === time > EXACT_RANK
    return isAfter ? [{ id: user.id, created_at: EXACT_RANK }] : []
  }

  #inNames = ({ direction, ...page }: FoundPage) =>
    this.#store.all(userTerms.withTerm[direction], {
      ...page,
      ...{ term: storedTermsFor(this.#word).inNames, from: LOWEST_NAME_RANK, to: EXACT_RANK - 1 },
    })

  #inDescriptions = ({ direction, ...page }: FoundPage) =>
    this.#store.all(userTerms.withTerm[direction], {
      ...page,
      ...{ term: storedTermsFor(this.#word).inDescriptions, from: 0, to: LOWEST_NAME_RANK - 1 },
    })
}
