import { Arrays } from './arrays.ts'
import type { MemberTransaction } from './database.ts'
import { ABSENT, type MemberTable, StoredKeys } from './merge.ts'
import { KEY_BYTES } from './packed.ts'
import * as rows from './queries.ts'
import { audiencesIn, includes, type Segment } from './segments.ts'

/** Where a count of a combination continues: with the members of one of its audiences. */
export interface TallyPosition {
  /** The place of the audience in the combination. */
  audience: number
  /** Base64 of the last key that was read. */
  key?: string
  /** The last user with several keys that was read. Users follow all keys. */
  person?: number
}

export interface TallyRequest {
  segments: Segment
  /** Absent: the count begins. */
  from?: TallyPosition | undefined
  /** In seconds: the present at the beginning of a count, then what its first slice returned. */
  now: number
}

export interface Tally {
  /** People in the slice whom the combination includes. */
  people: number
  /** Absent: the count is complete. */
  next?: TallyPosition | undefined
  /** At the beginning of a count: whether uploads to its audiences wait to be merged. */
  waits: boolean
  /**
   * The second that the whole count is about. It is later than the present if an audience is
   * counted up to a later one: the clock of another node is ahead, or the clock was set back.
   */
  now: number
}

/** Keys that a slice reads from each audience. A single user may have more. */
const KEYS_AT_ONCE = 5_000
const PEOPLE_AT_ONCE = 500
const NO_MEMBER = -1

/** Some members of an audience. */
interface MemberSlice {
  /** The keys of all of them, concatenated. */
  keys: Buffer
  /** For each member, the index after its last key. */
  ends: number[]
  effective: number[]
  expires: number[]
  /** Absent: the audience has no more. */
  next?: Omit<TallyPosition, 'audience'> | undefined
}

/**
 * Counts the next people in a combination. Members of different audiences who have a key in common
 * are one person, who is counted in the first of these audiences. The work of a slice is bounded,
 * and that of a count is linear in the keys of the audiences.
 */
export async function tallySlice(
  tx: MemberTransaction,
  tableOf: (audience: string) => Pick<MemberTable, 'load'>,
  { segments, from, now: present }: TallyRequest,
  keysAtOnce = KEYS_AT_ONCE,
): Promise<Tally> {
  const audiences = audiencesIn(segments)
  const asked = { audiences: JSON.stringify(audiences) }
  const waits = from === undefined && (await tx.first(rows.waitingUpload, asked)) !== undefined
  const remembered = await tx.all(rows.rememberedAudiences, asked)
  const known = new Set(remembered.map(({ audience }) => audience))
  const now = from ? present : Math.max(present, ...remembered.map(({ counted_at }) => counted_at))
  const { audience: at, ...position } = from ?? { audience: 0 }
  const audience = audiences[at]
  if (audience === undefined) return { people: 0, waits, now }
  const slice = known.has(audience) ? await readSlice(tx, audience, position, keysAtOnce) : EMPTY
  const began: (Float64Array | undefined)[] = []
  for (const other of audiences)
    began.push(
      other === audience || !known.has(other)
        ? undefined
        : await latestMembership(tx, other, { table: tableOf(other), slice, now }),
    )
  const next = slice.next ? { audience: at, ...slice.next } : nextAudience(at, audiences)
  return { people: countIn(slice, { segments, audiences, at, began, now }), next, waits, now }
}

const nextAudience = (at: number, audiences: readonly string[]): TallyPosition | undefined =>
  at + 1 < audiences.length ? { audience: at + 1 } : undefined

const EMPTY: MemberSlice = { keys: Buffer.alloc(0), ends: [], effective: [], expires: [] }

/** The next members of an audience: those with one key, then those with several. */
async function readSlice(
  tx: MemberTransaction,
  audience: string,
  { key, person }: Omit<TallyPosition, 'audience'>,
  limit: number,
): Promise<MemberSlice> {
  if (person !== undefined) return readPeople(tx, audience, person, limit)
  const after = Buffer.from(key ?? '', 'base64')
  const found = await tx.all(rows.keysAfter, { audience, after, limit })
  const last = found.at(-1)
  // The other keys belong to users with several.
  const members = found.filter(({ expires }) => expires > 0)
  return {
    keys: Buffer.concat(members.map((member) => member.key)),
    ends: members.map((_, index) => index + 1),
    effective: members.map(({ effective }) => effective),
    expires: members.map(({ expires }) => expires),
    next: last && found.length === limit ? { key: Buffer.from(last.key).toString('base64') } : { person: 0 },
  }
}

