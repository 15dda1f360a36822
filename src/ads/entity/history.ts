import { jsonText } from '../../common/exact-json.ts'
import { nextBase36 } from '../../common/ids.ts'
import { addHistory } from '../history/queries.ts'
import type { Entity, Work } from './types.ts'
import type { Fields, Item } from './fields.ts'

/** What the account history calls the entities that it follows (interface, account history). */
export const HISTORY_KINDS = [
  'CAMPAIGN',
  'LINE_ITEM',
  'PROMOTED_POST',
  'TARGETING_CRITERIA',
  'PROMOTED_ACCOUNT',
] as const

export type HistoryKind = (typeof HISTORY_KINDS)[number]

const followed = new Map<HistoryKind, Entity>()

/** Says which entity a kind of history is about. */
export const follow = (kind: HistoryKind, entity: Entity): void => void followed.set(kind, entity)

/** The entity that a kind of history is about; undefined for one that no entity has yet. */
export const followedEntity = (kind: HistoryKind): Entity | undefined => followed.get(kind)

export type ChangeType = 'CREATE' | 'UPDATE' | 'DELETE'

interface Recorded {
  item: Item<Fields>
  type: ChangeType
  /** The former values of what an update changed. */
  before?: Readonly<Record<string, unknown>>
}

/** Writes one entry of the history, in the transaction of the change itself. */
export async function record(
  entity: Entity,
  { item, type, before = {} }: Recorded,
  { tx, scope, caller, context, now }: Work,
): Promise<void> {
  const { history } = entity.declared
  if (!history) return
  await tx.run(addHistory, {
    account_id: scope.accountId,
    entity: history,
    entity_id: item.id,
    id: nextBase36(context.ids),
    change_time: now,
    change_type: type,
    user_id: caller.userId,
    app_id: caller.app.id,
    item: jsonText(item),
    before: jsonText(before),
  })
}
