import { type Static, Type } from 'typebox'
import { isValid } from '../../../delivery/webhooks/states.ts'
import type { WebhookRow } from '../../../delivery/webhooks/tables.ts'
import { objectTime } from '../../../platform/common/time.ts'
import { component, id, time } from '../../../platform/http/schema.ts'

/** The members of a webhook config that `webhook_config.fields` can select. */
export const WEBHOOK_FIELDS = ['created_at', 'id', 'url', 'valid'] as const
export type WebhookField = (typeof WEBHOOK_FIELDS)[number]

/** The webhook config record (interface, Webhook config). */
export const Webhook = component(
  'Webhook',
  Type.Object(
    {
      created_at: Type.Optional(time('When it was registered.')),
      id: id('The webhook.'),
      url: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'URL that events are sent to. It cannot be changed.',
        }),
      ),
      valid: Type.Optional(
        Type.Boolean({
          description: 'Whether its CRC checks succeed. Events are sent only to valid webhooks.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

/** `{webhook_id}` of a path. */
export const webhookId = id('The webhook.')

/**
 * A webhook as its owner sees it. It becomes invalid without a task, once its last success is too
 * long ago.
 */
export function presentWebhook(
  row: WebhookRow,
  at: { nowMs: number; invalidAfterSeconds: number },
  fields: readonly WebhookField[] = WEBHOOK_FIELDS,
) {
  const shown: Static<typeof Webhook> = { id: row.id }
  if (fields.includes('created_at')) shown.created_at = objectTime(row.created_at)
  if (fields.includes('url')) shown.url = row.url
  if (fields.includes('valid')) shown.valid = isValid(row, at)
  return shown
}
