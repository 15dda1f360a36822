import { setImmediate as nextTurn } from 'node:timers/promises'
import { userRestored, userSuspended } from '../../identity/apps/events.ts'
import { profileUpdated, userDeleted } from '../../identity/users/events.ts'
import type { RetryPauses } from '../../platform/common/after-error.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { FIRST_ID } from '../../platform/common/ids.ts'
import { isOfKind, type LoggedEvent } from '../../platform/events/event.ts'
import { type Consumer, IGNORED } from '../../platform/events/follower.ts'
import { handleAll, type SkippedItem } from '../../platform/events/one-by-one.ts'
import type { Store } from '../../platform/storage/store.ts'
import { communityAccessChanged } from '../communities/events.ts'
import { postsOfCommunity } from '../communities/queries.ts'
import {
  postBookmarked,
  postDropped,
  postIdsOf,
  postLiked,
  postUnbookmarked,
  postUndropped,
  postUnliked,
  replyHidden,
  replyShown,
} from '../posts/events.ts'
import { newestVersionOf, versionIdsOf } from '../posts/versions.ts'
import { GONE } from '../posts/visibility.ts'
import { searchRebuildRequested } from './events.ts'
import type { SearchState } from './index/search-index.ts'
import {
  type IndexedRow,
  pageToIndex,
  postIdsOfAuthor,
  postIdsOfReposts,
  postsToIndex,
  repostedAmong,
} from './queries.ts'
import { STATE_MS } from './when-built.ts'

/** How a change of a post affects data derived from posts. */
export type PostChange =
  | { readonly kind: 'put' | 'count'; readonly row: IndexedRow }
  | { readonly kind: 'remove'; readonly id: string }

/** Data derived from public posts, which can be rebuilt. */
export interface DerivedIndex {
  /** `new`: never built, or damaged. `finish` ends this state. */
  state(): Promise<SearchState>
  /** Makes it `new`. What it holds stays until `clear`. */
  reopen(): Promise<void>
  /**
   * Applies the current state of posts. `put`: the post is public. `count`: only its counts have
   * changed. `remove`: it is not public. Repeating changes has no effect.
   */
  apply(changes: readonly PostChange[]): Promise<void>
  /** Removes everything. */
  clear(): Promise<void>
  /** Records that it is complete. */
  finish(): Promise<void>
  /**
   * Calls `lost` when it became `new` by itself, because it was damaged, until the result is
   * disposed of.
   */
  onLost?(lost: (reason: Error) => void): Disposable
}

export interface DerivedOptions {
  /** The name of the consumer. Stored, so it must never change. */
  name: string
  store: Pick<Store, 'all'>
  data: DerivedIndex
  /** Called when everything has been built, with the number of posts. */
  built?: (posts: number) => void
  /** Called with a post that cannot be applied, and is left out. */
  skipped: (error: SkippedItem) => void
  /** Called when the data was damaged. It is built again. */
  lost?: (reason: Error) => void
  /** Between attempts, in real time. */
  pauses?: RetryPauses
  /** How long readers may consider the data complete after it was reopened, in milliseconds. */
  readersMs?: number
}

/** Actions of users on posts, which change at most counts. */
const REACTIONS = [postLiked, postUnliked, postBookmarked, postUnbookmarked, replyHidden, replyShown]

/** After this time, no reader on any node considers reopened data complete. */
const READERS_MS = 2 * STATE_MS

/** Posts that are read and applied at once: few, because the event loop finds their words. */
const POSTS_AT_ONCE = 200

/**
 * Maintains data derived from posts. Builds it from the store if it is new, damaged or to be
 * rebuilt, and applies events. An event only says which post has changed; the current state of the
 * post is read from the store, so that events may arrive late or repeatedly.
 */
export function derivedFromPosts(options: DerivedOptions): Consumer {
  const parts: DerivedBuildOptions = { ...options, share: new BuiltShare() }
  const { name, data, lost } = parts
  const buildWhenNew = async (signal: AbortSignal) => {
    if ((await data.state()) === 'new') await build(parts, signal)
  }
  return {
    name,
    remedy: '`plaza search rebuild` rebuilds it',
    index: {
      isBuilt: async () => (await data.state()) === 'built',
      builtShare: () => parts.share.now,
    },
    prepare: buildWhenNew,
    onLost: (prepareAgain) =>
      data.onLost?.((reason) => {
        lost?.(reason)
        prepareAgain()
      }),
    async take(events, signal) {
      if (events.some((event) => isOfKind(event, searchRebuildRequested))) {
        await reopen(parts, signal)
        await build(parts, signal)
        return undefined
      }
      const changed = postIdsIn(events)
      const counted = likedPostIds(events).filter((id) => !changed.has(id))
      const authors = [...authorsIn(events)]
      const communities = [...communitiesIn(events)]
      // Most events are about something else, and cost nothing here.
      if (changed.size + counted.length + authors.length + communities.length === 0) return IGNORED
      await buildWhenNew(signal)
      for (const ids of batchesOf([...changed])) {
        signal.throwIfAborted()
        await refresh(parts, ids, droppedIn(events), signal)
        await nextTurn()
      }
      for (const ids of batchesOf(counted)) await recount(parts, ids, signal)
      for (const userId of authors) await refreshAuthor(parts, userId, signal)
      for (const id of communities) await refreshCommunity(parts, id, signal)
      return undefined
    },
    // It is unknown what the missed events changed.
    missed: () => reopen(parts),
  }
}

