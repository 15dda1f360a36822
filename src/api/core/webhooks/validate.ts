import { Type } from 'typebox'
import { invalidFor } from '../../../platform/http/errors.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { problemOf } from '../../../platform/protocols/problem/errors.ts'
import { ProblemSchema } from '../problem.ts'
import { endpoint } from './endpoint.ts'
import { findWebhook } from './find.ts'
import { webhookId } from './webhook.ts'

/** PUT /2/webhooks/{webhook_id}: sends a CRC check now (interface, Core: validate webhook). */
export const validateWebhook = endpoint({
  id: 'validateWebhook',
  host: 'core',
  method: 'PUT',
  path: '/2/webhooks/{webhook_id}',
  summary: 'Check a webhook now',
  description:
    'Sends a CRC check to the webhook and records the outcome in its validity. `attempted` says whether a request was sent: it is false while another check of the same webhook runs, when the URL must not be called, and when no connection could be made. A failed check is reported in `errors`.',
  source: 'Core: validate webhook; Validate response',
  auth: ['app', 'user'],
  limits: { app: '450/15m', user: '450/15m' },
  params: { webhook_id: webhookId },
  reply: Type.Object(
    {
      data: Type.Object({ attempted: Type.Boolean() }, { additionalProperties: false }),
      errors: Type.Optional(Type.Array(ProblemSchema, { minItems: 1 })),
    },
    { additionalProperties: false },
  ),
  reasons: ['WebhookIdInvalid', 'CrcValidationFailed'],
  example: { params: { webhook_id: '1900000000000000042' }, reply: { data: { attempted: true } } },
  async handle({ principal: { app }, params: { webhook_id } }, { store, checks, naming }) {
    const webhook = await findWebhook(store, app, webhook_id)
    const result = await checks.check(app, webhook)
    if (result.kind === 'passed') return json({ data: { attempted: true } })
    const error = invalidFor('CrcValidationFailed', result.explanation, {
      place: 'path',
      name: 'webhook_id',
      value: webhook_id,
    })
    return json({
      data: { attempted: result.kind === 'failed' && result.sent },
      errors: [problemOf(error, naming)],
    })
  },
})
