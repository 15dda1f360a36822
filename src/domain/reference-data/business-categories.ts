import { expandIab } from './iab-categories.ts'
import { once } from './lookup.ts'

export interface BusinessCategory {
  id: string
  name: string
  iab_categories: readonly string[]
}

const table: readonly (readonly [id: string, name: string, iab: string])[] = [
  ['1jl', 'Consumer Packaged Goods', 'IAB4 IAB6 IAB9-{1..6,8..29,31} IAB10 IAB16 IAB22 IAB23'],
  ['1jm', 'Health & Pharma', 'IAB7'],
  ['1jn', 'Alcohol', 'IAB8-{5,18}'],
  ['1jo', 'Dining', 'IAB8-{1..4,6..17}'],
  ['1jp', 'Financial Services', 'IAB3 IAB13 IAB21'],
  ['1jq', 'Retail', 'IAB18'],
  ['1jr', 'Travel', 'IAB20'],
  ['1js', 'Gaming', 'IAB9-{30}'],
  ['1jt', 'Technology', 'IAB5 IAB15 IAB19-{1..5,7..17,19..36}'],
  ['1ju', 'Telecommunication', 'IAB19-{6,18}'],
  ['1jv', 'Auto', 'IAB2'],
  ['1jw', 'Media & Entertainment', 'IAB1-{1..7} IAB12 IAB14-{2..8} IAB17 IAB25-{1}'],
  ['1jx', 'Politics', 'IAB11-{4}'],
  ['1jy', 'Gambling', 'IAB9-{7}'],
  ['1jz', 'Dating', 'IAB14-{1}'],
  ['1k0', 'Non-Profit', 'IAB11-{1..3,5}'],
]

/** The business of an advertiser. A line item with the objective PREROLL_VIEWS has one or two of these. */
export const businessCategories = once((): readonly BusinessCategory[] =>
  table.map(([id, name, iab]) => ({ id, name, iab_categories: expandIab(iab) })),
)
