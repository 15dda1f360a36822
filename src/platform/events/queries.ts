import { sql } from 'kysely'
import { locked } from '../storage/query.ts'
import { query } from '../tables.ts'
import type { EventConsumerRow } from './tables.ts'

const POSITIONS = 'event_positions'

interface NewEvent {
  position: number | null
  items: number
  kind: string
  subject: string
  data: string
  at: number
}

export const appendEvent = query<NewEvent>('appendEvent', (db, at) =>
  db.insertInto('events').values({
    ...{ position: at.position, items: at.items },
    ...{ kind: at.kind, subject: at.subject, data: at.data, at: at.at },
  }),
)

export interface StoredEventRow {
  position: number
  kind: string
  subject: string
  data: string
  at: number
}

export const eventsAfter = query<{ after: number; limit: number }, StoredEventRow>('eventsAfter', (db, at) =>
  db
    .selectFrom('events')
    .select(['kind', 'subject', 'data', 'at', sql<number>`position`.as('position')])
    .where('position', '>', at.after)
    .orderBy('position')
    .limit(at.limit),
)

/** Events with positions of a period, from a place on, in the order of their times. */
export const eventsOfSpan = query<
  { at: number; after: number; before: number; limit: number },
  StoredEventRow
>('eventsOfSpan', (db, at) =>
  db
    .selectFrom('events')
    .select(['kind', 'subject', 'data', 'at', sql<number>`position`.as('position')])
    .where(sql<boolean>`(at, position) > (${at.at}, ${at.after})`)
    .where('at', '<', at.before)
    .where('position', 'is not', null)
    .orderBy('at')
    .orderBy('position')
    .limit(at.limit),
)

/** The first event after a position. */
export const eventAfter = query<{ after: number }, { position: number; items: number; at: number }>(
  'eventAfter',
  (db, at) =>
    db
      .selectFrom('events')
      .select(['items', 'at', sql<number>`position`.as('position')])
      .where('position', '>', at.after)
      .orderBy('position')
      .limit(1),
)

/** The time of the newest event after a time. */
export const newestEventAfter = query<{ after: number }, { at: number }>('newestEventAfter', (db, at) =>
  db.selectFrom('events').select('at').where('at', '>', at.after).orderBy('at', 'desc').limit(1),
)

export const eventWithoutPosition = query<object, { seq: number }>('eventWithoutPosition', (db) =>
  db.selectFrom('events').select('seq').where('position', 'is', null).orderBy('seq').limit(1),
)

/** The last assigned position. */
export const eventPositions = query<object, { value: string }>('eventPositions', (db) =>
  db.selectFrom('settings').select('value').where('name', '=', POSITIONS),
)

/** The last assigned position, locked until the transaction ends. */
export const lockPositions = query<object, { value: string }>('lockEventPositions', (db) =>
  locked(db, db.selectFrom('settings').select('value').where('name', '=', POSITIONS)),
)

export const movePositions = query<{ value: string }>('moveEventPositions', (db, at) =>
  db.updateTable('settings').set({ value: at.value }).where('name', '=', POSITIONS),
)

export const assignPositions = query<{ last: number; limit: number }, { position: number }>(
  'assignEventPositions',
  (db, at) =>
    db
      .updateTable('events')
      .from((on) =>
        on
          .selectFrom((inner) =>
            inner
              .selectFrom('events')
              .select(['seq', 'items'])
              .where('position', 'is', null)
              .orderBy('seq')
              .limit(at.limit)
              .as('oldest'),
          )
          .select(['oldest.seq', sql<number>`sum(oldest.items) over (order by oldest.seq)`.as('place')])
          .as('waiting'),
      )
      .set({ position: sql<number>`${at.last} + waiting.place` })
      .whereRef('events.seq', '=', 'waiting.seq')
      .returning(sql<number>`position`.as('position')),
)

/** Events without a position stay: no consumer could have handled them. */
export const removeEvents = query<{ before: number; limit: number }, { position: number }>(
  'removeEvents',
  (db, at) =>
    db
      .deleteFrom('events')
      .where('seq', 'in', (on) =>
        on
          .selectFrom('events')
          .select('seq')
          .where('at', '<', at.before)
          .where('position', 'is not', null)
          .orderBy('at')
          .limit(at.limit),
      )
      .returning(sql<number>`position`.as('position')),
)

/** Records a gap for every consumer that had not reached a removed event. */
export const recordGap = query<{ to: number }>('recordEventGap', (db, at) =>
  db.updateTable('event_consumers').set({ gap_to: at.to }).where('position', '<', at.to),
)

export const addConsumer = query<{ name: string }>('addEventConsumer', (db, at) =>
  db
    .insertInto('event_consumers')
    .values({ name: at.name, position: 0, gap_to: null, holder: '', lease_until: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing()),
)

export const consumerByName = query<{ name: string }, EventConsumerRow>('eventConsumerByName', (db, at) =>
  db.selectFrom('event_consumers').selectAll().where('name', '=', at.name),
)

/** Every consumer. Their number is fixed by the program. */
export const eventConsumers = query<object, Pick<EventConsumerRow, 'name' | 'position'>>(
  'eventConsumers',
  (db) =>
    db.selectFrom('event_consumers').select(['name', 'position']).where('name', '>', '').orderBy('name'),
)

/** Changes nothing while another holder has the consumer. */
export const leaseConsumer = query<{ name: string; holder: string; now: number; until: number }>(
  'leaseEventConsumer',
  (db, at) =>
    db
      .updateTable('event_consumers')
      .set({ holder: at.holder, lease_until: at.until })
      .where('name', '=', at.name)
      .where((on) => on.or([on('holder', '=', at.holder), on('lease_until', '<=', at.now)])),
)

export const commitPosition = query<{ name: string; holder: string; position: number; until: number }>(
  'commitEventPosition',
  (db, at) =>
    db
      .updateTable('event_consumers')
      .set({ position: at.position, lease_until: at.until })
      .where('name', '=', at.name)
      .where('holder', '=', at.holder)
      .where('position', '<', at.position),
)

export const forgetGap = query<{ name: string; to: number }>('forgetEventGap', (db, at) =>
  db
    .updateTable('event_consumers')
    .set({ gap_to: null })
    .where('name', '=', at.name)
    .where('gap_to', '<=', at.to),
)

export const releaseConsumer = query<{ name: string; holder: string }>('releaseEventConsumer', (db, at) =>
  db
    .updateTable('event_consumers')
    .set({ lease_until: 0 })
    .where('name', '=', at.name)
    .where('holder', '=', at.holder),
)
