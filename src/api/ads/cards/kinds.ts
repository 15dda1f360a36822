import type { Transaction } from '../../../platform/storage/store.ts'
import { untyped } from '../entity/entity.ts'
import type { Entity } from '../entity/types.ts'
import { numberIn } from './card-fields.ts'
import { cards } from './cards.ts'
import { imageConversationCards, videoConversationCards } from './conversations.ts'
import { dynamicProductCards } from './dynamic-product-cards.ts'
import { pollCards } from './polls.ts'

const BASE36_LENGTH = 12

/** Every kind of card. */
export const CARD_KINDS: readonly Entity[] = [
  untyped(cards),
  untyped(pollCards),
  untyped(videoConversationCards),
  untyped(imageConversationCards),
  untyped(dynamicProductCards),
]

/**
 * Ids of a kind of card: the numbers in their URIs. Those of polls and conversations are in base
 * 36.
 */
export const isDecimal = ({ declared }: Entity) => declared.ids !== undefined
export const base36Of = (number: string): string => BigInt(number).toString(36).padStart(BASE36_LENGTH, '0')
export const idOfNumber = (kind: Entity, number: string) => (isDecimal(kind) ? number : base36Of(number))

/** The kind of the card of an account with this URI; undefined if it is deleted, or no card. */
export async function cardKind(
  tx: Pick<Transaction, 'first'>,
  account: string,
  uri: string,
): Promise<Entity | undefined> {
  const number = numberIn(uri)
  for (const kind of CARD_KINDS) {
    const row = await tx.first(kind.rows.byId, { account, id: idOfNumber(kind, number) })
    if (row) return row.deleted === 0 ? kind : undefined
  }
  return undefined
}

/** Whether a kind of card shows products of the set of a line item. */
export const showsProducts = (kind: Entity): boolean => kind === untyped(dynamicProductCards)
