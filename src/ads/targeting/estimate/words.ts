import { fold } from '../../constant-list.ts'

/** Text as words with one space around each: `Coffee, please!` is ` coffee please `. Emoji are words. */
export function wordsOf(text: string): string {
  const words = fold(text).match(/[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu) ?? []
  return words.length === 0 ? ' ' : ` ${words.join(' ')} `
}

/** Scripts that put no spaces between words: there a word is found anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** How a keyword is looked for in the words of a post. */
export type Matching = 'phrase' | 'words' | 'beginnings'

/** Whether one of some posts has a keyword. */
export function finder(keyword: string, how: Matching): (posts: readonly string[]) => boolean {
  const whole = wordsOf(keyword)
  const words = whole.trim().split(' ')
  // Punctuation alone is no word: nobody says it.
  if (whole === ' ') return () => false
  if (UNSPACED.test(keyword))
    return (posts) => posts.some((post) => words.every((word) => post.includes(word)))
  if (how === 'phrase') return (posts) => posts.some((post) => post.includes(whole))
  const wanted = words.map((word) => (how === 'words' ? ` ${word} ` : ` ${word}`))
  return (posts) => posts.some((post) => wanted.every((word) => post.includes(word)))
}

const SHORTEST_TELLING_WORD = 4
const UNTELLING = new Set(['with', 'your', 'other', 'general'])

/** The words of the name of an interest that tell it from others, without plural: `Books/Biographies and memoirs`. */
export function tellingWords(name: string): string[] {
  const leaf = name.slice(name.lastIndexOf('/') + 1)
  return wordsOf(leaf)
    .trim()
    .split(' ')
    .filter((word) => word.length >= SHORTEST_TELLING_WORD && !UNTELLING.has(word))
    .map((word) => word.replace(/s$/, ''))
}
