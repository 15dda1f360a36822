import { setImmediate as nextTurn } from 'node:timers/promises'
import { profilesOf } from '../../identity/users/profiles.ts'
import type { Clock } from '../../platform/common/clock.ts'
import { compareIds, firstIdAt } from '../../platform/common/ids.ts'
import { isOfKind, type LoggedEvent } from '../../platform/events/event.ts'
import { type Consumer, IGNORED } from '../../platform/events/follower.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { postDeleted, postEdited, postIdsOf, postPublished, postsImported } from '../posts/events.ts'
import { isForEveryone, postsSeenBy, type SeenPostRow } from '../posts/queries.ts'
import { isPublic } from '../posts/visibility.ts'
import { locationsReady } from '../reference-data/locations.ts'
import { placesOf } from './places.ts'
import { addTrendUses, markTrendChanges, removeTrendUses, usesOfPosts } from './queries.ts'
import type { TrendUseRow } from './tables.ts'
import { trendTermsOf } from './terms.ts'

const HOUR_MS = 3_600_000
/** Days with which the last day is compared. */
export const BASE_DAYS = 7
/** How long uses are stored: the last day, and those before it. */
export const STORED_MS = (BASE_DAYS + 1) * 24 * HOUR_MS

/** The name of the consumer. */
const TREND_POSTS = 'trend posts'

/** Posts that are read at once. */
const ROWS_AT_ONCE = 200

/** Stores which terms new posts use, and where. */
export const trendPostFollowing = ({ store, clock }: { store: Store; clock: Clock }): Consumer => ({
  name: TREND_POSTS,
  index: { isBuilt: async () => true },
  async take(events, signal) {
    const oldest = firstIdAt(clock.now() - STORED_MS)
    const ids = [...new Set(events.flatMap(postIdsIn))].filter((id) => compareIds(id, oldest) >= 0)
    if (ids.length === 0) return IGNORED
    const uses: TrendUseRow[] = []
    for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
      if (at > 0) await nextTurn()
      signal.throwIfAborted()
      const batch = JSON.stringify(ids.slice(at, at + ROWS_AT_ONCE))
      const rows = await store.all(postsSeenBy, { ids: batch, viewer: '' })
      uses.push(...(await usesOf(rows.filter(isCounted), store)))
    }
    return (tx) => replaceUses(tx, ids, uses)
  },
  // Missed posts are in no trend.
  missed: () => undefined,
})

function postIdsIn(event: LoggedEvent): readonly string[] {
  if (isOfKind(event, postsImported)) return postIdsOf(event)
  if (isOfKind(event, postEdited)) return [event.data.post_id, event.data.previous_post_id]
  return isOfKind(event, postPublished) || isOfKind(event, postDeleted) ? [event.data.post_id] : []
}

/** Public posts that are not reposts. */
const isCounted = (row: SeenPostRow): boolean =>
  isForEveryone(row) && isPublic(row.visibility) && row.reposted_post_id === null

async function usesOf(rows: readonly SeenPostRow[], store: Store): Promise<TrendUseRow[]> {
  if (rows.some(({ place_id }) => place_id !== null)) await locationsReady()
  const authors = await profilesOf(
    rows.map(({ author_id }) => author_id),
    store,
  )
  return rows.flatMap(({ id: post_id, author_id, fingerprint, created_at, place_id, text, entities }) => {
    const hour = created_at - (created_at % HOUR_MS)
    const location = authors.get(author_id)?.location ?? ''
    const places = placesOf({ placeId: place_id, location })
    const terms = [...trendTermsOf(text, JSON.parse(entities) as Entities)]
    return places.flatMap((woeid) =>
      terms.map(([term, name]) => ({ woeid, term, hour, author_id, post_id, name, fingerprint })),
    )
  })
}

/** Replaces what posts use, and marks the terms whose scores change. */
async function replaceUses(tx: Transaction, ids: readonly string[], uses: readonly TrendUseRow[]) {
  const before = await tx.all(usesOfPosts, { ids: JSON.stringify(ids) })
  if (before.length > 0) await tx.run(removeTrendUses, { ids: JSON.stringify(ids) })
  if (uses.length > 0) await tx.run(addTrendUses, { uses: JSON.stringify(uses) })
  const changed = new Map(
    [...before, ...uses].map(({ woeid, term }) => [`${woeid} ${term}`, { woeid, term }]),
  )
  const pairs = [...changed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair)
  if (pairs.length > 0) await tx.run(markTrendChanges, { pairs: JSON.stringify(pairs) })
}
