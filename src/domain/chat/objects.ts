import { Type } from 'typebox'
import { objectTime } from '../../platform/common/time.ts'
import { component, id, time } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape, type View } from '../../platform/objects/shape.ts'
import { CHAT_ID_WITH_COLON, withColon } from './ids.ts'
import type { ChatSignature } from './message-event.ts'
import { chatEventsSeenBy, chatsOfMember, membersOfChats, publicKeysOfMany } from './queries.ts'
import type { ChatConversationRow, ChatEventRow, ChatMemberRow, ChatPublicKeyRow } from './tables.ts'

const closed = { additionalProperties: false }
const text = (description: string) => Type.String({ description })
const users = (description: string) => Type.Array(id('A user.'), { description })

type IsIn = (member: ChatMemberRow) => boolean

/** A field with ids of members: read once for a page. */
const membersField = (description: string, isOfGroupsOnly: boolean, isIn: IsIn) =>
  fieldsOf<ChatConversationRow>().batched(users(description), async (page, { store }: View) => {
    const all = await store.all(membersOfChats, { ids: JSON.stringify(page.map((row) => row.id)) })
    return (chat) => {
      if (isOfGroupsOnly && chat.is_group === 0) return undefined
      return all
        .filter((member) => member.conversation_id === chat.id && isIn(member))
        .map(({ user_id }) => user_id)
    }
  })

const ofChat = fieldsOf<ChatConversationRow>().field
const ofGroup = ({ is_group }: ChatConversationRow, value: string | null) =>
  is_group === 1 ? (value ?? undefined) : undefined

/** An encrypted conversation. For users who are no members, it does not exist. */
export const chatConversation = objectShape<ChatConversationRow>({
  name: 'chat_conversation',
  plural: 'chat_conversations',
  component: 'ChatConversation',
  description: 'An encrypted conversation. Names are encrypted; only groups have members and a name.',
  fields: {
    admin_ids: membersField('Members who may add others.', true, ({ is_admin }) => is_admin === 1),
    created_at: ofChat(time('When a group was created.'), (row) => ofGroup(row, objectTime(row.created_at))),
    group_avatar_url: ofChat(text('Encrypted address of the picture.'), (row) =>
      ofGroup(row, row.avatar_url),
    ),
    group_name: ofChat(text('Encrypted name.'), (row) => ofGroup(row, row.name)),
    id: ofChat(text('The conversation: two user ids with a hyphen, or `g` and digits.'), (row) => row.id),
    is_muted: ofChat(Type.Boolean({ description: 'Always false.' }), () => false),
    member_ids: membersField('Members of a group.', true, () => true),
    message_ttl_ms: ofChat(
      Type.Integer({ description: 'How long messages are kept, in milliseconds.' }),
      (row) => row.ttl_msec ?? undefined,
    ),
    message_ttl_msec: ofChat(text('The same as text.'), (row) =>
      row.ttl_msec === null ? undefined : String(row.ttl_msec),
    ),
    participant_ids: membersField('Members.', false, () => true),
    screen_capture_blocking_enabled: ofChat(Type.Boolean({ description: 'Always false.' }), () => false),
    screen_capture_detection_enabled: ofChat(Type.Boolean({ description: 'Always false.' }), () => false),
    type: ofChat(
      component('ChatConversationType', Type.Enum(['direct', 'group'], { description: 'Kind.' })),
      (row) => (row.is_group === 1 ? 'group' : 'direct'),
    ),
    updated_at: ofChat(time('When the newest event of a group happened.'), (row) =>
      ofGroup(row, objectTime(row.updated_at)),
    ),
  },
  defaults: ['id', 'type'],
  required: ['id', 'type'],
  expansions: {
    admin_ids: { to: 'user', field: 'admin_ids', ids: 'value' },
    member_ids: { to: 'user', field: 'member_ids', ids: 'value' },
    participant_ids: { to: 'user', field: 'participant_ids', ids: 'value' },
  },
  lookups: {
    id: {
      load: async (ids, { store, userId }) =>
        userId === undefined ? [] : store.all(chatsOfMember, { ids: JSON.stringify(ids), user: userId }),
      keyOf: (row) => row.id,
    },
  },
})

