import type { Transaction } from '../../store/store.ts'
import { cardRows } from './card.ts'
import { imageConversationCards, videoConversationCards } from './conversations.ts'
import { pollCards } from './polls.ts'

const BASE36_LENGTH = 12

/** Whether an account has a card of this address that is not deleted, of whichever kind. */
export async function hasCard(
  tx: Pick<Transaction, 'first'>,
  account: string,
  uri: string,
): Promise<boolean> {
  const number = uri.slice('card://'.length)
  const made = await tx.first(cardRows.byId, { account, id: number })
  if (made) return made.deleted === 0
  // The ids of other kinds are the same numbers in base 36.
  const id = BigInt(number).toString(36).padStart(BASE36_LENGTH, '0')
  for (const { rows } of [pollCards, videoConversationCards, imageConversationCards]) {
    const row = await tx.first(rows.byId, { account, id })
    if (row) return row.deleted === 0
  }
  return false
}
