import type { Transaction } from '../../../platform/storage/store.ts'
import { cardRows } from './card.ts'
import { imageConversationCards, videoConversationCards } from './conversations.ts'
import { pollCards } from './polls.ts'

const BASE36_LENGTH = 12

/** The form of the URIs of cards. */
export const CARD_URI = /^card:\/\/[0-9]{1,19}$/

/** The number in the URI of a card. */
export const numberIn = (uri: string): string => uri.slice('card://'.length)

/** The ids of polls and conversations are the numbers in their URIs, in base 36. */
export const base36Of = (number: string): string => BigInt(number).toString(36).padStart(BASE36_LENGTH, '0')

/** Whether an account has a card of any kind with this URI that is not deleted. */
export async function hasCard(
  tx: Pick<Transaction, 'first'>,
  account: string,
  uri: string,
): Promise<boolean> {
  const number = numberIn(uri)
  const made = await tx.first(cardRows.byId, { account, id: number })
  if (made) return made.deleted === 0
  const id = base36Of(number)
  for (const { rows } of [pollCards, videoConversationCards, imageConversationCards]) {
    const row = await tx.first(rows.byId, { account, id })
    if (row) return row.deleted === 0
  }
  return false
}
