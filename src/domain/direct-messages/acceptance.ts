import { pairsAround, readRelations } from '../../identity/relations/queries.ts'
import { profilesByIds } from '../../identity/users/queries.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { chatWritersIn } from '../chat/queries.ts'
import { pairId } from './conversation.ts'
import { writersIn } from './queries.ts'

type Recipient = Pick<ProfileRow, 'id' | 'suspended' | 'direct_messages_from'>

/**
 * The ids of the users, of those given, who accept direct messages from a user. A user accepts them
 * from everyone, or only from users whom they follow, as they have chosen; and always from users to
 * whom they have written, encrypted or not. If one of two users blocks the other, or the messages
 * of the other, neither accepts messages from the other. Suspended users accept none.
 */
export async function acceptingMessages(
  store: Pick<Transaction, 'all'>,
  sender: string,
  users: readonly Recipient[],
): Promise<ReadonlySet<string>> {
  const others = users.filter(({ id }) => id !== sender)
  const ids = others.map(({ id }) => id)
  const { has } = await readRelations(store, pairsAround(sender, ids))
  const isBlocked = (id: string) =>
    (['block', 'dm_block'] as const).some((kind) => has(kind, id, sender) || has(kind, sender, id))
  const open = others.filter(({ id, suspended }) => suspended === 0 && !isBlocked(id))
  const isWelcome = ({ id, direct_messages_from: from }: Recipient) =>
    from === 'everyone' || has('follow', id, sender)
  const wrote = await whoWroteTo(
    store,
    sender,
    open.filter((user) => !isWelcome(user)),
  )
  return new Set(open.filter((user) => isWelcome(user) || wrote.has(user.id)).map(({ id }) => id))
}

/** Most users accept messages from the sender anyway. Then nothing is read. */
async function whoWroteTo(
  store: Pick<Transaction, 'all'>,
  sender: string,
  users: readonly Recipient[],
): Promise<ReadonlySet<string>> {
  if (users.length === 0) return new Set()
  const ids = JSON.stringify(users.map(({ id }) => pairId(id, sender)))
  const writers = [...(await store.all(writersIn, { ids })), ...(await store.all(chatWritersIn, { ids }))]
  return new Set(writers.map(({ user_id }) => user_id))
}

/** The users, of those given, to whom a user may not send messages. */
interface RejectedRecipients {
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
