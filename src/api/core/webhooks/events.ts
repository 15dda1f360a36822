import { eventKind } from '../../../platform/events/event.ts'

type Webhook = { webhook_id: string; app_id: string }

/**
 * A check found that the webhook responds correctly again. A newly registered webhook is valid from
 * the start.
 */
export const webhookValidated = eventKind<Webhook>('webhook.validated', ({ webhook_id }) => webhook_id)
/** A check found that the webhook responds incorrectly, or has not responded for too long. */
export const webhookInvalidated = eventKind<Webhook>('webhook.invalidated', ({ webhook_id }) => webhook_id)
