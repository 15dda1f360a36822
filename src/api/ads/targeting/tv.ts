import { Type } from 'typebox'
import { tvMarkets } from '../../../domain/reference-data/tv-markets.ts'
import { tvGenres, tvShows } from '../../../domain/reference-data/tv-shows.ts'
import { choice, closedComponent, closedObject, standard } from '../../../platform/http/schema.ts'
import { groups, pageOf, search } from '../constant-list.ts'
import { adsEndpoint } from '../endpoint.ts'
import { paging } from '../entity/list.ts'

const SOURCE = 'Campaign management (reference: targeting options)'
const MAX_SHOWS = 50

const Market = closedComponent('TvMarket', {
  name: Type.String({ description: 'Human-readable name.' }),
  country_code: Type.String({ description: 'ISO 3166-1.' }),
  locale: Type.String({ description: 'Language and country: `en-US`.' }),
})

export const listTvMarkets = adsEndpoint({
  id: 'listTvMarkets',
  method: 'GET',
  path: '/targeting_criteria/tv_markets',
  summary: 'List TV markets',
  description: 'Returns the markets whose shows can be targeted.',
  source: SOURCE,
  data: Type.Array(Market),
  beside: ['cursor'],
  handle: async () => ({ data: [...tvMarkets], next_cursor: null }),
})

const Show = closedComponent('TvShow', {
  name: Type.String({ description: 'Human-readable name.' }),
  targeting_value: Type.Integer({
    description: 'Value for a targeting criterion, as a number.',
  }),
  genre: choice([...tvGenres], 'Genre of the show.'),
  locales: Type.Array(closedObject({ language: Type.String(), country: Type.String() }), {
    description: 'The markets that it is broadcast in.',
  }),
})

const showsOf = groups(
  tvShows,
  (show) => show.locales.map(({ language, country }) => `${language}-${country}`),
  ({ name }) => name,
)

/** The market is also returned as its two parts. */
function spelledOut(locale: string): string {
  const [languageCode, countryCode] = locale.split('-')
  return JSON.stringify({ countryCode, languageCode })
}

export const listTvShows = adsEndpoint({
  id: 'listTvShows',
  method: 'GET',
  path: '/targeting_criteria/tv_shows',
  summary: 'List TV shows',
  description: 'Returns the TV shows of a market.',
  source: SOURCE,
  query: {
    locale: standard(
      choice(
        tvMarkets.map(({ locale }) => locale),
        'A market.',
      ),
    ),
    ...paging(MAX_SHOWS, MAX_SHOWS),
    q: search,
  },
  echo: { parameters: { locale: { write: spelledOut } } },
  data: Type.Array(Show),
  beside: ['cursor'],
  async handle({ query }, context) {
    const { locale, count = MAX_SHOWS, cursor, q } = query
    const { page, next_cursor } = pageOf(showsOf(locale), ['tv_shows', locale], { count, cursor, q }, context)
    return { data: page, next_cursor }
  },
})
