import { lookup, once, readTable } from '../../platform/common/lookup.ts'
import { decimalId } from './ids.ts'

export interface CuratedCategory {
  name: string
  description: string
  country_codes: readonly string[]
  publisher_user_ids: readonly string[]
  id: string
  created_at: string
  updated_at: string
  videos_monetized_in_last_thirty_days: number
}

/** Each curated category, with the content category of its publishers. */
const rows = once((): readonly { category: CuratedCategory; content: string }[] =>
  readTable(new URL('curated-categories.tsv', import.meta.url)).map(
    ([
      id = '',
      name = '',
      description = '',
      publishers,
      content = '',
      videos,
      created = '',
      updated = '',
    ]) => ({
      content,
      category: {
        name,
        description,
        country_codes: ['US'],
        publisher_user_ids: Array.from({ length: Number(publishers) }, (_, n) =>
          decimalId(`publisher:${id}/${n + 1}`),
        ),
        id,
        created_at: created,
        updated_at: updated,
        videos_monetized_in_last_thirty_days: Number(videos),
      },
    }),
  ),
)

export const curatedCategories = once((): readonly CuratedCategory[] =>
  rows().map(({ category }) => category),
)

export const curatedCategoryById = lookup(curatedCategories, (category) => category.id)

/** The publishers of all curated categories, each with its content category. */
export function curatedPublishers(): { userId: string; content: string }[] {
  return rows().flatMap(({ category, content }) =>
    category.publisher_user_ids.map((userId) => ({ userId, content })),
  )
}
