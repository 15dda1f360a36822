import { Type } from 'typebox'
import { runningReplay } from '../../../delivery/webhooks/queries.ts'
import { startReplay } from '../../../delivery/webhooks/replay.ts'
import type { App } from '../../../identity/apps/app.ts'
import { objectTime } from '../../../platform/common/time.ts'
import { invalidFor, type ParameterPlace } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { component, id, time } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { UniqueViolation } from '../../../platform/storage/store.ts'
import type { WebhookDependencies } from './endpoint.ts'
import { findWebhook } from './find.ts'

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

const MINUTE_MS = 60_000
const REACH_MS = 24 * 60 * MINUTE_MS
/** Core reference, 02 section 4. */
const FROM_AGE_MINUTES = 31
const TO_AGE_MINUTES = 10
const DATE = /^([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})$/

/**
 * The window of a replay, in epoch milliseconds; its end is exclusive. Throws the errors of the
 * dates.
 */
function replayWindow(
  { from_date, to_date }: { from_date: string; to_date: string },
  { place, nowMs }: { place: ParameterPlace; nowMs: number },
): { from: number; to: number } {
  const wrong = (name: string, value: string, why: ReturnType<typeof msg>) =>
    invalidFor('QueryParamInvalid', why, { place, name, value })
  const read = (name: string, value: string) => {
    const time = minuteOf(value)
    if (time === undefined) throw wrong(name, value, msg`must be a date in the format yyyymmddhhmm, in UTC`)
    return time
  }
  const from = read('from_date', from_date)
  const to = read('to_date', to_date)
  if (from < nowMs - REACH_MS)
    throw wrong('from_date', from_date, msg`events of the past 24 hours can be replayed`)
  if (from > nowMs - FROM_AGE_MINUTES * MINUTE_MS)
    throw wrong('from_date', from_date, msg`it must be at least ${FROM_AGE_MINUTES} minutes ago`)
  if (to > nowMs - TO_AGE_MINUTES * MINUTE_MS)
    throw wrong('to_date', to_date, msg`it must be at least ${TO_AGE_MINUTES} minutes ago`)
  if (to <= from) throw wrong('to_date', to_date, msg`it must be later than from_date`)
  return { from, to }
}

/** Parses `yyyymmddhhmm`; undefined if it is invalid. */
function minuteOf(text: string): number | undefined {
  const [, year, month, day, hour, minute] = DATE.exec(text) ?? []
  if (year === undefined) return undefined
  const iso = `${year}-${month}-${day}T${hour}:${minute}:00.000Z`
  const time = Date.parse(iso)
  return Number.isNaN(time) || new Date(time).toISOString() !== iso ? undefined : time
}
