import { Type } from 'typebox'
import { postDeleted, postEdited, postPublished } from '../../../domain/posts/events.ts'
import { referencesOfPosts } from '../../../domain/posts/queries.ts'
import { isOfKind } from '../../../platform/events/event.ts'
import { id } from '../../../platform/http/schema.ts'
import { type Activity, type ActivitySource, activityKind, type KindOf } from '../kind.ts'
import { ActivityPost, closed, PostIncludes, WrappedUser } from '../payloads.ts'
import type { ActivityReader } from '../reader.ts'

export interface OfPost {
  post_id: string
}

const shownPosts = async (facts: readonly OfPost[], reader: ActivityReader) => {
  const shown = await reader.posts(facts.map(({ post_id }) => post_id))
  return ({ post_id }: OfPost) => {
    const found = shown(post_id)
    return (
      found && { payload: found.post, includes: { posts: [found.post, ...found.posts], users: found.users } }
    )
  }
}

/** A kind whose payload is a newly created post. */
const postKind = (name: string, description: string, scope?: 'post.read') =>
  activityKind<OfPost>({
    name,
    description,
    ...(scope && { scope }),
    payload: ActivityPost,
    includes: PostIncludes,
    prepare: shownPosts,
  })

const postCreate = postKind(
  'post.create',
  'The user publishes a post, a reply, a quote or a repost. An edit is a new post.',
)
const mentionCreate = postKind(
  'post.mention.create',
  'Someone else names the user in the text of a post.',
  'post.read',
)
const replyCreate = postKind('post.reply.create', 'Someone else replies to a post of the user.', 'post.read')
const quoteCreate = postKind('post.quote.create', 'Someone else quotes a post of the user.', 'post.read')
const repostCreate = postKind('post.repost.create', 'Someone else reposts a post of the user.', 'post.read')

export const postDelete = activityKind<{ post_id: string; author_id: string }>({
  name: 'post.delete',
  description: 'The user deletes a post.',
  payload: Type.Object({ id: id('The post.'), author_id: id('Its author.') }, closed),
  includes: Type.Object({ users: Type.Array(WrappedUser) }, closed),
  async prepare(facts, reader) {
    const users = await reader.users(facts.map(({ author_id }) => author_id))
    return ({ post_id, author_id }) => {
      const author = users(author_id)
      // Posts of a protected user were sent to no one, so their deletion is not sent either.
      if (!author || author.protected === true) return undefined
      return { payload: { id: post_id, author_id }, includes: { users: [{ data: author }] } }
    }
  },
})

/** The kinds whose facts are a newly created post. */
export const newPostKinds = { postCreate, mentionCreate, replyCreate, quoteCreate, repostCreate }

export const postKinds = [postCreate, postDelete, mentionCreate, replyCreate, quoteCreate, repostCreate]

/** A post reaches its author, and every user that it mentions, replies to, quotes or reposts. */
const published: ActivitySource = {
  events: [postPublished, postEdited],
  async activitiesOf(events, { store }) {
    const posts = events.flatMap((event) =>
      (isOfKind(event, postPublished) || isOfKind(event, postEdited)) && isPublic(event.data)
        ? [{ event, facts: { post_id: event.data.post_id }, author: event.data.author_id }]
        : [],
    )
    if (posts.length === 0) return []
    const ids = JSON.stringify(posts.map(({ facts }) => facts.post_id))
    const rows = await store.all(referencesOfPosts, { ids })
    const rowOf = new Map(rows.map((row) => [row.id, row]))
    return posts.flatMap(({ event, facts, author }) => {
      const row = rowOf.get(facts.post_id)
      const seenBy = (kind: KindOf<OfPost>, user: string | null): Activity[] =>
        user === null || user === author ? [] : [kind.of({ event, facts, subject: { user } })]
      return [
        postCreate.of({ event, facts, subject: { user: author } }),
        ...(row ? mentionedIn(row).flatMap((user) => seenBy(mentionCreate, user)) : []),
        ...(row?.in_reply_to_post_id != null ? seenBy(replyCreate, row.in_reply_to_user_id) : []),
        ...(row ? seenBy(quoteCreate, row.quoted_user_id) : []),
        ...(row ? seenBy(repostCreate, row.reposted_user_id) : []),
      ]
    })
  },
}

const isPublic = ({ environment, nullcast }: { environment: string; nullcast: boolean }) =>
  environment === 'production' && !nullcast

/** A repost repeats the text of another post; its mentions do not count again. */
function mentionedIn({ entities, reposted_user_id }: { entities: string; reposted_user_id: string | null }) {
  if (reposted_user_id !== null) return []
  const { mentions } = JSON.parse(entities) as { mentions: readonly { id: string }[] }
  return [...new Set(mentions.map(({ id: userId }) => userId))]
}

const deleted: ActivitySource = {
  events: [postDeleted],
  async activitiesOf(events, { store }) {
    const posts = events.flatMap((event) =>
      isOfKind(event, postDeleted) && isPublic(event.data) ? [{ event, facts: event.data }] : [],
    )
    if (posts.length === 0) return []
    const ids = JSON.stringify(posts.map(({ facts }) => facts.post_id))
    const rows = await store.all(referencesOfPosts, { ids })
    // Posts that only their author could see were sent to no one.
    const unseen = new Set(
      rows.filter((row) => row.restricted + row.reposted_restricted > 0).map(({ id }) => id),
    )
    return posts
      .filter(({ facts }) => !unseen.has(facts.post_id))
      .map(({ event, facts }) => postDelete.of({ event, facts, subject: { user: facts.author_id } }))
  },
}

export const postSources = [published, deleted]
