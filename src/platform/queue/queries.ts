import { sql } from 'kysely'
import { postgres } from '../storage/query.ts'
import { query } from '../tables.ts'
import type { TaskRow } from './tables.ts'

/**
 * A leased task. `fence` grows with each lease, so that only the last holder can record an outcome.
 */
export interface Lease {
  id: number
  fence: number
}

/** The task of a subject that waits or runs. */
export const waitingTask = query<{ kind: string; subject: string }, { id: number }>('waitingTask', (db, at) =>
  db
    .selectFrom('tasks')
    .select('id')
    .where('kind', '=', at.kind)
    .where('subject', '=', at.subject)
    .where(sql<boolean>`state = 'waiting'`),
)

/**
 * `tasks` is a JSON list of rows with kind, subject, owner, concurrency_key, payload and due_at.
 */
export const addTasks = query<{ tasks: string; now: number }>('addTasks', (db, at) => {
  const isPostgres = postgres(db)
  const least = isPostgres ? sql`least` : sql`min`
  const rows = isPostgres
    ? sql`select kind, subject, owner, concurrency_key, payload, due_at
        from jsonb_to_recordset(${at.tasks}::jsonb)
        as t(kind text, subject text, owner text, concurrency_key text, payload text, due_at bigint)`
    : sql`select value->>'kind' as kind, value->>'subject' as subject, value->>'owner' as owner,
        value->>'concurrency_key' as concurrency_key, value->>'payload' as payload, value->>'due_at' as due_at
        from json_each(${at.tasks})`
  return {
    compile: () =>
      sql`insert into tasks
        (kind, subject, owner, concurrency_key, payload, state, due_at, leased, fence, attempts, created_at)
        select kind, subject, owner, concurrency_key, payload, 'waiting', due_at, 0, 0, 0,
          ${isPostgres ? sql`${at.now}::bigint` : at.now}
        from (${rows}) as added where true
        on conflict (kind, subject) where state = 'waiting' do update set
          due_at = case when tasks.leased = 1 then tasks.due_at
            else ${least}(tasks.due_at, excluded.due_at) end,
          attempts = case when tasks.leased = 1 then tasks.attempts else 0 end,
          again_at = case when tasks.leased = 1
            then ${least}(coalesce(tasks.again_at, excluded.due_at), excluded.due_at) end`.compile(db),
  }
})

// Literals, because a partial index does not match parameters.
const IS_WAITING = sql<boolean>`state = 'waiting'`
const IS_DEAD = sql<boolean>`state = 'dead'`

/** When the first task of a kind is due, or its lease expires. A task that has a turn is due. */
export const earliestDue = query<{ kind: string }, { due_at: number }>('earliestDue', (db, at) => ({
  compile: () =>
    sql`select due_at from (
        select * from (select due_at from tasks where kind = ${at.kind} and turn is not null
          order by turn, due_at, id limit 1) as ready
        union all select * from (select due_at from tasks
          where kind = ${at.kind} and ${IS_WAITING} and turn is null order by due_at limit 1) as waiting) as firsts
      order by due_at limit 1`.compile(db),
}))

/** Whether a task of a kind is due or runs. */
export const hasDue = query<{ kind: string; now: number }, { due: number }>('hasDueTask', (db, at) => ({
  compile: () =>
    sql`select 1 as due where
        exists (select 1 from tasks where kind = ${at.kind} and leased = 1)
        or exists (select 1 from tasks where kind = ${at.kind} and turn is not null)
        or exists (select 1 from tasks
          where kind = ${at.kind} and ${IS_WAITING} and turn is null and due_at <= ${at.now})`.compile(db),
}))

/** When the first task of a kind becomes due after a time. */
export const earliestDueAfter = query<{ kind: string; after: number }, { due_at: number }>(
  'earliestDueAfter',
  (db, at) => ({
    compile: () =>
      sql`select due_at from tasks
        where kind = ${at.kind} and ${IS_WAITING} and turn is null and leased = 0 and due_at > ${at.after}
        order by due_at limit 1`.compile(db),
  }),
)

interface OfKind {
  kind: string
  now: number
  limit: number
}

/**
 * Gives due tasks their turns, in the order in which they became due: a task comes after those of
 * its owner that have a turn, and not before the first of all; one that has run before comes after
 * that first one. So one task of each owner runs, then the next one of each, however many tasks an
 * owner has (start-time fair queueing).
 */
