import { Type } from 'typebox'
import { appOf } from '../../../identity/tokens/credentials.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { text } from '../../../platform/http/schema.ts'
import { appIn } from '../../../workbench/create/apps.ts'
import { addWebhookOf } from '../../core/webhooks/add.ts'
import { presentWebhook, Webhook } from '../../core/webhooks/webhook.ts'
import { appId } from '../apps/app.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { EXAMPLE } from './webhook.ts'

const MAX_URL_LENGTH = 200

/** POST /admin/v1/webhooks: registers a webhook of an app. */
export const createAdminWebhook = endpoint({
  ...ADMIN,
  id: 'createAppWebhook',
  method: 'POST',
  path: '/admin/v1/webhooks',
  summary: 'Register a webhook of an app',
  description: 'Registers a webhook as the app would: the URL must answer a CRC check first.',
  body: Type.Object(
    { app_id: appId, url: text(1, MAX_URL_LENGTH, 'URL that events are sent to.') },
    { additionalProperties: false },
  ),
  status: 201,
  reply: Type.Object({ data: Webhook }, { additionalProperties: false }),
  reasons: ['CrcValidationFailed', 'UrlValidationFailed', 'DuplicateUrlFailed', 'WebhookLimitExceeded'],
  example: {
    body: { app_id: '1900000000000000042', url: EXAMPLE.url },
    reply: { data: EXAMPLE },
  },
  async handle({ body: { app_id, url } }, dependencies) {
    const { store, sealer, config } = dependencies
    const app = appOf(await appIn(store, 'app_id', app_id), sealer)
    const row = await addWebhookOf(app, url, dependencies)
    const at = { nowMs: row.created_at, invalidAfterSeconds: config.invalidAfterSeconds }
    return json({ data: presentWebhook(row, at) })
  },
})
