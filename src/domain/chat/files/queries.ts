import { sql } from 'kysely'
import { anyIdIn, anyIn, locked, picked, postgres } from '../../../platform/storage/query.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'
import { type ChatMediaRow, type ChatMediaSegmentRow, chatMedia } from '../tables.ts'

export const addChatMedium = query<ChatMediaRow>('addChatMedium', (db, at) =>
  db.insertInto('chat_media').values(picked(at, columnNames(chatMedia))),
)

export const chatMediumById = query<{ id: string }, ChatMediaRow>('chatMediumById', (db, at) =>
  db.selectFrom('chat_media').selectAll().where('id', '=', at.id),
)

export const lockChatMedium = query<{ id: string }, ChatMediaRow>('lockChatMedium', (db, at) =>
  locked(db, db.selectFrom('chat_media').selectAll().where('id', '=', at.id)),
)

/** Complete files of a conversation that have not expired. `keys` is a JSON list. */
export const chatMediaByKeys = query<{ chat: string; keys: string; now: number }, ChatMediaRow>(
  'chatMediaByKeys',
  (db, at) =>
    db
      .selectFrom('chat_media')
      .selectAll()
      .where('conversation_id', '=', at.chat)
      .where(anyIn(postgres(db), sql.ref('hash_key'), at.keys))
      .where('hash', 'is not', null)
      .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', at.now)])),
)

type Completion = Pick<ChatMediaRow, 'id' | 'hash' | 'bytes' | 'message_id' | 'expires_at'>

/** Changes nothing if it is complete already. */
export const completeChatMedium = query<Completion>('completeChatMedium', (db, at) =>
  db
    .updateTable('chat_media')
    .set({ hash: at.hash, bytes: at.bytes, message_id: at.message_id, expires_at: at.expires_at })
    .where('id', '=', at.id)
    .where('hash', 'is', null),
)

/** Records how many bytes an upload takes, and when it expires. */
export const growChatMedium = query<Pick<ChatMediaRow, 'id' | 'bytes' | 'expires_at'>>(
  'growChatMedium',
  (db, at) =>
    db.updateTable('chat_media').set({ bytes: at.bytes, expires_at: at.expires_at }).where('id', '=', at.id),
)

export const putChatSegment = query<ChatMediaSegmentRow>('putChatSegment', (db, at) =>
  db
    .insertInto('chat_media_segments')
    .values({ media_id: at.media_id, segment_index: at.segment_index, hash: at.hash, bytes: at.bytes })
    .onConflict((c) =>
      c.columns(['media_id', 'segment_index']).doUpdateSet({ hash: at.hash, bytes: at.bytes }),
    ),
)

/** The parts of some uploads, in order. `ids` is a JSON list. */
export const chatSegmentsOf = query<{ ids: string }, ChatMediaSegmentRow>('chatSegmentsOf', (db, at) =>
  db
    .selectFrom('chat_media_segments')
    .selectAll()
    .where(anyIdIn(postgres(db), sql.ref('media_id'), at.ids))
    .orderBy('segment_index'),
)

export const removeChatSegments = query<{ id: string }>('removeChatSegments', (db, at) =>
  db.deleteFrom('chat_media_segments').where('media_id', '=', at.id),
)

/** `ids` is a JSON list. */
export const removeChatMedia = query<{ ids: string }>('removeChatMedia', (db, at) =>
  db.deleteFrom('chat_media').where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

export const expiredChatMedia = query<{ now: number; limit: number }, ChatMediaRow>(
  'expiredChatMedia',
  (db, at) =>
    db
      .selectFrom('chat_media')
      .selectAll()
      .where('expires_at', '<=', at.now)
      .orderBy('expires_at')
      .limit(at.limit),
)

export const someMediaOfChat = query<{ chat: string; limit: number }, ChatMediaRow>(
  'someMediaOfChat',
  (db, at) =>
    db
      .selectFrom('chat_media')
      .selectAll()
      .where('conversation_id', '=', at.chat)
      .orderBy('hash_key')
      .limit(at.limit),
)
