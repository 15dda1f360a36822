import type { AdsDependencies } from '../../dependencies.ts'
import { fold } from '../../constant-list.ts'
import { conversations } from '../../../reference-data/conversations.ts'
import { interests } from '../../../reference-data/interests.ts'
import { once } from '../../../reference-data/lookup.ts'
import { eachSampled, SAMPLE_SIZE } from '../estimate/sample.ts'
import { finder, isTelling, saidIn, wordsOf } from '../estimate/words.ts'
import { sampleOfUsers } from '../queries.ts'
import { mostFrequent } from './frequent.ts'

/** The names in one category of interests, or of one type of conversation. */
const families = once((): readonly (readonly string[])[] =>
  [
    ...Map.groupBy(interests(), ({ name }) => name.slice(0, name.lastIndexOf('/'))).values(),
    ...Map.groupBy(conversations(), (one) => one.conversation_type).values(),
  ].map((family) => family.map(({ name }) => fold(name.slice(name.lastIndexOf('/') + 1)))),
)

/**
 * Keywords related to given ones: first, words that sampled users mention in the same posts, by the number of these
 * users; then, names in the same category of interests or type of conversation.
 */
export async function suggestKeywords(
  keywords: readonly string[],
  environment: string,
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<string[]> {
  const finders = keywords.map((one) => finder(one, 'phrase'))
  const isMeant = (text: string) => finders.some((finds) => finds(saidIn([text])))
  const users = await store.all(sampleOfUsers, { limit: SAMPLE_SIZE })
  const sayers = new Map<string, number>()
  await eachSampled(users, environment, store, (_, posts) => {
    const said = posts
      .filter(({ text }) => isMeant(text))
      .flatMap(({ text }) => wordsOf(text).trim().split(' '))
    for (const word of new Set(said.filter(isTelling))) sayers.set(word, (sayers.get(word) ?? 0) + 1)
  })
  const related = families()
    .filter((family) => family.some(isMeant))
    .flat()
  const given = new Set(keywords.flatMap((one) => [fold(one), ...wordsOf(one).trim().split(' ')]))
  return [...new Set([...mostFrequent(sayers), ...related])].filter((one) => !given.has(one))
}
