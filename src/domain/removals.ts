import { lockUsers } from '../identity/relations/queries.ts'
import type { UserRemoval } from '../identity/users/deletion.ts'
import { compareIds, LAST_ID } from '../platform/common/ids.ts'
import type { Transaction } from '../platform/storage/store.ts'
import { removeSomeFolders } from './bookmark-folders/queries.ts'
import { broadcastsOfUser } from './broadcasts/removals.ts'
import { chatsOfUser } from './chat/removals.ts'
import { leaveCommunity } from './communities/communities.ts'
import { communitiesOfUser, lockCommunity } from './communities/queries.ts'
import { deleteForUser } from './direct-messages/delete.ts'
import {
  lockConversation,
  participantsOf,
  removeConversation,
  removeParticipant,
  someConversationsOf,
  someEventsSeenBy,
} from './direct-messages/queries.ts'
import { deleteList, removeMember, unfollowList, unpinList } from './lists/lists.ts'
import { lockList, someListRelationsOf, someListsOf } from './lists/queries.ts'
import { releaseMedia, someUnusedMediaOf } from './media/queries.ts'
import { dropNote, removeRating, removeRequest } from './notes/notes.ts'
import { lockNote, someNotesOf, someRatingsOf, someRequestsOf } from './notes/queries.ts'
import { unenroll } from './notes/writers.ts'
import { type Reaction, unbookmark, unlike } from './posts/engagement.ts'
import {
  lockPost,
  removeBookmark,
  removeLike,
  removePoll,
  removePostRows,
  someBookmarksOf,
  someLikesOf,
  somePostsOf,
  versionsOf,
} from './posts/queries.ts'
import { removeSome as removeReactions } from './posts/reaction-removal.ts'
import { deleteVersions } from './posts/remove.ts'
import { removeVotesOf } from './posts/votes.ts'
import { GONE, NULLCAST, NULLCAST_TO_SOMEBODY, ORGANIC, ORGANIC_TO_SOMEBODY } from './posts/visibility.ts'
import { removeTickets, someSpacesOf } from './spaces/queries.ts'
import { dropSpace } from './spaces/spaces.ts'
import { removeUsageOf, removeUsageProject } from './usage/queries.ts'

// What is removed of a deleted user. Each uses the function with which users remove one.

/** Rows of one transaction, of kinds that take a few statements each. */
const ROWS_AT_ONCE = 20
/** Rows of one transaction that take one statement together. */
const PLAIN_ROWS_AT_ONCE = 500

const ENVIRONMENTS = ['production', 'sandbox'] as const
const SHOWN = [ORGANIC, ORGANIC_TO_SOMEBODY, NULLCAST, NULLCAST_TO_SOMEBODY] as const

const lock = (tx: Transaction, user: string) => tx.all(lockUsers, { ids: JSON.stringify([user]) })

async function somePosts(tx: Transaction, user: string, classes: readonly number[]) {
  for (const environment of ENVIRONMENTS)
    for (const visibility of classes) {
      const found = await tx.all(somePostsOf, { user, environment, visibility, limit: ROWS_AT_ONCE })
      if (found.length > 0) return found
    }
  return []
}

/** Posts and reposts, with the events of their deletion. */
const posts: UserRemoval = async (tx, user) => {
  const found = await somePosts(tx, user, SHOWN)
  if (found.length === 0) return false
  await lock(tx, user)
  for (const row of found) await deleteVersions(tx, row)
  return true
}

/** The rows of deleted posts, once nobody has reacted to them any more. */
const postRows: UserRemoval = async (tx, user) => {
  const found = await somePosts(tx, user, [GONE])
  for (const first of new Set(found.map((row) => row.first_version_id))) {
    if (await removeReactions(tx, first)) return true
    await tx.run(removePostRows, { first })
    const poll = found.find((row) => row.first_version_id === first)?.poll_id
    if (poll) await tx.run(removePoll, { id: poll })
  }
  return found.length > 0
}

/**
 * Takes back reactions. The posts are locked in the order of their ids, as by every transaction
 * that locks several.
 */
const reactions =
  (
    some: typeof someLikesOf,
    { undo, remove }: { undo(reaction: Reaction): Promise<void>; remove: typeof removeLike },
  ): UserRemoval =>
  async (tx, user) => {
    const found = (await tx.all(some, { user, limit: ROWS_AT_ONCE })).map(({ post_id }) => post_id)
    if (found.length === 0) return false
    await lock(tx, user)
    for (const first of found.sort(compareIds)) {
      await tx.first(lockPost, { id: first })
      const post = (await tx.all(versionsOf, { first })).at(-1)
      if (post) await undo({ tx, userId: user, post })
      // The post is gone.
      else await tx.run(remove, { user_id: user, post_id: first })
    }
    return true
  }

const votes: UserRemoval = (tx, user) => removeVotesOf(tx, user, ROWS_AT_ONCE)

