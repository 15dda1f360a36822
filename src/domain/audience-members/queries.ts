import { type RawBuilder, sql } from 'kysely'
import { adHocQueriesOver, anyIn, postgres } from '../../platform/storage/query.ts'

// On SQLite, the log is a file of its own, which the connection that merges can only read. On
// PostgreSQL, all are tables of the shared database. Lists of texts are JSON.

const adHocQuery = adHocQueriesOver<unknown>()

/** A statement for each database. */
export const statement = <Args extends object, Row = unknown>(
  name: string,
  build: (at: Args, isPostgres: boolean) => RawBuilder<unknown>,
) => adHocQuery<Args, Row>(name, (db, at) => ({ compile: () => build(at, postgres(db)).compile(db) }))

const greatest = (isPostgres: boolean) => (isPostgres ? sql`greatest` : sql`max`)

export const addToLog = statement<{
  account: string
  audience: string
  acceptedAt: number
  keys: number
  bytes: number
  data: Uint8Array | null
}>(
  'addToLog',
  (at) => sql`insert into membership_log (account, audience, accepted_at, keys, bytes, data)
    values (${at.account}, ${at.audience}, ${at.acceptedAt}, ${at.keys}, ${at.bytes}, ${at.data})`,
)

/** Bytes waiting in the log, in total and of one account; an index-only scan. */
export const waitingBytes = statement<{ account: string }, { total: number; own: number }>(
  'waitingBytes',
  (at) => sql`select cast(coalesce(sum(bytes), 0) as bigint) as total,
      cast(coalesce(sum(bytes) filter (where account = ${at.account}), 0) as bigint) as own
    from membership_log`,
)

/**
 * Audiences whose first batch is due: first the longest-waiting audience of each account, in random
 * order, then the second of each, and so on. So accounts with many uploads do not delay others. A
 * loose index scan: the number of batches per audience does not matter.
 */
export const waitingAudiences = statement<
  { until: number; now: number; limit: number; except: string },
  { audience: string }
>(
  'waitingAudiences',
  (at, isPostgres) => sql`with recursive waiting (audience) as (
      select min(audience) from membership_log
      union all
      select (select min(audience) from membership_log where membership_log.audience > waiting.audience)
      from waiting where waiting.audience is not null
    )
    select oldest.audience from waiting join membership_log as oldest on oldest.seq =
      (select seq from membership_log where membership_log.audience = waiting.audience order by seq limit 1)
    where (oldest.accepted_at <= ${at.until} or oldest.accepted_at > ${at.now})
      and not ${anyIn(isPostgres, sql`oldest.audience`, at.except)}
    order by row_number() over (partition by oldest.account order by oldest.seq), random() limit ${at.limit}`,
)

export interface AudienceRow {
  audience: string
  size: number
  counted_at: number
  people: number
  forgotten: number
}

/** Whether an audience exists. */
export const findAudience = statement<{ audience: string }, { audience: string }>(
  'findAudience',
  (at) => sql`select audience from membership_audiences where audience = ${at.audience}`,
)

/**
 * Creates an audience that has a waiting batch. It is counted up to the second in which its first
 * batch was accepted.
 */
export const addAudience = statement<{ audience: string }>(
  'addAudience',
  (at) => sql`insert into membership_audiences (audience, size, counted_at, people, ended_at, forgotten)
    select audience, 0, accepted_at / 1000, 1, 0, 0 from membership_log
    where audience = ${at.audience} order by seq limit 1 on conflict do nothing`,
)

/**
 * Leases an audience until the end of the transaction. Returns no row while another node has it.
 */
export const leaseAudience = statement<{ audience: string }, AudienceRow>(
  'leaseAudience',
  (at, isPostgres) => sql`select audience, size, counted_at, people, forgotten from membership_audiences
    where audience = ${at.audience} ${isPostgres ? sql`for update skip locked` : sql``}`,
)

/**
 * On SQLite, merged batches are removed from the log after their transaction: the audience records
 * how far it is merged.
 */
const notMerged = (audience: string, isPostgres: boolean) =>
  isPostgres
    ? sql``
    : sql`and seq > (select merged_until from membership_audiences where audience = ${audience})`

