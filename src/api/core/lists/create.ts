import { Type } from 'typebox'
import { createList as create } from '../../../domain/lists/lists.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { actionEndpoint } from '../actions.ts'
import { description, isPrivate, name, textOf } from './body.ts'
import { LIST, listId, READ_SCOPES, SOURCE, WRITE_LIMITS } from './subject.ts'

const closed = { additionalProperties: false }

/** POST /2/lists: a new list of the caller. */
export const createList = actionEndpoint({
  id: 'createList',
  host: 'core',
  method: 'POST',
  path: '/2/lists',
  summary: 'Create a list',
  description: 'Creates an empty list. Only its owner sees a private list. A user may have 1,000 lists.',
  source: SOURCE,
  auth: ['user'],
  scopes: [...READ_SCOPES, 'list.write'],
  limits: WRITE_LIMITS,
  body: component('CreateListBody', Type.Object({ name, description, private: isPrivate }, closed)),
  status: 201,
  reply: Type.Object({ data: component('CreatedList', Type.Object({ id: listId, name }, closed)) }, closed),
  errors: ['too many lists'],
  example: { body: { name: LIST.name, private: true }, reply: { data: LIST } },
  async handle({ principal, body }, { store, ids }) {
    const text = { description: '', private: 0, ...textOf(body), name: body.name, owner_id: principal.userId }
    const list = await store.write((tx) => create(tx, text, { ids }))
    if (!list) throw apiError('too many lists')
    return json({ data: { id: list.id, name: list.name } })
  },
})
