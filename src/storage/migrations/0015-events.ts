import type { Migration } from './migration.ts'

/** The log of domain events, and how far each consumer has come. */
export const events: Migration = {
  name: '0015-events',
  statements: (dialect) => {
    const seq = dialect === 'postgres' ? 'bigserial primary key' : 'integer primary key autoincrement'
    return [
      `create table events (
        seq ${seq},
        position bigint,
        kind text not null,
        subject text not null,
        data text not null,
        at bigint not null)`,
      'create unique index events_by_position on events (position)',
      'create index events_without_position on events (seq) where position is null',
      'create index events_by_age on events (at)',
      `create table event_consumers (
        name text primary key,
        position bigint not null,
        gap_to bigint,
        holder text not null,
        lease_until bigint not null)`,
      "insert into settings (name, value) values ('event_positions', '0')",
    ]
  },
}
