import { Type } from 'typebox'
import { chatMembersJoined, chatMessageSent } from '../../../domain/chat/events.ts'
import { withColon } from '../../../domain/chat/ids.ts'
import { chatEventsWithViewers, keyChangesOf } from '../../../domain/chat/queries.ts'
import type { ChatEventRow } from '../../../domain/chat/tables.ts'
import { type EventKind, isOfKind, type LoggedEvent } from '../../../platform/events/event.ts'
import { type Activity, type ActivitySource, activityKind, type KindOf } from '../kind.ts'
import { closed } from '../payloads.ts'
import type { ActivityReader } from '../reader.ts'

const text = (description: string) => Type.String({ description })

const Payload = Type.Object(
  {
    conversation_token: text('Names the conversation.'),
    id: text('The id that the client of the sender chose.'),
    created_at_msec: text('When it happened, in milliseconds.'),
    sender_id: text('Who caused it.'),
    conversation_id: text('Two user ids with a colon, or a group.'),
    conversation_key_version: Type.Optional(text('The key that a message is encrypted with.')),
    encoded_event: text('Base64 of the event.'),
    conversation_key_change_event: Type.Optional(text('Base64 of the event with this key.')),
    message_event_signature: Type.Optional(Type.Object({}, { description: 'The signature of the sender.' })),
    user_ids: Type.Optional(Type.Array(Type.String(), { description: 'Who joined.' })),
  },
  closed,
)

export interface OfChatEvent {
  readonly row: ChatEventRow
  /** Users who joined. */
  readonly users?: readonly string[]
}

async function prepare(facts: readonly OfChatEvent[], { store }: ActivityReader) {
  const changes = new Map<string, string>()
  const chats = new Map<string, Set<string>>()
  for (const { row } of facts)
    if (row.key_version !== null)
      chats.set(row.conversation_id, (chats.get(row.conversation_id) ?? new Set()).add(row.key_version))
  for (const [id, versions] of chats)
    for (const change of await store.all(keyChangesOf, { id, versions: JSON.stringify([...versions]) }))
      changes.set(`${id} ${change.key_version}`, change.encoded_event)
  return ({ row, users }: OfChatEvent) => {
    const change = changes.get(`${row.conversation_id} ${row.key_version}`)
    return {
      payload: {
        ...{ conversation_token: row.conversation_token, id: row.message_id, sender_id: row.sender_id },
        ...{ created_at_msec: String(row.created_at), conversation_id: withColon(row.conversation_id) },
        ...(row.key_version !== null && { conversation_key_version: row.key_version }),
        encoded_event: row.encoded_event,
        ...(change !== undefined && { conversation_key_change_event: change }),
        ...(row.signature !== null && { message_event_signature: JSON.parse(row.signature) as object }),
        ...(users && { user_ids: [...users] }),
      },
    }
  }
}

const chatKind = (name: string, description: string, more: { otherNames?: string[]; isDirected?: boolean }) =>
  activityKind<OfChatEvent>({ name, description, scope: 'dm.read', payload: Payload, prepare, ...more })

export const received = chatKind('chat.received', 'The user receives an encrypted message.', {
  isDirected: true,
})
export const sent = chatKind('chat.sent', 'The user sends an encrypted message.', { isDirected: true })
export const joined = chatKind('chat.conversation_join', 'The user joins an encrypted group.', {
  otherNames: ['chat.conversation.join'],
})
export const memberAdded = chatKind(
  'chat.conversation.member_added',
  'Others join an encrypted group that the user is in.',
  {},
)

export const chatKinds = [received, sent, joined, memberAdded]

/** Events of conversations, with the users who see each one. */
const seen = <Data extends { event_id: string } & Record<string, string>>(
  kind: EventKind<Data>,
  activitiesOf: (row: ChatEventRow, viewers: readonly string[], event: LoggedEvent<Data>) => Activity[],
): ActivitySource => ({
  events: [kind],
  async activitiesOf(events, { store }) {
    const own = events.filter((event) => isOfKind(event, kind))
    const ids = JSON.stringify(own.map(({ data }) => data.event_id))
    const rows = await store.all(chatEventsWithViewers, { ids })
    return own.flatMap((event) => {
      const seenBy = rows.filter(({ id }) => id === event.data.event_id)
      const viewers = seenBy.map(({ viewer_id }) => viewer_id)
      return seenBy[0] ? activitiesOf(seenBy[0], viewers, event) : []
    })
  },
})

const to =
  (kind: KindOf<OfChatEvent>, event: LoggedEvent, facts: OfChatEvent) =>
  (user: string): Activity =>
    kind.of({ event, facts, subject: { user } })

export const chatSources = [
  seen(chatMessageSent, (row, viewers, event) => {
    const facts = { row }
    return viewers.map((user) =>
      user === row.sender_id
        ? sent.of({ event, facts, subject: { user }, direction: 'outbound' })
        : received.of({ event, facts, subject: { user }, direction: 'inbound' }),
    )
  }),
  seen(chatMembersJoined, (row, viewers, event) => {
    const users = event.data.user_ids.split(',')
    const facts = { row, users }
    const isNew = new Set(users)
    return [
      ...users.map(to(joined, event, facts)),
      ...viewers.filter((user) => !isNew.has(user)).map(to(memberAdded, event, facts)),
    ]
  }),
]
