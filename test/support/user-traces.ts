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
    // Every table can be selected from as this one is.
    const all = adHocQuery(`everyRowOf_${name}`, (db) => db.selectFrom(name as 'users').selectAll())
    const rows: readonly object[] = await store.all(all, {})
    for (const column of Object.keys(columns))
      if (rows.some((row) => String((row as Record<string, unknown>)[column]).includes(id)))
        places.push(`${name}.${column}`)
  }
  return places
}
