import type { AdsError } from '../../kit/ads-codes.ts'
import { Refusal } from '../../kit/errors.ts'
import { nextBase36 } from '../../kit/ids.ts'
import type { Entity, Work } from './entity.ts'
import type { Fields, Fresh, Item, Supplied } from './fields.ts'
import { record } from './history.ts'
import { DELETED, DRAFT, VISIBLE } from './queries.ts'

// The writes of an entity, each inside a transaction that its caller began: an endpoint for one, a batch for many.

/** Makes a new one from what was sent. Throws what is wrong with it. */
export async function createItem(
  entity: Entity,
  supplied: Supplied<Fields>,
  work: Work,
): Promise<Item<Fields>> {
  const { complete, existing, check, after } = entity.declared
  const fresh = complete ? await complete(supplied, work) : supplied
  const there = await existing?.(fresh as Fresh<Fields>, work)
  if (there) return there
  const { now, tx, scope } = work
  const item = {
    ...fresh,
    id: nextBase36(work.context.ids),
    created_at: now,
    updated_at: now,
    deleted: false,
  } as Item<Fields>
  const change = { ...work, before: undefined, supplied }
  refuseWrong(await check?.(item, change))
  await tx.run(entity.rows.add, { ...columnsOf(entity, item), account_id: scope.accountId })
  await after?.(item, change)
  await record(entity, { item, before: undefined, type: 'CREATE' }, work)
  return item
}

/** Changes what was sent of one that is there; nothing is written when nothing changes. */
export async function updateItem(
  entity: Entity,
  id: string,
  supplied: Supplied<Fields>,
  work: Work,
): Promise<Item<Fields>> {
  const { adjust, check, after } = entity.declared
  const { tx, scope, now } = work
  const before = await entity.find(work, id, 'locked')
  if (!before) throw entity.missing(scope.accountId, id)
  const item: Item<Fields> = { ...before, ...supplied }
  const change = { ...work, before, supplied }
  if (adjust) Object.assign(item, adjust(item, change))
  refuseWrong(await check?.(item, change))
  if (JSON.stringify(before) === JSON.stringify(item)) return before
  item.updated_at = now
  await tx.run(entity.rows.change, { ...columnsOf(entity, item), account_id: scope.accountId })
  await after?.(item, change)
  await record(entity, { item, before, type: 'UPDATE' }, work)
  return item
}

/** Deletes one for good. What hangs on it stays as it is. */
export async function deleteItem(entity: Entity, id: string, work: Work): Promise<Item<Fields>> {
  const { tx, scope, now } = work
  const before = await entity.find(work, id, 'locked')
  if (!before) throw entity.missing(scope.accountId, id)
  const item: Item<Fields> = { ...before, deleted: true, updated_at: now }
  await tx.run(entity.rows.remove, { account: scope.accountId, id, now })
  await entity.declared.afterDelete?.(item, work)
  await record(entity, { item, before, type: 'DELETE' }, work)
  return item
}

/** Throws what is wrong, if anything is. */
export function refuseWrong(errors: readonly AdsError[] | undefined): void {
  if (errors && errors.length > 0) throw new Refusal('bad request', { errors })
}

/** The columns of a row, those that are worked out among them. */
function columnsOf(entity: Entity, item: Item<Fields>): Record<string, string | number | null> {
  const { kept = {}, drafts } = entity.declared
  const isDraft = drafts && (item as Record<string, unknown>).entity_status === 'DRAFT'
  const row = entity.codec.encode(item)
  for (const [name, of] of Object.entries(kept)) row[name] = of(item)
  row.visibility = item.deleted ? DELETED : isDraft ? DRAFT : VISIBLE
  return row
}
