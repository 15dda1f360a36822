import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { removeAnyList } from '../../../workbench/create/lists.ts'
import { Deleted } from '../../core/deleted.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE, PATH } from './list-object.ts'

/** DELETE /admin/v1/lists/{list_id}: deletes a list. */
export const deleteAnyList = dataEndpoint({
  ...ADMIN,
  id: 'deleteAnyList',
  method: 'DELETE',
  path: '/admin/v1/lists/{list_id}',
  summary: 'Delete a list',
  description: 'Deletes a list, as its owner would.',
  params: { list_id: PATH.list_id },
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { list_id: EXAMPLE.id }, reply: { data: { deleted: true } } },
  async handle({ params: { list_id } }, { store }) {
    await store.write((tx) => removeAnyList(tx, list_id))
    return json({ data: { deleted: true } })
  },
})
