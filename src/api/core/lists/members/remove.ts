import { Type } from 'typebox'
import { removeMember } from '../../../../domain/lists/lists.ts'
import { id } from '../../../../platform/http/schema.ts'
import { actionEndpoint, actionReply } from '../../actions.ts'
import { USER } from '../../users/subject.ts'
import { changeOwn, LIST, listId, SOURCE, WRITE_LIMITS, WRITE_SCOPES } from '../subject.ts'

/** DELETE /2/lists/{id}/members/{user_id}. */
export const removeListMember = actionEndpoint({
  id: 'removeListMember',
  host: 'core',
  method: 'DELETE',
  path: '/2/lists/{id}/members/{user_id}',
  summary: 'Remove a member from a list',
  description: 'Removes a user from a list of the caller. Repeating the call changes nothing.',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: WRITE_LIMITS,
  params: { id: listId, user_id: id('The user.') },
  reply: actionReply('RemovedListMember', { is_member: Type.Boolean() }),
  errors: ['not list owner'],
  example: { params: { id: LIST.id, user_id: USER.id }, reply: { data: { is_member: false } } },
  handle: ({ principal, params: { id: list, user_id: userId } }, dependencies) =>
    changeOwn(list, principal, dependencies, async (tx, own) => {
      await removeMember(tx, { list: own, userId })
      return { data: { is_member: false } }
    }),
})
