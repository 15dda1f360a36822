import { sql } from 'kysely'
import { statement } from '../queries.ts'

// Statements on many rows, which are passed as arrays.

export const loadKeys = statement<
  { audience: string; keys: Buffer[] },
  { place: number; effective: number; expires: number }
>(
  'loadKeys',
  (at) => sql`select asked.place::integer - 1 as place, known.effective, known.expires
    from unnest(${at.keys}::bytea[]) with ordinality as asked (key, place)
    cross join lateral (
      select effective, expires from membership_keys
      where membership_keys.audience = ${at.audience} and membership_keys.key = asked.key limit 1
    ) as known`,
)

export const putKeys = statement<{
  audience: string
  keys: Buffer[]
  effective: number[]
  expires: number[]
}>(
  'putKeys',
  (at) => sql`insert into membership_keys (audience, key, effective, expires)
    select ${at.audience}, * from unnest(${at.keys}::bytea[], ${at.effective}::bigint[], ${at.expires}::bigint[])
    on conflict (audience, key) do update set effective = excluded.effective, expires = excluded.expires`,
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
