export interface TvMarket {
  name: string
  country_code: string
  locale: string
}

export const tvMarkets: readonly TvMarket[] = [
  { name: 'France', country_code: 'FR', locale: 'fr-FR' },
  { name: 'Chile', country_code: 'CL', locale: 'es-CL' },
  { name: 'Germany', country_code: 'DE', locale: 'de-DE' },
  { name: 'Netherlands', country_code: 'NL', locale: 'nl-NL' },
  { name: 'United States', country_code: 'US', locale: 'en-US' },
  { name: 'Venezuela', country_code: 'VE', locale: 'es-VE' },
  { name: 'Brazil', country_code: 'BR', locale: 'pt-BR' },
  { name: 'Mexico', country_code: 'MX', locale: 'es-MX' },
  { name: 'Colombia', country_code: 'CO', locale: 'es-CO' },
  { name: 'United Kingdom', country_code: 'GB', locale: 'en-GB' },
  { name: 'Argentina', country_code: 'AR', locale: 'es-AR' },
  { name: 'Japan', country_code: 'JP', locale: 'ja-JP' },
  { name: 'Canada', country_code: 'CA', locale: 'en-CA' },
  { name: 'Spain', country_code: 'ES', locale: 'es-ES' },
  { name: 'Italy', country_code: 'IT', locale: 'it-IT' },
  { name: 'United States - Hispanic', country_code: 'US', locale: 'es-US' },
  { name: 'Ireland', country_code: 'IE', locale: 'en-IE' },
]

const locales = new Set(tvMarkets.map(({ locale }) => locale))

export function isTvMarket(locale: string): boolean {
  return locales.has(locale)
}