const folders: UserRemoval = async (tx, user) => (await tx.run(removeSomeFolders, { user, limit: 1 })) > 0

const lists: UserRemoval = async (tx, user) => {
  // It may have thousands of members.
  const [found] = await tx.all(someListsOf, { owner: user, limit: 1 })
  const list = found && (await tx.first(lockList, { id: found.id }))
  if (list) await deleteList(tx, list)
  return found !== undefined
}

const UNRELATE = { member: removeMember, follower: unfollowList, pin: unpinList }

const listRelations: UserRemoval = async (tx, user) => {
  const found = await tx.all(someListRelationsOf, { user, limit: ROWS_AT_ONCE })
  for (const { list_id, kind } of found) {
    const list = await tx.first(lockList, { id: list_id })
    if (list) await UNRELATE[kind as keyof typeof UNRELATE](tx, { list, userId: user })
  }
  return found.length > 0
}

const memberships: UserRemoval = async (tx, user) => {
  const found = await tx.all(communitiesOfUser.older, { of: user, id: LAST_ID, limit: ROWS_AT_ONCE })
  // Locked in one order, so that two transactions cannot deadlock.
  for (const id of found.map(({ other }) => other).sort(compareIds)) {
    await tx.first(lockCommunity, { id })
    await leaveCommunity(tx, { community: id, userId: user })
  }
  return found.length > 0
}

const notes: UserRemoval = async (tx, user) => {
  await unenroll(tx, user)
  // It has any number of ratings, which are removed in one statement.
  const [found] = await tx.all(someNotesOf, { user, limit: 1 })
  const note = found && (await tx.first(lockNote, { id: found.id }))
  if (note) await dropNote(tx, note)
  return found !== undefined
}

const ratings: UserRemoval = async (tx, user) => {
  const found = await tx.all(someRatingsOf, { user, limit: ROWS_AT_ONCE })
  for (const { note_id } of found) await removeRating(tx, note_id, user)
  return found.length > 0
}

const requests: UserRemoval = async (tx, user) => {
  const found = await tx.all(someRequestsOf, { user, limit: ROWS_AT_ONCE })
  for (const { post_id } of found) await removeRequest(tx, post_id, user)
  return found.length > 0
}

const spaces: UserRemoval = async (tx, user) => {
  const [found] = await tx.all(someSpacesOf, { creator: user, limit: 1 })
  if (found) await dropSpace(tx, found.id)
  return found !== undefined
}

const tickets: UserRemoval = async (tx, user) =>
  (await tx.run(removeTickets, { user, limit: PLAIN_ROWS_AT_ONCE })) > 0

/** What the user sees of conversations. The others keep what they see. */
const messages: UserRemoval = async (tx, user) => {
  const found = await tx.all(someEventsSeenBy, { user, limit: ROWS_AT_ONCE })
  // Locked in one order, so that two transactions cannot deadlock.
  const conversations = [...new Set(found.map(({ conversation_id }) => conversation_id))].sort()
  for (const id of conversations) await tx.first(lockConversation, { id })
  for (const { event_id } of found) await deleteForUser(tx, event_id, user)
  return found.length > 0
}

const conversations: UserRemoval = async (tx, user) => {
  const found = await tx.all(someConversationsOf, { user, limit: ROWS_AT_ONCE })
  for (const { conversation_id: id } of found) {
    await tx.first(lockConversation, { id })
    await tx.run(removeParticipant, { id, user })
    if (!(await tx.first(participantsOf, { id }))) await tx.run(removeConversation, { id })
  }
  return found.length > 0
}

/** Unused media expire at once, and are collected. Others use the rest, until they no longer do. */
const media: UserRemoval = async (tx, user) => {
  const found = await tx.all(someUnusedMediaOf, { owner: user, now: tx.now, limit: ROWS_AT_ONCE })
  const ids = JSON.stringify(found.map(({ id }) => id))
  if (found.length > 0) await tx.run(releaseMedia, { ids, expiresAt: tx.now })
  return found.length > 0
}

const usage: UserRemoval = async (tx, user) => {
  await tx.run(removeUsageOf, { project: user })
  await tx.run(removeUsageProject, { project: user })
  return false
}

/** What others see. Posts go first: their media are then unused. */
export const shownOfUser: readonly UserRemoval[] = [
  posts,
  reactions(someLikesOf, { undo: unlike, remove: removeLike }),
  reactions(someBookmarksOf, { undo: unbookmark, remove: removeBookmark }),
  votes,
  folders,
  lists,
  listRelations,
  memberships,
  notes,
  ratings,
  requests,
  spaces,
  tickets,
  ...broadcastsOfUser,
  messages,
  conversations,
  ...chatsOfUser,
  media,
  usage,
]

export const rowsOfUser: readonly UserRemoval[] = [postRows]
