import type { PostRow } from '../../../domain/posts/tables.ts'
import { MAX_LENGTH, MAX_WEIGHT, weightOf } from '../../../domain/posts/weight.ts'
import { profilesByIds } from '../../../identity/users/queries.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { Entities } from '../../../platform/text/entities.ts'
import { lengthOf } from '../../../platform/text/entities.ts'
import type { CreatePostBody } from './body.ts'

/** Maximum number of users whom a reply names automatically. */
const MAX_NAMES = 50

/** Users with a subscription write long posts. */
export const writesLongPosts = ({ subscription_type }: ProfileRow): boolean => subscription_type !== 'None'

/**
 * The text of a reply with names at its beginning: the author of the post, and those that it mentions, except the excluded
 * ones. There are as many names as the text has room for, so that they never make a reply too long.
 */
export async function withNames(
  tx: Transaction,
  text: string,
  target: PostRow,
  { author, reply }: { author: ProfileRow; reply: NonNullable<CreatePostBody['reply']> },
): Promise<string> {
  let room = writesLongPosts(author) ? MAX_LENGTH - lengthOf(text) : MAX_WEIGHT - weightOf(text)
  let names = ''
  for (const name of await namesOf(tx, target, [author.id, ...(reply.exclude_reply_user_ids ?? [])])) {
    const nextName = `@${name} `
    room -= nextName.length
    if (room < 0) break
    names += nextName
  }
  return `${names}${text}`.trim()
}

async function namesOf(tx: Transaction, target: PostRow, excluded: readonly string[]): Promise<string[]> {
  const { mentions } = JSON.parse(target.entities) as Entities
  const named = new Set([target.author_id, ...mentions.map(({ id }) => id)]).difference(new Set(excluded))
  const ids = [...named].slice(0, MAX_NAMES)
  const users = new Map(
    (await tx.all(profilesByIds, { ids: JSON.stringify(ids) })).map((profile) => [profile.id, profile]),
  )
  return ids.flatMap((id) => users.get(id)?.screen_name ?? [])
}
