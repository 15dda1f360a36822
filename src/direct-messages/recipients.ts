import { pairsAround, readRelations } from '../relations/queries.ts'
import type { Transaction } from '../storage/store.ts'
import { profilesByIds } from '../users/queries.ts'
import { pairId } from './conversation.ts'
import { writersIn } from './queries.ts'

/** Whom a user may not send messages, of some users. */
export interface Recipients {
  /** Who does not exist. */
  readonly unknown: readonly string[]
  /** Who takes no messages from the sender. */
  readonly closed: readonly string[]
}

/**
 * A user takes messages from everyone, or from those whom they follow, as they have chosen; and always from those whom they
 * have written to. Where one of two blocks the other, neither takes any, and suspended users take none.
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

/** Most users take messages from the sender anyway, and then nothing is read. */
async function whoWroteTo(tx: Transaction, sender: string, rows: readonly { id: string }[]) {
  if (rows.length === 0) return new Set<string>()
  const ids = JSON.stringify(rows.map(({ id }) => pairId(id, sender)))
  return new Set((await tx.all(writersIn, { ids })).map(({ user_id }) => user_id))
}
