import { jsonText } from '../../../platform/common/exact-json.ts'
import { nextBase36 } from '../../../platform/common/ids.ts'
import { addHistory } from '../history/queries.ts'
import type { EntityItem, Fields } from './fields.ts'
import type { HistoryKind } from './history-kinds.ts'
import type { Entity, WriteContext } from './types.ts'

const followed = new Map<HistoryKind, Entity>()

/** Registers the entity of a kind of history. */
export const follow = (kind: HistoryKind, entity: Entity): void => void followed.set(kind, entity)

/** The entity of a kind of history; undefined when no entity is registered. */
export const followedEntity = (kind: HistoryKind): Entity | undefined => followed.get(kind)

export type ChangeType = 'CREATE' | 'UPDATE' | 'DELETE'

interface HistoryChange {
  item: EntityItem<Fields>
  type: ChangeType
  /** The previous values of the members that an update changed. */
  before?: Readonly<Record<string, unknown>>
}

/** Writes one entry of the history, in the transaction of the change itself. */
export async function record(
  entity: Entity,
  { item, type, before = {} }: HistoryChange,
  { tx, scope, caller, context, now }: WriteContext,
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
