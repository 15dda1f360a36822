import type { ReplySettings } from '../../../domain/posts/insert.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { msg, word } from '../../../platform/http/message.ts'
import type { CreatePostBody } from './body.ts'
import { wrong } from './wrong.ts'

/** The body of a new post, or of a new version with the members that it keeps. */
export type CompletePostBody = Omit<CreatePostBody, 'reply_settings'> & { reply_settings?: ReplySettings }

const SHARED_MEMBERS = [
  'community_id',
  'share_with_followers',
  'for_super_followers_only',
  'nullcast',
  'quote_post_id',
  'reply_settings',
] as const satisfies (keyof CompletePostBody)[]

/** The members that all versions of a post share, as in a body. */
const sharedMembersOf = (row: PostRow): Pick<CompletePostBody, (typeof SHARED_MEMBERS)[number]> => ({
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
export function bodyOfNewVersion(body: CreatePostBody, previous: PostRow): CompletePostBody {
  const stored = sharedMembersOf(previous)
  for (const name of SHARED_MEMBERS) rejectOther(name, body[name], stored[name])
  const target = previous.in_reply_to_post_id ?? undefined
  rejectOther('in_reply_to_post_id', body.reply?.in_reply_to_post_id, target, 'reply.')
  return { ...body, ...stored }
}

/** Members that equal the stored ones are accepted: clients send posts back as they were. */
function rejectOther<Value extends string | boolean | undefined>(
  name: string,
  value: Value,
  stored: Value,
  prefix = '',
): void {
  if (value !== undefined && value !== stored)
    throw wrong(`${prefix}${name}`, String(value), msg`A new version of a post cannot change ${word(name)}.`)
}
