import type { ReactionRow } from '../../../domain/posts/engagement-tables.ts'
import { postLiked } from '../../../domain/posts/events.ts'
import { keyOfLike } from '../../../domain/posts/like-object.ts'
import { firstVersions, likesOfSpan } from '../../../domain/posts/queries.ts'
import { FIRST_ID, firstIdAt, idBefore } from '../../../platform/common/ids.ts'
import { isOfKind } from '../../../platform/events/event.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { isDelivered } from '../posts/matchable.ts'
import { POSTS_AT_ONCE, publishedPosts } from '../posts/matching.ts'
import { type MatchedRow, postsOfSpan, postsToMatch } from '../posts/queries.ts'
import type { VolumeSource } from './volume-streams.ts'

/** Public posts. Those that only advertisements show are left out. */
export const postSource = (store: Pick<Store, 'all'>): VolumeSource<MatchedRow> => ({
  async *published(events) {
    const ids = publishedPosts(events)
    for (let from = 0; from < ids.length; from += POSTS_AT_ONCE) {
      const page = JSON.stringify(ids.slice(from, from + POSTS_AT_ONCE))
      yield (await store.all(postsToMatch, { ids: page })).filter(isPublic)
    }
  },
  async *within({ fromMs, toMs }) {
    const before = firstIdAt(toMs)
    for (let after = idBefore(firstIdAt(fromMs)); ; ) {
      const rows = await store.all(postsOfSpan, { after, before, limit: POSTS_AT_ONCE })
      yield rows.filter(isPublic)
      const last = rows.at(-1)
      if (!last || rows.length < POSTS_AT_ONCE) return
      after = last.id
    }
  },
  keyOf: ({ id }) => id,
})

const isPublic = (row: MatchedRow) => isDelivered(row) && row.nullcast === 0

/** Likes. Those that are not public have no object, so that nothing is written of them. */
export const likeSource = (store: Pick<Store, 'all'>): VolumeSource<ReactionRow> => ({
  async *published(events) {
    const likes = events.flatMap((event) =>
      isOfKind(event, postLiked) ? [{ ...event.data, at: event.at }] : [],
    )
    for (let from = 0; from < likes.length; from += POSTS_AT_ONCE) {
      const page = likes.slice(from, from + POSTS_AT_ONCE)
      const ids = JSON.stringify(page.map(({ post_id }) => post_id))
      const first = new Map(
        (await store.all(firstVersions, { ids })).map((row) => [row.id, row.first_version_id]),
      )
      yield page.flatMap(({ user_id, post_id, at }) => {
        const firstId = first.get(post_id)
        return firstId === undefined ? [] : [{ user_id, post_id: firstId, created_at: at }]
      })
    }
  },
  async *within({ fromMs, toMs }) {
    const place = { at: fromMs, user: '', post: FIRST_ID }
    for (;;) {
      const rows = await store.all(likesOfSpan, { ...place, before: toMs, limit: POSTS_AT_ONCE })
      yield rows
      const last = rows.at(-1)
      if (!last || rows.length < POSTS_AT_ONCE) return
      Object.assign(place, { at: last.created_at, user: last.user_id, post: last.post_id })
    }
  },
  keyOf: ({ user_id, post_id }) => keyOfLike(user_id, post_id),
})
