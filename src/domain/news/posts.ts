import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../platform/common/clock.ts'
import { compareIds, firstIdAt } from '../../platform/common/ids.ts'
import { isOfKind, type LoggedEvent } from '../../platform/events/event.ts'
import { type Consumer, IGNORED } from '../../platform/events/follower.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { postDeleted, postEdited, postIdsOf, postPublished, postsImported } from '../posts/events.ts'
import { isForEveryone, postsSeenBy, type SeenPostRow } from '../posts/queries.ts'
import type { PostRow } from '../posts/tables.ts'
import { ORGANIC } from '../posts/visibility.ts'
import { putNewsPosts, removeNewsPosts } from './queries.ts'
import { termsOf } from './terms.ts'

/** Stories are built from the posts of the last day. */
export const WINDOW_MS = 86_400_000

/** The name of the consumer. */
export const NEWS_POSTS = 'news posts'

interface NewsPostsOptions {
  store: Store
  clock: Clock
  /** Builds stories when the consumer has caught up with changes made before the start. */
  caughtUp?: (signal: AbortSignal) => Promise<unknown>
}

/** Stores the terms of new posts. Stories are built from them later. */
export const newsPostFollowing = ({ store, clock, caughtUp }: NewsPostsOptions): Consumer => ({
  name: NEWS_POSTS,
  index: { isBuilt: async () => true, ...(caughtUp && { caughtUp }) },
  async take(events, signal) {
    const after = clock.now() - WINDOW_MS
    // Posts of an import are mostly older.
    const oldest = firstIdAt(after)
    const ids = [...new Set(events.flatMap(postIdsIn))].filter((id) => compareIds(id, oldest) >= 0)
    if (ids.length === 0) return IGNORED
    const usable: SeenPostRow[] = []
    for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
      if (at > 0) await nextTurn()
      signal.throwIfAborted()
      const batch = JSON.stringify(ids.slice(at, at + ROWS_AT_ONCE))
      const rows = await store.all(postsSeenBy, { ids: batch, viewer: '' })
      usable.push(...rows.filter((row) => isUsable(row) && row.created_at > after))
    }
    const known = new Set(usable.map(({ id }) => id))
    const gone = ids.filter((id) => !known.has(id))
    const posts = await newsPostsOf(usable)
    return async (tx) => {
      if (gone.length > 0) await tx.run(removeNewsPosts, { ids: JSON.stringify(gone) })
      if (posts.length > 0) await tx.run(putNewsPosts, { posts: JSON.stringify(posts) })
    }
  },
  // Missed posts are in no story.
  missed: () => undefined,
})

function postIdsIn(event: LoggedEvent): readonly string[] {
  if (isOfKind(event, postsImported)) return postIdsOf(event)
  if (isOfKind(event, postEdited)) return [event.data.post_id, event.data.previous_post_id]
  return isOfKind(event, postPublished) || isOfKind(event, postDeleted) ? [event.data.post_id] : []
}

/**
 * Posts for everyone: no replies, mentions or reposts, and nothing that is only for a community or
 * subscribers.
 */
const isUsable = (row: SeenPostRow): boolean =>
  isForEveryone(row) && row.visibility === ORGANIC && row.reposted_post_id === null

/** Posts that are read at once. */
const ROWS_AT_ONCE = 200
/** Posts whose terms are extracted between two turns of the event loop. */
const POSTS_AT_ONCE = 10

/** The rows of posts from which stories are built. */
export async function newsPostsOf(rows: readonly PostRow[]) {
  const posts = []
  for (const row of rows) {
    const terms = termsOf(row.text, JSON.parse(row.entities) as Entities)
    posts.push({ post_id: row.id, author_id: row.author_id, terms: JSON.stringify(terms) })
    if (posts.length % POSTS_AT_ONCE === 0) await nextTurn()
  }
  return posts
}
