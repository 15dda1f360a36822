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

/** Writes one entry of the history, in the transaction of the change itself. */
export async function record(
  entity: Entity,
  { item, before, type }: { item: Item<Fields>; before: Item<Fields> | undefined; type: ChangeType },
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
    before: jsonText(type === 'UPDATE' && before ? changed(before, item) : {}),
  })
}

/** The former values of what an update changed. */
function changed(before: Item<Fields>, item: Item<Fields>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => !sameMember(value, item[name]) && name !== 'updated_at'),
  )
}

/** Whether two values of a member are stored alike. Most are the same one. */
export const sameMember = (one: unknown, other: unknown): boolean =>
  one === other || jsonText(one) === jsonText(other)