/** The next batches of an audience, without their data. */
export const nextBatches = statement<
  { audience: string; limit: number },
  { seq: number; accepted_at: number; keys: number; forget: number }
>(
  'nextBatches',
  (at, isPostgres) => sql`select seq, accepted_at, keys, case when data is null then 1 else 0 end as forget
    from membership_log where audience = ${at.audience} ${notMerged(at.audience, isPostgres)} order by seq limit ${at.limit}`,
)

export const batchData = statement<{ seq: number }, { data: Uint8Array }>(
  'batchData',
  (at) => sql`select data from membership_log where seq = ${at.seq}`,
)

/** Records that batches were merged. `seqs` is a JSON list, and `last` its last element. */
export const finishBatches = statement<{ audience: string; seqs: string; last: number }>(
  'finishBatches',
  (at, isPostgres) =>
    isPostgres
      ? sql`delete from membership_log where seq = any(array(select jsonb_array_elements_text(${at.seqs}::jsonb)::bigint))`
      : sql`update membership_audiences set merged_until = ${at.last} where audience = ${at.audience}`,
)

/** Only on SQLite. */
export const mergedUntil = statement<{ audience: string }, { seq: number }>(
  'mergedUntil',
  (at) => sql`select merged_until as seq from membership_audiences where audience = ${at.audience}`,
)

/** Only on SQLite. */
export const removeMerged = statement<{ audience: string; seq: number }>(
  'removeMerged',
  (at) => sql`delete from membership_log where audience = ${at.audience} and seq <= ${at.seq}`,
)

/** Copies a waiting batch that cannot be merged to the dead letters, with the reason. */
export const addDeadLetter = statement<{ seq: number; reason: string; data: Uint8Array }>(
  'addDeadLetter',
  (at) => sql`insert into membership_set_aside (audience, seq, accepted_at, reason, data)
    select audience, seq, accepted_at, ${at.reason}, ${at.data} from membership_log where seq = ${at.seq}`,
)

/** `ended`: when a stored member ceased to count; 0 if none did. */
export const resizeAudience = statement<{
  audience: string
  by: number
  people: number
  ended: number
  sweepAt: number
}>(
  'resizeAudience',
  (at, isPostgres) => sql`update membership_audiences set size = size + ${at.by}, people = ${at.people},
    ${ended(at, isPostgres)} where audience = ${at.audience}`,
)

const ended = (at: { ended: number; sweepAt: number }, isPostgres: boolean) => {
  const [last, sweepAt] = [sql`cast(${at.ended} as bigint)`, sql`cast(${at.sweepAt} as bigint)`]
  return sql`ended_at = ${greatest(isPostgres)}(ended_at, ${last}),
    sweep_at = case when ${last} > 0 then coalesce(sweep_at, ${sweepAt}) else sweep_at end`
}

/**
 * The state of some audiences. Due changes are summed up to a limit. On SQLite, the log is read
 * before the size.
 */
export const audienceStates = statement<
  { audiences: string; now: number; limit: number },
  { audience: string; waits: number; size: number | null; delta: number; due: number }
>('audienceStates', (at, isPostgres) => {
  const due = sql`(select delta from membership_changes
    where membership_changes.audience = asked.value and at <= ${at.now} order by at limit ${at.limit}) as due`
  const asked = isPostgres
    ? sql`jsonb_array_elements_text(${at.audiences}::jsonb) as asked (value)`
    : sql`json_each(${at.audiences}) as asked`
  return sql`select asked.value as audience, known.size,
      (select cast(coalesce(sum(delta), 0) as bigint) from ${due}) as delta, (select count(*) from ${due}) as due,
      case when exists (select 1 from membership_log where membership_log.audience = asked.value) then 1 else 0 end as waits
    from ${asked} left join membership_audiences as known on known.audience = asked.value`
})

/** An upload to one of some audiences that waits to be merged. */
export const waitingUpload = statement<{ audiences: string }, { seq: number }>(
  'waitingUpload',
  (at, isPostgres) => sql`select seq from membership_log
    where ${anyIn(isPostgres, sql`audience`, at.audiences)} limit 1`,
)

