import { eventKind } from '../../platform/events/event.ts'

type ChatEventData = {
  event_id: string
  conversation_id: string
  sender_id: string
}

const subject = ({ conversation_id }: { conversation_id: string }) => conversation_id

/** An encrypted message was sent. The query `chatEventsWithViewers` returns its recipients. */
export const chatMessageSent = eventKind<ChatEventData & { app_id: string }>('chat.message-sent', subject)

/** Users joined an encrypted conversation: when it was created, or later. */
export const chatMembersJoined = eventKind<
  ChatEventData & {
    /** Who joined, separated by commas. */
    user_ids: string
  }
>('chat.members-joined', subject)
