/** Scripts that one language is written in, or most often. */
const BY_SCRIPT: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Hebrew}/gu, 'iw'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Latin}/gu, 'latin'],
]

/** Words that are common in one language and rare in the others. */
const COMMON_WORDS: Readonly<Record<string, string>> = {
  en: 'the and is are you of to with this that for we it our your what have not was be from they will just how',
  es: 'el los las que una por para con está más pero cómo muy este esta todo nuestro del qué hola también',
  fr: 'le les des est et une pour avec dans pas sur vous nous que qui plus mais ce cette bonjour très aux',
  de: 'der die das und ist nicht ein eine mit für auf wir sie ich auch von zu den dem im wie aber sehr',
  it: 'il che di non una per con sono più anche questo questa della gli ciao come molto nel è tutti',
  pt: 'o os uma não que para com mais mas você está muito isso nosso também são como em do da olá',
  nl: 'de het een en van niet is voor met op zijn ook maar wij jullie dat deze naar heel onze',
  tr: 'bir ve bu için çok ile ama değil daha gibi olarak biz merhaba ne var mı kadar',
}

const wordSets = Object.entries(COMMON_WORDS).map(
  ([language, words]) => [language, new Set(words.split(' '))] as const,
)

/**
 * The language of a text, guessed from its script and, for Latin letters, from common words; English when none of
 * them is there. `und` when there is no word to tell from. Tags, names and links tell nothing.
 */
export function languageOf(text: string): string {
  const words = text.replace(/https?:\/\/\S+|[@#＠＃$]\S+/gu, ' ')
  let best = { count: 0, language: 'und' }
  for (const [script, language] of BY_SCRIPT) {
    const count = words.match(script)?.length ?? 0
    // Japanese mixes its own letters with Chinese ones.
    if (language === 'ja' && count > 0) return 'ja'
    if (count > best.count) best = { count, language }
  }
  return best.language === 'latin' ? latinLanguage(words) : best.language
}

function latinLanguage(text: string): string {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  let best = { hits: 0, language: 'en' }
  for (const [language, common] of wordSets) {
    const hits = words.filter((word) => common.has(word)).length
    if (hits > best.hits) best = { hits, language }
  }
  return best.language
}