async function readPeople(
  tx: MemberTransaction,
  audience: string,
  after: number,
  keysAtOnce: number,
): Promise<MemberSlice> {
  const limit = Math.min(keysAtOnce, PEOPLE_AT_ONCE)
  const found = await tx.all(rows.peopleAfter, { audience, after, limit })
  const ends: number[] = []
  let count = 0
  for (const { keys } of found) {
    if (count >= keysAtOnce) break
    count += keys.length / KEY_BYTES
    ends.push(count)
  }
  const members = found.slice(0, ends.length)
  const last = members.at(-1)
  const isLast = members.length === found.length && found.length < limit
  return {
    keys: Buffer.concat(members.map(({ keys }) => keys)),
    ends,
    effective: members.map(({ effective }) => effective),
    expires: members.map(({ expires }) => expires),
    next: last && !isLast ? { person: last.id } : undefined,
  }
}

const isCurrent = (effective: number, expires: number, now: number) => effective <= now && expires > now

/**
 * When the members of a slice last became members of another audience, by any of their keys.
 * `NO_MEMBER`: they are not.
 */
async function latestMembership(
  tx: MemberTransaction,
  audience: string,
  { table, slice, now }: { table: Pick<MemberTable, 'load'>; slice: MemberSlice; now: number },
): Promise<Float64Array> {
  const latest = new Float64Array(slice.ends.length).fill(NO_MEMBER)
  const count = slice.ends.at(-1) ?? 0
  const arrays = new Arrays()
  try {
    const stored = new StoredKeys(count, arrays)
    await table.load(slice.keys, count, stored)
    const people = await timesOfPeople(tx, audience, stored)
    let place = 0
    for (const [member, end] of slice.ends.entries())
      for (; place < end; place++) {
        if (stored.kind[place] === ABSENT) continue
        const [first, second] = stored.timesAt(place)
        // A key whose user is gone belongs to nobody.
        const [effective, expires] = second > 0 ? [first, second] : (people.get(first) ?? [0, 0])
        if (isCurrent(effective, expires, now)) latest[member] = Math.max(latest[member] as number, effective)
      }
    return latest
  } finally {
    arrays.release()
  }
}

/** The times of the users with several keys that stored keys belong to, by id. */
async function timesOfPeople(tx: MemberTransaction, audience: string, stored: StoredKeys) {
  const ids = new Set<number>()
  for (let place = 0; place < stored.kind.length; place++) {
    const [first, second] = stored.timesAt(place)
    if (stored.kind[place] !== ABSENT && second === 0) ids.add(first)
  }
  if (ids.size === 0) return new Map<number, [number, number]>()
  const found = await tx.all(rows.timesOfPeople, { audience, ids: JSON.stringify([...ids]) })
  return new Map(found.map(({ id, effective, expires }) => [id, [effective, expires] as const]))
}

function countIn(
  { ends, effective, expires }: MemberSlice,
  {
    segments,
    audiences,
    at,
    began,
    now,
  }: {
    segments: Segment
    audiences: readonly string[]
    at: number
    began: readonly (Float64Array | undefined)[]
    now: number
  },
): number {
  const places = new Map(audiences.map((audience, place) => [audience, place]))
  let people = 0
  for (let member = 0; member < ends.length; member++) {
    const own = effective[member] as number
    if (!isCurrent(own, expires[member] as number, now)) continue
    const beganAt = (place: number) => began[place]?.[member] ?? NO_MEMBER
    if (began.some((_, place) => place < at && beganAt(place) !== NO_MEMBER)) continue
    const beganIn = (audience: string) => {
      const place = places.get(audience) ?? at
      const second = place === at ? own : beganAt(place)
      return second === NO_MEMBER ? undefined : second
    }
    if (includes(segments, beganIn, now)) people++
  }
  return people
}
