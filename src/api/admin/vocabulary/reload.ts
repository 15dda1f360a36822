import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { ADMIN, endpoint } from '../endpoint.ts'

/** POST /admin/v1/vocabulary/reload: reads the vocabulary again. */
export const reloadVocabulary = endpoint({
  ...ADMIN,
  id: 'reloadVocabulary',
  method: 'POST',
  path: '/admin/v1/vocabulary/reload',
  summary: 'Read the vocabulary again',
  description:
    'Reads the file of `--vocabulary` again, and names everything by it. Requests wait meanwhile, streams end as when Plaza stops, and the data stays. A file with a mistake is rejected, and the present vocabulary stays. Of several nodes, only this one.',
  reply: closedObject({ data: closedObject({ reloaded: Type.Boolean() }) }),
  errors: [...ADMIN.errors, 'conflict'],
  example: { reply: { data: { reloaded: true } } },
  async handle(_call, { config, vocabularyReload }) {
    if (config.vocabulary === undefined)
      throw apiError('conflict', { explanation: 'Plaza was started without --vocabulary.' })
    const problem = await vocabularyReload()
    if (problem !== undefined) throw apiError('conflict', { explanation: problem })
    return json({ data: { reloaded: true } })
  },
})
