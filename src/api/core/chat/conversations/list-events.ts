import { Type } from 'typebox'
import { chatEventsSeenBy, inboxPages, keyChangesOf } from '../../../../domain/chat/queries.ts'
import type { ChatEventRow } from '../../../../domain/chat/tables.ts'
import { compareIds, LAST_ID, timeOfId } from '../../../../platform/common/ids.ts'
import { component } from '../../../../platform/http/schema.ts'
import type { Store } from '../../../../platform/storage/store.ts'
import { type FindVisibleKeys, objectEndpoint } from '../../objects/endpoint.ts'
import { pageParameters, readPage } from '../../paging.ts'
import { chatId, closed, LIMITS, named, PAIR_ID, READ_SCOPES, SOURCE } from '../endpoint.ts'

const DEFAULT_RESULTS = 10
const MAX_RESULTS = 100
/** Key changes of a page, besides those of its messages. */
const MAX_KEY_CHANGES = 100

/** GET /2/chat/conversations/{id}/events: what happened in a conversation, newest first. */
export const listChatEvents = objectEndpoint({
  id: 'listChatEvents',
  path: '/2/chat/conversations/{id}/events',
  summary: 'List the events of an encrypted conversation',
  description:
    'Returns the events of an encrypted conversation that the user has seen, newest first. Key changes are in `meta.conversation_key_events`: those that the messages of the page need, and the newest 100. Messages that have expired are left out. For a group of other users, or a conversation that does not exist, the list is empty.',
  source: SOURCE,
  auth: ['user'],
  scopes: READ_SCOPES,
  limits: LIMITS,
  params: { id: chatId },
  query: pageParameters({ default: DEFAULT_RESULTS, min: 1, max: MAX_RESULTS, what: 'events' }),
  returns: {
    object: 'chat_message_event',
    count: 'many',
    sendsEmpty: true,
    meta: component(
      'ChatEventsMeta',
      Type.Object(
        {
          result_count: Type.Integer({ minimum: 0, description: 'Entries of the page.' }),
          has_more: Type.Boolean({ description: 'Whether there is another page.' }),
          next_token: Type.Optional(Type.String({ description: 'Token for older events.' })),
          previous_token: Type.Optional(Type.String({ description: 'Token for newer events.' })),
          conversation_key_events: Type.Array(Type.String(), {
            description: 'Base64 of key changes, newest first.',
          }),
        },
        closed,
      ),
    ),
  },
  errors: ['not in conversation'],
  example: {
    params: { id: PAIR_ID },
    data: [{ id: '1900000000000000070', encoded_event: 'CwABAAAAATEA', sender_id: '2244994945' }],
    meta: { result_count: 1, has_more: false, conversation_key_events: [] },
  },
  async find({ principal: { userId: user }, params, query }, { store, clock }, shownKeys) {
    const at = { user, conversation: named(params.id, user).id }
    const { keys, tokens } = await pageOf(query, at, { store, shownKeys })
    const conversation_key_events = await keyEventsOf(keys, { ...at, now: clock.now() }, store)
    const has_more = tokens.next_token !== undefined
    return {
      keys,
      meta: (shown) => ({ result_count: shown.length, has_more, ...tokens, conversation_key_events }),
    }
  },
})

interface Place {
  user: string
  conversation: string
}

async function pageOf(
  query: { max_results?: number; pagination_token?: string },
  at: Place,
  { store, shownKeys }: { store: Pick<Store, 'all'>; shownKeys: FindVisibleKeys },
) {
  const { rows, tokens } = await readPage(query, {
    defaultLimit: DEFAULT_RESULTS,
    async read({ direction, id, limit }) {
      const found = await store.all(inboxPages[direction], { ...at, listed: 1, id, limit })
      return found.map(({ event_id }) => ({ id: event_id, created_at: timeOfId(event_id) }))
    },
    /** Expired messages are not shown. */
    async shown(rows) {
      const keys = await shownKeys(rows.map((row) => row.id))
      return rows.filter((row) => keys.has(row.id))
    },
  })
  return { keys: rows.map((row) => row.id), tokens }
}

/** The key changes that a page of events needs, and the newest ones. */
async function keyEventsOf(
  keys: readonly string[],
  { user, conversation, now }: Place & { now: number },
  store: Pick<Store, 'all'>,
): Promise<string[]> {
  const seen = (ids: readonly string[]): Promise<readonly ChatEventRow[]> =>
    store.all(chatEventsSeenBy, { ids: JSON.stringify(ids), viewer: user, now })
  const page = { user, conversation, listed: 0, id: LAST_ID, limit: MAX_KEY_CHANGES }
  const newest = (await store.all(inboxPages.older, page)).map((row) => row.event_id)
  const versions = new Set((await seen(keys)).map((row) => row.key_version))
  const named = JSON.stringify([...versions].filter((one) => one !== null))
  const needed = await store.all(keyChangesOf, { id: conversation, versions: named })
  const rows = await seen([...new Set([...newest, ...needed.map(({ id }) => id)])])
  return [...rows].sort((one, other) => compareIds(other.id, one.id)).map((row) => row.encoded_event)
}
