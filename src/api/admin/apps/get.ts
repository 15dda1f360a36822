import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { presentApp, theApp } from '../../../workbench/create/apps.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AdminApp, appId, EXAMPLE } from './app.ts'

/** GET /admin/v1/apps/{app_id}: an app. */
export const readApp = dataEndpoint({
  ...ADMIN,
  id: 'readApp',
  method: 'GET',
  path: '/admin/v1/apps/{app_id}',
  summary: 'Get an app',
  description: 'Returns an app without its keys and secrets.',
  params: { app_id: appId },
  reply: Type.Object({ data: AdminApp }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { app_id: EXAMPLE.id }, reply: { data: EXAMPLE } },
  async handle({ params: { app_id } }, { store }) {
    return json({ data: await presentApp(store, await theApp(store, app_id)) })
  },
})
