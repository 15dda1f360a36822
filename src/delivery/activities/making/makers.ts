import { broadcastMakers } from './broadcasts.ts'
import { chatMakers } from './chats.ts'
import { pairId } from '../../../domain/direct-messages/conversation.ts'
import { addGroup, addLeaving, addMessage, openPair } from '../../../domain/direct-messages/send.ts'
import type { DmEventRow } from '../../../domain/direct-messages/tables.ts'
import { MIN_AUTHORS, MIN_POSTS } from '../../../domain/news/cluster.ts'
import { newsPostsOf } from '../../../domain/news/posts.ts'
import { putNewsPosts } from '../../../domain/news/queries.ts'
import { putStoryOf } from '../../../domain/news/refresh.ts'
import { NO_APP } from '../../../domain/posts/insert.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { currentSpaces, spacesByIds } from '../../../domain/spaces/queries.ts'
import { addUnannouncedSpace, MAX_CURRENT } from '../../../domain/spaces/spaces.ts'
import { stateAt } from '../../../domain/spaces/state.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import { usersOfApp } from '../account/queries.ts'
import type { ActivityKind, KindOf } from '../kind.ts'
import { oauthRevoke } from '../kinds/access.ts'
import { joined, left, read, received, sent, typing } from '../kinds/direct-messages.ts'
import { newsNew } from '../kinds/news.ts'
import {
  affiliate,
  banner,
  bio,
  geo,
  handle,
  picture,
  screenname,
  type Update,
  url,
  verified,
} from '../kinds/profiles.ts'
import { block, follow, mute, unblock, unfollow, unmute } from '../kinds/relations.ts'
import { end, start } from '../kinds/spaces.ts'
import { type About, type Maker, type Making, maker, makerFor, othersThan, otherThan } from './maker.ts'
import { makePost, postMakers } from './posts.ts'

const actorOf = ({ id }: ProfileRow) => ({ userId: id, appId: NO_APP })

/** Sends a message. Only the emitted activity tells of it. */
async function messageOf(from: ProfileRow, to: ProfileRow, making: Making): Promise<DmEventRow> {
  const actor = actorOf(from)
  const conversation = await openPair(making.tx, actor, to.id)
  const message = { text: 'This is a sample message.', medium: undefined }
  return addMessage(making.tx, { conversation, actor, message }, making)
}

/** Who acts, and the other user. */
async function bothOf(user: ProfileRow, making: Making, { direction }: About) {
  const other = await otherThan(user, making)
  return direction === 'inbound' ? ([other, user] as const) : ([user, other] as const)
}

const between = (sender: ProfileRow, recipient: ProfileRow) => ({
  conversation_id: pairId(sender.id, recipient.id),
  sender_id: sender.id,
  recipient_id: recipient.id,
})

const messageMakers = [
  makerFor(received, async (user, making) => ({
    row: await messageOf(await otherThan(user, making), user, making),
    recipients: [user.id],
  })),
  makerFor(sent, async (user, making) => {
    const other = await otherThan(user, making)
    return { row: await messageOf(user, other, making), recipients: [other.id] }
  }),
  makerFor(joined, async (user, making) =>
    addGroup(making.tx, actorOf(user), [(await otherThan(user, making)).id], making),
  ),
  makerFor(left, async (user, making) => {
    const other = await otherThan(user, making)
    const { conversation_id: conversation } = await addGroup(making.tx, actorOf(user), [other.id], making)
    return addLeaving(making.tx, { conversation, actor: actorOf(other) }, making)
  }),
  makerFor(typing, async (user, making, about) => ({
    data: between(...(await bothOf(user, making, about))),
    at: making.clock.now(),
  })),
  makerFor(read, async (user, making, about) => {
    const [reader, other] = await bothOf(user, making, about)
    const { id } = await messageOf(other, reader, making)
    return { data: { ...between(reader, other), last_read_event_id: id }, at: making.clock.now() }
  }),
]

type Value = Update['before']

/** A change of one column. The profile itself stays as it is. */
const changeOf = (
  kind: KindOf<Update>,
  column: keyof ProfileRow,
  after: (user: ProfileRow, making: Making) => Promise<Value> | Value,
) =>
  makerFor(kind, async (user, making) => ({
    user_id: user.id,
    before: user[column],
    after: await after(user, making),
  }))

