import { MIN_AUTHORS } from '../../../../domain/insights/related.ts'
import { conversations } from '../../../../domain/reference-data/conversations.ts'
import { interests } from '../../../../domain/reference-data/interests.ts'
import { once } from '../../../../platform/common/lookup.ts'
import { Slices } from '../../../../platform/common/slices.ts'
import { fold } from '../../constant-list.ts'
import type { AdsDependencies } from '../../dependencies.ts'
import { forEachSampledUser, SAMPLE_SIZE } from '../estimate/sample.ts'
import { finder, isDistinctive, type PostWords, postWordsOf, wordsOf } from '../estimate/words.ts'
import { sampleOfUsers } from '../queries.ts'
import { mostFrequent } from './frequent.ts'

/** The names in one category of interests, or of one type of conversation. */
const families = once((): readonly (readonly { name: string; words: PostWords }[])[] =>
  [
    ...Map.groupBy(interests(), ({ name }) => name.slice(0, name.lastIndexOf('/'))).values(),
    ...Map.groupBy(conversations(), (conversation) => conversation.conversation_type).values(),
  ].map((family) =>
    family.map(({ name }) => {
      const own = fold(name.slice(name.lastIndexOf('/') + 1))
      return { name: own, words: postWordsOf([own]) }
    }),
  ),
)

/**
 * Keywords related to given ones: first, words that enough sampled users mention in the same posts,
 * by the number of these users; then, names in the same category of interests or type of
 * conversation.
 */
export async function suggestKeywords(
  keywords: readonly string[],
  environment: string,
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<string[]> {
  const finders = keywords.map((keyword) => finder(keyword, 'phrase'))
  const isRelated = (post: PostWords) => finders.some((finds) => finds(post))
  const mentions = new Map<string, number>()
  const users = await store.all(sampleOfUsers, { limit: SAMPLE_SIZE })
  await forEachSampledUser(users, environment, store, (_, posts) => {
    const meant = posts.map(({ text }) => postWordsOf([text])).filter(isRelated)
    const words = meant.flatMap(({ all }) => all.trim().split(' '))
    for (const word of new Set(words.filter(isDistinctive))) mentions.set(word, (mentions.get(word) ?? 0) + 1)
  })
  const related = await familiesOf(isRelated)
  const excluded = new Set(
    keywords.flatMap((keyword) => [fold(keyword), ...wordsOf(keyword).trim().split(' ')]),
  )
  return [...new Set([...mostFrequent(mentionedByEnough(mentions)), ...related])].filter(
    (keyword) => !excluded.has(keyword),
  )
}

const mentionedByEnough = (sayers: ReadonlyMap<string, number>) =>
  new Map([...sayers].filter(([, users]) => users >= MIN_AUTHORS))

/** The names in the families of which one is meant. */
async function familiesOf(isRelated: (post: PostWords) => boolean): Promise<string[]> {
  const names: string[] = []
  const slices = new Slices()
  for (const family of families()) {
    if (family.some(({ words }) => isRelated(words))) names.push(...family.map(({ name }) => name))
    if (slices.isOver) await slices.next()
  }
  return names
}
