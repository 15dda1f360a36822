import { LAST_ID } from '../../platform/common/ids.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { ExportedNames } from './exported-names.ts'
import { newestMessages, participantsOfMany } from './queries.ts'

/** The newest direct messages among exported users, oldest first. Media are left out. */
export async function exportMessages(store: Store, names: ExportedNames, limit: number) {
  const rows = (await store.all(newestMessages, { before: LAST_ID, limit })).reverse()
  const ids = JSON.stringify([...new Set(rows.map((row) => row.conversation_id))])
  const participants = new Map<string, string[]>()
  for (const { conversation_id, user_id } of await store.all(participantsOfMany, { ids }))
    participants.set(conversation_id, [...(participants.get(conversation_id) ?? []), user_id])
  return rows.flatMap((row) => {
    const from = names.get(row.sender_id)
    const others = (participants.get(row.conversation_id) ?? []).filter((id) => id !== row.sender_id)
    const to = others.flatMap((id) => names.get(id) ?? []).toSorted()
    if (from === undefined || to.length === 0 || to.length !== others.length || row.text === '') return []
    return [{ from, to, text: row.text, created_at: isoTime(row.created_at) }]
  })
}
