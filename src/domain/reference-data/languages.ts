import { displayNames } from '../../platform/common/display-names.ts'
import { lookup, once } from './lookup.ts'

/** The 183 languages of ISO 639-1. `bh` was withdrawn from the standard in 2021 and is not one of them. */
export const languageCodes: readonly string[] = (
  'aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo ' +
  'es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka ' +
  'kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng ' +
  'nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su ' +
  'sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'
).split(' ')

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