/** Whether searches find a post: it is public, in production, and was not replaced by an edit. */
const isSearchable = (row: IndexedRow) =>
  row.environment === 'production' && row.visibility < GONE && row.public === 1

/** The current state of a post. */
export const changeOf = (row: IndexedRow): PostChange =>
  isSearchable(row) ? { kind: 'put', row } : { kind: 'remove', id: row.id }

/** Applies changes. If a post cannot be applied, its previous state remains. */
const applyAll = (
  changes: readonly PostChange[],
  { data, skipped, pauses }: DerivedOptions,
  signal: AbortSignal,
) =>
  handleAll(changes, {
    nameOf: (change) => `the post ${idOf(change)}`,
    handle: (batch) => data.apply(batch),
    skipped,
    signal,
    pauses,
  })

const idOf = (change: PostChange) => (change.kind === 'remove' ? change.id : change.row.id)

/**
 * Readers cache the state, so nothing is removed while one of them may consider the data complete.
 */
async function reopen({ data, readersMs = READERS_MS }: DerivedOptions, signal?: AbortSignal): Promise<void> {
  if ((await data.state()) === 'new') return
  await data.reopen()
  await systemClock.at(systemClock.now() + readersMs, signal)
  signal?.throwIfAborted()
}

async function build(parts: DerivedBuildOptions, signal: AbortSignal): Promise<void> {
  const { store, data, built, share } = parts
  await data.clear()
  let posts = 0
  share.begin()
  for (let after = FIRST_ID; ; ) {
    signal.throwIfAborted()
    const rows = await store.all(pageToIndex, { after, limit: POSTS_AT_ONCE })
    // Posts that are not found do not exist yet.
    const changes = rows.map(changeOf).filter(({ kind }) => kind === 'put')
    if (changes.length > 0) await applyAll(changes, parts, signal)
    posts += changes.length
    const last = rows.at(-1)
    if (!last || rows.length < POSTS_AT_ONCE) break
    after = last.id
    share.reached(last.created_at)
    await nextTurn()
  }
  await data.finish()
  share.end()
  built?.(posts)
}

/** How much is built, by the times of the posts, which are built in order. */
class BuiltShare {
  #firstMs: number | undefined
  now: number | undefined

  begin(): void {
    this.#firstMs = undefined
    this.now = 0
  }

