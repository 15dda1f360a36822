import { decimalId } from './ids.ts'
import { lookup, once } from './lookup.ts'

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

interface Row {
  id: string
  name: string
  description: string
  /** The number of publishers, and their content category. */
  publishers: number
  content: string
  videos: number
  created: string
  updated: string
}

const table: readonly Row[] = [
  {
    id: '929wbl6ymlfk',
    name: 'Basketball',
    description: 'Leagues, teams and media that publish basketball videos.',
    publishers: 75,
    content: 'se',
    videos: 2446,
    created: '2019-11-08T21:12:47Z',
    updated: '2021-03-09T20:36:44Z',
  },
  {
    id: '94ngssfrr01x',
    name: 'Gaming Personalities',
    description: 'People who play and comment on video games.',
    publishers: 41,
    content: 's0',
    videos: 448,
    created: '2019-12-02T20:45:12Z',
    updated: '2021-03-09T20:18:13Z',
  },
  {
    id: '9lav5usxfmdc',
    name: 'Baseball',
    description: 'Leagues, teams and media that publish baseball videos.',
    publishers: 46,
    content: 'se',
    videos: 190,
    created: '2020-05-18T20:20:27Z',
    updated: '2021-03-09T20:37:46Z',
  },
  {
    id: '9ys3jz3ktreo',
    name: 'Esports Teams',
    description: 'Teams that compete in video games.',
    publishers: 38,
    content: 's0',
    videos: 169,
    created: '2020-10-01T20:02:35Z',
    updated: '2021-03-09T20:36:20Z',
  },
  {
    id: '8tujg1lvi8sn',
    name: 'Football',
    description: 'Leagues, teams and media that publish American football videos.',
    publishers: 51,
    content: 'se',
    videos: 254,
    created: '2019-08-15T20:48:51Z',
    updated: '2021-03-09T20:34:13Z',
  },
  {
    id: '8tujj1ep7t34',
    name: "Men's Culture + Lifestyle",
    description: 'Culture, style and life, for men.',
    publishers: 41,
    content: 'sp',
    videos: 1330,
    created: '2019-08-15T20:49:47Z',
    updated: '2021-03-09T20:39:00Z',
  },
  {
    id: '8tujl1p3yn0g',
    name: "Women's Culture + Lifestyle",
    description: 'Culture, style and life, for women.',
    publishers: 39,
    content: 'sm',
    videos: 1365,
    created: '2019-08-15T20:50:24Z',
    updated: '2021-03-09T20:17:53Z',
  },
  {
    id: '9fg8gmz96qdg',
    name: 'Light-Hearted',
    description: 'Videos that are funny, warm or surprising.',
    publishers: 29,
    content: 'sl',
    videos: 1395,
    created: '2020-03-20T19:37:44Z',
    updated: '2021-03-09T19:57:40Z',
  },
  {
    id: '9ddrgesiap6o',
    name: 'Soccer',
    description: 'Leagues, teams and media that publish soccer videos.',
    publishers: 36,
    content: 'se',
    videos: 421,
    created: '2020-02-28T22:43:26Z',
    updated: '2021-01-26T17:54:55Z',
  },
]

export const curatedCategories = once((): readonly CuratedCategory[] =>
  table.map((row) => ({
    name: row.name,
    description: row.description,
    country_codes: ['US'],
    publisher_user_ids: publisherIds(row),
    id: row.id,
    created_at: row.created,
    updated_at: row.updated,
    videos_monetized_in_last_thirty_days: row.videos,
  })),
)

export const curatedCategoryById = lookup(curatedCategories, (category) => category.id)

/** The publishers of all curated categories, each with its content category. */
export function curatedPublishers(): { userId: string; content: string }[] {
  return table.flatMap((row) => publisherIds(row).map((userId) => ({ userId, content: row.content })))
}

function publisherIds(row: Row): string[] {
  return Array.from({ length: row.publishers }, (_, n) => decimalId(`publisher:${row.id}/${n + 1}`))
}
