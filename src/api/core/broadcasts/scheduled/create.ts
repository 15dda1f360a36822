import { type Static, Type } from 'typebox'
import { hasRoom, makeBroadcast } from '../../../../domain/broadcasts/broadcasts.ts'
import { EVERY_MS, MAX_REPEATS, makeSeries } from '../../../../domain/broadcasts/series.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { choice, closedComponent, id } from '../../../../platform/http/schema.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { actionEndpoint } from '../../actions.ts'
import { wrong } from '../../posts/wrong.ts'
import { LIMITS, SOURCE, WRITE_SCOPES } from '../subject.ts'
import { readSettings, readTimes, settings, source, time } from './body.ts'
import { RECORD, recordOf, recordReply } from './record.ts'

const Recurrence = closedComponent('BroadcastRecurrence', {
  frequency: choice(['Daily', 'Weekly'], 'How often.', 'BroadcastFrequency'),
  repeats: id(`How often after the first time: 1 to ${MAX_REPEATS}.`),
})

/** POST /2/broadcasts/scheduled: a broadcast at a time, or a series of them. */
export const createScheduledBroadcast = actionEndpoint({
  id: 'createScheduledBroadcast',
  host: 'core',
  method: 'POST',
  path: '/2/broadcasts/scheduled',
  summary: 'Schedule a broadcast',
  description:
    'Schedules a broadcast. It runs from its start to its end; with `manual_publish`, from the call that starts it. With `recurrence`, it repeats: each broadcast of the series is made when the one before it starts. A user may have 100 broadcasts that have not ended.',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: LIMITS,
  body: closedComponent('CreateScheduledBroadcastBody', {
    ...settings,
    source_id: source,
    scheduled_start_ms: time('The start'),
    scheduled_end_ms: time('The end'),
    telecast_id: Type.Optional(id('A telecast. It is stored and returned.')),
    recurrence: Type.Optional(Recurrence),
  }),
  status: 201,
  reply: recordReply,
  errors: ['too many broadcasts'],
  example: {
    body: {
      ...{ source_id: RECORD.source_id, title: RECORD.title },
      ...{ scheduled_start_ms: RECORD.scheduled_start_ms, scheduled_end_ms: RECORD.scheduled_end_ms },
    },
    reply: { data: RECORD },
  },
  async handle({ principal: { userId: user_id }, body }, { store, ids }) {
    const data = await store.write(async (tx) => {
      const scheduled = readTimes(body, tx.now)
      const repeats = body.recurrence && repeatsOf(body.recurrence)
      if (!(await hasRoom(tx, user_id))) throw apiError('too many broadcasts')
      const made = { ...(await readSettings(tx, body, user_id)), user_id, scheduled }
      const row = repeats
        ? await makeSeries(tx, made, repeats, { ids })
        : await makeBroadcast(tx, made, { ids })
      return recordOf(row, tx.now)
    })
    return json({ data })
  },
})

function repeatsOf({ frequency, repeats }: Static<typeof Recurrence>) {
  const count = Number(repeats)
  if (count >= 1 && count <= MAX_REPEATS) return { every_ms: EVERY_MS[frequency], repeats: count }
  throw wrong('recurrence.repeats', repeats, msg`There must be 1 to ${MAX_REPEATS} repeats.`)
}