/** Those of some audiences that have members. */
export const rememberedAudiences = statement<
  { audiences: string },
  Pick<AudienceRow, 'audience' | 'counted_at'>
>(
  'rememberedAudiences',
  (at, isPostgres) => sql`select audience, counted_at from membership_audiences
    where forgotten = 0 and ${anyIn(isPostgres, sql`audience`, at.audiences)}`,
)

/** The next keys of an audience. `expires` 0: one of several keys of the user `effective`. */
export const keysAfter = statement<
  { audience: string; after: Uint8Array; limit: number },
  { key: Uint8Array; effective: number; expires: number }
>(
  'keysAfter',
  (at) => sql`select key, effective, expires from membership_keys
    where audience = ${at.audience} and key > ${at.after} order by key limit ${at.limit}`,
)

/** The next users of an audience with several keys. */
export const peopleAfter = statement<
  { audience: string; after: number; limit: number },
  { id: number; effective: number; expires: number; keys: Uint8Array }
>(
  'peopleAfter',
  (at) => sql`select id, effective, expires, keys from membership_people
    where audience = ${at.audience} and id > ${at.after} order by id limit ${at.limit}`,
)

/** The times of some users with several keys. `ids` is a JSON list. */
export const timesOfPeople = statement<
  { audience: string; ids: string },
  { id: number; effective: number; expires: number }
>(
  'timesOfPeople',
  (at, isPostgres) => sql`select id, effective, expires from membership_people
    where audience = ${at.audience} and id ${
      isPostgres
        ? sql`= any(array(select jsonb_array_elements_text(${at.ids}::jsonb)::bigint))`
        : sql`in (select value from json_each(${at.ids}))`
    }`,
)

export const markForgotten = statement<{ audience: string }>(
  'markForgotten',
  (at) => sql`update membership_audiences set forgotten = 1 where audience = ${at.audience}`,
)

export const forgottenAudience = statement<{ now: number; except: string }, { audience: string }>(
  'forgottenAudience',
  (at, isPostgres) => sql`select audience from membership_audiences
    where forgotten = 1 and not ${anyIn(isPostgres, sql`audience`, at.except)} order by audience limit 1`,
)

/** Deletes some rows of an audience from a table. `key` is the rest of its primary key. */
const forgetSome = (table: string, key: string) => {
  const [rows, rest] = [sql.table(table), sql.ref(key)]
  return statement<{ audience: string; limit: number }>(
    `forgetSome ${table}`,
    (at) => sql`delete from ${rows} where audience = ${at.audience} and ${rest} in
      (select ${rest} from ${rows} where audience = ${at.audience} limit ${at.limit})`,
  )
}

/** One statement for each table with rows of audiences. */
export const forgetSomeRows = [
  forgetSome('membership_keys', 'key'),
  forgetSome('membership_people', 'id'),
  forgetSome('membership_changes', 'at'),
  forgetSome('membership_set_aside', 'seq'),
]

export const removeAudience = statement<{ audience: string }>(
  'removeAudience',
  (at) => sql`delete from membership_audiences where audience = ${at.audience}`,
)

/** An audience with due changes. */
export const dueAudience = statement<{ now: number; except: string }, { audience: string }>(
  'dueAudience',
  (at, isPostgres) => sql`select audience from membership_changes
    where at <= ${at.now} and not ${anyIn(isPostgres, sql`audience`, at.except)} order by at limit 1`,
)

export const dueChanges = statement<
  { audience: string; now: number; limit: number },
  { at: number; delta: number }
>(
  'dueChanges',
  (at) => sql`select at, delta from membership_changes
    where audience = ${at.audience} and at <= ${at.now} order by at limit ${at.limit}`,
)

export const removeChanges = statement<{ audience: string; until: number }>(
  'removeChanges',
  (at) => sql`delete from membership_changes where audience = ${at.audience} and at <= ${at.until}`,
)

