import { sql } from 'kysely'
import { anyIdIn, anyIn, locked, picked, postgres } from '../../platform/storage/query.ts'
import { removalBefore, removalOf } from '../../platform/storage/removal.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import {
  type ChatConversationRow,
  type ChatEventRow,
  type ChatMemberRow,
  type ChatPublicKeyRow,
  chatConversations,
  chatEvents,
  chatGroupIds,
  chatMembers,
  chatPublicKeys,
} from './tables.ts'

// Public keys.

export const addPublicKey = query<ChatPublicKeyRow>('addChatPublicKey', (db, at) =>
  db.insertInto('chat_public_keys').values(picked(at, columnNames(chatPublicKeys))),
)

export const publicKeysOf = query<{ user: string }, ChatPublicKeyRow>('chatPublicKeysOf', (db, at) =>
  db.selectFrom('chat_public_keys').selectAll().where('user_id', '=', at.user).orderBy('version', 'desc'),
)

/** The keys of users who are not suspended. `users` is a JSON list. */
export const publicKeysOfMany = query<{ users: string }, ChatPublicKeyRow>('chatPublicKeysOfMany', (db, at) =>
  db
    .selectFrom('chat_public_keys')
    .innerJoin('users', 'users.id', 'chat_public_keys.user_id')
    .selectAll('chat_public_keys')
    .where(anyIn(postgres(db), sql.ref('chat_public_keys.user_id'), at.users))
    .where('users.suspended', '=', 0)
    .where('users.deleted_at', 'is', null)
    .orderBy('chat_public_keys.version', 'desc'),
)

export const removePublicKeys = query<{ user: string }>('removeChatPublicKeys', (db, at) =>
  db.deleteFrom('chat_public_keys').where('user_id', '=', at.user),
)

// Ids of groups.

export const addGroupId = query<{ id: string; user_id: string; expires_at: number }>(
  'addChatGroupId',
  (db, at) =>
    db.insertInto('chat_group_ids').values({ id: at.id, user_id: at.user_id, expires_at: at.expires_at }),
)

/** Uses an id up. Changes nothing if it is another user's, or has expired. */
export const takeGroupId = query<{ id: string; user: string; now: number }>('takeChatGroupId', (db, at) =>
  db
    .deleteFrom('chat_group_ids')
    .where('id', '=', at.id)
    .where('user_id', '=', at.user)
    .where('expires_at', '>', at.now),
)

export const removeGroupIdsOf = removalOf('removeChatGroupIdsOf', chatGroupIds, 'user_id', 'user')

export const removeOldGroupIds = removalBefore('removeOldChatGroupIds', chatGroupIds, 'expires_at')

// Conversations and members.

/** Creates a conversation, unless it exists. */
export const openChat = query<ChatConversationRow>('openChat', (db, at) =>
  db
    .insertInto('chat_conversations')
    .values(picked(at, columnNames(chatConversations)))
    .onConflict((c) => c.doNothing()),
)

/** Locked first by every change of a conversation. */
export const lockChat = query<{ id: string }, ChatConversationRow>('lockChat', (db, at) =>
  locked(db, db.selectFrom('chat_conversations').selectAll().where('id', '=', at.id)),
)

/** Conversations that a user is a member of. `ids` is a JSON list. */
export const chatsOfMember = query<{ ids: string; user: string }, ChatConversationRow>(
  'chatsOfMember',
  (db, at) =>
    db
      .selectFrom('chat_conversations')
      .innerJoin('chat_members', 'chat_members.conversation_id', 'chat_conversations.id')
      .selectAll('chat_conversations')
      .where(anyIn(postgres(db), sql.ref('chat_conversations.id'), at.ids))
      .where('chat_members.user_id', '=', at.user),
)

type Progress = Pick<
  ChatConversationRow,
  'id' | 'key_version' | 'key_event_id' | 'last_event_id' | 'updated_at'
>

/** Records the newest event and key of a conversation. */
export const advanceChat = query<Progress>('advanceChat', (db, at) =>
  db
    .updateTable('chat_conversations')
    .set({
      key_version: at.key_version,
      key_event_id: at.key_event_id,
      last_event_id: at.last_event_id,
      updated_at: at.updated_at,
    })
    .where('id', '=', at.id),
)

/** Replaces the encrypted name and picture of a group; null leaves them. */
export const renameChat = query<{ id: string; name: string | null; avatar_url: string | null }>(
  'renameChat',
  (db, at) =>
    db
      .updateTable('chat_conversations')
      .set({
        name: sql<string>`coalesce(${at.name}, name)`,
        avatar_url: sql<string>`coalesce(${at.avatar_url}, avatar_url)`,
      })
      .where('id', '=', at.id),
)

