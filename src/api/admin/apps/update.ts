import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { APP_MEMBERS, changeApp, presentApp, presentClient, theApp } from '../../../workbench/create/apps.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { optional } from '../optional.ts'
import { appId, ChangedApp, EXAMPLE } from './app.ts'

/** PUT /admin/v1/apps/{app_id}: changes an app. */
export const changeAnyApp = dataEndpoint({
  ...ADMIN,
  id: 'changeApp',
  method: 'PUT',
  path: '/admin/v1/apps/{app_id}',
  summary: 'Change an app',
  description:
    'Changes an app: also suspends it, or enrolls it for the endpoints under `/2/`. Omitted members stay as they are. A `client_type` of `confidential` gives the OAuth 2.0 client a new secret, which only this reply has. Every node applies the change before its next request.',
  params: { app_id: appId },
  body: Type.Object(optional(APP_MEMBERS), { additionalProperties: false }),
  reply: Type.Object({ data: ChangedApp }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { app_id: EXAMPLE.id },
    body: { suspended: true },
    reply: { data: { ...EXAMPLE, suspended: true } },
  },
  async handle({ params: { app_id }, body }, { store, ...parts }) {
    const data = await store.write(async (tx) => {
      const client = await changeApp(tx, await theApp(tx, app_id), body, parts)
      const app = await presentApp(tx, await theApp(tx, app_id))
      return { ...app, ...(client && { client_secret: presentClient(client).client_secret }) }
    })
    return json({ data })
  },
})
