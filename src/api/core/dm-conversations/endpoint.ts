import { Type } from 'typebox'
import { CONVERSATION_ID } from '../../../domain/direct-messages/conversation.ts'
import type { MessageActor } from '../../../domain/direct-messages/send.ts'
import type { DmEventRow } from '../../../domain/direct-messages/tables.ts'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component, id } from '../../../platform/http/schema.ts'

const closed = { additionalProperties: false }

export const conversationId = Type.String({ pattern: CONVERSATION_ID, description: 'The conversation.' })

/** The reply of endpoints that create an event. */
export const MadeEvent = Type.Object(
  {
    data: component(
      'MadeDmEvent',
      Type.Object({ dm_conversation_id: conversationId, dm_event_id: id('The event.') }, closed),
      'The created event and its conversation.',
    ),
  },
  closed,
)

export const exampleEvent = {
  data: { dm_conversation_id: '6253282-2244994945', dm_event_id: '1900000000000000050' },
}

export const made = ({ id, conversation_id }: DmEventRow, status: 200 | 201 = 201) =>
  json({ data: { dm_conversation_id: conversation_id, dm_event_id: id } }, status)

export const actorOf = ({ userId, app }: UserCaller): MessageActor => ({ userId, appId: app.id })