/** `ended`: the latest time at which a member may have ceased to count; 0 if none did. */
export const countAudience = statement<{
  audience: string
  by: number
  until: number
  ended: number
  sweepAt: number
}>(
  'countAudience',
  (at, isPostgres) => sql`update membership_audiences set size = size + ${at.by},
    counted_at = ${greatest(isPostgres)}(counted_at, cast(${at.until} as bigint)), ${ended(at, isPostgres)}
    where audience = ${at.audience}`,
)

/** An audience that still stores expired members. */
export const audienceToSweep = statement<{ now: number; except: string }, { audience: string }>(
  'audienceToSweep',
  (at, isPostgres) => sql`select audience from membership_audiences
    where sweep_at <= ${at.now} and not ${anyIn(isPostgres, sql`audience`, at.except)} order by sweep_at limit 1`,
)

/**
 * The progress of a sweep, which deletes expired members: users first, then keys. `sweep_before`
 * null: it has not begun.
 */
export const sweepOf = statement<
  { audience: string },
  { sweep_before: number | null; swept_people: number | null; swept_until: Uint8Array | null }
>(
  'sweepOf',
  (at) => sql`select sweep_before, swept_people, swept_until from membership_audiences
    where audience = ${at.audience}`,
)

/** The second in which the oldest waiting batch was accepted. */
export const oldestWaiting = statement<{ audience: string }, { at: number | null }>(
  'oldestWaiting',
  (at) => sql`select min(accepted_at) / 1000 as at from membership_log where audience = ${at.audience}`,
)

export const beginSweep = statement<{ audience: string; before: number }>(
  'beginSweep',
  (
    at,
  ) => sql`update membership_audiences set sweep_before = ${at.before}, swept_people = 0, swept_until = null
    where audience = ${at.audience}`,
)

/**
 * The user at which the next step of deleting expired users ends; none if the step reaches the last
 * one.
 */
export const peopleSweepEnd = statement<{ audience: string; from: number; skipped: number }, { id: number }>(
  'peopleSweepEnd',
  (at) => sql`select id from membership_people where audience = ${at.audience} and id > ${at.from}
    order by id limit 1 offset ${at.skipped}`,
)

export const sweepPeople = statement<{ audience: string; from: number; last: number; before: number }>(
  'sweepPeople',
  (at) => sql`delete from membership_people
    where audience = ${at.audience} and id > ${at.from} and id <= ${at.last} and expires <= ${at.before}`,
)

/** `until` null: all users have been processed, keys are next. */
export const sweptPeople = statement<{ audience: string; until: number | null }>(
  'sweptPeople',
  (at) => sql`update membership_audiences set swept_people = cast(${at.until} as bigint)
    where audience = ${at.audience}`,
)

/**
 * The key at which the next step of deleting expired keys ends; none if the step reaches the last
 * one.
 */
export const keySweepEnd = statement<
  { audience: string; from: Uint8Array; skipped: number },
  { key: Uint8Array }
>(
  'keySweepEnd',
  (at) => sql`select key from membership_keys where audience = ${at.audience} and key > ${at.from}
    order by key limit 1 offset ${at.skipped}`,
)

/** Deletes the keys of a range that have expired by themselves, or whose user no longer exists. */
export const sweepKeys = statement<{
  audience: string
  from: Uint8Array
  last: Uint8Array
  before: number
}>(
  'sweepKeys',
  (at) => sql`delete from membership_keys as swept
    where audience = ${at.audience} and key > ${at.from} and key <= ${at.last}
      and case when expires = 0 then not exists (
        select 1 from membership_people as person
        where person.audience = swept.audience and person.id = swept.effective
      ) else expires <= ${at.before} end`,
)

export const sweptUntil = statement<{ audience: string; until: Uint8Array }>(
  'sweptUntil',
  (at) => sql`update membership_audiences set swept_until = ${at.until} where audience = ${at.audience}`,
)

/** Ends a sweep. The next one deletes members who ended too late for it. */
export const endSweep = statement<{ audience: string; next: number }>(
  'endSweep',
  (at) => sql`update membership_audiences set swept_until = null, sweep_before = null,
    sweep_at = case when ended_at > sweep_before then cast(${at.next} as bigint) end where audience = ${at.audience}`,
)
