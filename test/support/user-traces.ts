import { sql } from 'kysely'
import '../../src/api/ads/endpoints.ts'
import { entities } from '../../src/api/ads/entity/entity.ts'
import { adHocQuery, fixedTables } from '../../src/app/tables.ts'
import { users } from '../../src/identity/users/tables.ts'
import type { Store } from '../../src/platform/storage/store.ts'

/** A column of a table: `likes.user_id`. */
type Place = string

const present = (store: Store) =>
  [...fixedTables, ...entities.map(({ table }) => table)].filter(
    ({ only }) => only === undefined || only === store.dialect,
  )

/** The columns that refer to users by a foreign key, in the order of their tables. */
export const referencesToUsers = (): Place[] =>
  fixedTables.flatMap(({ name, columns }) =>
    Object.entries(columns).flatMap(([column, { belongsTo }]) =>
      belongsTo === users ? [`${name}.${column}`] : [],
    ),
  )

/** The columns of all tables with a value that contains an id. */
export async function placesOf(store: Store, id: string): Promise<Place[]> {
  const places: Place[] = []
  for (const { name, columns } of present(store)) {
    const all = adHocQuery<object, Record<string, unknown>>(`everyRowOf_${name}`, (db) => ({
      compile: () => sql`select * from ${sql.table(name)}`.compile(db),
    }))
    const rows = await store.all(all, {})
    for (const column of Object.keys(columns))
      if (rows.some((row) => String(row[column]).includes(id))) places.push(`${name}.${column}`)
  }
  return places
}