  reached(timeMs: number): void {
    this.#firstMs ??= timeMs
    const all = systemClock.now() - this.#firstMs
    this.now = all <= 0 ? 0 : Math.min(1, (timeMs - this.#firstMs) / all)
  }

  end(): void {
    this.now = undefined
  }
}

type DerivedBuildOptions = DerivedOptions & { share: BuiltShare }

const isReaction = (event: LoggedEvent) => REACTIONS.some((kind) => isOfKind(event, kind))

/** Posts that changed in more than their counts. Every event about a post contains its id. */
const postIdsIn = (events: readonly LoggedEvent[]): Set<string> =>
  new Set(events.filter((event) => !isReaction(event)).flatMap(postIdsOf))

/** Posts that left public view, or came back. */
const droppedIn = (events: readonly LoggedEvent[]): ReadonlySet<string> =>
  new Set(
    events
      .filter((event) => isOfKind(event, postDropped) || isOfKind(event, postUndropped))
      .flatMap(postIdsOf),
  )

const likedPostIds = (events: readonly LoggedEvent[]): string[] => [
  ...new Set(
    events.filter((event) => isOfKind(event, postLiked) || isOfKind(event, postUnliked)).flatMap(postIdsOf),
  ),
]

/** Members of profiles that affect how posts are found. */
const changesSearch = (event: LoggedEvent): boolean =>
  isOfKind(event, profileUpdated) && ['protected', 'verified_type'].includes(event.data.field)

const authorsIn = (events: readonly LoggedEvent[]): Set<string> =>
  new Set(
    events.flatMap((event) =>
      isOfKind(event, userSuspended) ||
      isOfKind(event, userRestored) ||
      isOfKind(event, userDeleted) ||
      changesSearch(event)
        ? [String(event.data.user_id)]
        : [],
    ),
  )

/** Communities whose posts are found from now on, or no longer. */
const communitiesIn = (events: readonly LoggedEvent[]): Set<string> =>
  new Set(events.flatMap((event) => (isOfKind(event, communityAccessChanged) ? event.data.community_id : [])))

/** Applies the current state of posts and their versions, and the counts of related posts. */
async function refresh(
  parts: DerivedOptions,
  ids: readonly string[],
  dropped: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const { store } = parts
  const rows = await store.all(postsToIndex, { ids: JSON.stringify(ids) })
  const known = new Set(ids)
  const others = rows.flatMap(relatedOf).filter((id) => !known.has(id))
  const related = others.length === 0 ? [] : await withNewestVersions(store, await relatedRows(store, others))
  const gone = ids.filter((id) => !rows.some((row) => row.id === id))
  const changes = [
    ...rows.map(changeOf),
    ...related.map(countOf),
    ...gone.map((id): PostChange => ({ kind: 'remove', id })),
  ]
  await applyAll(changes, parts, signal)
  const deleted = rows.filter(
    (row) => (row.deleted === 1 || dropped.has(row.id)) && row.reposted_post_id === null,
  )
  await refreshReposts(parts, deleted.flatMap(versionIdsOf), signal)
}

/**
 * A post may refer to a former version. Its newest version has the same counts, and is the one that
 * is found.
 */
async function withNewestVersions(
  store: DerivedOptions['store'],
  rows: readonly IndexedRow[],
): Promise<readonly IndexedRow[]> {
  const known = new Set(rows.map(({ id }) => id))
  const newest = rows.map(newestVersionOf).filter((id) => !known.has(id))
  return newest.length === 0 ? rows : [...rows, ...(await relatedRows(store, newest))]
}

/** Applies the counts of posts, which affect nothing else. */
async function recount(parts: DerivedOptions, ids: readonly string[], signal: AbortSignal): Promise<void> {
  await applyAll((await relatedRows(parts.store, ids)).map(countOf), parts, signal)
}

const countOf = (row: IndexedRow): PostChange => (isSearchable(row) ? { kind: 'count', row } : changeOf(row))

const relatedRows = (store: DerivedOptions['store'], ids: readonly string[]) =>
  store.all(postsToIndex, { ids: JSON.stringify([...new Set(ids)]) })

/** Other posts that a change of a post affects: an edit replaces versions, a reply is counted. */
function relatedOf(row: IndexedRow): string[] {
  const references = [row.in_reply_to_post_id, row.quoted_post_id, row.reposted_post_id]
  return [...versionIdsOf(row), row.first_version_id, ...references.filter((id) => id !== null)].filter(
    (id) => id !== row.id,
  )
}

/**
 * Applies the current state of an author's posts and their reposts: all of them become visible or
 * invisible together.
 */
async function refreshAuthor(parts: DerivedOptions, author: string, signal: AbortSignal): Promise<void> {
  const pageOf = (page: PostPageArgs) => parts.store.all(postIdsOfAuthor, { author, ...page })
  await eachPage(pageOf, signal, (ids) => refreshWithReposts(parts, ids, signal))
}

/** The same for the posts of a community. */
async function refreshCommunity(parts: DerivedOptions, community: string, signal: AbortSignal) {
  const pageOf = (after: string, limit: number) =>
    parts.store.all(postsOfCommunity.newer, { community, id: after, limit })
  await eachPageOf(pageOf, signal, (ids) => refreshWithReposts(parts, ids, signal))
}

async function refreshWithReposts(parts: DerivedOptions, ids: readonly string[], signal: AbortSignal) {
  const rows = await relatedRows(parts.store, ids)
  await applyAll(rows.map(changeOf), parts, signal)
  const originals = rows.filter((row) => row.reposted_post_id === null)
  await refreshReposts(parts, originals.flatMap(versionIdsOf), signal)
}

/**
 * Applies the current state of the reposts of posts: they are found as long as their originals are.
 */
async function refreshReposts(
  parts: DerivedOptions,
  originals: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { store } = parts
  if (originals.length === 0) return
  for (const { id: original } of await store.all(repostedAmong, { ids: JSON.stringify(originals) })) {
    const pageOf = (page: PostPageArgs) => store.all(postIdsOfReposts, { original, ...page })
    await eachPage(pageOf, signal, async (ids) =>
      applyAll((await relatedRows(store, ids)).map(changeOf), parts, signal),
    )
  }
}

/** A page of the posts of a visibility class. */
interface PostPageArgs {
  visibility: number
  after: string
  limit: number
}

/** Handles the posts of all visibility classes, a page at a time. */
async function eachPage(
  pageOf: (page: PostPageArgs) => Promise<readonly { id: string }[]>,
  signal: AbortSignal,
  handle: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let visibility = 0; visibility < GONE; visibility++)
    await eachPageOf((after, limit) => pageOf({ visibility, after, limit }), signal, handle)
}

/** Handles posts in the order of their ids, a page at a time. */
async function eachPageOf(
  pageOf: (after: string, limit: number) => Promise<readonly { id: string }[]>,
  signal: AbortSignal,
  handle: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let after = FIRST_ID; ; ) {
    signal.throwIfAborted()
    const ids = (await pageOf(after, POSTS_AT_ONCE)).map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return
    await handle(ids)
    if (ids.length < POSTS_AT_ONCE) return
    after = last
    await nextTurn()
  }
}

function* batchesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += POSTS_AT_ONCE) yield ids.slice(at, at + POSTS_AT_ONCE)
}
