import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { endpoint } from './endpoint.ts'
import { REPLAY_REASONS, ReplayReply, replayDate, requestReplay } from './request-replay.ts'
import { webhookId } from './webhook.ts'

/**
 * POST /2/webhooks/replay: sends past events again (interface, Other core endpoints; core
 * reference, 02 section 4).
 */
export const replayWebhookEvents = endpoint({
  id: 'replayWebhookEvents',
  host: 'core',
  method: 'POST',
  path: '/2/webhooks/replay',
  summary: 'Replay events',
  description:
    'Starts a job that resends every event that was delivered to the webhook, or attempted, in a window of the past 24 hours. The webhook must pass a CRC check first. Failed replay deliveries are not retried. At the end the webhook receives `replay_job_status`, with `job_state` Complete or Incomplete. A webhook can have one job at a time.',
  source: 'Other core endpoints',
  auth: ['app'],
  scopes: ['write'],
  limits: { app: '100/15m' },
  body: Type.Object(
    {
      webhook_id: webhookId,
      from_date: replayDate('Start of the window, at least 31 minutes ago.'),
      to_date: replayDate('End of the window, exclusive; at least 10 minutes ago.'),
    },
    { additionalProperties: false },
  ),
  reply: ReplayReply,
  errors: ['replay running'],
  reasons: [...REPLAY_REASONS],
  example: {
    body: { webhook_id: '1900000000000000042', from_date: '202602030300', to_date: '202602030330' },
    reply: { data: { created_at: '2026-02-03T04:05:06.000Z', job_id: '1900000000000000043' } },
  },
  async handle({ principal: { app }, body }, context) {
    return json(await requestReplay(app, body, { places: { webhook: 'body', dates: 'body' }, context }))
  },
})