/** A signature as replies have it. */
export const ChatMessageEventSignature = component(
  'ChatMessageEventSignature',
  Type.Object(
    {
      public_key_version: text('Version of the public key of the sender.'),
      signature: text('Base64.'),
      signature_version: text('What is signed, and how.'),
      signing_public_key: Type.Optional(text('The key that verifies it.')),
    },
    closed,
  ),
)

const ofEvent = fieldsOf<ChatEventRow>().field
const previous = ({ previous_id }: ChatEventRow) => previous_id ?? undefined

/**
 * An event of an encrypted conversation. Users see only those that happened while they were in it.
 */
export const chatMessageEvent = objectShape<ChatEventRow>({
  name: 'chat_message_event',
  plural: 'chat_message_events',
  component: 'ChatMessageEvent',
  description: 'An event of an encrypted conversation. What it says is in `encoded_event`.',
  fields: {
    conversation_id: ofEvent(
      Type.String({ pattern: CHAT_ID_WITH_COLON, description: 'Two user ids with a colon, or a group.' }),
      (row) => withColon(row.conversation_id),
    ),
    conversation_token: ofEvent(text('Names the conversation.'), (row) => row.conversation_token),
    created_at: ofEvent(time('When it happened.'), (row) => objectTime(row.created_at)),
    created_at_msec: ofEvent(text('The same in milliseconds.'), (row) => String(row.created_at)),
    encoded_event: ofEvent(text('Base64 of the event in the binary protocol.'), (row) => row.encoded_event),
    id: ofEvent(id('The sequence id.'), (row) => row.id),
    is_trusted: ofEvent(Type.Boolean({ description: 'Always true.' }), () => true),
    message_event_signature: ofEvent(ChatMessageEventSignature, (row) =>
      row.signature === null
        ? undefined
        : (JSON.parse(row.signature) as ChatSignature & { signing_public_key: string }),
    ),
    previous_id: ofEvent(id('The event before it.'), previous),
    previous_sequence_id: ofEvent(id('The same.'), previous),
    sender_id: ofEvent(id('Who caused it.'), (row) => row.sender_id),
    sequence_id: ofEvent(id('The same as `id`.'), (row) => row.id),
  },
  defaults: ['id', 'encoded_event', 'sender_id', 'created_at', 'created_at_msec'],
  required: ['id', 'encoded_event'],
  lookups: {
    id: {
      load: async (ids, { store, userId, now }) =>
        userId === undefined
          ? []
          : store.all(chatEventsSeenBy, { ids: JSON.stringify(ids), viewer: userId, now }),
      keyOf: (row) => row.id,
    },
  },
})

const ofKey = fieldsOf<ChatPublicKeyRow>().field
export const keyOfPublicKey = ({ user_id, version }: { user_id: string; version: string }) =>
  `${user_id}:${version}`

/** A version of a user's public keys, which everyone sees. */
export const publicKey = objectShape<ChatPublicKeyRow>({
  name: 'public_key',
  plural: 'public_keys',
  component: 'PublicKey',
  description: 'A version of the public keys of a user. Keys and signatures are as they were uploaded.',
  fields: {
    identity_public_key_signature: ofKey(
      text('Signature of the identity key.'),
      (row) => row.identity_public_key_signature ?? undefined,
    ),
    public_key: ofKey(text('The identity key.'), (row) => row.public_key ?? undefined),
    public_key_version: ofKey(text('The version, in digits.'), (row) => row.version),
    signing_public_key: ofKey(text('The key for signatures.'), (row) => row.signing_public_key ?? undefined),
  },
  absent: ['juicebox_config'],
  defaults: ['identity_public_key_signature', 'public_key', 'public_key_version', 'signing_public_key'],
  required: ['public_key_version'],
  lookups: {
    id: {
      async load(keys, { store }) {
        const owners = [...new Set(keys.map((key) => key.slice(0, key.indexOf(':'))))]
        const rows = await store.all(publicKeysOfMany, { users: JSON.stringify(owners) })
        const wanted = new Set(keys)
        return rows.filter((row) => wanted.has(keyOfPublicKey(row)))
      },
      keyOf: keyOfPublicKey,
    },
  },
})
