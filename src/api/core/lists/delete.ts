import { Type } from 'typebox'
import { deleteList as remove } from '../../../domain/lists/lists.ts'
import { actionEndpoint, actionReply } from '../actions.ts'
import { changeOwn, LIST, listId, SOURCE, WRITE_LIMITS, WRITE_SCOPES } from './subject.ts'

/** DELETE /2/lists/{id}: a list with its members, followers and pins. */
export const deleteList = actionEndpoint({
  id: 'deleteList',
  host: 'core',
  method: 'DELETE',
  path: '/2/lists/{id}',
  summary: 'Delete a list',
  description: 'Deletes a list of the caller. Its followers and pins end.',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: WRITE_LIMITS,
  params: { id: listId },
  reply: actionReply('DeletedList', { deleted: Type.Boolean() }),
  errors: ['not list owner'],
  example: { params: { id: LIST.id }, reply: { data: { deleted: true } } },
  handle: ({ principal, params }, dependencies) =>
    changeOwn(params.id, principal, dependencies, async (tx, list) => {
      await remove(tx, list)
      return { data: { deleted: true } }
    }),
})
