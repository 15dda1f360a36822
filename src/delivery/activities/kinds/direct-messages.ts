import { Type } from 'typebox'
import {
  ClassicMessage,
  ClassicRead,
  ClassicTyping,
  classicMessages,
} from '../../../domain/direct-messages/classic.ts'
import {
  messageCreated,
  messagesRead,
  participantsJoined,
  participantsLeft,
  typingIndicated,
} from '../../../domain/direct-messages/events.ts'
import { dmEvent } from '../../../domain/direct-messages/object.ts'
import { eventsWithViewers } from '../../../domain/direct-messages/queries.ts'
import type { DmEventRow } from '../../../domain/direct-messages/tables.ts'
import { objectTime } from '../../../platform/common/time.ts'
import { type EventKind, isOfKind, type LoggedEvent } from '../../../platform/events/event.ts'
import { type Activity, type ActivitySource, activityKind, type KindOf, sourceOf } from '../kind.ts'
import { closed, WrappedUser } from '../payloads.ts'
import type { ActivityReader } from '../reader.ts'

const SCOPE = 'dm.read'
/** Users by id. */
const Users = Type.Object({}, { additionalProperties: WrappedUser, description: 'By their ids.' })

/** Reads the users of many activities at once; each activity shows its own. */
async function usersIn(ids: readonly string[], reader: ActivityReader) {
  const users = await reader.users(ids)
  return (shown: readonly string[]) =>
    Object.fromEntries(
      shown.flatMap((id) => {
        const user = users(id)
        return user ? [[id, { data: user }]] : []
      }),
    )
}

export interface OfMessage {
  row: DmEventRow
  recipients: readonly string[]
}

const messageKind = (name: string, description: string) =>
  activityKind<OfMessage>({
    name,
    description,
    scope: SCOPE,
    isDirected: true,
    payload: Type.Object({ direct_message_events: Type.Array(ClassicMessage), users: Users }, closed),
    async prepare(facts, reader) {
      const ids = facts.flatMap(({ row, recipients }) => [row.sender_id, ...recipients])
      const users = await usersIn(ids, reader)
      const shown = await classicMessages(
        facts.map(({ row }) => row),
        reader,
      )
      return ({ row, recipients }) => ({
        payload: {
          direct_message_events: shown(row, recipients),
          users: users([row.sender_id, ...recipients]),
        },
      })
    },
  })

export const sent = messageKind(
  'dm.sent',
  'The user sends a direct message; in a group, one is shown for each recipient.',
)
export const received = messageKind('dm.received', 'The user receives a direct message.')

export type Between = { sender_id: string; recipient_id: string }

const betweenKind = <Data extends Between>(
  { name, member, description }: { name: string; member: string; description: string },
  schema: typeof ClassicTyping | typeof ClassicRead,
  show: (data: Data) => object,
) =>
  activityKind<{ data: Data; at: number }>({
    name,
    description,
    scope: SCOPE,
    isDirected: true,
    payload: Type.Object({ [member]: Type.Array(schema), users: Users }, closed),
    async prepare(facts, reader) {
      const ids = facts.flatMap(({ data }) => [data.sender_id, data.recipient_id])
      const users = await usersIn(ids, reader)
      return ({ data, at }) => {
        const { sender_id, recipient_id } = data
        const event = { created_timestamp: String(at), sender_id, target: { recipient_id }, ...show(data) }
        return { payload: { [member]: [event], users: users([sender_id, recipient_id]) } }
      }
    },
  })

export const typing = betweenKind<Between>(
  {
    name: 'dm.indicate_typing',
    member: 'direct_message_indicate_typing_events',
    description: 'The user is typing to someone, or someone is typing to the user.',
  },
  ClassicTyping,
  () => ({}),
)
export const read = betweenKind<Between & { last_read_event_id: string }>(
  {
    name: 'dm.read',
    member: 'direct_message_mark_read_events',
    description: 'The user reads messages of someone, or someone reads messages of the user.',
  },
  ClassicRead,
  ({ last_read_event_id }) => ({ last_read_event_id }),
)

const participantsKind = (name: string, description: string) =>
  activityKind<DmEventRow>({
    name,
    description,
    scope: SCOPE,
    payload: Type.Object({ dm_event: dmEvent.schema, users: Users }, closed),
    async prepare(rows, reader) {
      const participants = ({ participant_ids }: DmEventRow) => JSON.parse(participant_ids) as string[]
      const users = await usersIn(
        rows.flatMap((row) => [row.sender_id, ...participants(row)]),
        reader,
      )
      return (row) => ({
        payload: {
          dm_event: {
            id: row.id,
            event_type: row.event_type,
            dm_conversation_id: row.conversation_id,
            sender_id: row.sender_id,
            participant_ids: participants(row),
            created_at: objectTime(row.created_at),
          },
          users: users([row.sender_id, ...participants(row)]),
        },
      })
    },
  })

export const joined = participantsKind(
  'dm.join',
  'Users join a group that the user is in, or the user joins.',
)
export const left = participantsKind(
  'dm.leave',
  'A user leaves a group that the user is in, or the user leaves.',
)

export const directMessageKinds = [received, sent, joined, left, typing, read]

/** Events of conversations, with the users who see each one. */
const seen = <Data extends { event_id: string } & Record<string, string>>(
  kind: EventKind<Data>,
  activitiesOf: (row: DmEventRow, viewers: readonly string[], event: LoggedEvent) => Activity[],
): ActivitySource => ({
  events: [kind],
  async activitiesOf(events, { store }) {
    const own = events.filter((event) => isOfKind(event, kind))
    const ids = JSON.stringify(own.map(({ data }) => data.event_id))
    const rows = await store.all(eventsWithViewers, { ids })
    return own.flatMap((event) => {
      const seenBy = rows.filter(({ id }) => id === event.data.event_id)
      const [row] = seenBy
      if (!row) return []
      return activitiesOf(
        row,
        seenBy.map(({ viewer_id }) => viewer_id),
        event,
      )
    })
  },
})

const message = seen(messageCreated, (row, viewers, event) => {
  const recipients = viewers.filter((user) => user !== row.sender_id)
  return [
    sent.of({ event, facts: { row, recipients }, subject: { user: row.sender_id }, direction: 'outbound' }),
    ...recipients.map((user) =>
      received.of({ event, facts: { row, recipients: [user] }, subject: { user }, direction: 'inbound' }),
    ),
  ]
})

const toViewers =
  (kind: KindOf<DmEventRow>) => (row: DmEventRow, viewers: readonly string[], event: LoggedEvent) =>
    viewers.map((user) => kind.of({ event, facts: row, subject: { user } }))

/** Both users see it. */
const toBoth = <Data extends Between & Record<string, string>>(
  on: EventKind<Data>,
  kind: KindOf<{ data: NoInfer<Data>; at: number }>,
): ActivitySource =>
  sourceOf(on, (data, event) => {
    const facts = { data, at: event.at }
    return [
      kind.of({ event, facts, subject: { user: data.sender_id }, direction: 'outbound' }),
      kind.of({ event, facts, subject: { user: data.recipient_id }, direction: 'inbound' }),
    ]
  })

export const directMessageSources = [
  message,
  seen(participantsJoined, toViewers(joined)),
  seen(participantsLeft, toViewers(left)),
  toBoth(typingIndicated, typing),
  toBoth(messagesRead, read),
]