export const giveTurns = query<OfKind>('giveTurns', (db, at) => ({
  compile: () =>
    sql`with due as (
        select id, owner, due_at, fence from tasks
        where kind = ${at.kind} and ${IS_WAITING} and turn is null and due_at <= ${at.now}
        order by due_at, id limit ${at.limit} ${skipLocked(db)}),
      owners as (select owner, (select max(last.turn) from tasks as last where last.kind = ${at.kind}
          and last.owner = due.owner and last.turn is not null) as last_turn
        from due group by owner),
      next as (select coalesce((select turn from tasks where kind = ${at.kind} and turn is not null
        order by turn limit 1), 0) as turn),
      placed as (select due.id, row_number() over (partition by due.owner order by due.due_at, due.id) - 1
          + case when owners.last_turn >= next.turn then owners.last_turn + 1
            when due.fence > 0 then next.turn + 1 else next.turn end as turn
        from due join owners on owners.owner = due.owner cross join next)
      update tasks set turn = placed.turn from placed where tasks.id = placed.id`.compile(db),
}))

interface Claim extends OfKind {
  /** When the lease expires. */
  until: number
  holder: string
}

const skipLocked = (db: Parameters<typeof postgres>[0]) =>
  postgres(db) ? sql`for update skip locked` : sql``

const leasedBy = (at: Pick<Claim, 'until' | 'holder'>) =>
  sql`leased = 1, holder = ${at.holder}, due_at = ${at.until}, turn = null, fence = fence + 1,
    attempts = attempts + 1`

/** Leases the tasks whose turn it is. Concurrent nodes get different tasks. */
export const claimTasks = query<Claim, TaskRow>('claimTasks', (db, at) => ({
  compile: () =>
    sql`with ready as (
        select id from tasks where kind = ${at.kind} and turn is not null
        order by turn, due_at, id limit ${at.limit} ${skipLocked(db)})
      update tasks set ${leasedBy(at)} where id in (select id from ready) returning *`.compile(db),
}))

/**
 * Leases the tasks whose turn it is and whose concurrency keys no other leased task has. Examines
 * only a limited number of due tasks. A unique index prevents two nodes from leasing tasks with one
 * key at the same time: one of them fails.
 */
export const claimKeyedTasks = query<Claim & { window: number }, TaskRow>('claimKeyedTasks', (db, at) => ({
  compile: () =>
    sql`with ready as (
        select id, concurrency_key, turn, due_at from tasks
        where kind = ${at.kind} and turn is not null
        order by turn, due_at, id limit ${at.window}),
      free as (
        select id, turn, due_at,
          row_number() over (partition by concurrency_key order by turn, due_at, id) as place from ready
        where not exists (select 1 from tasks as held
          where held.kind = ${at.kind} and held.leased = 1 and held.concurrency_key = ready.concurrency_key
          and held.id <> ready.id))
      update tasks set ${leasedBy(at)}
      where id in (select id from free where place = 1 order by turn, due_at, id limit ${at.limit})
      and turn is not null returning *`.compile(db),
}))

/** Leases the task of a subject, due or not, unless it is leased already. */
export const claimSubject = query<
  Pick<Claim, 'kind' | 'now' | 'until' | 'holder'> & { subject: string },
  TaskRow
>('claimSubject', (db, at) => ({
  compile: () =>
    sql`update tasks set ${leasedBy(at)}
      where kind = ${at.kind} and subject = ${at.subject} and state = 'waiting'
      and (leased = 0 or due_at <= ${at.now}) returning *`.compile(db),
}))

/** Ends the leases of a node. Its tasks are due. */
export const freeTasks = query<{ holder: string; now: number }>('freeTasks', (db, at) =>
  db
    .updateTable('tasks')
    .set({ leased: 0, due_at: at.now, again_at: null, turn: null })
    .where(sql<boolean>`leased = 1`)
    .where('holder', '=', at.holder),
)

/** Deletes a finished task, unless it was enqueued again while it ran. */
export const removeDone = query<Lease>('removeDone', (db, at) =>
  db
    .deleteFrom('tasks')
    .where('id', '=', at.id)
    .where('fence', '=', at.fence)
    .where('leased', '=', 1)
    .where('again_at', 'is', null),
)

/** Makes a task due again that was enqueued while it ran. */
export const rerunTask = query<Lease>('rerunTask', (db, at) =>
  db
    .updateTable('tasks')
    .set({ leased: 0, turn: null, due_at: sql<number>`again_at`, again_at: null, attempts: 0, reason: null })
    .where('id', '=', at.id)
    .where('fence', '=', at.fence)
    .where('leased', '=', 1)
    .where('again_at', 'is not', null),
)

/**
 * When a task is due that waits until a time, at the latest: earlier if it was enqueued again while
 * it ran.
 */
