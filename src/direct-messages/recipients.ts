import { pairsAround, readRelations } from '../relations/queries.ts'
import type { Transaction } from '../storage/store.ts'
import { profilesByIds } from '../users/queries.ts'
import { pairId } from './conversation.ts'
import { writersIn } from './queries.ts'

/** The users, of those given, to whom a user may not send messages. */
export interface Recipients {
  /** Users who do not exist. */
  readonly unknown: readonly string[]
  /** Users who accept no messages from the sender. */
  readonly closed: readonly string[]
}

/**
 * A user accepts messages from everyone, or only from users whom they follow, as they have chosen; and always from
 * users to whom they have written. If one of two users blocks the other, neither accepts messages from the other.
 * Suspended users accept none.
 */
export async function checkRecipients(
  tx: Transaction,
  sender: string,
  ids: readonly string[],
): Promise<Recipients> {
  const rows = await tx.all(profilesByIds, { ids: JSON.stringify(ids) })
  const { has } = await readRelations(tx, pairsAround(sender, ids))
  const isBarred = (id: string) => has('block', id, sender) || has('block', sender, id)
  const barred = rows.filter((row) => row.suspended === 1 || isBarred(row.id))
  const choosy = rows.filter(
    (row) =>
      row.direct_messages_from !== 'everyone' && !has('follow', row.id, sender) && !barred.includes(row),
  )
  const wrote = await whoWroteTo(tx, sender, choosy)
  const known = new Set(rows.map(({ id }) => id))
  return {
    unknown: ids.filter((id) => !known.has(id)),
    closed: [...barred, ...choosy.filter(({ id }) => !wrote.has(id))].map(({ id }) => id),
  }
}

/** Most users accept messages from the sender anyway. Then nothing is read. */
async function whoWroteTo(tx: Transaction, sender: string, rows: readonly { id: string }[]) {
  if (rows.length === 0) return new Set<string>()
  const ids = JSON.stringify(rows.map(({ id }) => pairId(id, sender)))
  return new Set((await tx.all(writersIn, { ids })).map(({ user_id }) => user_id))
}
