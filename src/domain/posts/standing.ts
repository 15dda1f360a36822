import { userPlacesRemoved } from '../../identity/users/events.ts'
import { FIRST_ID } from '../../platform/common/ids.ts'
import { emit } from '../../platform/events/log.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { placesRemoved, postAnnotated, postDropped, postUndropped, postWithheld } from './events.ts'
import { entitiesWithGiven, type GivenPost, type Withheld } from './given.ts'
import { eventOf } from './insert.ts'
import { placedPosts, removePlaces, setPostNotes, setPostStanding } from './queries.ts'
import type { PostRow } from './tables.ts'
import { versionIdsOf } from './versions.ts'
import { GONE } from './visibility.ts'

// What the operator changes of posts that exist.

/** Absent members stay as they are; null ends that a post is withheld. */
export interface GivenChanges extends Omit<GivenPost, 'withheld'> {
  readonly withheld?: Withheld | null | undefined
}

/**
 * Changes what is given of a post, which is locked. Its versions are withheld and dropped together.
 */
export async function changeGiven(tx: Transaction, row: PostRow, given: GivenChanges): Promise<void> {
  const { withheld = undefined, dropped = row.dropped === 1 } = given
  if (given.entities || given.context_annotations) await annotate(tx, row, given)
  const stored = withheld === undefined ? row.withheld : withheld && JSON.stringify(withheld)
  const changed = { withheld: stored, dropped: Number(dropped) }
  if (changed.withheld === row.withheld && changed.dropped === row.dropped) return
  await tx.run(setPostStanding, { first: row.first_version_id, ...changed })
  const about = { ...eventOf(row), version_ids: versionIdsOf(row).join() }
  if (withheld && stored !== row.withheld)
    await emit(tx, postWithheld, { ...about, countries: withheld.country_codes.join() })
  if (changed.dropped !== row.dropped) await emit(tx, dropped ? postDropped : postUndropped, about)
}

async function annotate(tx: Transaction, row: PostRow, given: GivenChanges): Promise<void> {
  const { entities, context_annotations: contexts } = given
  const known = JSON.parse(row.entities) as Entities
  const all = entities ? entitiesWithGiven(known, { entities }, row.text) : known
  const list = contexts && (contexts.length === 0 ? null : JSON.stringify(contexts))
  await tx.run(setPostNotes, {
    id: row.id,
    entities: JSON.stringify(all),
    context_annotations: list === undefined ? row.context_annotations : list,
  })
  await emit(tx, postAnnotated, eventOf(row))
}

const POSTS_AT_ONCE = 500

/**
 * Removes where the posts of a user up to an id were written, in small transactions. Resolves to
 * the number of posts that had a place or a point. Repeating it continues.
 */
export async function removePlacesOf(
  store: Store,
  { userId: author, upTo: last }: { userId: string; upTo: string },
): Promise<number> {
  let removed = 0
  for (let visibility = 0; visibility <= GONE; visibility++)
    for (let after = FIRST_ID; ; ) {
      const page = await store.all(placedPosts, { author, visibility, after, last, limit: POSTS_AT_ONCE })
      const ids = page.flatMap(({ id, placed }) => (placed === 1 ? [id] : []))
      if (ids.length > 0)
        await store.write(async (tx) => {
          await tx.run(removePlaces, { ids: JSON.stringify(ids) })
          await emit(tx, placesRemoved, { user_id: author, post_ids: ids.join() })
        })
      removed += ids.length
      const end = page.at(-1)
      if (!end || page.length < POSTS_AT_ONCE) break
      after = end.id
    }
  await store.write((tx) => emit(tx, userPlacesRemoved, { user_id: author, up_to_post_id: last }))
  return removed
}
