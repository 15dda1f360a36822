import { profilesByIds } from '../../identity/users/queries.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { acceptingMessages } from './acceptance.ts'

/** The users, of those given, to whom a user may not send messages. */
export interface RejectedRecipients {
  /** Users who do not exist. */
  readonly unknown: readonly string[]
  /** Users who accept no messages from the sender. */
  readonly closed: readonly string[]
}

export async function checkRecipients(
  tx: Transaction,
  sender: string,
  ids: readonly string[],
): Promise<RejectedRecipients> {
  const rows = await tx.all(profilesByIds, { ids: JSON.stringify(ids) })
  const accepting = await acceptingMessages(tx, sender, rows)
  const known = new Set(rows.map(({ id }) => id))
  return {
    unknown: ids.filter((id) => !known.has(id)),
    closed: ids.filter((id) => known.has(id) && !accepting.has(id)),
  }
}
