import { MIN_AUTHORS } from '../../../../domain/posts/min-authors.ts'
import { conversations } from '../../../../domain/reference-data/conversations.ts'
import { interests } from '../../../../domain/reference-data/interests.ts'
import { once } from '../../../../platform/common/lookup.ts'
import { Slices } from '../../../../platform/common/slices.ts'
import { fold } from '../../constant-list.ts'
import type { AdsDependencies } from '../../dependencies.ts'
import { eachSampled, SAMPLE_SIZE } from '../estimate/sample.ts'
import type { Said } from '../estimate/words.ts'
import { finder, isTelling, saidIn, wordsOf } from '../estimate/words.ts'
import { sampleOfUsers } from '../queries.ts'
import { mostFrequent } from './frequent.ts'

/** The names in one category of interests, or of one type of conversation. */
const families = once((): readonly (readonly { name: string; said: Said }[])[] =>
  [
    ...Map.groupBy(interests(), ({ name }) => name.slice(0, name.lastIndexOf('/'))).values(),
    ...Map.groupBy(conversations(), (one) => one.conversation_type).values(),
  ].map((family) =>
    family.map(({ name }) => {
      const own = fold(name.slice(name.lastIndexOf('/') + 1))
      return { name: own, said: saidIn([own]) }
    }),
  ),
)

/**
 * Keywords related to given ones: first, words that enough sampled users mention in the same posts, by the number of
 * these users; then, names in the same category of interests or type of conversation.
 */
export async function suggestKeywords(
  keywords: readonly string[],
  environment: string,
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<string[]> {
  const finders = keywords.map((one) => finder(one, 'phrase'))
  const isMeant = (said: Said) => finders.some((finds) => finds(said))
  const sayers = new Map<string, number>()
  const users = await store.all(sampleOfUsers, { limit: SAMPLE_SIZE })
  await eachSampled(users, environment, store, (_, posts) => {
    const meant = posts.map(({ text }) => saidIn([text])).filter(isMeant)
    const words = meant.flatMap(({ all }) => all.trim().split(' '))
    for (const word of new Set(words.filter(isTelling))) sayers.set(word, (sayers.get(word) ?? 0) + 1)
  })
  const related = await familiesOf(isMeant)
  const given = new Set(keywords.flatMap((one) => [fold(one), ...wordsOf(one).trim().split(' ')]))
  return [...new Set([...mostFrequent(saidByEnough(sayers)), ...related])].filter((one) => !given.has(one))
}

const saidByEnough = (sayers: ReadonlyMap<string, number>) =>
  new Map([...sayers].filter(([, users]) => users >= MIN_AUTHORS))

/** The names in the families of which one is meant. */
async function familiesOf(isMeant: (said: Said) => boolean): Promise<string[]> {
  const names: string[] = []
  const slices = new Slices()
  for (const family of families()) {
    if (family.some(({ said }) => isMeant(said))) names.push(...family.map(({ name }) => name))
    if (slices.isOver) await slices.next()
  }
  return names
}