const profileMakers = [
  changeOf(bio, 'description', () => 'A sample description'),
  changeOf(geo, 'location', () => 'A sample location'),
  changeOf(url, 'url', () => 'https://example.com/'),
  changeOf(picture, 'profile_image_url', () => 'https://example.com/picture.png'),
  changeOf(banner, 'profile_banner_url', () => 'https://example.com/banner.png'),
  changeOf(screenname, 'name', () => 'A sample name'),
  changeOf(handle, 'screen_name', ({ screen_name }) => `${screen_name.slice(0, -1)}_`),
  changeOf(verified, 'verified_type', ({ verified_type }) => (verified_type === 'none' ? 'blue' : 'none')),
  changeOf(affiliate, 'affiliation_user_id', async (user, making) => (await otherThan(user, making)).id),
]

// How the activities that are emitted by hand come by their facts. What they refer to exists, or is
// made. Nothing else changes: no profile, no relation, and nothing is removed.

/** Both users exist; they need not follow each other. */
const relationMakers = [follow, unfollow, mute, unmute, block, unblock].map((kind) =>
  makerFor(kind, async (user, making, { direction }) => {
    const other = await otherThan(user, making)
    const [source, target] = direction === 'inbound' ? [other, user] : [user, other]
    return { user_id: source.id, target_id: target.id }
  }),
)

const HOUR_MS = 3_600_000

const spaceOf = (user: ProfileRow, startsAt: number, lastsMs?: number) => ({
  ...{ creatorId: user.id, title: 'A sample space', lang: null, startsAt, lastsMs },
  ...{ cohostIds: [], speakerIds: [], invitedIds: [] },
})

const spaceMakers = [
  makerFor(start, async (user, making) => {
    const { tx, clock } = making
    const current = await tx.all(currentSpaces, { creator: user.id, limit: MAX_CURRENT })
    const rows = await tx.all(spacesByIds, { ids: JSON.stringify(current.map(({ id }) => id)) })
    const live = rows.find((row) => stateAt(row, clock.now()) === 'live')
    const { id } = live ?? (await addUnannouncedSpace(tx, spaceOf(user, clock.now()), making))
    return { space_id: id, creator_id: user.id }
  }),
  makerFor(end, async (user, making) => {
    const { tx, clock } = making
    const space = spaceOf(user, clock.now() - HOUR_MS, HOUR_MS)
    const { id } = await addUnannouncedSpace(tx, space, making)
    return { space_id: id, creator_id: user.id }
  }),
]

/** A story of posts with the text. */
async function storyOf(text: string, making: Making): Promise<{ story_id: string }> {
  const { tx, ids } = making
  const authors = await othersThan(undefined, Math.max(MIN_AUTHORS, MIN_POSTS), making)
  const posts: PostRow[] = []
  for (const author of authors) posts.push(await makePost(author, { text }, making))
  await tx.run(putNewsPosts, { posts: JSON.stringify(await newsPostsOf(posts)) })
  const none = { events: [], organizations: [], people: [], places: [], products: [], tickers: [], teams: [] }
  const story_id = ids.next()
  const items = posts.map(({ id }) => ({ id, story: null }))
  const description = { category: 'Other' as const, keywords: [text], contexts: { topics: [], ...none } }
  await putStoryOf(tx, { id: story_id, posts: items }, description)
  return { story_id }
}

/**
 * A user with a subscription to account activity, if there is one: it tells of the end of the
 * access.
 */
async function revoke(user: ProfileRow | undefined, app: string, making: Making) {
  const [subscribed] = user ? [] : await making.tx.all(usersOfApp, { app })
  const found = user?.id ?? subscribed?.user_id ?? (await othersThan(undefined, 1, making))[0]?.id ?? ''
  return { user_id: found, app_id: app, at: making.clock.now() }
}

const makers: ReadonlyMap<ActivityKind, Maker> = new Map([
  ...postMakers,
  ...relationMakers,
  ...profileMakers,
  ...spaceMakers,
  ...broadcastMakers,
  ...messageMakers,
  ...chatMakers,
  maker(newsNew, ({ text }, making) => storyOf(text, making)),
  maker(oauthRevoke, ({ user, appId }, making) => revoke(user, appId, making)),
])

export function makerOf(kind: ActivityKind): Maker {
  const found = makers.get(kind)
  if (!found) throw new Error(`nothing makes the facts of ${kind.name}`)
  return found
}