export const removeChat = query<{ id: string }>('removeChat', (db, at) =>
  db.deleteFrom('chat_conversations').where('id', '=', at.id),
)

export const addMember = query<ChatMemberRow>('addChatMember', (db, at) =>
  db.insertInto('chat_members').values(picked(at, columnNames(chatMembers))),
)

export const memberOf = query<{ id: string; user: string }, ChatMemberRow>('chatMemberOf', (db, at) =>
  db
    .selectFrom('chat_members')
    .selectAll()
    .where('conversation_id', '=', at.id)
    .where('user_id', '=', at.user),
)

/** The members of some conversations, in the order in which they joined. `ids` is a JSON list. */
export const membersOfChats = query<{ ids: string }, ChatMemberRow>('membersOfChats', (db, at) =>
  db
    .selectFrom('chat_members')
    .selectAll()
    .where(anyIn(postgres(db), sql.ref('conversation_id'), at.ids))
    .orderBy('position'),
)

export const removeMember = query<{ id: string; user: string }>('removeChatMember', (db, at) =>
  db.deleteFrom('chat_members').where('conversation_id', '=', at.id).where('user_id', '=', at.user),
)

export const markMemberWrote = query<{ id: string; user: string }>('markChatMemberWrote', (db, at) =>
  db
    .updateTable('chat_members')
    .set({ wrote: 1 })
    .where('conversation_id', '=', at.id)
    .where('user_id', '=', at.user)
    .where('wrote', '=', 0),
)

/** Changes nothing if the member had read further. */
export const markMemberRead = query<{ id: string; user: string; event: string }>(
  'markChatMemberRead',
  (db, at) =>
    db
      .updateTable('chat_members')
      .set({ read_until: at.event })
      .where('conversation_id', '=', at.id)
      .where('user_id', '=', at.user)
      .where((is) => is.or([is('read_until', 'is', null), is('read_until', '<', at.event)])),
)

/** Who has sent something in some conversations. `ids` is a JSON list. */
export const chatWritersIn = query<{ ids: string }, Pick<ChatMemberRow, 'user_id'>>(
  'chatWritersIn',
  (db, at) =>
    db
      .selectFrom('chat_members')
      .select('user_id')
      .where(anyIn(postgres(db), sql.ref('conversation_id'), at.ids))
      .where('wrote', '=', 1),
)

const chatPage = (direction: 'older' | 'newer') =>
  query<
    { user: string; position: string; limit: number },
    Pick<ChatMemberRow, 'conversation_id' | 'position'>
  >(`${direction}Chats`, (db, at) =>
    db
      .selectFrom('chat_members')
      .select(['conversation_id', 'position'])
      .where('user_id', '=', at.user)
      .where('position', direction === 'older' ? '<' : '>', at.position)
      .orderBy('position', direction === 'older' ? 'desc' : 'asc')
      .limit(at.limit),
  )

/** A page of the conversations of a user. Rows are in the order of the direction. */
export const chatPages = { older: chatPage('older'), newer: chatPage('newer') }

// Events.

export const addChatEvent = query<ChatEventRow>('addChatEvent', (db, at) =>
  db.insertInto('chat_events').values(picked(at, columnNames(chatEvents))),
)

interface Delivery {
  id: string
  conversation: string
  listed: number
}

/** Shows an event to all members of its conversation. */
export const deliverChatEvent = query<Delivery>('deliverChatEvent', (db, at) => ({
  compile: () =>
    sql`insert into chat_inbox (event_id, user_id, conversation_id, is_listed)
      select ${at.id}, user_id, conversation_id, ${at.listed} from chat_members
      where conversation_id = ${at.conversation}`.compile(db),
}))

/** Shows an event to one user. */
export const showChatEvent = query<Delivery & { user: string }>('showChatEvent', (db, at) =>
  db.insertInto('chat_inbox').values({
    event_id: at.id,
    user_id: at.user,
    conversation_id: at.conversation,
    is_listed: at.listed,
  }),
)

/** The event that a client sent under an id. */
export const chatEventSent = query<{ id: string; sender: string; message: string }, ChatEventRow>(
  'chatEventSent',
  (db, at) =>
    db
      .selectFrom('chat_events')
      .selectAll()
      .where('conversation_id', '=', at.id)
      .where('message_id', '=', at.message)
      .where('sender_id', '=', at.sender),
)

