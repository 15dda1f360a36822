import type { AdsError } from '../../protocols/ads/codes.ts'
import { violationError } from '../../protocols/ads/errors.ts'
import { AdsApiError } from '../../protocols/ads/api-error.ts'
import { nextBase36 } from '../../common/ids.ts'
import type { SentBack } from '../../http/input/read-only.ts'
import { changedReadOnly, changesOf } from '../../http/input/read-only.ts'
import { plain } from '../../http/schema.ts'
import type { Entity, Work } from './types.ts'
import { ownerOf } from './types.ts'
import type { Cell, Fields, Fresh, Item, Supplied } from './fields.ts'
import { record, sameMember } from './history.ts'
import { nameKey } from '../name-key.ts'
import { DELETED, DRAFT, PARENT_DELETED, VISIBLE } from './queries.ts'
import { NAME_KEY } from './table.ts'

// The writes of an entity, each inside a transaction that its caller began: an endpoint for one, a batch for many.

/** Makes a new one from what was sent. Throws what is wrong with it. */
export const createItem = <F extends Fields>(
  entity: Entity<F>,
  supplied: Supplied<F>,
  work: Work,
): Promise<Item<Fields>> => createAny(entity, supplied, work)

async function createAny(entity: Entity, supplied: Supplied<Fields>, work: Work): Promise<Item<Fields>> {
  const { complete, existing, check, after } = entity.declared
  const fresh = complete ? await complete(supplied, work) : supplied
  const there = await existing?.(fresh as Fresh<Fields>, work)
  if (there) return there
  const { now, tx } = work
  const item = {
    ...fresh,
    id: nextBase36(work.context.ids),
    created_at: now,
    updated_at: now,
    deleted: false,
  } as Item<Fields>
  const change = { ...work, before: undefined, supplied }
  throwErrors(await check?.(item, change))
  await tx.run(entity.rows.add, { ...columnsOf(entity, item), account_id: ownerOf(work) })
  await after?.(item, change)
  await record(entity, { item, before: undefined, type: 'CREATE' }, work)
  return item
}

/** What was sent to change an entity. */
interface Sent {
  id: string
  supplied: Supplied<Fields>
  /** Members that cannot be set. */
  sentBack: readonly SentBack[]
}

/**
 * Changes what was sent of one that is there. A value that it has already counts as not sent, so that a client may save
 * all that it read; nothing is written when nothing changes.
 */
export async function updateItem(
  entity: Entity,
  { id, supplied, sentBack }: Sent,
  work: Work,
): Promise<Item<Fields>> {
  const { adjust, check, after } = entity.declared
  const { tx, now } = work
  const row = await tx.first(entity.rows.lock, { account: ownerOf(work), id })
  // What hangs on a deleted line item can be deleted, but not changed. Whoever deletes the line item waits for this row.
  if (!row || row.deleted === 1 || row.visibility === PARENT_DELETED) throw entity.missing(ownerOf(work), id)
  const before = entity.codec.decode(row)
  rejectChanged(sentBack, before)
  const changes = changesOf(plain(entity.whole).properties ?? {}, supplied, before)
  if (Object.keys(changes).length === 0) return before
  const item: Item<Fields> = { ...before, ...changes }
  const change = { ...work, before, supplied: changes }
  if (adjust) Object.assign(item, adjust(item, change))
  throwErrors(await check?.(item, change))
  if (isSame(before, item)) return before
  item.updated_at = now
  await tx.run(entity.rows.change, { ...columnsOf(entity, item), account_id: ownerOf(work) })
  await after?.(item, change)
  await record(entity, { item, before, type: 'UPDATE' }, work)
  return item
}

const isSame = (before: object, item: object): boolean => {
  const members = Object.entries(item)
  const former = before as Record<string, unknown>
  return (
    members.length === Object.keys(former).length &&
    members.every(([name, value]) => sameMember(value, former[name]))
  )
}

/** Throws the read-only members that were sent with another value than the stored one. */
export function rejectChanged(
  sentBack: readonly SentBack[],
  stored: Readonly<Record<string, unknown>>,
): void {
  throwErrors(changedReadOnly(sentBack, stored).map(violationError))
}

/** Deletes one for good. What hangs on it stays as it is. */
export async function deleteItem(entity: Entity, id: string, work: Work): Promise<Item<Fields>> {
  const { tx, now } = work
  const before = await entity.find(work, id, 'locked')
  if (!before) throw entity.missing(ownerOf(work), id)
  const item: Item<Fields> = { ...before, deleted: true, updated_at: now }
  await tx.run(entity.rows.remove, { account: ownerOf(work), id, now })
  await entity.declared.afterDelete?.(item, work)
  await record(entity, { item, before, type: 'DELETE' }, work)
  return item
}

/** Throws what is wrong, if anything is. */
export function throwErrors(errors: readonly AdsError[] | undefined): void {
  if (errors && errors.length > 0) throw new AdsApiError({ errors })
}

/** The columns of a row, those that are worked out among them. */
function columnsOf(entity: Entity, item: Item<Fields>): Record<string, Cell> & { id: string } {
  const { nameKey: hasNameKey, drafts } = entity.declared
  const isDraft = drafts && (item as Record<string, unknown>).entity_status === 'DRAFT'
  const row = entity.codec.encode(item)
  if (hasNameKey) row[NAME_KEY] = typeof row.name === 'string' ? nameKey(row.name) : null
  row.visibility = item.deleted ? DELETED : isDraft ? DRAFT : VISIBLE
  return row
}
