import { Type } from 'typebox'
import { deleteNote as remove } from '../../../domain/notes/notes.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import { Deleted } from '../deleted.ts'
import { endpoint, SOURCE, WRITER_LIMITS } from './endpoint.ts'

/** DELETE /2/notes/{id}: a note with its ratings (core reference, 04 section 3). */
export const deleteNote = endpoint({
  id: 'deleteNote',
  host: 'core',
  method: 'DELETE',
  path: '/2/notes/{id}',
  summary: 'Delete a community note',
  description: 'Deletes a note of the writer. The writer can then write another note on the post.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['post.write'],
  limits: WRITER_LIMITS,
  params: { id: id('The note.') },
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: ['not a note writer', 'note of another user', 'not found'],
  example: { params: { id: '1900000000000000042' }, reply: { data: { deleted: true } } },
  async handle({ principal, params }, { store }) {
    await store.write((tx) => remove(tx, params.id, principal.userId))
    return json({ data: { deleted: true } })
  },
})