/** Events that a user sees. `ids` is a JSON list. */
export const chatEventsSeenBy = query<{ ids: string; viewer: string; now: number }, ChatEventRow>(
  'chatEventsSeenBy',
  (db, at) =>
    db
      .selectFrom('chat_inbox')
      .innerJoin('chat_events', 'chat_events.id', 'chat_inbox.event_id')
      .selectAll('chat_events')
      .where(anyIdIn(postgres(db), sql.ref('chat_inbox.event_id'), at.ids))
      .where('chat_inbox.user_id', '=', at.viewer)
      .where((is) =>
        is.or([is('chat_events.expires_at', 'is', null), is('chat_events.expires_at', '>', at.now)]),
      ),
)

/** Some events, each once per user who sees it. `ids` is a JSON list. */
export const chatEventsWithViewers = query<{ ids: string }, ChatEventRow & { viewer_id: string }>(
  'chatEventsWithViewers',
  (db, at) =>
    db
      .selectFrom('chat_events')
      .innerJoin('chat_inbox', 'chat_inbox.event_id', 'chat_events.id')
      .selectAll('chat_events')
      .select('chat_inbox.user_id as viewer_id')
      .where(anyIdIn(postgres(db), sql.ref('chat_events.id'), at.ids))
      .orderBy('chat_events.id')
      .orderBy('chat_inbox.user_id'),
)

/** Key changes with some versions. `versions` is a JSON list. */
export const keyChangesOf = query<{ id: string; versions: string }, ChatEventRow>(
  'chatKeyChanges',
  (db, at) =>
    db
      .selectFrom('chat_events')
      .selectAll()
      .where('conversation_id', '=', at.id)
      .where('kind', '=', 'key')
      .where(anyIdIn(postgres(db), sql.ref('key_version'), at.versions)),
)

const inboxPage = (direction: 'older' | 'newer') =>
  query<
    { user: string; conversation: string; listed: number; id: string; limit: number },
    { event_id: string }
  >(`${direction}ChatEvents`, (db, at) =>
    db
      .selectFrom('chat_inbox')
      .select('event_id')
      .where('user_id', '=', at.user)
      .where('conversation_id', '=', at.conversation)
      .where('is_listed', '=', at.listed)
      .where('event_id', direction === 'older' ? '<' : '>', at.id)
      .orderBy('event_id', direction === 'older' ? 'desc' : 'asc')
      .limit(at.limit),
  )

/** A page of what a user sees of a conversation. Rows are in the order of the direction. */
export const inboxPages = { older: inboxPage('older'), newer: inboxPage('newer') }

export const hideChatEvent = query<{ id: string; viewer: string }>('hideChatEvent', (db, at) =>
  db.deleteFrom('chat_inbox').where('event_id', '=', at.id).where('user_id', '=', at.viewer),
)

export const viewerOfChatEvent = query<{ id: string }, { user_id: string }>('viewerOfChatEvent', (db, at) =>
  db.selectFrom('chat_inbox').select('user_id').where('event_id', '=', at.id).limit(1),
)

/** Removes events, from every view. `ids` is a JSON list. */
export const removeChatEvents = query<{ ids: string }>('removeChatEvents', (db, at) =>
  db.deleteFrom('chat_events').where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

export const expiredChatEvents = query<{ now: number; limit: number }, { id: string }>(
  'expiredChatEvents',
  (db, at) =>
    db
      .selectFrom('chat_events')
      .select('id')
      .where('expires_at', '<=', at.now)
      .orderBy('expires_at')
      .limit(at.limit),
)

// What goes with a user.

interface OfUser {
  user: string
  limit: number
}

export const someInboxOf = query<OfUser, { event_id: string; conversation_id: string }>(
  'someChatInboxOf',
  (db, at) =>
    db
      .selectFrom('chat_inbox')
      .select(['event_id', 'conversation_id'])
      .where('user_id', '=', at.user)
      .orderBy('conversation_id')
      .orderBy('is_listed')
      .orderBy('event_id')
      .limit(at.limit),
)

export const someMembershipsOf = query<OfUser, { conversation_id: string }>(
  'someChatMembershipsOf',
  (db, at) =>
    db
      .selectFrom('chat_members')
      .select('conversation_id')
      .where('user_id', '=', at.user)
      .orderBy('position')
      .limit(at.limit),
)

/** Another member of a conversation. */
export const anyMemberOf = query<{ id: string; but: string }, { user_id: string }>(
  'anyChatMemberOf',
  (db, at) =>
    db
      .selectFrom('chat_members')
      .select('user_id')
      .where('conversation_id', '=', at.id)
      .where('user_id', '<>', at.but)
      .limit(1),
)
