import { users } from '../../identity/users/tables.ts'
import {
  bigint,
  bytewise,
  flag,
  id64,
  integer,
  type RowOf,
  table,
  text,
} from '../../platform/storage/table.ts'

/** A version of a user's public keys. They stay as they were uploaded. */
export const chatPublicKeys = table(
  'chat_public_keys',
  {
    user_id: text({ belongsTo: users }),
    version: id64(),
    /** Base64, like the other keys and signatures; null if it was not uploaded. */
    public_key: text({ null: true }),
    signing_public_key: text({ null: true }),
    identity_public_key_signature: text({ null: true }),
    signing_public_key_signature: text({ null: true }),
    public_key_fingerprint: text({ null: true }),
    registration_method: text({ null: true }),
    created_at: bigint(),
  },
  { key: ['user_id', 'version'] },
)

/** An id for a group that a user may create, once, until it expires. */
export const chatGroupIds = table(
  'chat_group_ids',
  {
    /** `g` and digits. */
    id: bytewise(),
    user_id: text({ belongsTo: users }),
    expires_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      chat_group_ids_by_user: ['user_id', 'id'],
      chat_group_ids_by_expiry: ['expires_at'],
    },
  },
)

/** An encrypted conversation: of two users, whose ids make up its id, or of a group. */
export const chatConversations = table(
  'chat_conversations',
  {
    /** `<smaller user id>-<larger user id>`, or `g` and digits. */
    id: bytewise(),
    /** Who created it, who may have been deleted. */
    creator_id: text(),
    is_group: flag(),
    /** Encrypted. */
    name: text({ null: true }),
    description: text({ null: true }),
    avatar_url: text({ null: true }),
    /** How long messages are kept; null if they do not expire. */
    ttl_msec: bigint({ null: true }),
    /** The newest version of its key, and the event that announced it. */
    key_version: id64(),
    key_event_id: id64(),
    /** The newest event that all members see. */
    last_event_id: id64(),
    created_at: bigint(),
    updated_at: bigint(),
  },
  { key: ['id'] },
)

/** A member of a conversation. */
export const chatMembers = table(
  'chat_members',
  {
    conversation_id: bytewise({ belongsTo: chatConversations }),
    user_id: text({ belongsTo: users }),
    /** Orders the conversations of a user: the newest one first. */
    position: id64(),
    is_admin: flag(),
    /** Whether the user has sent anything in it. */
    wrote: flag({ default: 0 }),
    /** The event up to which the user has read. */
    read_until: id64({ null: true }),
  },
  {
    key: ['conversation_id', 'user_id'],
    indexes: { chat_members_by_user: ['user_id', 'position'] },
  },
)

/** An event of a conversation. It never changes. */
export const chatEvents = table(
  'chat_events',
  {
    /** The sequence id: events of a conversation are in the order of these. */
    id: id64(),
    conversation_id: bytewise({ belongsTo: chatConversations }),
    /** `message`, `key`, `group`, `delete` or `read`. */
    kind: text(),
    /** Chosen by the client: sending it again creates nothing. */
    message_id: bytewise(),
    /** The others keep what a user sent who was deleted. */
    sender_id: text(),
    /** The key version of a message or a key change. */
    key_version: id64({ null: true }),
    previous_id: id64({ null: true }),
    conversation_token: text(),
    /** Base64 of the event. */
    encoded_event: text(),
    /** JSON: the signature of its sender; null without one. */
    signature: text({ null: true }),
    expires_at: bigint({ null: true }),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      chat_events_by_message: ['conversation_id', 'message_id', 'sender_id'],
      chat_events_by_key: ['conversation_id', 'kind', 'key_version'],
      chat_events_by_expiry: ['expires_at'],
    },
  },
)

/**
 * An event as one user sees it: one row for each user who was a member when it happened. All reads
 * use these rows. The last user whose row goes takes the event along.
 */
export const chatInbox = table(
  'chat_inbox',
  {
    event_id: id64({ belongsTo: chatEvents }),
    user_id: text({ belongsTo: users }),
    conversation_id: bytewise(),
    /** Key changes are not listed: each page of the list has them beside it. */
    is_listed: flag(),
  },
  {
    key: ['event_id', 'user_id'],
    indexes: { chat_inbox_by_conversation: ['user_id', 'conversation_id', 'is_listed', 'event_id'] },
  },
)

/** An encrypted file of a conversation, or its upload. */
export const chatMedia = table(
  'chat_media',
  {
    /** The upload session. */
    id: id64(),
    conversation_id: bytewise({ belongsTo: chatConversations }),
    hash_key: bytewise(),
    /** Who uploaded it, who may have been deleted. */
    owner_id: text(),
    /** The announced size; null if none was. */
    total_bytes: bigint({ null: true }),
    /** Bytes that count towards the quota of its owner. */
    bytes: bigint(),
    /** Null during the upload. */
    hash: text({ null: true }),
    message_id: text({ null: true }),
    expires_at: bigint({ null: true }),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      chat_media_by_conversation: ['conversation_id', 'hash_key'],
      chat_media_by_owner: ['owner_id', 'expires_at', 'bytes'],
      chat_media_by_expiry: ['expires_at'],
      chat_media_by_hash: ['hash'],
    },
  },
)

/** A part of an encrypted file that is being uploaded. */
export const chatMediaSegments = table(
  'chat_media_segments',
  {
    media_id: id64({ belongsTo: chatMedia }),
    segment_index: integer(),
    hash: text(),
    bytes: bigint(),
  },
  { key: ['media_id', 'segment_index'], indexes: { chat_media_segments_by_hash: ['hash'] } },
)

export type ChatPublicKeyRow = RowOf<typeof chatPublicKeys>
export type ChatConversationRow = RowOf<typeof chatConversations>
export type ChatMemberRow = RowOf<typeof chatMembers>
export type ChatEventRow = RowOf<typeof chatEvents>
export type ChatMediaRow = RowOf<typeof chatMedia>
export type ChatMediaSegmentRow = RowOf<typeof chatMediaSegments>
