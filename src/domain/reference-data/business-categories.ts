import { once, readTable } from '../../platform/common/lookup.ts'
import { expandIab } from './iab-categories.ts'

export interface BusinessCategory {
  id: string
  name: string
  iab_categories: readonly string[]
}

/**
 * The business of an advertiser. A line item with the objective PREROLL_VIEWS has one or two of
 * these.
 */
export const businessCategories = once((): readonly BusinessCategory[] =>
  readTable(new URL('business-categories.tsv', import.meta.url)).map(([id = '', name = '', iab = '']) => ({
    id,
    name,
    iab_categories: expandIab(iab),
  })),
)
