import { objectEndpoint } from '../objects/endpoint.ts'
import { LIST, listId, READ_SCOPES, SOURCE } from './subject.ts'

/** GET /2/lists/{id}: one list. */
export const getList = objectEndpoint({
  id: 'getList',
  path: '/2/lists/{id}',
  summary: 'Get a list',
  description:
    'Returns one list. A list that does not exist is reported in `errors` with status 200, and so is a private list of another user.',
  source: SOURCE,
  auth: ['app', 'user'],
  scopes: READ_SCOPES,
  limits: { app: '75/15m', user: '75/15m' },
  params: { id: listId },
  returns: { object: 'list', count: 'one' },
  example: { params: { id: LIST.id }, data: LIST },
  find: ({ params }) => ({ keys: [params.id], parameter: 'id' }),
})
