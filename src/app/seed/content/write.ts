import { countHours } from '../../../domain/analytics/count.ts'
import { hourOf } from '../../../domain/analytics/metrics.ts'
import { referenceCounts } from '../../../domain/analytics/past.ts'
import { pairId } from '../../../domain/direct-messages/conversation.ts'
import { addGroup, addMessage, openPair } from '../../../domain/direct-messages/send.ts'
import { putPreview, withPreviews } from '../../../domain/link-previews/previews.ts'
import { POSTS_OF_AN_EVENT, postsImported } from '../../../domain/posts/events.ts'
import { isCounted, NO_APP } from '../../../domain/posts/insert.ts'
import { mentionsOf } from '../../../domain/posts/mentions.ts'
import {
  addBookmarks,
  addLikes,
  addMentions,
  addPollOptions,
  addPolls,
  addPosts,
} from '../../../domain/posts/queries.ts'
import { normalised } from '../../../domain/posts/weight.ts'
import { addUnannouncedSpace, buyTicket, createSpace, shareInSpace } from '../../../domain/spaces/spaces.ts'
import { setSuspended } from '../../../identity/apps/suspension.ts'
import { addRelations, type RelationKind } from '../../../identity/relations/queries.ts'
import type { RelationRow } from '../../../identity/relations/tables.ts'
import { profileWith } from '../../../identity/users/profile.ts'
import { profilesByIds, setCounts, setPinnedPost, setProfile } from '../../../identity/users/queries.ts'
import { labelUser, withholdUser } from '../../../identity/users/withholding.ts'
import { emit } from '../../../platform/events/log.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { Seed } from '../schema.ts'
import { writeMedia } from './media.ts'
import type { ContentParts } from './parts.ts'
import { PastIds, type PostRows } from './post-rows.ts'
import { instantOf, MAX_AHEAD_MS, pastTime } from './posts-in-order.ts'
import { writeBroadcasts } from './write-broadcasts.ts'
import { writeCommunities } from './write-communities.ts'
import { writeLists } from './write-lists.ts'

/** Writes what the users of a seed are and do. They exist already. */
export async function writeContent(
  tx: Transaction,
  seed: Seed,
  posts: PostRows,
  parts: ContentParts,
): Promise<void> {
  const relations = relationsOf(seed, parts)
  for (const preview of seed.link_previews ?? []) await putPreview(tx, preview)
  await addPolls(tx, posts.polls)
  await addPollOptions(tx, posts.options)
  await addPosts(tx, await withPreviews(tx, posts.posts))
  await addMentions(tx, posts.posts.flatMap(mentionsOf))
  await addLikes(tx, posts.likes)
  await addBookmarks(tx, posts.bookmarks)
  await countReactions(tx, posts)
  await addRelations(tx, relations)
  await writeProfiles(tx, seed, posts, parts)
  await writeCounts(tx, posts, relations)
  await writeMessages(tx, seed, parts)
  await writeSpaces(tx, seed, posts, parts)
  await writeLists(tx, seed, parts)
  await writeBroadcasts(tx, seed, parts)
  await writeCommunities(tx, seed, parts)
  await writeMedia(tx, posts.media, parts)
  await announce(tx, posts)
}

/** What is done to posts, in the hours in which it is done. */
async function countReactions(tx: Transaction, { posts, likes, bookmarks }: PostRows): Promise<void> {
  const done = (rows: PostRows['likes'], metric: 'likes' | 'bookmarks') =>
    rows.map(({ post_id, created_at }) => ({ id: post_id, hour: hourOf(created_at), metric, amount: 1 }))
  await countHours(tx, [...referenceCounts(posts), ...done(likes, 'likes'), ...done(bookmarks, 'bookmarks')])
}

const KIND_OF = { follows: 'follow', blocks: 'block', mutes: 'mute' } as const satisfies Record<
  string,
  RelationKind
>

/** Follows are later than both users, in the order of the file. */
function relationsOf({ users }: Seed, { now, personNamed }: ContentParts): RelationRow[] {
  const joined = new Map(
    users.map((user) => [user.screen_name.toLowerCase(), pastTime(user.created_at, now) ?? now]),
  )
  return users.flatMap((user) =>
    (['follows', 'blocks', 'mutes'] as const).flatMap((member) =>
      (user[member] ?? []).map((name, index) => {
        const both = [user.screen_name, name].map((one) => joined.get(one.toLowerCase()) ?? now)
        return {
          source_id: personNamed(user.screen_name).id,
          target_id: personNamed(name).id,
          kind: KIND_OF[member],
          created_at: Math.min(now, Math.max(...both) + index),
        }
      }),
    ),
  )
}

