import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { presentWebhook, Webhook } from '../../core/webhooks/webhook.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { EXAMPLE, theWebhook, webhookId } from './webhook.ts'

/** POST /admin/v1/webhooks/{webhook_id}/check: checks a webhook. */
export const checkAdminWebhook = endpoint({
  ...ADMIN,
  id: 'checkAppWebhook',
  method: 'POST',
  path: '/admin/v1/webhooks/{webhook_id}/check',
  summary: 'Check a webhook',
  description: 'Sends a CRC check to a webhook now, and returns whether the webhook is valid afterwards.',
  params: { webhook_id: webhookId },
  reply: Type.Object({ data: Webhook }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { webhook_id: EXAMPLE.id }, reply: { data: EXAMPLE } },
  async handle({ params: { webhook_id } }, { store, credentials, checks, clock, config }) {
    const webhook = await theWebhook(store, webhook_id)
    const app = await credentials.appById(webhook.app_id)
    if (app) await checks.check(app, webhook)
    const at = { nowMs: clock.now(), invalidAfterSeconds: config.invalidAfterSeconds }
    return json({ data: presentWebhook(await theWebhook(store, webhook_id), at) })
  },
})
