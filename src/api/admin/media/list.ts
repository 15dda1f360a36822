import { Type } from 'typebox'
import { idIn } from '../../../domain/media/media.ts'
import { mediaByIds } from '../../../domain/media/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject, text } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AdminMedium, EXAMPLE, presentMedium } from './medium.ts'

const MAX_KEYS = 100

/** GET /admin/v1/media: media by their keys. */
export const listMedia = dataEndpoint({
  ...ADMIN,
  id: 'listMedia',
  method: 'GET',
  path: '/admin/v1/media',
  summary: 'List media',
  description:
    'Returns the media with the given keys, in any order; those that do not exist are missing. Files are at the paths, on the core API and on the console.',
  query: { media_keys: text(1, 40 * MAX_KEYS, `Up to ${MAX_KEYS} keys, separated by commas.`) },
  reply: closedObject({ data: Type.Array(AdminMedium) }),
  example: { reply: { data: [EXAMPLE] } },
  async handle({ query: { media_keys } }, { store }) {
    const ids = media_keys.split(',', MAX_KEYS).flatMap((key) => idIn(key) ?? [])
    const rows = await store.all(mediaByIds, { ids: JSON.stringify(ids) })
    return json({ data: rows.map(presentMedium) })
  },
})
