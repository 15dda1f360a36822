import { buyersOfSpace, olderPostsOfSpace, pageOfSpaces, topicsByIds } from '../../domain/spaces/queries.ts'
import { LAST_ID } from '../../platform/common/ids.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { ExportedNames } from './exported-names.ts'

const MINUTE_MS = 60_000
const MAX_MINUTES = 1440
const MAX_SHARED = 100
const MAX_BUYERS = 1000

async function topicsOf(store: Store, ids: string) {
  const rows = ids === '[]' ? [] : await store.all(topicsByIds, { ids })
  const topics = rows.map(({ name, description }) => ({ name, ...(description !== null && { description }) }))
  return topics.length === 0 ? {} : { topics }
}

/** Spaces of exported users, oldest first, with the exported posts that were shared in them. */
export async function exportSpaces(
  store: Store,
  names: ExportedNames,
  { limit, nameOf }: { limit: number; nameOf: ReadonlyMap<string, string> },
) {
  const listed = (ids: string) => (JSON.parse(ids) as string[]).flatMap((id) => names.get(id) ?? [])
  const buyers = async (of: string) => {
    const found = await store.all(buyersOfSpace.older, { of, id: LAST_ID, limit: MAX_BUYERS })
    return found.flatMap(({ other }) => names.get(other) ?? []).toReversed()
  }
  const spaces = []
  for (const row of await store.all(pageOfSpaces, { after: '', limit })) {
    const creator = names.get(row.creator_id)
    if (creator === undefined) continue
    const shared = await store.all(olderPostsOfSpace, { space: row.id, id: LAST_ID, limit: MAX_SHARED })
    const members = {
      hosts: listed(row.host_ids).filter((name) => name !== creator),
      speakers: listed(row.speaker_ids),
      invited: listed(row.invited_user_ids),
      posts: shared.flatMap(({ post_id }) => nameOf.get(post_id) ?? []).toReversed(),
    }
    const minutes = row.ends_at === null ? undefined : Math.ceil((row.ends_at - row.starts_at) / MINUTE_MS)
    spaces.push({
      creator,
      title: row.title,
      ...(row.lang !== null && { lang: row.lang }),
      starts_at: isoTime(row.starts_at),
      ...(minutes !== undefined && { duration_minutes: Math.min(MAX_MINUTES, Math.max(1, minutes)) }),
      ...Object.fromEntries(Object.entries(members).filter(([, list]) => list.length > 0)),
      ...(row.subscriber_count > 0 && { subscriber_count: row.subscriber_count }),
      ...(await topicsOf(store, row.topic_ids)),
      ...(row.ticketed === 1 && { buyers: await buyers(row.id) }),
    })
  }
  return spaces
}
