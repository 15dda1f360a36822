import type { Query } from '../../../platform/storage/query.ts'
import type { EntityInput, Fields } from './fields.ts'
import type { AccountIdsArgs } from './queries.ts'
import { type Entity, ownerOf, type WriteContext } from './types.ts'

// The order in which changes lock rows: parents, then entities, each by id. Changes of the same
// rows wait for each other in this order, so they cannot deadlock. SQLite has one writer and needs
// no locks.

/** A change that is about to be made. */
interface LockRequest {
  /** The id of the entity; undefined for a new one. */
  id: string | undefined
  supplied: EntityInput<Fields>
}

/** Locks every row that some changes of an account need, before the first of them is made. */
export async function lockRows(
  { declared: { parent }, locks }: Entity,
  intended: readonly LockRequest[],
  work: Pick<WriteContext, 'tx' | 'scope' | 'grant'>,
): Promise<void> {
  const { tx } = work
  if (!locks || tx.dialect !== 'postgres') return
  const account = ownerOf(work)
  const lock = async (query: Query<AccountIdsArgs, unknown> | undefined, ids: readonly string[]) => {
    if (query && ids.length > 0) await tx.all(query, { account, ids: JSON.stringify(ids) })
  }
  if (parent && locks.parentsOf) {
    const children = intended.flatMap(({ id, supplied }) =>
      id !== undefined && parent.lockedFor(supplied) ? [id] : [],
    )
    const named = intended.flatMap(({ id, supplied }) => (id === undefined ? [supplied[parent.column]] : []))
    const known =
      children.length === 0 ? [] : await tx.all(locks.parentsOf, { account, ids: JSON.stringify(children) })
    const ids = [...named, ...known.map((row) => row.parent)].filter((id) => typeof id === 'string')
    await lock(locks.parents, ids)
  }
  const own = intended.flatMap(({ id }) => (id === undefined ? [] : [id]))
  // A single change locks its row itself. In a batch, creations may lock the account before a
  // change is reached.
  if (intended.length > 1) await lock(locks.own, own)
}
