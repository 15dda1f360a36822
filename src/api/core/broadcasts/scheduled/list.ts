import { Type } from 'typebox'
import { schedulePage, startOfScheduled } from '../../../../domain/broadcasts/queries.ts'
import { boundOf, FIRST_ID } from '../../../../platform/common/ids.ts'
import { parseInstant } from '../../../../platform/common/instant.ts'
import { invalid } from '../../../../platform/http/errors.ts'
import { type Message, msg, word } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { id } from '../../../../platform/http/schema.ts'
import type { Store } from '../../../../platform/storage/store.ts'
import { actionEndpoint } from '../../actions.ts'
import { LIMITS, READ_SCOPES, SOURCE } from '../subject.ts'
import { RECORD, recordOf, ScheduledBroadcast } from './record.ts'

const MAX_RESULTS = 100
const time = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: `${description}: milliseconds, or RFC 3339.` }),
  )

/** GET /2/broadcasts/scheduled: scheduled broadcasts of the caller. */
export const listScheduledBroadcasts = actionEndpoint({
  id: 'listScheduledBroadcasts',
  host: 'core',
  method: 'GET',
  path: '/2/broadcasts/scheduled',
  summary: 'List your scheduled broadcasts',
  description:
    'Returns the scheduled broadcasts of the user in the order of their starts, whatever became of them. The next page begins after the broadcast that `pagination_token` names.',
  source: SOURCE,
  auth: ['user'],
  scopes: READ_SCOPES,
  limits: LIMITS,
  query: {
    max_results: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: MAX_RESULTS, default: MAX_RESULTS },
        description: 'Number of broadcasts in a page.',
      }),
    ),
    oldest_start_time: time('Only broadcasts that start at this time or later'),
    newest_start_time: time('Only broadcasts that start at this time or earlier'),
    pagination_token: Type.Optional(id('`scheduled_broadcast_id` of the last broadcast of a page.')),
  },
  reply: Type.Object(
    { data: Type.Optional(Type.Array(Type.Unsafe<object>(ScheduledBroadcast), { minItems: 1 })) },
    { additionalProperties: false },
  ),
  example: { reply: { data: [RECORD] } },
  async handle({ principal: { userId: user }, query }, { store, clock }) {
    const { max_results: limit = MAX_RESULTS, pagination_token: token } = query
    const from = timeIn('oldest_start_time', query.oldest_start_time) ?? 0
    const to = timeIn('newest_start_time', query.newest_start_time) ?? Number.MAX_SAFE_INTEGER
    const after = token === undefined ? { start: -1, id: FIRST_ID } : await placeOf(user, token, store)
    // Nothing before the token is read again.
    const page = { user, from: Math.max(from, after.start), to, ...after, limit }
    const rows = await store.all(schedulePage, page)
    return json(rows.length === 0 ? {} : { data: rows.map((row) => recordOf(row, clock.now())) })
  },
})

const wrong = (name: string, value: string, explanation: Message) =>
  invalid({ place: 'query', name, value, fault: { kind: 'rule', explanation } })

function timeIn(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const found = /^[0-9]{1,15}$/.test(text) ? Number(text) : parseInstant(text)
  if (found !== undefined) return found
  throw wrong(name, text, msg`The \`${word(name)}\` query parameter value [${text}] is not a time`)
}

async function placeOf(user: string, token: string, store: Store) {
  const id = boundOf(token)
  const found = await store.first(startOfScheduled, { user, id })
  if (found) return { start: Number(found.scheduled_start), id }
  const explanation = msg`The \`pagination_token\` query parameter value [${token}] names no scheduled broadcast`
  throw wrong('pagination_token', token, explanation)
}
