import { sql } from 'kysely'
import { idPages } from '../../../platform/storage/id-pages.ts'
import { anyIdIn, anyIn, picked, postgres } from '../../../platform/storage/query.ts'
import { removalOf } from '../../../platform/storage/removal.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'
import {
  type BroadcastMessageRow,
  type BroadcastMuteRow,
  broadcastMessages,
  broadcastMutes,
  broadcastWatchers,
} from '../tables.ts'

export const addMessage = query<BroadcastMessageRow>('addBroadcastMessage', (db, at) =>
  db.insertInto('broadcast_messages').values(picked(at, columnNames(broadcastMessages))),
)

/** A message, and who wrote it. */
export interface MessageWithAuthorRow extends BroadcastMessageRow {
  author_name: string
  author_username: string
}

/** Messages of users who are present and not suspended. `ids` is a JSON list. */
export const messagesByIds = query<{ ids: string }, MessageWithAuthorRow>(
  'broadcastMessagesByIds',
  (db, at) =>
    db
      .selectFrom('broadcast_messages')
      .innerJoin('users', 'users.id', 'broadcast_messages.author_id')
      .selectAll('broadcast_messages')
      .select(['users.name as author_name', 'users.screen_name as author_username'])
      .where(anyIdIn(postgres(db), sql.ref('broadcast_messages.id'), at.ids))
      .where('users.deleted_at', 'is', null)
      .where('users.suspended', '=', 0),
)

/** The messages of a chat, newest first. */
export const messagesOfBroadcast = idPages('messagesOfBroadcast', {
  table: 'broadcast_messages',
  of: 'broadcast_id',
  other: 'author_id',
})

type MessageKey = { broadcast: string; message: string }

export const messageAt = query<MessageKey, { id: string }>('broadcastMessageAt', (db, at) =>
  db
    .selectFrom('broadcast_messages')
    .select('id')
    .where('broadcast_id', '=', at.broadcast)
    .where('sent_ns', '=', at.message),
)

/** The newest message of a chat by its time. */
export const newestMessage = query<{ broadcast: string }, Pick<BroadcastMessageRow, 'sent_ns'>>(
  'newestBroadcastMessage',
  (db, at) =>
    db
      .selectFrom('broadcast_messages')
      .select('sent_ns')
      .where('broadcast_id', '=', at.broadcast)
      .orderBy('sent_ns', 'desc')
      .limit(1),
)

export const removeMessage = query<MessageKey>('removeBroadcastMessage', (db, at) =>
  db
    .deleteFrom('broadcast_messages')
    .where('broadcast_id', '=', at.broadcast)
    .where('sent_ns', '=', at.message),
)

/** Removes some messages of a broadcast. */
export const removeSomeMessages = removalOf(
  'removeSomeBroadcastMessages',
  broadcastMessages,
  'broadcast_id',
  'broadcast',
)

/** Removes some messages of a deleted user. */
export const removeMessagesOf = removalOf('removeBroadcastMessagesOf', broadcastMessages, 'author_id', 'user')

export const putMute = query<BroadcastMuteRow>('putBroadcastMute', (db, at) =>
  db
    .insertInto('broadcast_mutes')
    .values(picked(at, columnNames(broadcastMutes)))
    .onConflict((conflict) => conflict.columns(['owner_id', 'user_id']).doUpdateSet({ ends_at: at.ends_at })),
)

type MuteKey = { owner: string; user: string }

export const muteOf = query<MuteKey, Pick<BroadcastMuteRow, 'ends_at'>>('broadcastMuteOf', (db, at) =>
  db
    .selectFrom('broadcast_mutes')
    .select('ends_at')
    .where('owner_id', '=', at.owner)
    .where('user_id', '=', at.user),
)

export const removeMute = query<MuteKey>('removeBroadcastMute', (db, at) =>
  db.deleteFrom('broadcast_mutes').where('owner_id', '=', at.owner).where('user_id', '=', at.user),
)

/** Removes the mutes by and of a deleted user. */
export const removeMutesOf = query<{ user: string }>('removeBroadcastMutesOf', (db, at) =>
  db
    .deleteFrom('broadcast_mutes')
    .where((expression) =>
      expression.or([expression('owner_id', '=', at.user), expression('user_id', '=', at.user)]),
    ),
)

/** Says whether a user watches. */
export const putWatcher = query<{ broadcast: string; user: string; gone: number }>(
  'putBroadcastWatcher',
  (db, at) =>
    db
      .insertInto('broadcast_watchers')
      .values({ broadcast_id: at.broadcast, user_id: at.user, gone: at.gone })
      .onConflict((conflict) => conflict.columns(['broadcast_id', 'user_id']).doUpdateSet({ gone: at.gone })),
)

export const watcherOf = query<{ broadcast: string; user: string }, { gone: number }>(
  'broadcastWatcherOf',
  (db, at) =>
    db
      .selectFrom('broadcast_watchers')
      .select('gone')
      .where('broadcast_id', '=', at.broadcast)
      .where('user_id', '=', at.user),
)

/** Removes some watchers of a broadcast. */
export const removeSomeWatchers = removalOf(
  'removeSomeBroadcastWatchers',
  broadcastWatchers,
  'broadcast_id',
  'broadcast',
)

/** Removes what a deleted user watched. */
export const removeWatchersOf = removalOf('removeBroadcastWatchersOf', broadcastWatchers, 'user_id', 'user')

/** Users who watched each broadcast, and those who did not leave. `ids` is a JSON list. */
export const countWatchers = query<{ ids: string }, { broadcast_id: string; watched: number; here: number }>(
  'countBroadcastWatchers',
  (db, at) =>
    db
      .selectFrom('broadcast_watchers')
      .select(['broadcast_id', sql<number>`count(*)`.as('watched'), sql<number>`sum(1 - gone)`.as('here')])
      .where(anyIn(postgres(db), sql.ref('broadcast_id'), at.ids))
      .groupBy('broadcast_id'),
)
