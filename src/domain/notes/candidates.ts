import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../platform/common/clock.ts'
import { firstIdAt } from '../../platform/common/ids.ts'
import type { LoggedEvent } from '../../platform/events/event.ts'
import { type Consumer, IGNORED } from '../../platform/events/follower.ts'
import { handleAll, type SkippedItem } from '../../platform/events/one-by-one.ts'
import { schedule, taskType } from '../../platform/queue/task.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { postIdsOf } from '../posts/events.ts'
import { isForEveryone, postIdsByVisibility, postsSeenBy, type SeenPostRow } from '../posts/queries.ts'
import { newestVersionOf, versionIdsOf } from '../posts/versions.ts'
import { isPublic, ORGANIC, ORGANIC_TO_SOMEBODY } from '../posts/visibility.ts'
import { anyCandidate, putCandidates, removeCandidates, removeOldCandidates } from './queries.ts'

/** Notes are written on posts of the last seven days. */
export const ELIGIBLE_MS = 7 * 86_400_000

/**
 * Whether notes may be written on a post: it is public, the newest version, not a repost, and at
 * most seven days old. `now` is in epoch milliseconds.
 */
export const isEligible = (row: SeenPostRow, now: number): boolean =>
  isForEveryone(row) &&
  isPublic(row.visibility) &&
  row.reposted_post_id === null &&
  row.created_at > now - ELIGIBLE_MS

interface CandidateOptions {
  store: Store
  clock: Clock
}

interface CandidateBuildOptions extends CandidateOptions {
  /** Called with a post that could not be processed and is left out. */
  skipped(error: SkippedItem): void
}

const POSTS_AT_ONCE = 200

/** The name of the consumer. */
export const NOTE_CANDIDATES = 'note candidates'

/**
 * Maintains the posts on which notes may be written, with their demand for notes, in the current
 * state of the posts.
 */
export const noteCandidateFollowing = (parts: CandidateBuildOptions): Consumer => ({
  name: NOTE_CANDIDATES,
  index: { isBuilt: async () => true },
  async prepare(signal) {
    if (!(await parts.store.first(anyCandidate, {}))) await build(parts, signal)
  },
  async take(events, signal) {
    const ids = [...new Set(events.flatMap(postIdsIn))]
    if (ids.length === 0) return IGNORED
    const rows = new Map<string, SeenPostRow>()
    for (let at = 0; at < ids.length; at += POSTS_AT_ONCE) {
      if (at > 0) await nextTurn()
      signal.throwIfAborted()
      const related = await readWithRelated(parts, ids.slice(at, at + POSTS_AT_ONCE))
      for (const row of related) rows.set(row.id, row)
    }
    // The rows of posts go with those of their authors.
    const gone = ids.filter((id) => !rows.has(id))
    return async (tx) => {
      if (gone.length > 0) await tx.run(removeCandidates, { ids: JSON.stringify(gone) })
      await put(tx, [...rows.values()])
    }
  },
  // It is unknown what the missed events changed.
  missed: () => build(parts),
})

/** Every event about a post contains its id, and an import those of many. */
const postIdsIn = (event: LoggedEvent): readonly string[] => {
  const { post_id } = event.data
  return typeof post_id === 'string' ? [post_id] : postIdsOf(event)
}

async function build(parts: CandidateBuildOptions, signal?: AbortSignal): Promise<void> {
  const oldest = firstIdAt(parts.clock.now() - ELIGIBLE_MS)
  for (const visibility of [ORGANIC, ORGANIC_TO_SOMEBODY])
    for (let after = oldest; ; ) {
      signal?.throwIfAborted()
      const rows = await parts.store.all(postIdsByVisibility, { visibility, after, limit: POSTS_AT_ONCE })
      const ids = rows.map(({ id }) => id)
      const posts = ids.length === 0 ? [] : await read(parts, ids)
      await handleAll(posts, {
        nameOf: ({ id }) => `the post ${id}`,
        handle: (batch) => parts.store.write((tx) => put(tx, batch)),
        skipped: parts.skipped,
        signal,
      })
      const last = ids.at(-1)
      if (last === undefined || ids.length < POSTS_AT_ONCE) break
      after = last
      await nextTurn()
    }
}

const read = ({ store }: CandidateOptions, ids: readonly string[]) =>
  store.all(postsSeenBy, { ids: JSON.stringify(ids), viewer: '' })

/**
 * Including the posts that they refer to, with their newest versions, and the versions that they
 * replace, whose counts or state changed.
 */
async function readWithRelated(parts: CandidateOptions, ids: readonly string[]): Promise<SeenPostRow[]> {
  const rows = new Map<string, SeenPostRow>()
  const add = async (postIds: readonly string[]) => {
    const missing = [...new Set(postIds)].filter((id) => !rows.has(id))
    const found = missing.length === 0 ? [] : await read(parts, missing)
    for (const row of found) rows.set(row.id, row)
    return found
  }
  const related = await add((await add(ids)).flatMap(relatedOf))
  await add(related.map(newestVersionOf))
  return [...rows.values()]
}

const relatedOf = (row: SeenPostRow): string[] => [
  ...versionIdsOf(row),
  ...[row.in_reply_to_post_id, row.quoted_post_id, row.reposted_post_id].filter((id) => id !== null),
]

async function put(tx: Transaction, rows: readonly SeenPostRow[]): Promise<void> {
  const eligible = rows.filter((row) => isEligible(row, tx.now))
  const gone = rows.filter((row) => !eligible.includes(row)).map(({ id }) => id)
  if (gone.length > 0) await tx.run(removeCandidates, { ids: JSON.stringify(gone) })
  if (eligible.length > 0)
    await tx.run(putCandidates, { candidates: JSON.stringify(eligible.map(candidateOf)) })
}

const candidateOf = (row: SeenPostRow) => ({
  post_id: row.id,
  lang: row.lang,
  created_at: row.created_at,
  reactions: row.like_count + row.reply_count + 2 * (row.repost_count + row.quote_count),
})

const removeOld = taskType<Record<never, never>>('remove old note candidates')

const EVERY_MS = 300_000
const LEASE_MS = 600_000
const REMOVED_AT_ONCE = 1_000

/** Removes posts that have become too old for notes. */
export const noteCandidateRemoval = ({ store, clock }: CandidateOptions) =>
  schedule(
    removeOld,
    {
      everyMs: EVERY_MS,
      leaseMs: LEASE_MS,
      async run(signal) {
        // Those that are exactly so old go, too.
        const oldCandidates = { before: clock.now() - ELIGIBLE_MS + 1, limit: REMOVED_AT_ONCE }
        const remove = () => store.write((tx) => tx.run(removeOldCandidates, oldCandidates))
        while (!signal.aborted && (await remove()) === REMOVED_AT_ONCE);
      },
    },
    clock,
  )
