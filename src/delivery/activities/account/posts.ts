import { Type } from 'typebox'
import { idOfLike } from '../../../domain/posts/like-object.ts'
import { readRelations } from '../../../identity/relations/queries.ts'
import { ClassicUser, classicUser } from '../../../identity/users/classic-user.ts'
import { profilesOf } from '../../../identity/users/profiles.ts'
import { classicTime } from '../../../platform/common/time.ts'
import { id } from '../../../platform/http/schema.ts'
import { likeCreate } from '../kinds/likes.ts'
import { newPostKinds, postDelete } from '../kinds/posts.ts'
import { closed } from '../payloads.ts'
import { accountForm } from './form.ts'
import { AccountPost, accountPosts } from './post.ts'

/** Posts by the user, and posts that mention, reply to, quote or repost the user. */
const created = accountForm({
  kinds: Object.values(newPostKinds),
  member: 'post_create_events',
  schema: Type.Object(
    {
      for_user_id: id('The user whose activity it is.'),
      user_has_blocked: Type.Optional(
        Type.String({
          description: 'With a mention: whether the user has blocked the author; `true` or `false`.',
        }),
      ),
      post_create_events: Type.Array(AccountPost),
    },
    closed,
  ),
  async prepare(activities, parts) {
    const posts = await accountPosts(
      activities.map(({ facts }) => facts.post_id),
      parts,
    )
    const mentions = activities.flatMap(({ kind, facts, subject }) => {
      const author = posts(facts.post_id)?.user.id_str
      return kind === newPostKinds.mentionCreate && author !== undefined && 'user' in subject
        ? [{ source: subject.user, target: author }]
        : []
    })
    const relations = await readRelations(parts.store, mentions)
    return ({ kind, facts, subject }) => {
      const post = posts(facts.post_id)
      if (!post || !('user' in subject)) return undefined
      const isMention = kind === newPostKinds.mentionCreate
      return {
        ...(isMention && {
          user_has_blocked: String(relations.has('block', subject.user, post.user.id_str)),
        }),
        post_create_events: [post],
      }
    }
  },
})

const deleted = accountForm({
  kinds: [postDelete],
  member: 'post_delete_events',
  schema: Type.Object(
    {
      for_user_id: id('The user whose activity it is.'),
      post_delete_events: Type.Array(
        Type.Object(
          {
            status: Type.Object({ id: id('The post.'), user_id: id('Its author.') }, closed),
            timestamp_ms: Type.String({ description: 'When, in epoch milliseconds.' }),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  async prepare(activities, { store }) {
    const authors = await profilesOf(
      activities.map(({ facts }) => facts.author_id),
      store,
    )
    return ({ event, facts: { post_id, author_id } }) =>
      // Posts of a protected user were sent to no one, so their deletion is not sent either.
      authors.get(author_id)?.protected === 0
        ? {
            post_delete_events: [
              { status: { id: post_id, user_id: author_id }, timestamp_ms: String(event.at) },
            ],
          }
        : undefined
  },
})

/** The user likes a post, or a post of the user is liked. */
const liked = accountForm({
  kinds: [likeCreate],
  member: 'favorite_events',
  schema: Type.Object(
    {
      for_user_id: id('The user whose activity it is.'),
      favorite_events: Type.Array(
        Type.Object(
          {
            id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The like.' }),
            created_at: Type.String({ description: 'When, like `Tue Feb 03 04:05:06 +0000 2026`.' }),
            timestamp_ms: Type.Integer({ description: 'The same in epoch milliseconds.' }),
            favorited_status: AccountPost,
            user: ClassicUser,
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  async prepare(activities, parts) {
    const all = activities.map(({ facts }) => facts)
    const [posts, users] = await Promise.all([
      accountPosts(
        all.map(({ post_id }) => post_id),
        parts,
      ),
      profilesOf(
        all.map(({ user_id }) => user_id),
        parts.store,
      ),
    ])
    return ({ facts: like }) => {
      const [post, user] = [posts(like.post_id), users.get(like.user_id)]
      if (!post || !user) return undefined
      const about = { id: idOfLike(like), created_at: classicTime(like.at), timestamp_ms: like.at }
      return {
        favorite_events: [{ ...about, favorited_status: post, user: classicUser(user.id, user, parts) }],
      }
    }
  },
})

export const postForms = [created, deleted, liked]