async function writeProfiles(
  tx: Transaction,
  { users }: Seed,
  { idOf }: PostRows,
  { personNamed }: ContentParts,
): Promise<void> {
  const ids = users.map(({ screen_name }) => personNamed(screen_name).id)
  const rows = new Map(
    (await tx.all(profilesByIds, { ids: JSON.stringify(ids) })).map((row) => [row.id, row]),
  )
  for (const user of users) {
    const { id } = personNamed(user.screen_name)
    const row = rows.get(id)
    if (!row) throw new Error(`the user ${user.screen_name} of the seed is gone`)
    const { affiliation, pinned_post, suspended, withheld_in } = user
    const { description, location, url, profile_image_url, profile_banner_url } = user
    const changes = {
      ...{ description, location, url, profile_image_url, profile_banner_url },
      verified_type: user.verified_type,
      subscription_type: user.subscription_type,
      protected: user.protected === undefined ? undefined : Number(user.protected),
      affiliation: affiliation === undefined ? undefined : personNamed(affiliation).id,
    }
    if (Object.values(changes).some((value) => value !== undefined))
      await setProfile(tx, profileWith(row, changes))
    if (suspended) await setSuspended(tx, { kind: 'user', id, suspended })
    if (withheld_in) await withholdUser(tx, id, withheld_in)
    await labelUser(tx, id, user)
    const post = pinned_post === undefined ? undefined : idOf.get(pinned_post)
    if (post !== undefined) await tx.run(setPinnedPost, { id, post })
  }
}

async function writeCounts(
  tx: Transaction,
  { posts, likes }: PostRows,
  relations: readonly RelationRow[],
): Promise<void> {
  const counts = new Map<
    string,
    { followers_count: number; following_count: number; post_count: number; like_count: number }
  >()
  const of = (id: string) => {
    const known = counts.get(id) ?? { followers_count: 0, following_count: 0, post_count: 0, like_count: 0 }
    counts.set(id, known)
    return known
  }
  for (const row of posts) if (isCounted(row)) of(row.author_id).post_count++
  for (const { user_id } of likes) of(user_id).like_count++
  for (const { kind, source_id, target_id } of relations) {
    if (kind !== 'follow') continue
    of(source_id).following_count++
    of(target_id).followers_count++
  }
  for (const [id, count] of counts) await setCounts(tx, { id, ...count })
}

/** The messages in the order of their times. Messages among the same users are in one group. */
async function writeMessages(tx: Transaction, seed: Seed, parts: ContentParts): Promise<void> {
  const messages = (seed.direct_messages ?? []).map((message) => ({
    ...message,
    at: pastTime(message.created_at, parts.now) ?? parts.now,
  }))
  const conversations = new Map<string, string>()
  const ids = new PastIds()
  for (const { from, to, text, at } of messages.toSorted((a, b) => a.at - b.at)) {
    const actor = { userId: parts.personNamed(from).id, appId: NO_APP }
    const others = to.map((name) => parts.personNamed(name).id)
    const [first = '', ...more] = others
    const timed = {
      clock: { now: () => at, at: async () => true },
      ids: { ...parts.ids, next: () => ids.next(at) },
    }
    const isPair = more.length === 0
    const key = isPair ? pairId(actor.userId, first) : [actor.userId, ...others].toSorted().join()
    const conversation =
      conversations.get(key) ??
      (isPair ? await openPair(tx, actor, first) : (await addGroup(tx, actor, others, timed)).conversation_id)
    conversations.set(key, conversation)
    await addMessage(
      tx,
      { conversation, actor, message: { text: normalised(text), medium: undefined } },
      timed,
    )
  }
}

const MINUTE_MS = 60_000

async function writeSpaces(
  tx: Transaction,
  { spaces = [] }: Seed,
  { idOf }: PostRows,
  { now, ids, personNamed }: ContentParts,
): Promise<void> {
  const idsOf = (names: readonly string[] = []) => names.map((name) => personNamed(name).id)
  for (const space of spaces) {
    const startsAt =
      space.starts_at === undefined ? now : (instantOf(space.starts_at, now, now + MAX_AHEAD_MS) ?? now)
    const { duration_minutes: minutes } = space
    const values = {
      creatorId: personNamed(space.creator).id,
      title: space.title,
      lang: space.lang ?? null,
      cohostIds: idsOf(space.hosts),
      speakerIds: idsOf(space.speakers),
      invitedIds: idsOf(space.invited),
      startsAt,
      lastsMs: minutes === undefined ? undefined : minutes * MINUTE_MS,
      topics: space.topics,
      subscriberCount: space.subscriber_count,
      isTicketed: space.buyers !== undefined,
    }
    const isOver = values.lastsMs !== undefined && startsAt + values.lastsMs <= now
    const { id } = isOver
      ? await addUnannouncedSpace(tx, values, { ids })
      : await createSpace(tx, values, { ids })
    for (const userId of idsOf(space.buyers)) await buyTicket(tx, { id, userId }, { ids })
    for (const name of space.posts ?? []) await shareInSpace(tx, id, idOf.get(name) ?? '')
  }
}

/** The id of the import to which events say that the posts belong. */
const IMPORT_ID = 'seed'

/** The posts are past ones: consumers read them, and nothing sends them. */
async function announce(tx: Transaction, { posts }: PostRows): Promise<void> {
  for (let at = 0; at < posts.length; at += POSTS_OF_AN_EVENT) {
    const ids = posts.slice(at, at + POSTS_OF_AN_EVENT).map(({ id }) => id)
    await emit(tx, postsImported, { import_id: IMPORT_ID, count: ids.length, post_ids: ids.join(',') })
  }
}
