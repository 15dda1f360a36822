import { eventKind } from '../../platform/events/event.ts'

type ConversationEventData = {
  event_id: string
  conversation_id: string
  /** Who sent the message, added the participants, or left. */
  sender_id: string
}

const subject = ({ conversation_id }: { conversation_id: string }) => conversation_id

/** A message was sent. The query `viewersOfEvent` returns its recipients. */
export const messageCreated = eventKind<ConversationEventData & { app_id: string }>(
  'direct-message.created',
  subject,
)

/** Users were added to a group, including those who began it. */
export const participantsJoined = eventKind<ConversationEventData>(
  'direct-message.participants-joined',
  subject,
)

/** A user left a group. */
export const participantsLeft = eventKind<ConversationEventData>('direct-message.participants-left', subject)

/** A user removed an event from their own view. */
export const messageDeleted = eventKind<{ event_id: string; conversation_id: string; user_id: string }>(
  'direct-message.deleted',
  subject,
)

/** A user is writing to another user. */
export const typingIndicated = eventKind<{
  conversation_id: string
  sender_id: string
  recipient_id: string
}>('direct-message.typing', subject)

/** A user has read the messages of another user, up to one of them. */
export const messagesRead = eventKind<{
  conversation_id: string
  /** The reader. */
  sender_id: string
  /** The sender. */
  recipient_id: string
  last_read_event_id: string
}>('direct-message.read', subject)
