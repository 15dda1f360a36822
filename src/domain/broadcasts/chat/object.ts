import { Type } from 'typebox'
import { id } from '../../../platform/http/schema.ts'
import { fieldsOf, objectShape } from '../../../platform/objects/shape.ts'
import { BROADCAST_ID } from '../state.ts'
import { type MessageWithAuthorRow, messagesByIds } from './queries.ts'

const { field } = fieldsOf<MessageWithAuthorRow>()
const text = (description: string) => Type.String({ description })

const fields = {
  id: field(id('The message: its time in nanoseconds. Unique within the broadcast.'), (row) => row.sent_ns),
  text: field(text('What it says.'), (row) => row.text),
  author_id: field(id('Who wrote it.'), (row) => row.author_id),
  author_name: field(text('The name of the author.'), (row) => row.author_name),
  author_username: field(text('The username of the author.'), (row) => row.author_username),
  broadcast_id: field(
    Type.String({ pattern: BROADCAST_ID, description: 'The broadcast.' }),
    (row) => row.broadcast_id,
  ),
  created_at_ms: field(text('When it was sent, in milliseconds.'), (row) => String(row.created_at)),
  reply_to: field(id('The message that it answers.'), (row) => row.reply_to ?? undefined),
}

/** A message in the chat of a broadcast (core reference, 09 section 7). */
export const broadcastChatMessage = objectShape<MessageWithAuthorRow>({
  name: 'broadcast_chat_message',
  plural: 'broadcast_chat_messages',
  component: 'BroadcastChatMessage',
  description: 'A message in the chat of a broadcast. Fields that were not requested are omitted.',
  fields,
  defaults: ['id', 'text', 'author_id'],
  required: ['id', 'text', 'author_id'],
  expansions: { author_id: { to: 'user', field: 'author_id', ids: 'value' } },
  lookups: {
    id: {
      load: (ids, { store }) => store.all(messagesByIds, { ids: JSON.stringify(ids) }),
      keyOf: (row) => row.id,
    },
  },
})
