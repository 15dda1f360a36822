import { type Static, Type } from 'typebox'
import { classicPostMembers, classicPosts } from '../../../domain/posts/classic.ts'
import type { ReplySettings } from '../../../domain/posts/insert.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { choice, closedComponent, id, instant, nullable } from '../../../platform/http/schema.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { postName } from './fields.ts'
import { namesOfPosts } from './queries.ts'

export const POST_TYPES = ['DRAFT', 'PUBLISHED', 'SCHEDULED'] as const

/** Who may reply, in the words of the advertising API. Callers may send only the first three. */
const CONVERSATIONS = {
  everyone: 'EVERYONE',
  following: 'FOLLOWING',
  mentionedUsers: 'MENTIONED_USERS',
  subscribers: 'SUBSCRIBERS',
  verified: 'VERIFIED',
} as const satisfies Record<ReplySettings, string>

export const CONVERSATION_SETTINGS = ['EVERYONE', 'FOLLOWING', 'MENTIONED_USERS'] as const

export const replySettingsOf = (setting: (typeof CONVERSATION_SETTINGS)[number]): ReplySettings =>
  ({ EVERYONE: 'everyone', FOLLOWING: 'following', MENTIONED_USERS: 'mentionedUsers' })[
    setting
  ] as ReplySettings

const named = { name: nullable(postName) }

/** A post in the reply to its creation. */
export const NewPost = closedComponent('NewPost', { ...classicPostMembers, ...named })

/** A post as lists show it (reference: posts). */
export const AccountPost = closedComponent('AccountPost', {
  ...classicPostMembers,
  ...named,
  conversation_settings: choice(Object.values(CONVERSATIONS), 'Who may reply.', 'ConversationSettings'),
  nullcast: Type.Boolean({ description: 'Whether only advertisements show it.' }),
  scheduled_at: nullable(instant('When it is published.')),
  scheduled_status: nullable(Type.String({ description: 'Status of its publication.' })),
  post_type: choice([...POST_TYPES], 'Type of the post.', 'PostType'),
  post_id: id('The post.'),
})

/** Posts as an account sees them. */
export async function accountPosts(
  rows: readonly PostRow[],
  { accountId, trimUser }: { accountId: string; trimUser: boolean },
  context: Pick<AdsDependencies, 'store' | 'mediaOrigin'>,
): Promise<Static<typeof AccountPost>[]> {
  const shown = await classicPosts(rows, { mode: 'extended', trimUser }, context)
  const names = await namesOf(rows, accountId, context.store)
  return rows.map((row, index) => ({
    ...(shown[index] as (typeof shown)[number]),
    name: names.get(row.id) ?? null,
    conversation_settings: CONVERSATIONS[row.reply_settings as ReplySettings],
    nullcast: row.nullcast === 1,
    scheduled_at: null,
    scheduled_status: null,
    post_type: 'PUBLISHED',
    post_id: row.id,
  }))
}

/** The names of posts in an account, by id. */
export async function namesOf(
  rows: readonly PostRow[],
  accountId: string,
  store: Pick<Store, 'all'>,
): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map()
  const ids = JSON.stringify(rows.map((row) => row.id))
  const named = await store.all(namesOfPosts, { account: accountId, ids })
  return new Map(named.map(({ post_id, name }) => [post_id, name]))
}
