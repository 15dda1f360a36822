import { chatEventsSeenBy, inboxPages, keyChangesOf } from '../../../../domain/chat/queries.ts'
import type { ChatEventRow } from '../../../../domain/chat/tables.ts'
import { compareIds, LAST_ID, timeOfId } from '../../../../platform/common/ids.ts'
import type { Store } from '../../../../platform/storage/store.ts'
import type { FindVisibleKeys } from '../../objects/endpoint.ts'
import { readPage } from '../../paging.ts'

export const DEFAULT_RESULTS = 10
/** Key changes of a page, besides those of its messages: each may have a key for 1,000 members. */
const MAX_KEY_CHANGES = 20

interface Place {
  user: string
  conversation: string
}

export async function pageOf(
  query: { max_results?: number; pagination_token?: string },
  at: Place,
  { store, shownKeys }: { store: Pick<Store, 'all'>; shownKeys: FindVisibleKeys },
) {
  const { rows, tokens } = await readPage(query, {
    defaultLimit: DEFAULT_RESULTS,
    async read({ direction, id, limit }) {
      const found = await store.all(inboxPages[direction], { ...at, listed: 1, id, limit })
      return found.map(({ event_id }) => ({ id: event_id, created_at: timeOfId(event_id) }))
    },
    /** Expired messages are not shown. */
    async shown(rows) {
      const keys = await shownKeys(rows.map((row) => row.id))
      return rows.filter((row) => keys.has(row.id))
    },
  })
  return { keys: rows.map((row) => row.id), tokens }
}

/** The key changes that a page of events needs, and the newest ones. */
export async function keyEventsOf(
  keys: readonly string[],
  { user, conversation, now }: Place & { now: number },
  store: Pick<Store, 'all'>,
): Promise<string[]> {
  const seen = (ids: readonly string[]): Promise<readonly ChatEventRow[]> =>
    store.all(chatEventsSeenBy, { ids: JSON.stringify(ids), viewer: user, now })
  const page = { user, conversation, listed: 0, id: LAST_ID, limit: MAX_KEY_CHANGES }
  const newest = (await store.all(inboxPages.older, page)).map((row) => row.event_id)
  const versions = new Set((await seen(keys)).map((row) => row.key_version))
  const named = JSON.stringify([...versions].filter((one) => one !== null))
  const needed = await store.all(keyChangesOf, { id: conversation, versions: named })
  const rows = await seen([...new Set([...newest, ...needed.map(({ id }) => id)])])
  return [...rows].sort((one, other) => compareIds(other.id, one.id)).map((row) => row.encoded_event)
}
