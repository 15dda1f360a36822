import { once, readTable } from '../../platform/common/lookup.ts'
import { expandIab } from './iab-categories.ts'

export interface ContentCategory {
  name: string
  id: string
  iab_categories: readonly string[]
  publishers_in_last_thirty_days: number
  videos_monetized_in_last_thirty_days: number
}

/** What publishers' videos are about. Targeting one means all of its IAB categories. */
export const contentCategories = once((): readonly ContentCategory[] =>
  readTable(new URL('content-categories.tsv', import.meta.url)).map(
    ([id = '', name = '', iab = '', publishers, videos]) => ({
      name,
      id,
      iab_categories: expandIab(iab),
      publishers_in_last_thirty_days: Number(publishers),
      videos_monetized_in_last_thirty_days: Number(videos),
    }),
  ),
)
