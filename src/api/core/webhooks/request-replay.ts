import { Type } from 'typebox'
import { runningReplay } from '../../../delivery/webhooks/queries.ts'
import { startReplay } from '../../../delivery/webhooks/replay.ts'
import type { App } from '../../../identity/apps/app.ts'
import { objectTime } from '../../../platform/common/time.ts'
import type { ParameterPlace } from '../../../platform/http/errors.ts'
import { invalidFor } from '../../../platform/http/errors.ts'
import { component, id, time } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { UniqueViolation } from '../../../platform/storage/store.ts'
import type { WebhookDependencies } from './dependencies.ts'
import { findWebhook } from './find.ts'
import { replayWindow } from './replay-dates.ts'

/** The reply of a replay that was started. */
export const ReplayReply = Type.Object(
  {
    data: component(
      'WebhookReplay',
      Type.Object(
        { created_at: time('When the replay was started.'), job_id: id('The replay.') },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

/** A date of a replay. Its format is validated together with its range. */
export const replayDate = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, description: `${description} In UTC, as yyyymmddhhmm.` })

export const REPLAY_REASONS = ['WebhookIdInvalid', 'QueryParamInvalid', 'CrcValidationFailed'] as const

interface ReplayRequest {
  webhook_id: string
  from_date: string
  to_date: string
}

/** Starts a replay of a webhook of the app, after a check of it. */
export async function requestReplay(
  app: App,
  request: ReplayRequest,
  {
    places,
    context,
  }: { places: { webhook: ParameterPlace; dates: ParameterPlace }; context: WebhookDependencies },
) {
  const { store, checks, clock, ids } = context
  const window = replayWindow(request, { place: places.dates, nowMs: clock.now() })
  const webhook = await findWebhook(store, app, request.webhook_id, places.webhook)
  // Checked before the challenge, so that a caller without this right cannot make us send requests.
  if (await store.first(runningReplay, { webhook: webhook.id })) throw apiError('replay running')
  const result = await checks.check(app, webhook)
  if (result.kind !== 'passed') {
    const on = { place: places.webhook, name: 'webhook_id', value: webhook.id }
    throw invalidFor('CrcValidationFailed', result.explanation, on)
  }
  try {
    const replayed = { webhookId: webhook.id, app: app.id, ...window }
    const job = await store.write((tx) => startReplay(tx, replayed, ids))
    return { data: { created_at: objectTime(job.created_at), job_id: job.id } }
  } catch (error) {
    throw error instanceof UniqueViolation ? apiError('replay running') : error
  }
}
