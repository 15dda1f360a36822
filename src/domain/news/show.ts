import { shortened } from '../posts/weight.ts'
import { MIN_AUTHORS, MIN_POSTS } from './cluster.ts'
import type { StoryContexts, StoryDescription } from './describe.ts'
import { foldText } from './terms.ts'

/** A public post of a story. */
export interface StoryPost {
  readonly post_id: string
  readonly author_id: string
  /** The text, or the beginning of a long text. */
  readonly text: string
}

/** The members of a story that depend on its public posts. */
export interface ShownStory extends Pick<StoryDescription, 'keywords' | 'contexts'> {
  readonly name: string
  readonly hook: string
  readonly summary: string
}

const NAME_KEYWORDS = 3
const HOOK_WEIGHT = 140
const SUMMARY_SENTENCES = 3
const MIN_WORDS = 4

/** Whether the remaining posts are enough for a story. */
export const isStory = (posts: readonly StoryPost[]): boolean =>
  posts.length >= MIN_POSTS && new Set(posts.map(({ author_id }) => author_id)).size >= MIN_AUTHORS

/**
 * What a story shows: sentences of its posts, most typical first, and the parts of its description
 * that the posts contain. Nothing is shown that only hidden posts contained.
 */
export function shownStory(
  { keywords, contexts }: Pick<StoryDescription, 'keywords' | 'contexts'>,
  posts: readonly StoryPost[],
): ShownStory {
  const texts = posts.map(({ text }) => foldText(text))
  const isInTexts = (phrase: string) => texts.some((text) => text.includes(foldText(phrase)))
  const shownKeywords = keywords.filter(isInTexts)
  const sentences = sentencesOf(posts)
  return {
    name: capitalised(shownKeywords.slice(0, NAME_KEYWORDS).join(', ')),
    hook: shortened(sentences[0] ?? '', HOOK_WEIGHT, []),
    summary: sentences.slice(0, SUMMARY_SENTENCES).map(closed).join(' '),
    keywords: shownKeywords,
    contexts: Object.fromEntries(
      Object.entries(contexts).map(([kind, list]) => [kind, list.filter(isInTexts)]),
    ) as unknown as StoryContexts,
  }
}

const capitalised = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The first sentence of each author's most typical post, without duplicates. */
function sentencesOf(posts: readonly StoryPost[]): string[] {
  const authors = new Set<string>()
  const found = new Map<string, string>()
  for (const { author_id, text } of posts) {
    const sentence = firstSentence(text)
    if (sentence === undefined || authors.has(author_id) || found.has(foldText(sentence))) continue
    authors.add(author_id)
    found.set(foldText(sentence), sentence)
  }
  return [...found.values()]
}

/** Without URLs; undefined for a text without a sentence. */
function firstSentence(text: string): string | undefined {
  const plain = text
    .replace(/https?:\/\/\S+/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  for (const { segment } of segmenter.segment(plain))
    if (segment.trim().split(' ').length >= MIN_WORDS) return segment.trim()
  return plain === '' ? undefined : plain
}

const closed = (sentence: string) => (/[.!?…]["”’)]*$/u.test(sentence) ? sentence : `${sentence}.`)
