import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { adHocQuery } from '../../tables.ts'

// Members on PostgreSQL: statements pass many rows as arrays. The embedded store has no such tables.

const statement = <Args extends object, Row = unknown>(
  name: string,
  build: (at: Args) => RawBuilder<unknown>,
) => adHocQuery<Args, Row>(name, (db, at) => ({ compile: () => build(at).compile(db) }))

export const addToLog = statement<{
  account: string
  audience: string
  acceptedAt: number
  keys: number
  bytes: number
  data: Buffer | null
}>(
  'addToLog',
  (at) => sql`insert into membership_log (account, audience, accepted_at, keys, bytes, data)
    values (${at.account}, ${at.audience}, ${at.acceptedAt}, ${at.keys}, ${at.bytes}, ${at.data})`,
)

/** Bytes waiting in the log, in total and of one account; an index-only scan. */
export const waitingBytes = statement<{ account: string }, { total: number; own: number }>(
  'waitingBytes',
  (at) => sql`select coalesce(sum(bytes), 0)::bigint as total,
      coalesce(sum(bytes) filter (where account = ${at.account}), 0)::bigint as own
    from membership_log`,
)

/**
 * Audiences whose first batch is due: first the longest-waiting audience of each account, in random order, then the second
 * of each, and so on. So accounts with many uploads do not delay others. A loose index scan: the number of batches per
 * audience does not matter.
 */
export const waitingAudiences = statement<
  { until: number; now: number; limit: number; except: string[] },
  { audience: string }
>(
  'waitingAudiences',
  (at) => sql`with recursive waiting as (
      (select account, audience, seq, accepted_at from membership_log order by audience, seq limit 1)
      union all
      select next.account, next.audience, next.seq, next.accepted_at from waiting cross join lateral (
        select account, audience, seq, accepted_at from membership_log
        where membership_log.audience > waiting.audience order by audience, seq limit 1
      ) as next
    )
    select audience from waiting
    where (accepted_at <= ${at.until} or accepted_at > ${at.now}) and audience <> all(${at.except}::text[])
    order by row_number() over (partition by account order by seq), random() limit ${at.limit}`,
)

