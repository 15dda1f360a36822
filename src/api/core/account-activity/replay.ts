import { json } from '../../../platform/http/reply-kinds.ts'
import { deprecated } from '../../../platform/http/steps/deprecated.ts'
import { endpoint } from '../webhooks/endpoint.ts'
import { REPLAY_REASONS, ReplayReply, replayDate, requestReplay } from '../webhooks/request-replay.ts'
import { webhookId } from '../webhooks/webhook.ts'

/**
 * POST /2/account_activity/replay/…: the former path of POST /2/webhooks/replay (interface,
 * Versioning).
 */
export const replayAccountActivity = endpoint({
  id: 'replayAccountActivity',
  host: 'core',
  method: 'POST',
  path: '/2/account_activity/replay/webhooks/{webhook_id}/subscriptions/all',
  summary: 'Replay events (deprecated path)',
  description:
    'Starts the same job as `POST /2/webhooks/replay`, which has replaced this path since 25 March 2026. After authorization, every reply has the headers `deprecation` and `link`.',
  source: 'Versioning',
  auth: ['app'],
  scopes: ['write'],
  steps: [deprecated({ since: Date.UTC(2026, 2, 25), successor: '/2/webhooks/replay' })],
  limits: { app: '5/15m' },
  params: { webhook_id: webhookId },
  query: {
    from_date: replayDate('Start of the window, at least 31 minutes ago.'),
    to_date: replayDate('End of the window, exclusive; at least 10 minutes ago.'),
  },
  reply: ReplayReply,
  errors: ['replay running'],
  reasons: [...REPLAY_REASONS],
  example: {
    params: { webhook_id: '1900000000000000042' },
    reply: { data: { created_at: '2026-02-03T04:05:06.000Z', job_id: '1900000000000000043' } },
  },
  async handle({ principal: { app }, params, query }, context) {
    const places = { webhook: 'path', dates: 'query' } as const
    return json(await requestReplay(app, { ...params, ...query }, { places, context }))
  },
})
