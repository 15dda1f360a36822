import { msg } from '../../../../platform/http/message.ts'
import { rejected } from '../../../../platform/protocols/ads/api-error.ts'
import type { AdsDependencies } from '../../dependencies.ts'
import { forEachSampledUser, SAMPLE_SIZE } from '../estimate/sample.ts'
import { isDistinctive, wordsOf } from '../estimate/words.ts'
import { sampleOfUsers, usersByIds } from '../queries.ts'
import { mostFrequent } from './frequent.ts'

/**
 * Sampled users who talk about the same topics as some users, by the number of words that they have
 * in common.
 */
export async function suggestUsers(
  ids: readonly string[],
  environment: string,
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<string[]> {
  const known = await store.all(usersByIds, { ids: JSON.stringify(ids) })
  const unknown = ids.find((id) => !known.some((user) => user.id === id))
  if (unknown !== undefined)
    throw rejected('targeting_values', msg`User ${unknown} was not found`, 'INVALID_USER_ID')
  const words = new Set<string>()
  await forEachSampledUser(known, environment, store, (user, posts) => {
    for (const word of distinctiveWordsOf(user, posts)) words.add(word)
  })
  const common = new Map<string, number>()
  const users = await store.all(sampleOfUsers, { limit: SAMPLE_SIZE })
  await forEachSampledUser(users, environment, store, (user, posts) => {
    const shared = distinctiveWordsOf(user, posts).intersection(words).size
    if (shared > 0 && !ids.includes(user.id)) common.set(user.id, shared)
  })
  return mostFrequent(common)
}

/** The distinctive words of a user's profile and posts. */
const distinctiveWordsOf = ({ description }: { description: string }, posts: readonly { text: string }[]) =>
  new Set(
    [description, ...posts.map(({ text }) => text)].flatMap((text) =>
      wordsOf(text).trim().split(' ').filter(isDistinctive),
    ),
  )
