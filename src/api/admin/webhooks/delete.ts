import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { Deleted } from '../../core/deleted.ts'
import { unregisterWebhook } from '../../core/webhooks/register.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { EXAMPLE, theWebhook, webhookId } from './webhook.ts'

/** DELETE /admin/v1/webhooks/{webhook_id}: deletes a webhook. */
export const deleteAdminWebhook = endpoint({
  ...ADMIN,
  id: 'deleteAppWebhook',
  method: 'DELETE',
  path: '/admin/v1/webhooks/{webhook_id}',
  summary: 'Delete a webhook',
  description: 'Deletes a webhook with its pending deliveries and all that it is used for.',
  params: { webhook_id: webhookId },
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { webhook_id: EXAMPLE.id }, reply: { data: { deleted: true } } },
  async handle({ params: { webhook_id } }, { store }) {
    const { id, app_id: appId } = await theWebhook(store, webhook_id)
    const deleted = await store.write((tx) => unregisterWebhook(tx, { id, appId }))
    return json({ data: { deleted } })
  },
})
