import { Type } from 'typebox'
import { type DmEventType, EVENT_TYPES } from '../../../domain/direct-messages/conversation.ts'
import { eventPages } from '../../../domain/direct-messages/queries.ts'
import { firstIdAt, greatestId, LAST_ID, timeOfId } from '../../../platform/common/ids.ts'
import { choices } from '../../../platform/http/schema.ts'
import type { ObjectDependencies } from '../objects/endpoint.ts'
import { PageMeta, pageParameters, readPage } from '../paging.ts'

const MAX_EVENTS = 100
/** How far back lists reach. */
const REACH_MS = 30 * 86_400_000

/** The parameters that lists of events share. */
export const eventList = {
  source: 'Events',
  auth: ['user'],
  scopes: ['dm.read', 'post.read', 'users.read'],
  limits: { user: '15/15m' },
  returns: { object: 'dm_event', count: 'many', meta: PageMeta },
} as const

export const eventParameters = {
  ...pageParameters({ default: MAX_EVENTS, min: 1, max: MAX_EVENTS, what: 'events' }),
  event_types: Type.Optional(
    choices([...EVENT_TYPES], 'Returns only events of these types.', 'DmEventTypeFilter'),
  ),
}

export const exampleEvents = {
  data: [{ id: '1900000000000000050', event_type: 'MessageCreate', text: 'Hello' }],
  meta: { result_count: 1 },
}

interface DmEventsRequest {
  user: string
  /** Undefined for all conversations of the user. */
  conversation?: string
  query: { max_results?: number; pagination_token?: string; event_types?: DmEventType[] }
}

/** Events that a user sees, of the last 30 days, newest first. Their ids grow with time. */
export async function readEvents(
  { user, conversation = '', query }: DmEventsRequest,
  { store, clock }: Pick<ObjectDependencies, 'store' | 'clock'>,
) {
  const { event_types: types = EVENT_TYPES } = query
  const [message = '', join = '', leave = ''] = EVENT_TYPES.map((type) => (types.includes(type) ? type : ''))
  const pages = conversation === '' ? eventPages.all : eventPages.conversation
  const oldest = firstIdAt(clock.now() - REACH_MS)
  const args = { user, conversation, message, join, leave }
  const { rows, tokens } = await readPage(query, {
    defaultLimit: MAX_EVENTS,
    async read({ direction, id, limit }) {
      const range =
        direction === 'older'
          ? { after: oldest, before: id }
          : { after: greatestId(oldest, id), before: LAST_ID }
      const found = await store.all(pages[direction], { ...args, ...range, limit })
      return found.map(({ event_id }) => ({ id: event_id, created_at: timeOfId(event_id) }))
    },
  })
  const keys = rows.map((row) => row.id)
  return { keys, meta: (shown: readonly unknown[]) => ({ result_count: shown.length, ...tokens }) }
}
