import { MIN_AUTHORS, MIN_POSTS } from '../../../domain/news/cluster.ts'
import { newsPostsOf } from '../../../domain/news/posts.ts'
import { putNewsPosts } from '../../../domain/news/queries.ts'
import { putStoryOf } from '../../../domain/news/refresh.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { currentSpaces, spacesByIds } from '../../../domain/spaces/queries.ts'
import { addUnannouncedSpace, MAX_CURRENT } from '../../../domain/spaces/spaces.ts'
import { stateAt } from '../../../domain/spaces/state.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import { usersOfApp } from '../account/queries.ts'
import type { ActivityKind, KindOf } from '../kind.ts'
import { oauthRevoke } from '../kinds/access.ts'
import { newsNew } from '../kinds/news.ts'
import type { Update } from '../kinds/profiles.ts'
import { affiliate, banner, bio, geo, handle, picture, screenname, url, verified } from '../kinds/profiles.ts'
import { block, follow, mute, unblock, unfollow, unmute } from '../kinds/relations.ts'
import { end, start } from '../kinds/spaces.ts'
import type { Maker, Making } from './maker.ts'
import { maker, makerFor, othersThan, otherThan } from './maker.ts'
import { messageMakers } from './messages.ts'
import { makePost, postMakers } from './posts.ts'

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

// How the activities that are emitted by hand come by their facts. What they refer to exists, or is made. Nothing else
// changes: no profile, no relation, and nothing is removed.

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

/** A user with a subscription to account activity, if there is one: it tells of the end of the access. */
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
  ...messageMakers,
  maker(newsNew, ({ text }, making) => storyOf(text, making)),
  maker(oauthRevoke, ({ user, appId }, making) => revoke(user, appId, making)),
])

export function makerOf(kind: ActivityKind): Maker {
  const found = makers.get(kind)
  if (!found) throw new Error(`nothing makes the facts of ${kind.name}`)
  return found
}
