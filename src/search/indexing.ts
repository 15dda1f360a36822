import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LoggedEvent } from '../events/event.ts'
import { isOfKind } from '../events/event.ts'
import type { Consumer } from '../events/follower.ts'
import { userRestored, userSuspended } from '../identity/events.ts'
import type { SearchChange, SearchIndex } from '../storage/search/search-index.ts'
import type { Store } from '../storage/store.ts'
import { GONE } from '../storage/visibility.ts'
import { changesOf, isFound, numbersOf } from './document.ts'
import { searchRebuildRequested } from './events.ts'
import type { IndexedRow } from './queries.ts'
import { pageToIndex, postIdsOfAuthor, postsToIndex } from './queries.ts'

interface Parts {
  store: Pick<Store, 'all'>
  index: SearchIndex
  /** Called when the index holds everything that the store held. */
  built?: (posts: number) => void
}

/** Posts that are read and applied at once. Their words are found on the event loop, so they are few. */
const POSTS_AT_ONCE = 200

/**
 * Keeps the search index: builds it from the store when it is new, damaged or to be built again, and applies what events
 * tell. An event says only which post changed; what the post is now is read from the store, so that events may come
 * twice, and late.
 */
export function searchIndexing(parts: Parts): Consumer {
  const buildWhenNew = async (signal: AbortSignal) => {
    if ((await parts.index.state()) === 'new') await build(parts, signal)
  }
  return {
    name: 'search index',
    prepare: buildWhenNew,
    async take(events, signal) {
      if (events.some((event) => isOfKind(event, searchRebuildRequested))) return build(parts, signal)
      await buildWhenNew(signal)
      for (const ids of inParts([...postIdsIn(events)])) await refresh(parts, ids)
      for (const userId of authorsIn(events)) await refreshAuthor(parts, userId, signal)
    },
    // What the missed events changed is unknown.
    missed: () => parts.index.clear(),
  }
}

async function build({ store, index, built }: Parts, signal: AbortSignal): Promise<void> {
  await index.clear()
  let posts = 0
  for (let after = ''; ; ) {
    signal.throwIfAborted()
    const rows = await store.all(pageToIndex, { after, limit: POSTS_AT_ONCE })
    // What is not found is not there yet, either.
    const changes = await changesOf(rows.filter(isFound))
    if (changes.length > 0) await index.apply(changes)
    posts += changes.length
    const last = rows.at(-1)
    if (!last || rows.length < POSTS_AT_ONCE) break
    after = last.id
    await nextTurn()
  }
  await index.finish()
  built?.(posts)
}

/** Every event about a post names it. */
function postIdsIn(events: readonly LoggedEvent[]): Set<string> {
  return new Set(
    events.flatMap(({ kind, data: { post_id } }) =>
      kind.startsWith('post.') && typeof post_id === 'string' ? [post_id] : [],
    ),
  )
}

const authorsIn = (events: readonly LoggedEvent[]): Set<string> =>
  new Set(
    events.flatMap((event) =>
      isOfKind(event, userSuspended) || isOfKind(event, userRestored) ? [event.data.user_id] : [],
    ),
  )

/** Applies what posts are now, with their former versions and the counts of posts that they refer to. */
async function refresh({ store, index }: Parts, ids: readonly string[]): Promise<void> {
  const rows = await store.all(postsToIndex, { ids: JSON.stringify(ids) })
  const known = new Set(ids)
  const others = rows.flatMap(relatedOf).filter((id) => !known.has(id))
  const related = others.length === 0 ? [] : await relatedRows(store, others)
  const gone = ids.filter((id) => !rows.some((row) => row.id === id))
  await index.apply([
    ...(await changesOf(rows)),
    ...related.map(
      (row): SearchChange =>
        isFound(row)
          ? { kind: 'count', id: row.id, numbers: numbersOf(row) }
          : { kind: 'remove', id: row.id },
    ),
    ...gone.map((id): SearchChange => ({ kind: 'remove', id })),
  ])
}

const relatedRows = (store: Parts['store'], ids: readonly string[]) =>
  store.all(postsToIndex, { ids: JSON.stringify([...new Set(ids)]) })

/** Other posts that a change of a post changes: an edit replaces versions, a reply is counted. */
function relatedOf(row: IndexedRow): string[] {
  const versions = row.version_ids === null ? [] : (JSON.parse(row.version_ids) as string[])
  const references = [row.in_reply_to_post_id, row.quoted_post_id, row.reposted_post_id]
  return [...versions, row.first_version_id, ...references.filter((id) => id !== null)].filter(
    (id) => id !== row.id,
  )
}

/** Applies what the posts of an author are now: all are found, or none. */
async function refreshAuthor({ store, index }: Parts, author: string, signal: AbortSignal): Promise<void> {
  for (let visibility = 0; visibility < GONE; visibility++) {
    for (let after = ''; ; ) {
      signal.throwIfAborted()
      const page = { author, visibility, after, limit: POSTS_AT_ONCE }
      const ids = (await store.all(postIdsOfAuthor, page)).map(({ id }) => id)
      if (ids.length > 0)
        await index.apply(await changesOf(await store.all(postsToIndex, { ids: JSON.stringify(ids) })))
      const last = ids.at(-1)
      if (last === undefined || ids.length < POSTS_AT_ONCE) break
      after = last
      await nextTurn()
    }
  }
}

function* inParts(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += POSTS_AT_ONCE) yield ids.slice(at, at + POSTS_AT_ONCE)
}
