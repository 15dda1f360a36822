import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theApp } from '../../../workbench/create/apps.ts'
import { webhooksOfApp } from '../../core/webhooks/queries.ts'
import { presentWebhook, Webhook } from '../../core/webhooks/webhook.ts'
import { appId } from '../apps/app.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { EXAMPLE } from './webhook.ts'

/** GET /admin/v1/apps/{app_id}/webhooks: the webhooks of an app. */
export const listAdminWebhooks = endpoint({
  ...ADMIN,
  id: 'listAppWebhooks',
  method: 'GET',
  path: '/admin/v1/apps/{app_id}/webhooks',
  summary: 'List the webhooks of an app',
  description: 'Lists the webhooks of an app, oldest first. An app has few.',
  params: { app_id: appId },
  reply: Type.Object({ data: Type.Array(Webhook) }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { app_id: '1900000000000000042' }, reply: { data: [EXAMPLE] } },
  async handle({ params: { app_id } }, { store, clock, config }) {
    await theApp(store, app_id)
    const rows = await store.all(webhooksOfApp, { appId: app_id })
    const at = { nowMs: clock.now(), invalidAfterSeconds: config.invalidAfterSeconds }
    return json({ data: rows.map((row) => presentWebhook(row, at)) })
  },
})
