import type { DatabaseSync } from 'node:sqlite'
import type { LeasedTable } from '../database.ts'
import { ABSENT, type Changes, type PersonRow, type StoredKeys } from '../merge.ts'
import { KEY_BYTES } from '../packed.ts'
import type { AudienceRow } from '../queries.ts'

/**
 * The members of an audience, a row to a statement: keys come sorted, so each page is read and
 * written once.
 */
export class SqliteTable implements LeasedTable {
  readonly #db: DatabaseSync
  readonly #audience: string
  nextPerson: number

  constructor(db: DatabaseSync, { audience, people }: Pick<AudienceRow, 'audience' | 'people'>) {
    this.#db = db
    this.#audience = audience
    this.nextPerson = people
  }

  load(keys: Buffer, count: number, stored: StoredKeys): void {
    const find = this.#db.prepare(
      'SELECT effective, expires FROM membership_keys WHERE audience = ? AND key = ?',
    )
    find.setReturnArrays(true)
    for (let place = 0; place < count; place++) {
      const times = find.get(this.#audience, keyAt(keys, place)) as unknown as [number, number] | undefined
      if (times) stored.put(place, ...times)
    }
  }

  people(ids: readonly number[]): PersonRow[] {
    const find = this.#db.prepare(
      'SELECT id, effective, expires, keys FROM membership_people WHERE audience = ? AND id = ?',
    )
    return ids.flatMap((id) => (find.get(this.#audience, id) as PersonRow | undefined) ?? [])
  }

  newPeople(count: number): number {
    this.nextPerson += count
    return this.nextPerson - count
  }

  save({ keys, places, stored, people, gone }: Changes): void {
    const removePerson = this.#db.prepare('DELETE FROM membership_people WHERE audience = ? AND id = ?')
    for (const id of gone) removePerson.run(this.#audience, id)
    const putPerson = this.#db.prepare('INSERT OR REPLACE INTO membership_people VALUES (?, ?, ?, ?, ?)')
    for (const { id, effective, expires, keys: all } of people)
      putPerson.run(this.#audience, id, effective, expires, all)
    this.#saveKeys(keys, places, stored)
  }

  #saveKeys(keys: Buffer, places: Uint32Array, stored: StoredKeys): void {
    const put = this.#db.prepare('INSERT OR REPLACE INTO membership_keys VALUES (?, ?, ?, ?)')
    const remove = this.#db.prepare('DELETE FROM membership_keys WHERE audience = ? AND key = ?')
    for (const place of places)
      if (stored.kind[place] === ABSENT) remove.run(this.#audience, keyAt(keys, place))
      else put.run(this.#audience, keyAt(keys, place), ...stored.timesAt(place))
  }

  async addChanges(changes: readonly (readonly [second: number, delta: number])[]): Promise<void> {
    const add = this.#db.prepare(
      'INSERT INTO membership_changes VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET delta = delta + excluded.delta',
    )
    for (const [second, delta] of changes) add.run(this.#audience, second, delta)
  }
}

const keyAt = (keys: Buffer, place: number) => keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES)
