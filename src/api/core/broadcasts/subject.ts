import { type TSchema, Type } from 'typebox'
import { broadcastsByIds, lockBroadcast } from '../../../domain/broadcasts/queries.ts'
import { BROADCAST_ID, isShown, stateAt } from '../../../domain/broadcasts/state.ts'
import type { BroadcastRow } from '../../../domain/broadcasts/tables.ts'
import { profilesByIds } from '../../../identity/users/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { notFoundProblem, type ResourceProblem } from '../../../platform/protocols/problem/resource.ts'
import type { Naming } from '../../../platform/protocols/protocols.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import type { ActionDependencies } from '../actions.ts'

/** What endpoints of broadcasts declare alike (core reference, 09 part C). */
export const SOURCE = 'Core reference, 09 part C'
export const READ_SCOPES = ['broadcast.read'] as const
export const WRITE_SCOPES = ['broadcast.read', 'broadcast.write'] as const
export const LIMITS = { user: '300/15m' } as const

export const broadcastId = Type.String({ pattern: BROADCAST_ID, description: 'The broadcast.' })

/** The broadcast that the documents show. */
export const BROADCAST = {
  id: '0bk1j6tq7a4g',
  state: 'Running',
  title: 'Bridges of the north',
  broadcast_id: '0bk1j6tq7a4g',
}

/** The `meta` of a page that has no page before it. */
export const ForwardMeta: TSchema = component(
  'ForwardMeta',
  Type.Object(
    {
      result_count: Type.Integer({ minimum: 0, description: 'Entries of the page.' }),
      next_token: Type.Optional(Type.String({ description: 'Token for the next page, if there is one.' })),
    },
    { additionalProperties: false },
  ),
)

export const unknownBroadcast = (id: string, naming: Naming): ResourceProblem =>
  notFoundProblem({ type: 'broadcast', noun: 'Broadcast', value: id, parameter: 'id' }, naming)

/** Whether a user has a broadcast. */
export async function owns(
  { id, userId }: { id: string; userId: string },
  store: Pick<Store, 'all'>,
): Promise<boolean> {
  const [row] = await store.all(broadcastsByIds, { ids: JSON.stringify([id]) })
  return row?.user_id === userId
}

type Change = (tx: Transaction, row: BroadcastRow) => Promise<object>

/** Does what an owner does with a broadcast, locked. Others do not know of it. */
export async function changeOwn(
  { id, userId }: { id: string; userId: string },
  { store, naming }: ActionDependencies,
  change: Change,
) {
  const result = await store.write(async (tx) => {
    const row = await tx.first(lockBroadcast, { id })
    return row?.user_id === userId ? change(tx, row) : { errors: [unknownBroadcast(id, naming)] }
  })
  return json(result)
}

/** Nobody sees what belongs to a user who is gone or suspended. */
async function isSeenByOthers(tx: Transaction, row: BroadcastRow): Promise<boolean> {
  if (!isShown(row, tx.now)) return false
  const [owner] = await tx.all(profilesByIds, { ids: JSON.stringify([row.user_id]) })
  return owner?.suspended === 0
}

/**
 * Changes the chat of a running broadcast, locked: one of the caller, or one that others know of.
 * `isOwners`: only the owner may.
 */
export async function changeChat(
  { id, userId, isOwners }: { id: string; userId: string; isOwners: boolean },
  { store, naming }: ActionDependencies,
  change: Change,
) {
  const result = await store.write(async (tx) => {
    const row = await tx.first(lockBroadcast, { id })
    if (!row || (row.user_id !== userId && !(await isSeenByOthers(tx, row))))
      return { errors: [unknownBroadcast(id, naming)] }
    if (isOwners && row.user_id !== userId) throw apiError('not broadcast owner')
    if (stateAt(row, tx.now) !== 'Running') throw apiError('broadcast not running')
    return change(tx, row)
  })
  return json(result)
}

/** A message of a chat that a call names and that there is not. */
export const unknownMessage = (parameter: string, value: string, naming: Naming): ResourceProblem =>
  notFoundProblem(
    { type: 'broadcast_chat_message', noun: 'Broadcast chat message', value, parameter },
    naming,
  )
