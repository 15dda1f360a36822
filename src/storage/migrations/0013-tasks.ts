import type { Migration } from './migrate.ts'

/** The task queue. */
export const tasks: Migration = {
  name: '0013-tasks',
  statements: (dialect) => {
    const bytewise = dialect === 'postgres' ? 'text collate "C"' : 'text'
    // SQLite gives an id that is free again to a new row, unless it counts up.
    const id = dialect === 'postgres' ? 'bigserial primary key' : 'integer primary key autoincrement'
    return [
      `create table tasks (
        id ${id},
        kind ${bytewise} not null,
        subject ${bytewise},
        concurrency_key ${bytewise},
        payload text not null,
        state text not null,
        due_at bigint not null,
        leased integer not null,
        fence bigint not null,
        attempts integer not null,
        again_at bigint,
        reason text,
        created_at bigint not null)`,
      "create index tasks_due on tasks (kind, due_at, id) where state = 'waiting'",
      "create unique index tasks_subject on tasks (kind, subject) where state = 'waiting'",
      'create unique index tasks_running_key on tasks (kind, concurrency_key) where leased = 1',
      "create index tasks_dead on tasks (id) where state = 'dead'",
      ...webhooks,
    ]
  },
}

/** What follows `insert into tasks`: one that waits. */
const WAITING = '(kind, subject, payload, state, due_at, leased, fence, attempts, created_at)'

/** The periodic check of each webhook. */
const webhooks = [
  `insert into tasks ${WAITING}
    select 'check webhook', id, '{"webhook":"' || id || '"}', 'waiting', next_check_at, 0, 0, 0, created_at
    from webhooks order by next_check_at`,
  'drop index webhooks_due',
  'alter table webhooks drop column next_check_at',
  'alter table webhooks drop column check_lease_until',
]
