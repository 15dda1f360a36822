import { Type } from 'typebox'
import { MAX_SOURCES, makeSource } from '../../../../domain/broadcasts/sources.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { closedObject, flag, text } from '../../../../platform/http/schema.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { lockedUserIn } from '../../../../workbench/create/find-user.ts'
import { WrongValue } from '../../../../workbench/create/wrong.ts'
import { ADMIN, dataEndpoint } from '../../endpoint.ts'
import { userName } from '../../users/user.ts'
import { AdminBroadcastSource, EXAMPLE, pixels, presentSource, sourceId } from './source.ts'

const DEFAULT_WIDTH = 1920
const DEFAULT_HEIGHT = 1080

/** POST /admin/v1/broadcast-sources: a source of the broadcasts of a user. */
export const createBroadcastSource = dataEndpoint({
  ...ADMIN,
  id: 'createBroadcastSource',
  method: 'POST',
  path: '/admin/v1/broadcast-sources',
  summary: 'Make a source of broadcasts',
  description:
    'Makes a source that a user names as `source_id` of scheduled broadcasts. The core API does not make sources. A user may have 100.',
  body: closedObject({
    owner: userName('Owner: id or screen name.'),
    id: Type.Optional({ ...sourceId, description: 'Its id; made by default.' }),
    name: Type.Optional(text(0, 100, 'Name.')),
    receiving: flag('Whether video arrives.'),
    width: Type.Optional(pixels('Width')),
    height: Type.Optional(pixels('Height')),
    high_latency: flag('Whether the video is late.'),
  }),
  status: 201,
  reply: closedObject({ data: AdminBroadcastSource }),
  errors: [...ADMIN.errors, 'conflict'],
  example: { body: { owner: 'ann', id: EXAMPLE.id, name: EXAMPLE.name }, reply: { data: EXAMPLE } },
  async handle({ body }, { store, ids }) {
    const row = await store.write(async (tx) => {
      const owner = await lockedUserIn(tx, 'owner', body.owner)
      const { id = ids.next(), name = '', width = DEFAULT_WIDTH, height = DEFAULT_HEIGHT } = body
      const flags = { receiving: Number(!!body.receiving), high_latency: Number(!!body.high_latency) }
      const source = { id, user_id: owner.id, name, width, height, ...flags, created_at: tx.now }
      const made = await makeSource(tx, source)
      if (made === 'exists') throw new WrongValue('id', id, `There is a source ${id}.`)
      if (made === 'too many')
        throw apiError('conflict', { explanation: `The user has ${MAX_SOURCES} sources already.` })
      return source
    })
    return json({ data: presentSource(row) })
  },
})
