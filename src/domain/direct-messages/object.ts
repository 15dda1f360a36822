import { Type } from 'typebox'
import { objectTime } from '../../platform/common/time.ts'
import { id, storedChoice, time } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape } from '../../platform/objects/shape.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { TextEntities, textEntities } from '../../platform/text/entity-fields.ts'
import { CONVERSATION_ID, EVENT_TYPES } from './conversation.ts'
import { eventsSeenBy } from './queries.ts'
import type { DmEventRow } from './tables.ts'

const { field } = fieldsOf<DmEventRow>()
const closed = { additionalProperties: false }
const parseIds = (json: string) => JSON.parse(json) as string[]

/** An empty list is omitted. */
const unlessEmpty = <Item, Shown>(items: readonly Item[], show: (items: readonly Item[]) => Shown) =>
  items.length === 0 ? undefined : show(items)

const fields = {
  id: field(id('The event.'), (row) => row.id),
  event_type: field(storedChoice([...EVENT_TYPES], 'What happened.', 'DmEventType'), (row) => row.event_type),
  text: field(Type.String({ description: 'Text of a message.' }), (row) => row.text || undefined),
  attachments: field(
    Type.Object(
      { media_keys: Type.Optional(Type.Array(Type.String())) },
      { ...closed, description: 'Attachments of a message.' },
    ),
    (row) => unlessEmpty(parseIds(row.media_keys), (keys) => ({ media_keys: [...keys] })),
  ),
  created_at: field(time('When it happened.'), (row) => objectTime(row.created_at)),
  dm_conversation_id: field(
    Type.String({ pattern: CONVERSATION_ID, description: 'The conversation.' }),
    (row) => row.conversation_id,
  ),
  entities: field(TextEntities, (row) => textEntities(JSON.parse(row.entities) as Entities)),
  participant_ids: field(
    Type.Array(id('A user.'), { description: 'Users who joined, or the one who left. Messages have none.' }),
    (row) => unlessEmpty(parseIds(row.participant_ids), (ids) => [...ids]),
  ),
  referenced_posts: field(
    Type.Array(Type.Object({ id: id('The post.') }, closed), {
      description: 'Posts that the text links to.',
    }),
    (row) => unlessEmpty(parseIds(row.post_ids), (ids) => ids.map((postId) => ({ id: postId }))),
  ),
  sender_id: field(id('Who sent the message, added the participants, or left.'), (row) => row.sender_id),
}

/**
 * An event of a conversation. Users see only the events of conversations in which they took part at
 * the time; for them, other events do not exist.
 */
export const dmEvent = objectShape<DmEventRow>({
  name: 'dm_event',
  plural: 'dm_events',
  component: 'DmEvent',
  description:
    'A direct message, or a change of participants. Fields that were not requested, or are empty, are omitted.',
  fields,
  defaults: ['id', 'event_type', 'text'],
  required: ['id', 'event_type'],
  expansions: {
    'attachments.media_keys': { to: 'media', field: 'attachments', ids: (row) => parseIds(row.media_keys) },
    participant_ids: { to: 'user', field: 'participant_ids', ids: 'value' },
    'referenced_posts.id': { to: 'post', field: 'referenced_posts', ids: (row) => parseIds(row.post_ids) },
    sender_id: { to: 'user', field: 'sender_id', ids: 'value' },
  },
  lookups: {
    id: {
      load: async (ids, { store, userId }) =>
        userId === undefined ? [] : store.all(eventsSeenBy, { ids: JSON.stringify(ids), viewer: userId }),
      keyOf: (row) => row.id,
    },
  },
})