/** Whether there is any audience. */
export const anyAudience = statement<object, { audience: string }>(
  'anyAudience',
  () => sql`select audience from membership_audiences limit 1`,
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

/** Creates an audience that has a waiting batch. It is counted up to the second in which its first batch was accepted. */
export const addAudience = statement<{ audience: string }>(
  'addAudience',
  (at) => sql`insert into membership_audiences (audience, size, counted_at, people, ended_at, forgotten)
    select audience, 0, accepted_at / 1000, 1, 0, 0 from membership_log
    where audience = ${at.audience} order by seq limit 1 on conflict do nothing`,
)

/** Leases an audience until the end of the transaction. Returns no row while another node has it. */
export const leaseAudience = statement<{ audience: string }, AudienceRow>(
  'leaseAudience',
  (at) => sql`select audience, size, counted_at, people, forgotten from membership_audiences
    where audience = ${at.audience} for update skip locked`,
)

/** The next batches of an audience, without their data. */
export const nextBatches = statement<
  { audience: string; limit: number },
  { seq: number; accepted_at: number; keys: number; forget: number }
>(
  'nextBatches',
  (at) => sql`select seq, accepted_at, keys, case when data is null then 1 else 0 end as forget
    from membership_log where audience = ${at.audience} order by seq limit ${at.limit}`,
)

export const batchData = statement<{ seq: number }, { data: Buffer }>(
  'batchData',
  (at) => sql`select data from membership_log where seq = ${at.seq}`,
)

export const removeBatches = statement<{ seqs: number[] }>(
  'removeBatches',
  (at) => sql`delete from membership_log where seq = any(${at.seqs}::bigint[])`,
)

/** Copies a waiting batch that cannot be merged to the dead letters, with the reason. */
export const addDeadLetter = statement<{ seq: number; reason: string; data: Buffer }>(
  'addDeadLetter',
  (at) => sql`insert into membership_set_aside (audience, seq, accepted_at, reason, data)
    select audience, seq, accepted_at, ${at.reason}, ${at.data} from membership_log where seq = ${at.seq}`,
)

export const loadKeys = statement<
  { audience: string; keys: Buffer[] },
  { place: number; kind: number; effective: number; expires: number }
>(
  'loadKeys',
  (at) => sql`select asked.place::integer - 1 as place, known.kind, known.effective, known.expires
    from unnest(${at.keys}::bytea[]) with ordinality as asked (key, place)
    cross join lateral (
      select kind, effective, expires from membership_keys
      where membership_keys.audience = ${at.audience} and membership_keys.key = asked.key limit 1
    ) as known`,
)

export const putKeys = statement<{
  audience: string
  keys: Buffer[]
  kinds: number[]
  effective: number[]
  expires: number[]
}>(
  'putKeys',
  (at) => sql`insert into membership_keys (audience, key, kind, effective, expires)
    select ${at.audience}, * from unnest(${at.keys}::bytea[], ${at.kinds}::integer[], ${at.effective}::bigint[], ${at.expires}::bigint[])
    on conflict (audience, key) do update
    set kind = excluded.kind, effective = excluded.effective, expires = excluded.expires`,
)

export const removeKeys = statement<{ audience: string; keys: Buffer[] }>(
  'removeKeys',
  (at) => sql`delete from membership_keys where audience = ${at.audience} and key = any(${at.keys}::bytea[])`,
)

export const loadPeople = statement<
  { audience: string; ids: number[] },
  { id: number; effective: number; expires: number; keys: Buffer }
>(
  'loadPeople',
  (at) => sql`select id, effective, expires, keys from membership_people
    where audience = ${at.audience} and id = any(${at.ids}::bigint[])`,
)

export const putPeople = statement<{
  audience: string
  ids: number[]
  effective: number[]
  expires: number[]
  keys: Buffer[]
}>(
  'putPeople',
  (at) => sql`insert into membership_people (audience, id, effective, expires, keys)
    select ${at.audience}, * from unnest(${at.ids}::bigint[], ${at.effective}::bigint[], ${at.expires}::bigint[], ${at.keys}::bytea[])
    on conflict (audience, id) do update
    set effective = excluded.effective, expires = excluded.expires, keys = excluded.keys`,
)

export const removePeople = statement<{ audience: string; ids: number[] }>(
  'removePeople',
  (at) =>
    sql`delete from membership_people where audience = ${at.audience} and id = any(${at.ids}::bigint[])`,
)

export const addChanges = statement<{ audience: string; at: number[]; deltas: number[] }>(
  'addChanges',
  (at) => sql`insert into membership_changes (audience, at, delta)
    select ${at.audience}, * from unnest(${at.at}::bigint[], ${at.deltas}::bigint[])
    on conflict (audience, at) do update set delta = membership_changes.delta + excluded.delta`,
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
  (at) => sql`update membership_audiences set size = size + ${at.by}, people = ${at.people},
    ended_at = greatest(ended_at, ${at.ended}::bigint),
    sweep_at = case when ${at.ended}::bigint > 0 then coalesce(sweep_at, ${at.sweepAt}::bigint) else sweep_at end
    where audience = ${at.audience}`,
)

/** The state of some audiences. Due changes are summed up to a limit. */
export const audienceStates = statement<
  { audiences: string[]; now: number; limit: number },
  { audience: string; waits: boolean; size: number | null; delta: number; due: number }
>(
  'audienceStates',
  (at) => sql`select asked.audience, known.size, due.delta, due.due,
      exists (select 1 from membership_log where membership_log.audience = asked.audience) as waits
    from unnest(${at.audiences}::text[]) as asked (audience)
    left join membership_audiences as known on known.audience = asked.audience
    left join lateral (
      select coalesce(sum(delta), 0)::bigint as delta, count(*)::bigint as due from (
        select delta from membership_changes where membership_changes.audience = asked.audience and at <= ${at.now}
        order by at limit ${at.limit}
      ) as these
    ) as due on true`,
)

export const markForgotten = statement<{ audience: string }>(
  'markForgotten',
  (at) => sql`update membership_audiences set forgotten = 1 where audience = ${at.audience}`,
)

export const forgottenAudience = statement<{ except: string[] }, { audience: string }>(
  'forgottenAudience',
  (
    at,
  ) => sql`select audience from membership_audiences where forgotten = 1 and audience <> all(${at.except}::text[])
    order by audience limit 1`,
)

export const forgetSomeKeys = statement<{ audience: string; limit: number }>(
  'forgetSomeKeys',
  (at) => sql`delete from membership_keys where audience = ${at.audience} and key in
    (select key from membership_keys where audience = ${at.audience} limit ${at.limit})`,
)

export const forgetSomePeople = statement<{ audience: string; limit: number }>(
  'forgetSomePeople',
  (at) => sql`delete from membership_people where audience = ${at.audience} and id in
    (select id from membership_people where audience = ${at.audience} limit ${at.limit})`,
)

export const forgetSomeChanges = statement<{ audience: string; limit: number }>(
  'forgetSomeChanges',
  (at) => sql`delete from membership_changes where audience = ${at.audience} and at in
    (select at from membership_changes where audience = ${at.audience} limit ${at.limit})`,
)

export const forgetSomeSetAside = statement<{ audience: string; limit: number }>(
  'forgetSomeSetAside',
  (at) => sql`delete from membership_set_aside where audience = ${at.audience} and seq in
    (select seq from membership_set_aside where audience = ${at.audience} limit ${at.limit})`,
)

export const removeAudience = statement<{ audience: string }>(
  'removeAudience',
  (at) => sql`delete from membership_audiences where audience = ${at.audience}`,
)

/** An audience with due changes. */
export const dueAudience = statement<{ now: number; except: string[] }, { audience: string }>(
  'dueAudience',
  (at) => sql`select audience from membership_changes
    where at <= ${at.now} and audience <> all(${at.except}::text[]) order by at limit 1`,
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
  (at) => sql`update membership_audiences set size = size + ${at.by},
    counted_at = greatest(counted_at, ${at.until}::bigint), ended_at = greatest(ended_at, ${at.ended}::bigint),
    sweep_at = case when ${at.ended}::bigint > 0 then coalesce(sweep_at, ${at.sweepAt}::bigint) else sweep_at end
    where audience = ${at.audience}`,
)

/** An audience that still stores expired members. */
export const audienceToSweep = statement<{ now: number; except: string[] }, { audience: string }>(
  'audienceToSweep',
  (at) => sql`select audience from membership_audiences
    where sweep_at <= ${at.now} and audience <> all(${at.except}::text[]) order by sweep_at limit 1`,
)

/** The progress of a sweep, which deletes expired members: users first, then keys. `sweep_before` null: it has not begun. */
export const sweepOf = statement<
  { audience: string },
  { sweep_before: number | null; swept_people: number | null; swept_until: Buffer | null }
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

/** Where the next step of deleting expired users ends. */
export const peopleSweepEnd = statement<
  { audience: string; from: number; limit: number },
  { last: number | null; total: number }
>(
  'peopleSweepEnd',
  (at) => sql`select max(id) as last, count(*)::bigint as total from (
      select id from membership_people where audience = ${at.audience} and id > ${at.from} order by id limit ${at.limit}
    ) as these`,
)

export const sweepPeople = statement<{ audience: string; from: number; last: number; before: number }>(
  'sweepPeople',
  (at) => sql`delete from membership_people
    where audience = ${at.audience} and id > ${at.from} and id <= ${at.last} and expires <= ${at.before}`,
)

/** `until` null: all users have been processed, keys are next. */
export const sweptPeople = statement<{ audience: string; until: number | null }>(
  'sweptPeople',
  (at) =>
    sql`update membership_audiences set swept_people = ${at.until}::bigint where audience = ${at.audience}`,
)

/** Where the next step of deleting expired keys ends. */
export const keySweepEnd = statement<
  { audience: string; from: Buffer; limit: number },
  { last: Buffer | null; total: number }
>(
  'keySweepEnd',
  (at) => sql`select (array_agg(key order by key desc))[1] as last, count(*)::bigint as total from (
      select key from membership_keys where audience = ${at.audience} and key > ${at.from} order by key limit ${at.limit}
    ) as these`,
)

/** Deletes the keys of a range that have expired by themselves, or whose user no longer exists. */
export const sweepKeys = statement<{
  audience: string
  from: Buffer
  last: Buffer
  before: number
  linked: number
}>(
  'sweepKeys',
  (at) => sql`delete from membership_keys as one
    where audience = ${at.audience} and key > ${at.from} and key <= ${at.last}
      and case when kind = ${at.linked} then not exists (
        select 1 from membership_people as person
        where person.audience = one.audience and person.id = one.effective
      ) else expires <= ${at.before} end`,
)

export const sweptUntil = statement<{ audience: string; until: Buffer }>(
  'sweptUntil',
  (at) => sql`update membership_audiences set swept_until = ${at.until} where audience = ${at.audience}`,
)

/** Ends a sweep. The next one deletes members who ended too late for it. */
export const endSweep = statement<{ audience: string; next: number }>(
  'endSweep',
  (at) => sql`update membership_audiences set swept_until = null, sweep_before = null,
    sweep_at = case when ended_at > sweep_before then ${at.next}::bigint end where audience = ${at.audience}`,
)
