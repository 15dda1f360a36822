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

/** Where the video of broadcasts comes from. Plaza receives none: an operator says that it does. */
export const broadcastSources = table(
  'broadcast_sources',
  {
    id: bytewise(),
    user_id: text({ belongsTo: users }),
    name: text(),
    /** Whether video arrives. */
    receiving: flag({ default: 0 }),
    /** In pixels. */
    width: integer(),
    height: integer(),
    high_latency: flag({ default: 0 }),
    created_at: bigint(),
  },
  { key: ['id'], indexes: { broadcast_sources_by_user: ['user_id', 'id'] } },
)

/** A live video of a user. Its state follows from its times and the clock. */
export const broadcasts = table(
  'broadcasts',
  {
    /** Lower-case base 36. Later ids are greater as text. */
    id: bytewise(),
    user_id: text({ belongsTo: users }),
    title: text(),
    description: text({ null: true }),
    source_id: text({ null: true }),
    /** Decimal. Null for a broadcast that was started without a schedule. */
    scheduled_id: id64({ null: true }),
    scheduled_start: bigint({ null: true }),
    scheduled_end: bigint({ null: true }),
    /** Null as long as it waits for the call that starts it. */
    starts_at: bigint({ null: true }),
    ends_at: bigint({ null: true }),
    /** Whether it ended with an error. */
    failed: flag({ default: 0 }),
    manual_publish: flag({ default: 0 }),
    available_for_replay: flag({ default: 0 }),
    /** Only its owner knows of it. */
    locked: flag({ default: 0 }),
    /** Digits. */
    chat_option: text({ null: true }),
    locale: text({ null: true }),
    telecast_id: text({ null: true }),
    thumbnail_media_id: id64({ null: true }),
    series_id: id64({ null: true }),
    /** Whether the start event was emitted. */
    announced: flag({ default: 0 }),
    /** Whether it has ended, and its events were emitted. */
    over: flag({ default: 0 }),
    created_at: bigint(),
    updated_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      broadcasts_of_user: ['user_id', 'id'],
      broadcasts_by_start: {
        on: ['user_id', 'scheduled_start', 'scheduled_id'],
        where: 'scheduled_id is not null',
      },
      broadcasts_by_scheduled_id: { on: ['scheduled_id'], where: 'scheduled_id is not null' },
      broadcasts_current: { on: ['user_id', 'id'], where: 'over = 0' },
    },
  },
)

/** Broadcasts that repeat. Each occurrence is made when the one before it starts or ends. */
export const broadcastSeries = table(
  'broadcast_series',
  {
    id: id64(),
    user_id: text({ belongsTo: users }),
    /** The newest occurrence. */
    head_id: text(),
    every_ms: bigint(),
    /** Occurrences that are still to be made. */
    remaining: bigint(),
    /** Of the next occurrence. */
    next_start: bigint(),
    next_end: bigint(),
    /** JSON: what later occurrences have in common. */
    settings: text(),
  },
  { key: ['id'], indexes: { broadcast_series_by_user: ['user_id'] } },
)

/** A message in the chat of a broadcast. */
export const broadcastMessages = table(
  'broadcast_messages',
  {
    id: id64(),
    broadcast_id: bytewise({ belongsTo: broadcasts }),
    /** The time of the message in nanoseconds: how callers name it within its broadcast. */
    sent_ns: id64(),
    author_id: text({ belongsTo: users }),
    text: text(),
    /** `sent_ns` of the message that it answers. */
    reply_to: id64({ null: true }),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      broadcast_messages_in_order: ['broadcast_id', 'id'],
      broadcast_messages_by_time: { on: ['broadcast_id', 'sent_ns'], unique: true },
      broadcast_messages_by_author: ['author_id', 'id'],
    },
  },
)

/** A user who may not write in the chats of another user's broadcasts. */
export const broadcastMutes = table(
  'broadcast_mutes',
  {
    owner_id: text({ belongsTo: users }),
    user_id: text({ belongsTo: users }),
    /** Null: for good. */
    ends_at: bigint({ null: true }),
  },
  { key: ['owner_id', 'user_id'], indexes: { broadcast_mutes_by_user: ['user_id', 'owner_id'] } },
)

/** A user who watches or watched a broadcast of another user. */
export const broadcastWatchers = table(
  'broadcast_watchers',
  {
    broadcast_id: bytewise({ belongsTo: broadcasts }),
    user_id: text({ belongsTo: users }),
    /** Whether the user left before the end. */
    gone: flag({ default: 0 }),
  },
  {
    key: ['broadcast_id', 'user_id'],
    indexes: { broadcast_watchers_by_user: ['user_id', 'broadcast_id'] },
  },
)

export type BroadcastSourceRow = RowOf<typeof broadcastSources>
export type BroadcastRow = RowOf<typeof broadcasts>
export type BroadcastSeriesRow = RowOf<typeof broadcastSeries>
export type BroadcastMessageRow = RowOf<typeof broadcastMessages>
export type BroadcastMuteRow = RowOf<typeof broadcastMutes>
