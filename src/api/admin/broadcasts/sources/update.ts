import { Type } from 'typebox'
import { setReceiving, sourceById } from '../../../../domain/broadcasts/queries.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../../platform/http/schema.ts'
import { NotThere } from '../../../../workbench/create/wrong.ts'
import { ADMIN, dataEndpoint } from '../../endpoint.ts'
import { AdminBroadcastSource, EXAMPLE, presentSource, sourceId } from './source.ts'

/** PUT /admin/v1/broadcast-sources/{source_id}: says whether a source receives video. */
export const changeBroadcastSource = dataEndpoint({
  ...ADMIN,
  id: 'changeBroadcastSource',
  method: 'PUT',
  path: '/admin/v1/broadcast-sources/{source_id}',
  summary: 'Say whether a source receives video',
  description:
    'Says whether video arrives at a source. Only then can a user go live with it. What runs already goes on.',
  params: { source_id: sourceId },
  body: closedObject({ receiving: Type.Boolean({ description: 'Whether video arrives.' }) }),
  reply: closedObject({ data: AdminBroadcastSource }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { source_id: EXAMPLE.id },
    body: { receiving: true },
    reply: { data: EXAMPLE },
  },
  async handle({ params: { source_id: id }, body: { receiving } }, { store }) {
    const row = await store.write(async (tx) => {
      const found = await tx.first(sourceById, { id })
      if (!found) throw new NotThere(`There is no source ${id}.`)
      await tx.run(setReceiving, { id, receiving: Number(receiving) })
      return { ...found, receiving: Number(receiving) }
    })
    return json({ data: presentSource(row) })
  },
})
