import { changedReadOnly, changesOf, type SentBack } from '../../../platform/http/input/read-only.ts'
import { plain } from '../../../platform/http/schema.ts'
import { AdsApiError } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import { violationError } from '../../../platform/protocols/ads/errors.ts'
import { nameKey } from '../name-key.ts'
import type { EntityInput, EntityItem, Fields, NewEntityItem } from './fields.ts'
import { record } from './history.ts'
import { DELETED, DRAFT, PARENT_DELETED, VISIBLE } from './queries.ts'
import { NAME_KEY } from './table.ts'
import { type Entity, ownerOf, type WriteContext } from './types.ts'

// The writes of an entity, each in a transaction that the caller started: a single endpoint, or a
// batch.

/** Creates an entity from the parameters. Throws its errors. */
export const createItem = <F extends Fields>(
  entity: Entity<F>,
  supplied: EntityInput<F>,
  work: WriteContext,
): Promise<EntityItem<F>> => createAny(entity, supplied, work) as Promise<EntityItem<F>>

async function createAny(
  entity: Entity,
  supplied: EntityInput<Fields>,
  work: WriteContext,
): Promise<EntityItem<Fields>> {
  const { complete, existing, check, after } = entity.declared
  const fresh = complete ? await complete(supplied, work) : supplied
  const present = await existing?.(fresh as NewEntityItem<Fields>, work)
  if (present) {
    work.existing?.add(present)
    return present
  }
  const { now, tx } = work
  const item = {
    ...fresh,
    id: entity.nextId(work.context.ids),
    created_at: now,
    updated_at: now,
    deleted: false,
  } as EntityItem<Fields>
  const change = { ...work, before: undefined, supplied }
  throwErrors(await check?.(item, change))
  await tx.run(entity.rows.add, rowOf(entity, item, work))
  await after?.(item, change)
  await record(entity, { item, type: 'CREATE' }, work)
  return item
}

/** The parameters of an update. */
export interface UpdateInput {
  id: string
  supplied: EntityInput<Fields>
  /** Read-only members that were sent back. */
  sentBack: readonly SentBack[]
}

/**
 * Updates an entity with the parameters. A value equal to the stored one counts as not sent, so
 * that a client may save everything that it read. Nothing is written when nothing changes.
 */
export async function updateItem(
  entity: Entity,
  { id, supplied, sentBack }: UpdateInput,
  work: WriteContext,
): Promise<EntityItem<Fields>> {
  const { adjust, check, after, fixed } = entity.declared
  const { tx, now } = work
  const row = await tx.first(entity.rows.lock, { account: ownerOf(work), id })
  // Children of a deleted line item can be deleted, but not changed. Deleting the line item waits
  // for this row.
  if (!row || row.deleted === 1 || row.visibility === PARENT_DELETED) throw entity.missing(ownerOf(work), id)
  const before = entity.codec.decode(row)
  rejectChanged(sentBack, fixed ? { ...before, ...fixed(work, before) } : before)
  const changes = changesOf(plain(entity.whole).properties ?? {}, supplied, before)
  if (Object.keys(changes).length === 0) return before
  // Decoded once more: a copy of this many members by name is several times slower.
  const item: EntityItem<Fields> = Object.assign(entity.codec.decode(row), changes)
  const change = { ...work, before, supplied: changes }
  if (adjust) Object.assign(item, await adjust(item, change))
  throwErrors(await check?.(item, change))
  const next = rowOf(entity, item, work)
  const changed = entity.codec.columns.filter((column) => next[column] !== row[column])
  if (changed.length === 0) return before
  item.updated_at = now
  next.updated_at = now
  await tx.run(entity.rows.change(tx.dialect, row, next), next)
  await after?.(item, change)
  await record(entity, { item, before: membersOf(before, changed), type: 'UPDATE' }, work)
  return item
}

/** Some members of an item. */
const membersOf = (item: EntityItem<Fields>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, item[name]]))

/**
 * Throws an error for each read-only member that was sent with another value than the stored one.
 */
export function rejectChanged(
  sentBack: readonly SentBack[],
  stored: Readonly<Record<string, unknown>>,
): void {
  throwErrors(changedReadOnly(sentBack, stored).map(violationError))
}

/** Deletes one permanently. Its children are not changed. */
export const deleteItem = <F extends Fields>(
  entity: Entity<F>,
  id: string,
  work: WriteContext,
): Promise<EntityItem<F>> => deleteAny(entity, id, work) as Promise<EntityItem<F>>

async function deleteAny(entity: Entity, id: string, work: WriteContext): Promise<EntityItem<Fields>> {
  const { tx, now } = work
  await entity.declared.beforeDelete?.(id, work)
  const before = await entity.require(work, id, 'locked')
  const item: EntityItem<Fields> = { ...before, deleted: true, updated_at: now }
  await tx.run(entity.rows.remove, { account: ownerOf(work), id, now })
  await entity.declared.afterDelete?.(item, work)
  await record(entity, { item, type: 'DELETE' }, work)
  return item
}

/** Throws the errors, if there are any. */
export function throwErrors(errors: readonly AdsError[] | undefined): void {
  if (errors && errors.length > 0) throw new AdsApiError({ errors })
}

/** An item as its table stores it: its columns, including derived ones, and its owner. */
function rowOf(entity: Entity, item: EntityItem<Fields>, work: WriteContext) {
  const { nameKey: hasNameKey, drafts } = entity.declared
  const isDraft = drafts && (item as Record<string, unknown>).entity_status === 'DRAFT'
  const row = entity.codec.encode(item)
  if (hasNameKey) row[NAME_KEY] = typeof row.name === 'string' ? nameKey(row.name) : null
  row.visibility = item.deleted ? DELETED : isDraft ? DRAFT : VISIBLE
  return Object.assign(row, { account_id: ownerOf(work) })
}
