import { NO_DICTIONARY } from '../../../domain/annotations/dictionary.ts'
import { countReferences } from '../../../domain/posts/counts.ts'
import { postsImported } from '../../../domain/posts/events.ts'
import { type NewPost, NO_APP, previewOf, repostRow } from '../../../domain/posts/insert.ts'
import { mentionsOf } from '../../../domain/posts/mentions.ts'
import { addMentions, addPost, newestPosts, postsByIds, repostBy } from '../../../domain/posts/queries.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { countPost, lockAuthor } from '../../../identity/users/queries.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import { emit } from '../../../platform/events/log.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { likeCreate } from '../kinds/likes.ts'
import { newPostKinds, postDelete } from '../kinds/posts.ts'
import { type Making, makerFor, otherThan } from './maker.ts'

const SAMPLE = 'This is a sample post.'

/** Publishes a post. Only the emitted activity tells of it. */
export async function makePost(
  { id: authorId }: Pick<ProfileRow, 'id'>,
  post: Partial<NewPost>,
  making: Making,
): Promise<PostRow> {
  const { tx } = making
  await tx.first(lockAuthor, { id: authorId })
  const all = {
    ...{ environment: 'production', text: SAMPLE, nullcast: false, replySettings: 'everyone' as const },
    ...{ authorId, appId: NO_APP, contributorId: null },
    ...post,
  }
  const row = await previewOf(tx, all, { ...making, dictionary: NO_DICTIONARY })
  await addUnannounced(tx, row)
  return row
}

/** The newest public post of a user, other than a repost. It is made if there is none. */
async function newestPostOf(user: ProfileRow, making: Making): Promise<PostRow> {
  const { tx } = making
  const [newest] = await tx.all(newestPosts, { ids: JSON.stringify([user.id]), viewer: '' })
  const ids = JSON.stringify(newest?.organic ? [newest.organic] : [])
  const [row] = await tx.all(postsByIds, { environment: 'production', ids })
  return row?.reposted_post_id === null ? row : makePost(user, {}, making)
}

/** A user reposts a post once. */
async function repostOf(user: ProfileRow, by: ProfileRow, making: Making): Promise<PostRow> {
  const { tx } = making
  const original = await newestPostOf(user, making)
  await tx.first(lockAuthor, { id: by.id })
  const known = await tx.first(repostBy, { author: by.id, first: original.first_version_id })
  if (known) return known
  const reposter = { authorId: by.id, appId: NO_APP, contributorId: null, nullcast: false }
  const row = repostRow(original, { ...reposter, screenName: user.screen_name }, making)
  await addUnannounced(tx, row)
  return row
}

const toldBy = ({ id }: PostRow) => ({ post_id: id })
const { postCreate, mentionCreate, replyCreate, quoteCreate, repostCreate } = newPostKinds

export const postMakers = [
  makerFor(postCreate, async (user, making) => toldBy(await makePost(user, {}, making))),
  // The post stays: emitting an activity removes nothing.
  makerFor(postDelete, async (user, making) => ({
    ...toldBy(await newestPostOf(user, making)),
    author_id: user.id,
  })),
  makerFor(mentionCreate, async (user, making) => {
    const text = `Hello @${user.screen_name}, ${SAMPLE.toLowerCase()}`
    return toldBy(await makePost(await otherThan(user, making), { text }, making))
  }),
  makerFor(replyCreate, async (user, making) => {
    const inReplyTo = await newestPostOf(user, making)
    const text = `@${user.screen_name} This is a sample reply.`
    return toldBy(await makePost(await otherThan(user, making), { text, inReplyTo }, making))
  }),
  makerFor(quoteCreate, async (user, making) => {
    const { id: quotedPostId } = await newestPostOf(user, making)
    return toldBy(await makePost(await otherThan(user, making), { quotedPostId }, making))
  }),
  makerFor(repostCreate, async (user, making) =>
    toldBy(await repostOf(user, await otherThan(user, making), making)),
  ),
  makerFor(likeCreate, async (user, making, { direction }) => {
    const other = await otherThan(user, making)
    const [by, author] = direction === 'inbound' ? [other, user] : [user, other]
    const { id } = await newestPostOf(author, making)
    return { user_id: by.id, post_id: id, author_id: author.id, at: making.clock.now() }
  }),
]

/** Publishes a post or repost without streams and webhooks. Its author must be locked. */
async function addUnannounced(tx: Transaction, row: PostRow): Promise<void> {
  await tx.run(addPost, row)
  await addMentions(tx, mentionsOf(row))
  await tx.run(countPost, { author: row.author_id, by: 1 })
  await countReferences(tx, row, 1)
  await emit(tx, postsImported, { import_id: row.id, count: 1, post_ids: row.id })
}
