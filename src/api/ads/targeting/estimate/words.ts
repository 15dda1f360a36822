import { fold } from '../../constant-list.ts'

/**
 * Text as words with one space around each: `Coffee, please!` is ` coffee please `. Emoji are
 * words.
 */
export function wordsOf(text: string): string {
  const words = fold(text).match(/[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu) ?? []
  return words.length === 0 ? ' ' : ` ${words.join(' ')} `
}

/** Scripts without spaces between words. There, a word matches anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** How a keyword is matched with the words of a post. */
export type Matching = 'phrase' | 'words' | 'beginnings'

/** The words of a user: of each post, and of all posts together for a quick check. */
export interface PostWords {
  posts: readonly string[]
  all: string
}

export const postWordsOf = (texts: readonly string[]): PostWords => {
  const posts = texts.map(wordsOf)
  return { posts, all: posts.join('') }
}

/** Whether one of some posts contains a keyword. */
export function finder(keyword: string, how: Matching): (post: PostWords) => boolean {
  const whole = wordsOf(keyword)
  const words = whole.trim().split(' ')
  // Punctuation alone is not a word.
  if (whole === ' ') return () => false
  const patterns = UNSPACED.test(keyword) ? words : how === 'phrase' ? [whole] : words.map(inWords(how))
  const [first = ''] = patterns
  return ({ posts, all }) =>
    all.includes(first) &&
    (patterns.length === 1 || posts.some((post) => patterns.every((word) => post.includes(word))))
}

const inWords = (how: Matching) => (word: string) => (how === 'words' ? ` ${word} ` : ` ${word}`)

const MIN_DISTINCTIVE_LENGTH = 4
const COMMON_WORDS = new Set(['with', 'your', 'other', 'general'])

/** Whether a word is distinctive. */
export const isDistinctive = (word: string) =>
  word.length >= MIN_DISTINCTIVE_LENGTH && !COMMON_WORDS.has(word)

/**
 * The distinctive words in the name of an interest, in the singular: `Books/Biographies and
 * memoirs`.
 */
export function distinctiveWords(name: string): string[] {
  const leaf = name.slice(name.lastIndexOf('/') + 1)
  return wordsOf(leaf)
    .trim()
    .split(' ')
    .filter(isDistinctive)
    .map((word) => word.replace(/s$/, ''))
}
