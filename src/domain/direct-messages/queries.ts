import { type RawBuilder, sql } from 'kysely'
import { anyIdIn, anyIn, locked, picked, postgres, type Query } from '../../platform/storage/query.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import { EVENT_TYPES } from './conversation.ts'
import {
  type DmConversationRow,
  type DmEventRow,
  type DmParticipantRow,
  dmConversations,
  dmEvents,
} from './tables.ts'

/** Creates a conversation, unless it exists. */
export const openConversation = query<DmConversationRow>('openConversation', (db, at) =>
  db
    .insertInto('dm_conversations')
    .values(picked(at, columnNames(dmConversations)))
    .onConflict((c) => c.doNothing()),
)

/** Locked first by every change of a conversation: of its participants, or of its messages. */
export const lockConversation = query<{ id: string }, DmConversationRow>('lockConversation', (db, at) =>
  locked(db, db.selectFrom('dm_conversations').selectAll().where('id', '=', at.id)),
)

export const participantsOf = query<{ id: string }, DmParticipantRow>('participantsOf', (db, at) =>
  db.selectFrom('dm_participants').selectAll().where('conversation_id', '=', at.id),
)

/** Adds users to a conversation; those who are in it stay unchanged. `ids` is a JSON list. */
export const addParticipants = query<{ id: string; ids: string; now: number }>(
  'addParticipants',
  (db, at) => ({
    compile: () =>
      sql`insert into dm_participants (conversation_id, user_id, joined_at)
      select ${at.id}, id, ${at.now} from users where ${anyIn(postgres(db), sql.ref('id'), at.ids)}
      on conflict do nothing`.compile(db),
  }),
)

export const removeParticipant = query<{ id: string; user: string }>('removeParticipant', (db, at) =>
  db.deleteFrom('dm_participants').where('conversation_id', '=', at.id).where('user_id', '=', at.user),
)

/** Records that a participant has sent a message. */
export const markWrote = query<{ id: string; user: string }>('markWrote', (db, at) =>
  db
    .updateTable('dm_participants')
    .set({ wrote: 1 })
    .where('conversation_id', '=', at.id)
    .where('user_id', '=', at.user)
    .where('wrote', '=', 0),
)

/** Records up to which message a participant has read. Changes nothing if they had read further. */
export const markRead = query<{ id: string; user: string; event: string }>('markRead', (db, at) =>
  db
    .updateTable('dm_participants')
    .set({ last_read_event_id: at.event })
    .where('conversation_id', '=', at.id)
    .where('user_id', '=', at.user)
    .where((expression) =>
      expression.or([
        expression('last_read_event_id', 'is', null),
        expression('last_read_event_id', '<', at.event),
      ]),
    ),
)

export const addEvent = query<DmEventRow>('addEvent', (db, at) =>
  db.insertInto('dm_events').values(picked(at, columnNames(dmEvents))),
)

/** Makes an event visible to all current participants of the conversation. */
export const deliverEvent = query<{ id: string; conversation: string; type: string }>(
  'deliverEvent',
  (db, at) => ({
    compile: () =>
      sql`insert into dm_inbox (event_id, user_id, conversation_id, event_type)
        select ${at.id}, user_id, conversation_id, ${at.type} from dm_participants
        where conversation_id = ${at.conversation}`.compile(db),
  }),
)

/** Events that a user sees. `ids` is a JSON list. */
export const eventsSeenBy = query<{ ids: string; viewer: string }, DmEventRow>('eventsSeenBy', (db, at) =>
  db
    .selectFrom('dm_inbox')
    .innerJoin('dm_events', 'dm_events.id', 'dm_inbox.event_id')
    .selectAll('dm_events')
    .where(anyIdIn(postgres(db), sql.ref('dm_inbox.event_id'), at.ids))
    .where('dm_inbox.user_id', '=', at.viewer),
)

/** The users who see an event. */
export const viewersOfEvent = query<{ id: string }, { user_id: string }>('viewersOfEvent', (db, at) =>
  db.selectFrom('dm_inbox').select('user_id').where('event_id', '=', at.id),
)

/** Some events, each once per user who sees it. `ids` is a JSON list. */
export const eventsWithViewers = query<{ ids: string }, DmEventRow & { viewer_id: string }>(
  'eventsWithViewers',
  (db, at) =>
    db
      .selectFrom('dm_events')
      .innerJoin('dm_inbox', 'dm_inbox.event_id', 'dm_events.id')
      .selectAll('dm_events')
      .select('dm_inbox.user_id as viewer_id')
      .where(anyIdIn(postgres(db), sql.ref('dm_events.id'), at.ids))
      .orderBy('dm_events.id')
      .orderBy('dm_inbox.user_id'),
)

