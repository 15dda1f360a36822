/** Callers choose the language, so the cache is bounded. */
const MAX_REMEMBERED_LANGUAGES = 200

/**
 * Names of codes in any language: `name(code, lang)`, where `lang` is a BCP 47 tag. English is used
 * for a tag that is not well formed or not known, and the code itself for a code without a name.
 */
export function displayNames(type: 'region' | 'language'): (code: string, lang: string) => string {
  const remembered = new Map<string, Intl.DisplayNames>()
  return (code, lang) => {
    const names = remembered.get(lang) ?? namesIn(lang, type)
    if (remembered.size < MAX_REMEMBERED_LANGUAGES) remembered.set(lang, names)
    return names.of(code) ?? code
  }
}

function namesIn(lang: string, type: Intl.DisplayNamesType): Intl.DisplayNames {
  try {
    return new Intl.DisplayNames([lang, 'en'], { type })
  } catch {
    return new Intl.DisplayNames(['en'], { type })
  }
}
