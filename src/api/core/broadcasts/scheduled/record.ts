import { Type } from 'typebox'
import { BROADCAST_ID, STATES, stateAt } from '../../../../domain/broadcasts/state.ts'
import type { BroadcastRow } from '../../../../domain/broadcasts/tables.ts'
import { choice, closedComponent, id } from '../../../../platform/http/schema.ts'
import { ResourceProblem } from '../../../../platform/protocols/problem/resource.ts'

const text = (description: string) => Type.String({ description })
const optional = (description: string) => Type.Optional(text(description))

/** A scheduled broadcast (core reference, 09 section 8). */
export const ScheduledBroadcast = closedComponent('ScheduledBroadcast', {
  broadcast_id: Type.String({ pattern: BROADCAST_ID, description: 'The broadcast, as paths name it.' }),
  scheduled_broadcast_id: id('The broadcast, as replacements of it name it too.'),
  state: choice([...STATES], 'What became of it.', 'BroadcastState'),
  title: text('Title; may be empty.'),
  description: optional('Description.'),
  source_id: optional('The source of the video.'),
  scheduled_start_ms: text('The start, in milliseconds.'),
  scheduled_end_ms: optional('The end, in milliseconds.'),
  manual_publish: Type.Boolean({ description: 'Whether it waits for the call that starts it.' }),
  available_for_replay: Type.Boolean({ description: 'Whether it can be watched after its end.' }),
  chat_option: optional('Who may chat, as it was given.'),
  locale: optional('Locale.'),
  recurring_schedule_id: optional('The series that it belongs to.'),
  telecast_id: optional('The telecast, as it was given.'),
  thumbnail_media_id: optional('The picture.'),
})

const closed = { additionalProperties: false }
const errors = Type.Optional(Type.Array(ResourceProblem, { minItems: 1 }))

/** A reply with one record, or with the reason why there is none. */
export const recordReply = Type.Object(
  { data: Type.Optional(Type.Unsafe<object>(ScheduledBroadcast)), errors },
  closed,
)

/** The record of a broadcast. What it has not is left out. */
export const recordOf = (row: BroadcastRow, now: number) => ({
  broadcast_id: row.id,
  scheduled_broadcast_id: row.scheduled_id ?? '',
  state: stateAt(row, now),
  title: row.title,
  description: row.description ?? undefined,
  source_id: row.source_id ?? undefined,
  scheduled_start_ms: String(row.scheduled_start),
  scheduled_end_ms: row.scheduled_end === null ? undefined : String(row.scheduled_end),
  manual_publish: row.manual_publish === 1,
  available_for_replay: row.available_for_replay === 1,
  chat_option: row.chat_option ?? undefined,
  locale: row.locale ?? undefined,
  recurring_schedule_id: row.series_id ?? undefined,
  telecast_id: row.telecast_id ?? undefined,
  thumbnail_media_id: row.thumbnail_media_id ?? undefined,
})

/** The record that the documents show. */
export const RECORD = {
  broadcast_id: '0bk1j6tq7a4g',
  scheduled_broadcast_id: '1900000000000000081',
  state: 'Scheduled',
  title: 'Bridges of the north',
  source_id: 'studio',
  scheduled_start_ms: '1772370000000',
  scheduled_end_ms: '1772373600000',
  manual_publish: false,
  available_for_replay: false,
} as const
