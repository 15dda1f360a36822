import { query } from '../../src/app/tables.ts'
import type { Store } from '../../src/platform/storage/store.ts'
import { until } from './until.ts'

const eventsAhead = query<object, { seq: number }>('eventsAhead', (db) =>
  db
    .selectFrom('events')
    .select('seq')
    .where((on) =>
      on.or([
        on('position', 'is', null),
        on('position', '>', (of) =>
          of.selectFrom('event_consumers').select((all) => all.fn.min('position').as('position')),
        ),
      ]),
    )
    .limit(1),
)

/**
 * Waits until every consumer has handled every event, so that they do not read and write during a
 * test.
 */
export const allEventsHandled = (store: Store): Promise<boolean> =>
  until('all events are handled', async () => (await store.first(eventsAhead, {})) === undefined)
