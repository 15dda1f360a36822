import { Type } from 'typebox'
import { changeList } from '../../../domain/lists/lists.ts'
import { closedComponent } from '../../../platform/http/schema.ts'
import { actionEndpoint, actionReply } from '../actions.ts'
import { description, isPrivate, name, textOf } from './body.ts'
import { changeOwn, LIST, listId, SOURCE, WRITE_LIMITS, WRITE_SCOPES } from './subject.ts'

/** PUT /2/lists/{id}: the name, the description and the privacy of a list. */
export const updateList = actionEndpoint({
  id: 'updateList',
  host: 'core',
  method: 'PUT',
  path: '/2/lists/{id}',
  summary: 'Change a list',
  description:
    'Changes a list of the caller. Absent members keep their values. A list that becomes private loses its followers, and the pins of other users.',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: WRITE_LIMITS,
  params: { id: listId },
  body: closedComponent('UpdateListBody', { name: Type.Optional(name), description, private: isPrivate }),
  reply: actionReply('UpdatedList', { updated: Type.Boolean() }),
  errors: ['not list owner'],
  example: { params: { id: LIST.id }, body: { name: LIST.name }, reply: { data: { updated: true } } },
  handle: ({ principal, params, body }, dependencies) =>
    changeOwn(params.id, principal, dependencies, async (tx, list) => {
      await changeList(tx, list, textOf(body))
      return { data: { updated: true } }
    }),
})
