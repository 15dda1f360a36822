import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { ADMIN, endpoint } from '../endpoint.ts'

/** POST /admin/v1/console_keys: a key to sign in to the console with. */
export const createConsoleKey = endpoint({
  ...ADMIN,
  id: 'createConsoleKey',
  method: 'POST',
  path: '/admin/v1/console_keys',
  summary: 'Create a key for the console',
  description: 'Returns a key that signs in to the pages of the console. It is valid for ten minutes.',
  status: 201,
  reply: Type.Object(
    {
      data: Type.Object(
        { key: Type.String({ description: 'Only this reply has it.' }) },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
  example: { reply: { data: { key: '1772366400000-c2VhbGVk' } } },
  handle: async (_call, { newConsoleKey }) => json({ data: { key: newConsoleKey() } }),
})