const dueBy = (isPostgres: boolean, dueAt: number) =>
  isPostgres
    ? sql<number>`least(${dueAt}, again_at)`
    : sql<number>`min(${dueAt}, coalesce(again_at, ${dueAt}))`

/** Delays a leased task until a time and releases its lease. */
export const postponeTask = query<Lease & { dueAt: number }>('postponeTask', (db, at) =>
  db
    .updateTable('tasks')
    .set({
      leased: 0,
      turn: null,
      due_at: dueBy(postgres(db), at.dueAt),
      again_at: null,
      attempts: 0,
      reason: null,
    })
    .where('id', '=', at.id)
    .where('fence', '=', at.fence)
    .where('leased', '=', 1),
)

/** Renews the lease of a task that continues at once. */
export const continueTask = query<Lease & { until: number }>('continueTask', (db, at) =>
  db
    .updateTable('tasks')
    .set({ turn: null, due_at: at.until, again_at: null, attempts: 1, reason: null })
    .where('id', '=', at.id)
    .where('fence', '=', at.fence)
    .where('leased', '=', 1),
)

/**
 * Schedules the retry of a failed task. If it was enqueued again while it ran, it may succeed now:
 * it has all attempts again.
 */
export const retryTask = query<Lease & { dueAt: number; attempts: number; reason: string | null }>(
  'retryTask',
  (db, at) =>
    db
      .updateTable('tasks')
      .set({
        leased: 0,
        turn: null,
        due_at: dueBy(postgres(db), at.dueAt),
        again_at: null,
        attempts: sql<number>`case when again_at is null then ${at.attempts} else 0 end`,
        reason: at.reason,
      })
      .where('id', '=', at.id)
      .where('fence', '=', at.fence)
      .where('leased', '=', 1),
)

export const buryTask = query<Lease & { now: number; reason: string }>('buryTask', (db, at) =>
  db
    .updateTable('tasks')
    .set({ state: 'dead', leased: 0, turn: null, due_at: at.now, reason: at.reason })
    .where('id', '=', at.id)
    .where('fence', '=', at.fence)
    .where('leased', '=', 1),
)

// For the operator.

export interface TaskCount {
  kind: string
  state: string
  count: number
}

/** How many tasks there are of each kind: `waiting`, `running` or `dead`. */
export const countTasks = query<{ now: number }, TaskCount>('countTasks', (db, at) => ({
  compile: () =>
    sql`select kind, case when leased = 1 and due_at > ${at.now} then 'running' else state end as state,
      count(*) as count from tasks group by 1, 2 order by 1, 2`.compile(db),
}))

/** Kinds with waiting tasks. Each is found from the previous one, however many tasks there are. */
export const kindsOfTasks = query<object, { kind: string }>('kindsOfTasks', (db) => ({
  compile: () =>
    sql`with recursive kinds(kind) as (
        select min(kind) from tasks where ${IS_WAITING}
        union all select (select min(tasks.kind) from tasks where ${IS_WAITING} and tasks.kind > kinds.kind)
          from kinds where kinds.kind is not null)
      select kind from kinds where kind is not null`.compile(db),
}))

export const pageOfDeadLetters = query<{ after: number; limit: number }, TaskRow>(
  'pageOfDeadLetters',
  (db, at) =>
    db
      .selectFrom('tasks')
      .selectAll()
      .where(IS_DEAD)
      .where('id', '>', at.after)
      .orderBy('id')
      .limit(at.limit),
)

export const pageOfDeadLettersOfKind = query<{ kind: string; after: number; limit: number }, TaskRow>(
  'pageOfDeadLettersOfKind',
  (db, at) =>
    db
      .selectFrom('tasks')
      .selectAll()
      .where(IS_DEAD)
      .where('kind', '=', at.kind)
      .where('id', '>', at.after)
      .orderBy('id')
      .limit(at.limit),
)

/** Enqueues a dead letter again. Changes nothing while another task of its subject is waiting. */
export const reviveTask = query<{ id: number; now: number }>('reviveTask', (db, at) => ({
  compile: () =>
    sql`update tasks set state = 'waiting', due_at = ${at.now}, attempts = 0
      where id = ${at.id} and state = 'dead'
      and not exists (select 1 from tasks as newer where newer.kind = tasks.kind
        and newer.subject = tasks.subject and newer.state = 'waiting')`.compile(db),
}))

export const deadLetterById = query<{ id: number }, TaskRow>('deadLetterById', (db, at) =>
  db.selectFrom('tasks').selectAll().where('id', '=', at.id).where(IS_DEAD),
)

export const removeDeadLetter = query<{ id: number }>('removeDeadLetter', (db, at) =>
  db.deleteFrom('tasks').where('id', '=', at.id).where(IS_DEAD),
)
