import { users } from '../../identity/users/tables.ts'
import { bigint, bytewise, flag, id64, type RowOf, table, text } from '../../platform/storage/table.ts'

/** A conversation of direct messages: of two users, whose ids make up its id, or of a group. */
export const dmConversations = table(
  'dm_conversations',
  {
    /** `<smaller user id>-<larger user id>`, or the id of a group. */
    id: bytewise(),
    /** The user who sent the first message, who may have been deleted. */
    creator_id: text(),
    is_group: flag(),
    created_at: bigint(),
  },
  { key: ['id'] },
)

/** A current participant of a conversation. A user who has left a group has no row. */
export const dmParticipants = table(
  'dm_participants',
  {
    conversation_id: bytewise({ belongsTo: dmConversations }),
    user_id: text({ belongsTo: users }),
    /**
     * Whether the user has sent a message in it: the other user of the conversation may then always
     * reply.
     */
    wrote: flag({ default: 0 }),
    /** The newest message that the user has marked as read. */
    last_read_event_id: id64({ null: true }),
    joined_at: bigint(),
  },
  {
    key: ['conversation_id', 'user_id'],
    indexes: { dm_participants_by_user: ['user_id', 'conversation_id'] },
  },
)

/** An event of a conversation: a message, or participants who joined or left. It never changes. */
export const dmEvents = table(
  'dm_events',
  {
    id: id64(),
    conversation_id: bytewise({ belongsTo: dmConversations }),
    /** `MessageCreate`, `ParticipantsJoin` or `ParticipantsLeave`. */
    event_type: text(),
    /**
     * Who sent the message, added the participants, or left. The others keep what a user sent who
     * was deleted.
     */
    sender_id: text(),
    /** Normalised (NFC); empty if it is not a message, or a message with only an attachment. */
    text: text(),
    /** JSON: hashtags, cashtags, mentions and links of the text. */
    entities: text(),
    /** A JSON list. */
    media_keys: text(),
    /** A JSON list of the posts that the text links to. */
    post_ids: text(),
    /** A JSON list of users who joined or left; empty for messages. */
    participant_ids: text(),
    /** The app that sent it. */
    app_id: text(),
    created_at: bigint(),
  },
  { key: ['id'], indexes: { dm_events_by_conversation: ['conversation_id', 'id'] } },
)

/**
 * An event as one user sees it: one row for each user who took part in the conversation when it
 * happened. All reads use these rows. A user who deletes an event removes their row; the last one
 * to do so removes the event.
 */
export const dmInbox = table(
  'dm_inbox',
  {
    event_id: id64({ belongsTo: dmEvents }),
    user_id: text({ belongsTo: users }),
    conversation_id: bytewise(),
    event_type: text(),
  },
  {
    key: ['event_id', 'user_id'],
    indexes: {
      dm_inbox_by_user: ['user_id', 'event_type', 'event_id'],
      dm_inbox_by_conversation: ['user_id', 'conversation_id', 'event_type', 'event_id'],
    },
  },
)

export type DmConversationRow = RowOf<typeof dmConversations>

export type DmParticipantRow = RowOf<typeof dmParticipants>

export type DmEventRow = RowOf<typeof dmEvents>
