import { lookup, once } from '../../platform/common/lookup.ts'
import { hexId } from './ids.ts'
import { tvMarkets } from './tv-markets.ts'

export interface TvShow {
  name: string
  /** Eleven digits. */
  targeting_value: number
  genre: TvGenre
  locales: readonly { language: string; country: string }[]
}

export const tvGenres = [
  'COMEDY',
  'DOCUMENTARY',
  'DRAMA',
  'GAME_SHOW',
  'KIDS',
  'MUSIC',
  'NEWS',
  'PAID',
  'REALITY',
  'SPORTS',
  'TALK',
] as const
export type TvGenre = (typeof tvGenres)[number]

/** Kinds of shows that exist everywhere, under fictitious names. */
const formats: readonly (readonly [genre: TvGenre, name: string])[] = [
  ['NEWS', 'Morning News'],
  ['NEWS', 'Evening News'],
  ['NEWS', 'The Weather'],
  ['SPORTS', 'Match of the Week'],
  ['SPORTS', 'Sports Tonight'],
  ['TALK', 'The Late Talk'],
  ['GAME_SHOW', 'Quiz Night'],
  ['REALITY', 'Kitchen Stories'],
  ['REALITY', 'Home Makers'],
  ['DOCUMENTARY', 'Nature Hour'],
  ['KIDS', 'Cartoon Morning'],
  ['DRAMA', 'Hospital Days'],
  ['DRAMA', 'Cold Harbour'],
  ['COMEDY', 'Saturday Comedy'],
  ['MUSIC', 'Stage and Song'],
]

/** The one show that is documented. */
const documented: TvShow = {
  name: 'NewsWatch',
  targeting_value: 10_027_243_420,
  genre: 'PAID',
  locales: [{ language: 'en', country: 'US' }],
}

/**
 * TV shows. Real schedules change daily, and no open source has them. So each market has one show
 * of each kind, and each language with several markets has a film night that all of them broadcast.
 */
export const tvShows = once((): readonly TvShow[] => [
  documented,
  ...tvMarkets.flatMap((market) =>
    formats.map(([genre, name]) => ({
      name: `${name} (${market.name})`,
      targeting_value: numericId(`tv-show:${market.locale}/${name}`),
      genre,
      locales: [localeOf(market.locale)],
    })),
  ),
  ...sharedLanguages().map(([language, locales]) => ({
    name: `Film Night (${language})`,
    targeting_value: numericId(`tv-show:${language}/Film Night`),
    genre: 'DRAMA' as const,
    locales: locales.map(localeOf),
  })),
])

export const tvShowByValue = lookup(tvShows, (show) => String(show.targeting_value))

function sharedLanguages(): [string, string[]][] {
  const byLanguage = Map.groupBy(
    tvMarkets.map(({ locale }) => locale),
    (locale) => localeOf(locale).language,
  )
  return [...byLanguage].filter(([, locales]) => locales.length > 1)
}

function localeOf(locale: string): { language: string; country: string } {
  const [language = '', country = ''] = locale.split('-')
  return { language, country }
}

function numericId(key: string): number {
  return 10_000_000_000 + Number(BigInt(`0x${hexId(key)}`) % 80_000_000_000n)
}
