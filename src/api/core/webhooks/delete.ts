import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { Deleted } from '../deleted.ts'
import { endpoint } from './endpoint.ts'
import { rejectOtherUsers, webhookNotFound } from './find.ts'
import { unregisterWebhook } from './register.ts'
import { webhookId } from './webhook.ts'

/** DELETE /2/webhooks/{webhook_id}: deletes a webhook (interface, Webhook config). */
export const deleteWebhook = endpoint({
  id: 'deleteWebhook',
  host: 'core',
  method: 'DELETE',
  path: '/2/webhooks/{webhook_id}',
  summary: 'Delete a webhook',
  description:
    'Deletes the webhook, its pending deliveries, its link to the filtered stream and its account activity subscriptions. Activity subscriptions with this webhook continue without one. A check in progress no longer has any effect. With a user token, the user must own the app.',
  source: 'Webhook config',
  auth: ['app', 'user'],
  scopes: ['write'],
  limits: { app: '450/15m', user: '450/15m' },
  params: { webhook_id: webhookId },
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: ['client not permitted'],
  reasons: ['WebhookIdInvalid'],
  example: { params: { webhook_id: '1900000000000000042' }, reply: { data: { deleted: true } } },
  async handle({ principal, params: { webhook_id } }, { store }) {
    rejectOtherUsers(principal)
    const at = { id: webhook_id, appId: principal.app.id }
    if (!(await store.write((tx) => unregisterWebhook(tx, at)))) throw webhookNotFound(webhook_id)
    return json({ data: { deleted: true } })
  },
})
