import { Type } from 'typebox'
import { clearWebhook } from '../../../delivery/activities/queries.ts'
import { streamLinksChanged } from '../../../delivery/streams/events.ts'
import { removeLink } from '../../../delivery/streams/links/queries.ts'
import { removeDeliveries } from '../../../delivery/webhooks/tasks.ts'
import { lockApp } from '../../../identity/apps/queries.ts'
import { emit } from '../../../platform/events/log.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { enqueue } from '../../../platform/queue/enqueue.ts'
import { Deleted } from '../deleted.ts'
import { endpoint } from './endpoint.ts'
import { rejectOtherUsers, webhookNotFound } from './find.ts'
import { removeWebhook } from './queries.ts'
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
    const removed = await store.write(async (tx) => {
      // Locks the app, so that it does not start to use the webhook meanwhile.
      await tx.run(lockApp, { appId: at.appId })
      const unlinked = await tx.run(removeLink, { webhook: webhook_id, app: at.appId })
      if (unlinked > 0) await emit(tx, streamLinksChanged, { app_id: at.appId })
      const count = await tx.run(removeWebhook, at)
      if (count > 0) {
        await tx.run(clearWebhook, { webhook: webhook_id })
        await enqueue(tx, removeDeliveries.task({ webhook: webhook_id }))
      }
      return count
    })
    if (removed === 0) throw webhookNotFound(webhook_id)
    return json({ data: { deleted: true } })
  },
})
