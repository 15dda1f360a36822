import { Type } from 'typebox'
import { component, id } from '../http/schema.ts'
import { ClassicEntities, classicEntities } from '../posts/classic.ts'
import type { Entities } from '../text/entities.ts'
import type { DmEventRow } from '../storage/tables.ts'

// Direct messages in the classic form, which is older than `/2/`, as events show them.

const closed = { additionalProperties: false }
const timestamp = Type.String({ pattern: '^[0-9]{1,19}$', description: 'Epoch milliseconds.' })

/** A message (core reference, 02 sections 5.1 and 6.4). */
export const ClassicMessage = component(
  'ClassicMessage',
  Type.Object(
    {
      type: Type.String({ description: '`message_create`.' }),
      id: id('The message.'),
      created_timestamp: timestamp,
      message_create: Type.Object(
        {
          target: Type.Object({ recipient_id: id('Who received it.') }, closed),
          sender_id: id('Who sent it.'),
          source_app_id: Type.Optional(id('The app that sent it.')),
          message_data: Type.Object({ text: Type.String(), entities: ClassicEntities }, closed),
        },
        closed,
      ),
    },
    closed,
  ),
  'A direct message.',
)

/** Everyone whose name a message shows. */
export const namedIn = (row: DmEventRow) =>
  (JSON.parse(row.entities) as Entities).mentions.map(({ id: userId }) => userId)

/** A message as each of its recipients sees it; its sender sees the same. */
export function classicMessages(
  row: DmEventRow,
  recipients: readonly string[],
  users: ReadonlyMap<string, { name: string; screen_name: string }>,
) {
  const entities = classicEntities(JSON.parse(row.entities) as Entities, Number.POSITIVE_INFINITY, users)
  return recipients.map((recipient) => ({
    type: 'message_create',
    id: row.id,
    created_timestamp: String(row.created_at),
    message_create: {
      target: { recipient_id: recipient },
      sender_id: row.sender_id,
      source_app_id: row.app_id,
      message_data: { text: row.text, entities },
    },
  }))
}

const between = {
  created_timestamp: timestamp,
  sender_id: id('Who writes, or has read.'),
  target: Type.Object({ recipient_id: id('The other user.') }, closed),
}

/** A user is writing. */
export const ClassicTyping = component('ClassicTyping', Type.Object(between, closed), 'A user is writing.')

/** A user has read messages. */
export const ClassicRead = component(
  'ClassicRead',
  Type.Object({ ...between, last_read_event_id: id('The newest message that was read.') }, closed),
  'A user has read messages.',
)
