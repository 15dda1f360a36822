import { Type } from 'typebox'
import { addMember } from '../../../../domain/lists/lists.ts'
import { closedComponent, id } from '../../../../platform/http/schema.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { notFoundProblem } from '../../../../platform/protocols/problem/resource.ts'
import { actionEndpoint, actionReply } from '../../actions.ts'
import { namedUser, USER } from '../../users/subject.ts'
import { changeOwn, LIST, listId, SOURCE, WRITE_LIMITS, WRITE_SCOPES } from '../subject.ts'

const REFUSED = { 'not allowed': 'not addable to list', 'too many': 'too many list members' } as const

/** POST /2/lists/{id}/members. */
export const addListMember = actionEndpoint({
  id: 'addListMember',
  host: 'core',
  method: 'POST',
  path: '/2/lists/{id}/members',
  summary: 'Add a member to a list',
  description:
    'Adds a user to a list of the caller. Repeating the call changes nothing. Users who are suspended, protected, or block the caller cannot be added. A list may have 5,000 members.',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: WRITE_LIMITS,
  params: { id: listId },
  body: closedComponent('ListMemberBody', { user_id: id('The user.') }),
  reply: actionReply('AddedListMember', { is_member: Type.Boolean() }),
  errors: ['not list owner', ...Object.values(REFUSED)],
  example: {
    params: { id: LIST.id },
    body: { user_id: USER.id },
    reply: { data: { is_member: true } },
  },
  handle: ({ principal, params, body: { user_id } }, dependencies) =>
    changeOwn(params.id, principal, dependencies, async (tx, list) => {
      const added = await addMember(tx, { list, userId: user_id }, dependencies)
      if (added === 'no user')
        return { errors: [notFoundProblem(namedUser('user_id', user_id), dependencies.naming)] }
      if (added !== 'member') throw apiError(REFUSED[added])
      return { data: { is_member: true } }
    }),
})
