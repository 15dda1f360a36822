import { startSpace } from '../../../domain/spaces/spaces.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AdminSpace, changed, EXAMPLE, presentSpace, spaceId } from './space.ts'

/** POST /admin/v1/spaces/{space_id}/start: starts a scheduled space now. */
export const startAdminSpace = dataEndpoint({
  ...ADMIN,
  id: 'startSpace',
  method: 'POST',
  path: '/admin/v1/spaces/{space_id}/start',
  summary: 'Start a scheduled space',
  description: 'Starts a scheduled space now. Its duration stays the same.',
  params: { space_id: spaceId },
  reply: closedObject({ data: AdminSpace }),
  errors: [...ADMIN.errors, 'not found', 'conflict'],
  example: { params: { space_id: EXAMPLE.id }, reply: { data: EXAMPLE } },
  async handle({ params: { space_id } }, { store, clock }) {
    const row = await changed(store.write((tx) => startSpace(tx, space_id)))
    return json({ data: presentSpace(row, clock.now()) })
  },
})
