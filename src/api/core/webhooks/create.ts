import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { addWebhookOf } from './add.ts'
import { endpoint } from './endpoint.ts'
import { rejectOtherUsers } from './find.ts'
import { presentWebhook, Webhook } from './webhook.ts'

const MAX_URL_LENGTH = 200

/**
 * POST /2/webhooks: registers a webhook after it has answered a CRC check (interface, Webhook
 * config).
 */
export const createWebhook = endpoint({
  id: 'createWebhook',
  host: 'core',
  method: 'POST',
  path: '/2/webhooks',
  summary: 'Register a webhook',
  description:
    'Sends a CRC check to the URL and registers it when the response is correct. The URL must be public, use https and have no port, unless the operator allows internal addresses. A URL can be registered once, in any spelling. With a user token, the user must own the app.',
  source: 'Webhook config; Events',
  auth: ['app', 'user'],
  scopes: ['write'],
  limits: { app: '450/15m', user: '450/15m' },
  body: Type.Object(
    {
      url: Type.String({
        minLength: 1,
        maxLength: MAX_URL_LENGTH,
        description: 'URL that events are sent to.',
      }),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ data: Webhook }, { additionalProperties: false }),
  errors: ['client not permitted'],
  reasons: ['CrcValidationFailed', 'UrlValidationFailed', 'DuplicateUrlFailed', 'WebhookLimitExceeded'],
  example: {
    body: { url: 'https://hooks.example.com/plaza' },
    reply: {
      data: {
        id: '1900000000000000042',
        url: 'https://hooks.example.com/plaza',
        valid: true,
        created_at: '2026-02-03T04:05:06.000Z',
      },
    },
  },
  async handle({ principal, body: { url } }, dependencies) {
    rejectOtherUsers(principal)
    const row = await addWebhookOf(principal.app, url, dependencies)
    const { invalidAfterSeconds } = dependencies.config
    return json({ data: presentWebhook(row, { nowMs: row.created_at, invalidAfterSeconds }) })
  },
})
