import { endSpace } from '../../../domain/spaces/spaces.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, closedComponent, closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { changed, EXAMPLE, spaceId } from './space.ts'

const EndedSpace = closedComponent('EndedSpace', {
  id: spaceId,
  state: choice(['ended', 'removed'], 'A scheduled space is removed.'),
})

/** POST /admin/v1/spaces/{space_id}/end: ends a space. */
export const endAdminSpace = dataEndpoint({
  ...ADMIN,
  id: 'endSpace',
  method: 'POST',
  path: '/admin/v1/spaces/{space_id}/end',
  summary: 'End a space',
  description: 'Ends a live space now, or removes a scheduled one.',
  params: { space_id: spaceId },
  reply: closedObject({ data: EndedSpace }),
  errors: [...ADMIN.errors, 'not found', 'conflict'],
  example: { params: { space_id: EXAMPLE.id }, reply: { data: { id: EXAMPLE.id, state: 'ended' } } },
  async handle({ params: { space_id } }, { store }) {
    const was = await changed(store.write((tx) => endSpace(tx, space_id)))
    const state = was === 'live' ? 'ended' : 'removed'
    return json({ data: { id: space_id, state } as const })
  },
})
