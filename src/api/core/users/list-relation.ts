import type { TProperties } from 'typebox'
import type { ListRow } from '../../../domain/lists/tables.ts'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import type { IdSource } from '../../../platform/common/ids.ts'
import { closedComponent, id } from '../../../platform/http/schema.ts'
import type { Cause } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { type ActionDependencies, actionEndpoint, actionReply, checkOwn } from '../actions.ts'
import { changeSeen, LIST, listId, SOURCE, WRITE_SCOPES } from '../lists/subject.ts'
import { USER } from './subject.ts'

const LIMITS = { user: '50/15m' } as const
const caller = id('The user who calls.')

interface ListRelationDeclaration {
  id: string
  /** The last part of the path: `followed_lists`. */
  segment: string
  summary: string
  description: string
  /** The members of `data`, and their component. */
  data: { name: string; members: TProperties; example: object }
  errors?: readonly Cause[]
  /** Resolves to the `data` of the reply. */
  change(
    tx: Transaction,
    subject: { list: ListRow; userId: string },
    parts: { ids: IdSource },
  ): Promise<object>
}

const ListBody = closedComponent('ListIdBody', { list_id: id('The list.') })

/** Declares a POST that begins a relation of the caller to a list. */
export const beginListRelation = ({ segment, data, change, ...declared }: ListRelationDeclaration) =>
  actionEndpoint({
    ...declared,
    host: 'core',
    method: 'POST',
    path: `/2/users/{id}/${segment}`,
    source: SOURCE,
    auth: ['user'],
    scopes: WRITE_SCOPES,
    limits: LIMITS,
    params: { id: caller },
    body: ListBody,
    reply: actionReply(data.name, data.members),
    example: {
      params: { id: USER.id },
      body: { list_id: LIST.id },
      reply: { data: data.example },
    },
    handle: ({ principal, params, body }, dependencies) =>
      relate({ ...params, list_id: body.list_id }, principal, dependencies, change),
  })

/** Declares a DELETE that ends a relation of the caller to a list. */
export const endListRelation = ({ segment, data, change, ...declared }: ListRelationDeclaration) =>
  actionEndpoint({
    ...declared,
    host: 'core',
    method: 'DELETE',
    path: `/2/users/{id}/${segment}/{list_id}`,
    source: SOURCE,
    auth: ['user'],
    scopes: WRITE_SCOPES,
    limits: LIMITS,
    params: { id: caller, list_id: listId },
    reply: actionReply(data.name, data.members),
    example: { params: { id: USER.id, list_id: LIST.id }, reply: { data: data.example } },
    handle: ({ principal, params }, dependencies) => relate(params, principal, dependencies, change),
  })

function relate(
  { id: user, list_id }: { id: string; list_id: string },
  { userId }: UserCaller,
  dependencies: ActionDependencies,
  change: ListRelationDeclaration['change'],
) {
  checkOwn({ userId }, 'id', user)
  const request = { id: list_id, parameter: 'list_id', viewer: userId }
  return changeSeen(request, dependencies, async (tx, list) => ({
    data: await change(tx, { list, userId }, dependencies),
  }))
}