/** Removes an event from the view of a user. */
export const hideEvent = query<{ id: string; viewer: string }>('hideEvent', (db, at) =>
  db.deleteFrom('dm_inbox').where('event_id', '=', at.id).where('user_id', '=', at.viewer),
)

export const removeEvent = query<{ id: string }>('removeEvent', (db, at) =>
  db.deleteFrom('dm_events').where('id', '=', at.id),
)

/** Removes a conversation that nobody takes part in any more. */
export const removeConversation = query<{ id: string }>('removeConversation', (db, at) =>
  db.deleteFrom('dm_conversations').where('id', '=', at.id),
)

// What a deleted user leaves, a few rows at a time.

type OfUser = { user: string; limit: number }

export const someEventsSeenBy = query<OfUser, { event_id: string; conversation_id: string }>(
  'someDmEventsSeenBy',
  (db, at) =>
    db
      .selectFrom('dm_inbox')
      .select(['event_id', 'conversation_id'])
      .where('user_id', '=', at.user)
      .limit(at.limit),
)

export const someConversationsOf = query<OfUser, Pick<DmParticipantRow, 'conversation_id'>>(
  'someConversationsOf',
  (db, at) =>
    db
      .selectFrom('dm_participants')
      .select('conversation_id')
      .where('user_id', '=', at.user)
      .orderBy('conversation_id')
      .limit(at.limit),
)

/** Records that a message shows a medium. */
export const messageOfMedium = query<{ account: string; medium: string }, { holder_id: string }>(
  'messageOfMedium',
  (db, at) =>
    db
      .selectFrom('media_uses')
      .select('holder_id')
      .where('media_id', '=', at.medium)
      .where('account_id', '=', at.account)
      .where('holder', '=', 'dm_events')
      .limit(1),
)

/**
 * A page of what a user sees: events between two ids, both excluded. An unwanted type is an empty
 * string.
 */
export interface EventPageArgs {
  user: string
  /** Only in lists of one conversation. */
  conversation: string
  message: string
  join: string
  leave: string
  after: string
  before: string
  limit: number
}

/** Each type of events is one scan of an index, limited to the page. */
function pageSql(
  at: EventPageArgs,
  { ofOne, newest }: { ofOne: boolean; newest: boolean },
): RawBuilder<unknown> {
  const order = sql.raw(newest ? 'desc' : 'asc')
  const inConversation = ofOne ? sql`and conversation_id = ${at.conversation}` : sql``
  const types = [at.message, at.join, at.leave]
  const walks = EVENT_TYPES.map(
    (name, index) => sql`select event_id from (select event_id from dm_inbox
      where user_id = ${at.user} ${inConversation} and event_type = ${types[index]}
        and event_id > ${at.after} and event_id < ${at.before}
      order by event_id ${order} limit ${at.limit}) as ${sql.ref(name)}`,
  )
  return sql`select event_id from (${sql.join(walks, sql` union all `)}) as walks
    order by event_id ${order} limit ${at.limit}`
}

const page = (
  name: string,
  kind: { ofOne: boolean; newest: boolean },
): Query<EventPageArgs, { event_id: string }> =>
  query(name, (db, at) => ({ compile: () => pageSql(at, kind).compile(db) }))

/** Events of all conversations of a user, or of one. Rows are in the order of the direction. */
export const eventPages = {
  all: {
    older: page('olderDmEvents', { ofOne: false, newest: true }),
    newer: page('newerDmEvents', { ofOne: false, newest: false }),
  },
  conversation: {
    older: page('olderDmEventsOfConversation', { ofOne: true, newest: true }),
    newer: page('newerDmEventsOfConversation', { ofOne: true, newest: false }),
  },
}

/** The participants of some conversations who have sent a message in them. `ids` is a JSON list. */
export const writersIn = query<{ ids: string }, Pick<DmParticipantRow, 'conversation_id' | 'user_id'>>(
  'writersIn',
  (db, at) =>
    db
      .selectFrom('dm_participants')
      .select(['conversation_id', 'user_id'])
      .where(anyIn(postgres(db), sql.ref('conversation_id'), at.ids))
      .where('wrote', '=', 1),
)
