import { displayNames } from '../../platform/common/display-names.ts'
import { lookup, once, readTable } from '../../platform/common/lookup.ts'

/** The 183 languages of ISO 639-1. */
export const languageCodes: readonly string[] = readTable(new URL('languages.tsv', import.meta.url)).flat()

export interface LanguageOption {
  name: string
  targeting_type: 'LANGUAGE'
  targeting_value: string
}

const codes = new Set(languageCodes)
const nameOf = displayNames('language')
/** Languages whose names the locale data give under another code. */
const ownNames: Readonly<Record<string, string>> = { tl: 'Tagalog', tw: 'Twi' }

export function isLanguage(code: string): boolean {
  return codes.has(code)
}

/** The name of a language in the language `lang`, a BCP 47 tag. */
export function languageName(code: string, lang = 'en'): string {
  const own = ownNames[code]
  if (own !== undefined && lang === 'en') return own
  return isLanguage(code) ? nameOf(code, lang) : code
}

/** The options of `GET /targeting_criteria/languages`, by English name. */
export const languages = once((): readonly LanguageOption[] =>
  languageCodes
    .map(
      (code): LanguageOption => ({
        name: languageName(code),
        targeting_type: 'LANGUAGE',
        targeting_value: code,
      }),
    )
    .sort((a, b) => a.name.localeCompare(b.name, 'en')),
)

export const languageByValue = lookup(languages, (language) => language.targeting_value)
