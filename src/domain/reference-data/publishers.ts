import { lookup, once } from '../../platform/common/lookup.ts'
import { contentCategories } from './content-categories.ts'
import { curatedPublishers } from './curated-categories.ts'
import { decimalId } from './ids.ts'

export interface Publisher {
  monetizable_country_codes: readonly string[]
  promotion_eligible_country_codes: readonly string[]
  username: string
  user_id: string
  monetization_restricted: boolean
  content_category_ids: readonly string[]
}

const documented: Publisher = {
  monetizable_country_codes: ['US'],
  promotion_eligible_country_codes: ['US'],
  username: 'examplepub',
  user_id: '1353868435021721602',
  monetization_restricted: true,
  content_category_ids: ['se'],
}

/**
 * Fictitious publishers: every one that a curated category names, and as many more as each content
 * category counts, so that the figures of the three lists agree.
 */
export const publishers = once((): readonly Publisher[] =>
  contentCategories().flatMap(({ id, publishers_in_last_thirty_days: wanted }) => {
    const curated = curatedPublishers().filter(({ content }) => content === id)
    const first = documented.content_category_ids.includes(id) ? [documented] : []
    const others = Array.from({ length: wanted - curated.length - first.length }, (_, n) =>
      decimalId(`publisher:${id}/${n + 1}`),
    )
    const userIds = [...curated.map(({ userId }) => userId), ...others]
    return [...first, ...userIds.map((userId, n) => publisher(id, userId, n + 1))]
  }),
)

export const publisherByUserId = lookup(publishers, (publisher) => publisher.user_id)

function publisher(category: string, userId: string, number: number): Publisher {
  return {
    monetizable_country_codes: ['US'],
    promotion_eligible_country_codes: ['US'],
    username: `pub_${category}_${number}`,
    user_id: userId,
    monetization_restricted: false,
    content_category_ids: [category],
  }
}
