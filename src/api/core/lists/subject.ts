import { listsSeenBy, lockSeenList } from '../../../domain/lists/queries.ts'
import type { ListRow } from '../../../domain/lists/tables.ts'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { notFoundProblem, type ResourceProblem } from '../../../platform/protocols/problem/resource.ts'
import type { Naming } from '../../../platform/protocols/protocols.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import type { ActionDependencies } from '../actions.ts'

/** What endpoints of lists declare alike (core reference, 06 section 1). */
export const SOURCE = 'Core reference, 06 section 1'
export const READ_SCOPES = ['list.read', 'post.read', 'users.read'] as const
export const WRITE_SCOPES = ['list.write', 'post.read', 'users.read'] as const

/** Calls that change lists and their members. */
export const WRITE_LIMITS = { user: '300/15m' } as const

export const listId = id('The list.')

/** The list that the documents show. */
export const LIST = { id: '1900000000000000042', name: 'Town council' }

interface ListRequest {
  id: string
  /** The parameter that names the list. */
  parameter: string
  /** The user who calls. */
  viewer: string | undefined
}

type ListResult = { list: ListRow } | { problem: ResourceProblem }

const resultOf = (row: ListRow | undefined, { id, parameter }: ListRequest, naming: Naming): ListResult =>
  row
    ? { list: row }
    : { problem: notFoundProblem({ type: 'list', noun: 'List', value: id, parameter }, naming) }

/** The list that a call reads. To others, a private list is as if it did not exist. */
export async function readList(
  request: ListRequest,
  { store, naming }: { store: Pick<Store, 'all'>; naming: Naming },
): Promise<ListResult> {
  const ids = JSON.stringify([request.id])
  const [row] = await store.all(listsSeenBy, { ids, viewer: request.viewer ?? '' })
  return resultOf(row, request, naming)
}

/**
 * Does what a user does to a list that the user sees, in one transaction, with the list locked.
 * A list that the user does not see is reported in `errors`.
 */
export async function changeSeen(
  request: ListRequest & { viewer: string },
  { store, naming }: ActionDependencies,
  change: (tx: Transaction, list: ListRow) => Promise<object>,
) {
  const result = await store.write(async (tx) => {
    const row = await tx.first(lockSeenList, { id: request.id, viewer: request.viewer })
    const found = resultOf(row, request, naming)
    return 'problem' in found ? { errors: [found.problem] } : change(tx, found.list)
  })
  return json(result)
}

/** The same for what only the owner may do. */
export const changeOwn = (
  id: string,
  { userId }: UserCaller,
  dependencies: ActionDependencies,
  change: (tx: Transaction, list: ListRow) => Promise<object>,
) =>
  changeSeen({ id, parameter: 'id', viewer: userId }, dependencies, (tx, list) => {
    if (list.owner_id !== userId) throw apiError('not list owner')
    return change(tx, list)
  })
