import type { ReplySettings } from '../../../domain/posts/insert.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { msg, word } from '../../../platform/http/message.ts'
import type { CreatePostBody } from './body.ts'
import { wrong } from './wrong.ts'

/** The body of a new post, or of a new version with the members that it keeps. */
export type WholeBody = Omit<CreatePostBody, 'reply_settings'> & { reply_settings?: ReplySettings }

const KEPT = [
  'community_id',
  'share_with_followers',
  'for_super_followers_only',
  'nullcast',
  'quote_post_id',
  'reply_settings',
] as const satisfies (keyof WholeBody)[]

/** The members that all versions of a post share, as in a body. */
const keptOf = (row: PostRow): Pick<WholeBody, (typeof KEPT)[number]> => ({
  ...(row.community_id !== null && { community_id: row.community_id }),
  share_with_followers: row.share_with_followers === 1,
  for_super_followers_only: row.super_followers_only === 1,
  nullcast: row.nullcast === 1,
  ...(row.quoted_post_id !== null && { quote_post_id: row.quoted_post_id }),
  reply_settings: row.reply_settings as ReplySettings,
})

/**
 * The body of a new version with the members of the previous version that it keeps. Rejects members that would change
 * these.
 */
export function keeping(body: CreatePostBody, previous: PostRow): WholeBody {
  const kept = keptOf(previous)
  for (const name of KEPT) rejectOther(name, body[name], kept[name])
  const target = previous.in_reply_to_post_id ?? undefined
  rejectOther('in_reply_to_post_id', body.reply?.in_reply_to_post_id, target, 'reply.')
  return { ...body, ...kept }
}

/** Members that equal the stored ones are accepted: clients send posts back as they were. */
function rejectOther<Value extends string | boolean | undefined>(
  name: string,
  given: Value,
  kept: Value,
  prefix = '',
): void {
  if (given !== undefined && given !== kept)
    throw wrong(`${prefix}${name}`, String(given), msg`A new version of a post cannot change ${word(name)}.`)
}
