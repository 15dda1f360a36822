import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { presentKeys, replaceKeys, theApp } from '../../../workbench/create/apps.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AppKeysObject, appId, EXAMPLE, EXAMPLE_KEYS } from './app.ts'

/** POST /admin/v1/apps/{app_id}/rotate_keys: new keys and secrets. */
export const rotateKeys = dataEndpoint({
  ...ADMIN,
  id: 'rotateKeys',
  method: 'POST',
  path: '/admin/v1/apps/{app_id}/rotate_keys',
  summary: 'Give an app new keys',
  description:
    'Gives an app a new consumer key, a new secret, and a new secret for its OAuth 2.0 client; only this reply has them. The old ones and its bearer token are rejected at once. Access tokens stay valid.',
  params: { app_id: appId },
  reply: Type.Object({ data: AppKeysObject }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { app_id: EXAMPLE.id }, reply: { data: { id: EXAMPLE.id, ...EXAMPLE_KEYS } } },
  async handle({ params: { app_id } }, { store, ...parts }) {
    const keys = await store.write(async (tx) => replaceKeys(tx, await theApp(tx, app_id), parts))
    return json({ data: { id: app_id, ...presentKeys(keys) } })
  },
})
