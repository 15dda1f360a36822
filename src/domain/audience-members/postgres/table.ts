import type { LeasedTable, MemberTransaction } from '../database.ts'
import { ABSENT, type Changes, type PersonRow, type StoredKeys } from '../merge.ts'
import { KEY_BYTES } from '../packed.ts'
import type { AudienceRow } from '../queries.ts'
import * as rows from './queries.ts'

/** Per statement: the database cancels long statements. */
const MAX_ROWS = 5_000
const MAX_PEOPLE_BYTES = 4 * 1024 * 1024

/** The members of an audience, many rows to a statement. */
export class PostgresTable implements LeasedTable {
  readonly #tx: MemberTransaction
  readonly #audience: string
  nextPerson: number

  constructor(tx: MemberTransaction, { audience, people }: Pick<AudienceRow, 'audience' | 'people'>) {
    this.#tx = tx
    this.#audience = audience
    this.nextPerson = people
  }

  async load(keys: Buffer, count: number, stored: StoredKeys): Promise<void> {
    for (let from = 0; from < count; from += MAX_ROWS) {
      const length = Math.min(MAX_ROWS, count - from)
      const asked = Array.from({ length }, (_, n) => keyAt(keys, from + n))
      const known = await this.#tx.all(rows.loadKeys, { audience: this.#audience, keys: asked })
      for (const { place, effective, expires } of known) stored.put(from + place, effective, expires)
    }
  }

  people(ids: readonly number[]) {
    return this.#tx.all(rows.loadPeople, { audience: this.#audience, ids: [...ids] })
  }

  newPeople(count: number): number {
    this.nextPerson += count
    return this.nextPerson - count
  }

  async save({ keys, places, stored, people, gone }: Changes): Promise<void> {
    const audience = this.#audience
    const isAbsent = (place: number) => stored.kind[place] === ABSENT
    for (const ids of slices(gone)) await this.#tx.run(rows.removePeople, { audience, ids })
    for (const some of slices(people, (person) => person.keys.length)) await this.#putPeople(some)
    for (const some of slices([...places].filter(isAbsent)))
      await this.#tx.run(rows.removeKeys, { audience, keys: some.map((place) => keyAt(keys, place)) })
    for (const some of slices([...places].filter((place) => !isAbsent(place))))
      await this.#tx.run(rows.putKeys, {
        audience,
        keys: some.map((place) => keyAt(keys, place)),
        effective: some.map((place) => stored.effective[place] as number),
        expires: some.map((place) => stored.expires[place] as number),
      })
  }

  #putPeople(people: readonly PersonRow[]): Promise<number> {
    return this.#tx.run(rows.putPeople, {
      audience: this.#audience,
      ids: people.map(({ id }) => id),
      effective: people.map(({ effective }) => effective),
      expires: people.map(({ expires }) => expires),
      keys: people.map(({ keys }) => Buffer.from(keys)),
    })
  }

  async addChanges(changes: readonly (readonly [second: number, delta: number])[]): Promise<void> {
    for (const some of slices(changes))
      await this.#tx.run(rows.addChanges, {
        audience: this.#audience,
        at: some.map(([second]) => second),
        deltas: some.map(([, delta]) => delta),
      })
  }
}

const keyAt = (keys: Buffer, place: number) => keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES)

/** Divides rows into statements, by number and by bytes. */
function* slices<T>(all: Iterable<T>, bytesOf: (row: T) => number = () => 0): Generator<T[]> {
  let [some, bytes]: [T[], number] = [[], 0]
  for (const row of all) {
    if (some.length === MAX_ROWS || bytes > MAX_PEOPLE_BYTES) {
      yield some
      some = []
      bytes = 0
    }
    some.push(row)
    bytes += bytesOf(row)
  }
  if (some.length > 0) yield some
}
