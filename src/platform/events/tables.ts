import { bigint, type RowOf, serial, table, text } from '../storage/table.ts'

/** The log of domain events. */
export const events = table(
  'events',
  {
    /** In the order in which events were appended. */
    seq: serial(),
    /**
     * In the order in which they were committed: that of the event before, plus `items`. Null until
     * it is assigned, on PostgreSQL only.
     */
    position: bigint({ null: true }),
    /** How many things it is about: 1, or the number of posts of an import. */
    items: bigint(),
    kind: text(),
    subject: text(),
    /** JSON. */
    data: text(),
    at: bigint(),
  },
  {
    key: ['seq'],
    indexes: {
      events_by_position: { on: ['position'], unique: true },
      events_without_position: { on: ['seq'], where: 'position is null' },
      events_by_age: ['at', 'position'],
    },
  },
)

/** The position of a consumer of events, and the node that runs it. */
export const eventConsumers = table(
  'event_consumers',
  {
    name: text(),
    /** The position of the last event that it handled. */
    position: bigint(),
    /**
     * Events up to this position were trimmed before it handled them, and it has not been notified
     * yet.
     */
    gap_to: bigint({ null: true }),
    holder: text(),
    lease_until: bigint(),
  },
  {
    key: ['name'],
  },
)

export type EventConsumerRow = RowOf<typeof eventConsumers>
