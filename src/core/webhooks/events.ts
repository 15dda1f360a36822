import { eventKind } from '../../events/event.ts'

type Webhook = { webhook_id: string; app_id: string }

/** A check found that the webhook answers again. One that was just registered was valid from the start. */
export const webhookValidated = eventKind<Webhook>('webhook.validated', ({ webhook_id }) => webhook_id)
/** A check found that the webhook does not answer as it should, or has not for too long. */
export const webhookInvalidated = eventKind<Webhook>('webhook.invalidated', ({ webhook_id }) => webhook_id)
