import { type Static, Type } from 'typebox'
import { CONVERSATION_ID } from '../../../domain/direct-messages/conversation.ts'
import { component, id, time } from '../../../platform/http/schema.ts'

/** A direct message in replies of the admin API. */
export const AdminMessage = component(
  'AdminMessage',
  Type.Object(
    {
      id: id('The message.'),
      conversation_id: Type.String({ pattern: CONVERSATION_ID, description: 'The conversation.' }),
      sender_id: id('The sender.'),
      text: Type.String(),
      created_at: time('When it was sent.'),
    },
    { additionalProperties: false },
  ),
)

export const EXAMPLE: Static<typeof AdminMessage> = {
  id: '1900000000000000050',
  conversation_id: '1900000000000000007-1900000000000000008',
  sender_id: '1900000000000000007',
  text: 'Hello',
  created_at: '2026-03-01T12:00:00.000Z',
}
