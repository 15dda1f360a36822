import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choices } from '../../../platform/http/schema.ts'
import { endpoint } from './endpoint.ts'
import { webhooksOfApp } from './queries.ts'
import { presentWebhook, WEBHOOK_FIELDS, Webhook } from './webhook.ts'

/** GET /2/webhooks: the webhooks of the calling app, oldest first (interface, Webhook config). */
export const listWebhooks = endpoint({
  id: 'listWebhooks',
  host: 'core',
  method: 'GET',
  path: '/2/webhooks',
  summary: "List the app's webhooks",
  description: 'Returns all webhooks of the calling app, oldest first, without paging.',
  source: 'Webhook config',
  auth: ['app', 'user'],
  limits: { app: '450/15m', user: '450/15m' },
  query: {
    'webhook_config.fields': Type.Optional(
      choices([...WEBHOOK_FIELDS], 'Members to return; `id` is always returned.'),
    ),
  },
  reply: Type.Object(
    {
      data: Type.Array(Webhook),
      meta: Type.Object({ result_count: Type.Integer({ minimum: 0 }) }, { additionalProperties: false }),
    },
    { additionalProperties: false },
  ),
  example: {
    reply: {
      data: [
        {
          id: '1900000000000000042',
          url: 'https://hooks.example.com/plaza',
          valid: true,
          created_at: '2026-02-03T04:05:06.000Z',
        },
      ],
      meta: { result_count: 1 },
    },
  },
  async handle({ principal: { app }, query }, { store, clock, config }) {
    const rows = await store.all(webhooksOfApp, { appId: app.id })
    const at = { nowMs: clock.now(), invalidAfterSeconds: config.invalidAfterSeconds }
    return json({
      data: rows.map((row) => presentWebhook(row, at, query['webhook_config.fields'])),
      meta: { result_count: rows.length },
    })
  },
})
