import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject, nullable } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { KeyRotationError } from '../../../workbench/key-rotation.ts'
import { ADMIN, endpoint } from '../endpoint.ts'

/** POST /admin/v1/key/rotate: encrypts every stored secret with a new master key. */
export const rotateMasterKey = endpoint({
  ...ADMIN,
  id: 'rotateMasterKey',
  method: 'POST',
  path: '/admin/v1/key/rotate',
  summary: 'Rotate the master key',
  description:
    'Encrypts every stored secret, also in snapshots, with a new master key. Requests in progress are answered first; those that arrive meanwhile wait; streams end as when Plaza stops. Access tokens and app keys stay valid; bearer tokens, browser sessions, sign-ins in progress, places in lists and the token of this API become invalid. While another node runs, it is rejected and changes nothing. If Plaza is killed meanwhile, the next start has either key.',
  body: closedObject({
    new_key: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description:
          'The new key, 32 bytes in hexadecimal, when the present one comes from a setting; start Plaza with it from then on. Without it, `master.key` in the data folder is replaced.',
      }),
    ),
  }),
  reply: closedObject({
    data: closedObject({
      key_file: nullable(
        Type.String({ description: 'The file with the new key; null for a key that was given.' }),
      ),
    }),
  }),
  errors: [...ADMIN.errors, 'conflict'],
  example: { body: {}, reply: { data: { key_file: '/var/lib/plaza/master.key' } } },
  async handle({ body }, { keyRotation }) {
    try {
      return json({ data: { key_file: await keyRotation(body.new_key) } })
    } catch (error) {
      if (!(error instanceof KeyRotationError)) throw error
      throw apiError('conflict', { explanation: error.message })
    }
  },
})
