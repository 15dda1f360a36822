import { eventKind } from '../events/event.ts'

type Happened = {
  event_id: string
  conversation_id: string
  /** Who sent the message, added the participants, or left. */
  sender_id: string
}

const subject = ({ conversation_id }: { conversation_id: string }) => conversation_id

/** A message was sent. Who received it, `src/direct-messages/queries.ts` says: `viewersOfEvent`. */
export const messageCreated = eventKind<Happened & { app_id: string }>('direct-message.created', subject)

/** Users were added to a group; those who began it are among them. */
export const participantsJoined = eventKind<Happened>('direct-message.participants-joined', subject)

/** A user left a group. */
export const participantsLeft = eventKind<Happened>('direct-message.participants-left', subject)

/** A user removed an event from their own view. */
export const messageDeleted = eventKind<{ event_id: string; conversation_id: string; user_id: string }>(
  'direct-message.deleted',
  subject,
)

/** A user is writing to another one. */
export const typingIndicated = eventKind<{
  conversation_id: string
  sender_id: string
  recipient_id: string
}>('direct-message.typing', subject)

/** A user has read what another one sent, up to a message. */
export const messagesRead = eventKind<{
  conversation_id: string
  /** Who has read it. */
  sender_id: string
  /** Who sent it. */
  recipient_id: string
  last_read_event_id: string
}>('direct-message.read', subject)
