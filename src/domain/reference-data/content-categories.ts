import { expandIab } from './iab-categories.ts'
import { once } from './lookup.ts'

export interface ContentCategory {
  name: string
  id: string
  iab_categories: readonly string[]
  publishers_in_last_thirty_days: number
  videos_monetized_in_last_thirty_days: number
}

const table: readonly (readonly [
  id: string,
  name: string,
  iab: string,
  publishers: number,
  videos: number,
])[] = [
  ['ru', 'Automotive (Cars, Trucks, Racing)', 'IAB2', 12, 316],
  ['sk', 'Comedy', 'IAB1-{4}', 19, 174],
  ['sl', 'Digital Creators', 'IAB25-{1}', 110, 1257],
  ['sm', 'Entertainment & Pop Culture', 'IAB1-{1..3,5}', 120, 3482],
  ['sn', 'Financial & Business News', 'IAB3 IAB13 IAB21', 29, 1461],
  ['so', 'Food & Drink', 'IAB8-{1..4,6..17}', 24, 516],
  [
    'sp',
    'Lifestyle (Fashion, Travel, Wellness)',
    'IAB4 IAB6 IAB7 IAB9-{1..29,31} IAB10 IAB16 IAB18 IAB20 IAB22 IAB23',
    67,
    2412,
  ],
  ['sq', 'Music', 'IAB1-{6}', 31, 518],
  ['sr', 'News & Current Events', 'IAB12 IAB14', 125, 5507],
  ['s4', 'Politics', 'IAB11', 19, 1402],
  ['ss', 'Science & Education', 'IAB5 IAB15', 7, 132],
  ['se', 'Sports', 'IAB17', 403, 18281],
  ['sg', 'Technology', 'IAB19', 13, 1089],
  ['sh', 'Television', 'IAB1-{7}', 58, 1307],
  ['s0', 'Esports & Video Games', 'IAB9-{30}', 109, 1844],
]

/** What publishers' videos are about. Targeting one means all of its IAB categories. */
export const contentCategories = once((): readonly ContentCategory[] =>
  table.map(([id, name, iab, publishers, videos]) => ({
    name,
    id,
    iab_categories: expandIab(iab),
    publishers_in_last_thirty_days: publishers,
    videos_monetized_in_last_thirty_days: videos,
  })),
)
