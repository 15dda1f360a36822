import {
  isShownTo,
  lockPost,
  postExists,
  postsSeenBy,
  type SeenPostRow,
  versionsOf,
} from '../../../domain/posts/queries.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { isEditable, newestVersionOf } from '../../../domain/posts/versions.ts'
import { readRelations } from '../../../identity/relations/queries.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import { msg } from '../../../platform/http/message.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { Entities } from '../../../platform/text/entities.ts'
import { wrong } from './wrong.ts'

const isSeen = (row: SeenPostRow, userId: string) => postExists(row) && isShownTo(row, userId)

/** A post in production as a user sees it; undefined if it does not exist. */
const read = async (tx: Transaction, id: string, viewer: string): Promise<SeenPostRow | undefined> =>
  tx.first(postsSeenBy, { ids: JSON.stringify([id]), viewer })

/** A repost stands for its original, which everyone who sees the repost also sees. */
const originalOf = async (tx: Transaction, row: SeenPostRow, viewer: string): Promise<SeenPostRow> =>
  row.reposted_post_id === null ? row : ((await read(tx, row.reposted_post_id, viewer)) ?? row)

/** The post that a post quotes. */
export async function readQuoted(tx: Transaction, id: string | undefined, userId: string) {
  if (id === undefined) return undefined
  const row = await read(tx, id, userId)
  if (!row || !isSeen(row, userId)) throw wrong('quote_post_id', id, msg`Your quote post ID is invalid.`)
  return originalOf(tx, row, userId)
}

/** The post that a former version replies to, if any version of it exists. */
export const readAnyTarget = async (tx: Transaction, id: string | undefined, { id: viewer }: ProfileRow) =>
  id === undefined ? undefined : read(tx, id, viewer)

/** The post that a user replies to, if its conversation allows it. */
export async function readReplyTarget(tx: Transaction, id: string | undefined, author: ProfileRow) {
  if (id === undefined) return undefined
  const named = await read(tx, id, author.id)
  if (!named) throw wrong('reply.in_reply_to_post_id', id, msg`Your reply post ID is invalid.`)
  if (!isSeen(named, author.id)) throw apiError('reply target gone')
  const target = await originalOf(tx, named, author.id)
  const root =
    target.conversation_id === target.id ? target : await read(tx, target.conversation_id, author.id)
  if (root && !(await mayReply(tx, root, author))) throw apiError('reply restricted')
  return target
}

/**
 * The author of the conversation decides who may reply. Users whom its first post mentions, in its
 * newest version, always may.
 */
async function mayReply(tx: Transaction, root: SeenPostRow, author: ProfileRow): Promise<boolean> {
  if (root.reply_settings === 'everyone' || root.author_id === author.id) return true
  const newest = newestVersionOf(root)
  const { entities } = newest === root.id ? root : ((await read(tx, newest, author.id)) ?? root)
  const { mentions } = JSON.parse(entities) as Entities
  if (mentions.some((mention) => mention.id === author.id)) return true
  if (root.reply_settings === 'verified') return author.verified === 1
  if (root.reply_settings !== 'following') return false
  const relations = await readRelations(tx, [{ source: root.author_id, target: author.id }])
  return relations.has('follow', root.author_id, author.id)
}

/**
 * The versions of a post that its author may replace now, oldest first (core reference, 04 section
 * 1.2).
 */
export async function readVersions(
  tx: Transaction,
  id: string | undefined,
  { author, now }: { author: ProfileRow; now: number },
): Promise<PostRow[]> {
  if (id === undefined) return []
  const row = await read(tx, id, author.id)
  // Locked first, so that the counts that the new version takes over do not change.
  if (row) await tx.first(lockPost, { id })
  const versions = row ? await tx.all(versionsOf, { first: row.first_version_id }) : []
  const newest = versions.at(-1)
  const why =
    !row || row.author_id !== author.id || row.deleted === 1
      ? 'no post of the user'
      : author.subscription_type === 'None'
        ? 'the user has no subscription'
        : newest?.id !== id
          ? 'a newer version exists'
          : now > row.editable_until || row.edits_remaining === 0
            ? 'too late, or edited too often'
            : isEditable(row)
              ? undefined
              : 'not of a kind that can be edited'
  if (why !== undefined) throw apiError('edit not allowed', why)
  return versions
}
