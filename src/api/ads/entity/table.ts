import type { Static } from 'typebox'
import { plain } from '../../../platform/http/schema.ts'
import {
  bytewise,
  type Column,
  type Columns,
  type ColumnType,
  type Index,
  integer,
  type Table,
  table,
} from '../../../platform/storage/table.ts'
import { type Field, type Fields, type MembersDeclaration, membersOf } from './fields.ts'

/** The value of a column: booleans are 0 or 1, lists are JSON text. */
type StoredValue<Value> = Value extends boolean ? number : Value extends readonly unknown[] ? string : Value

/** A row of the table of an entity, as queries see it. */
export type EntityRow<F extends Fields> = {
  account_id: string
  id: string
  visibility: number
  created_at: number
  updated_at: number
  deleted: number
} & {
  -readonly [Name in keyof F as F[Name] extends { derived: true | 'fixed' } ? never : Name]:
    | StoredValue<Static<F[Name]['schema']>>
    | (F[Name] extends { null: true } ? null : never)
}

/** The same, for an entity that lists can search by name. */
export type NamedEntityRow<F extends Fields & { name: Field }> = EntityRow<F> & {
  name_key: string | (F['name'] extends { null: true } ? null : never)
}

/** The same, for an entity whose deletion removes its row. */
export type RemovedRow<F extends Fields & { name: Field }> = Omit<NamedEntityRow<F>, 'deleted'>

/** The column of normalized names for searches. */
export const NAME_KEY = 'name_key'

export type Indexes = Readonly<Record<string, Index | Index['on']>>

interface TableDeclaration extends MembersDeclaration {
  readonly table: string
  readonly nameKey?: true
  readonly filters?: Readonly<Record<string, { readonly column: string }>>
  readonly sort?: Readonly<Record<string, string>>
  readonly indexes?: Indexes
}

/** Whether a sort column is nullable; null sorts before any value. */
export const mayBeNull = (fields: Fields, column: string) => fields[column]?.null === true

/** The sort columns, in addition to those that each entity has. */
const sortColumns = (sort: Readonly<Record<string, string>>) =>
  new Set(Object.values(sort).filter((column) => !['', 'id', 'updated_at', 'deleted'].includes(column)))

/**
 * The table of an entity: the columns of its fields, and an index for each order and each filter of
 * its lists, which starts with the account and the visibility.
 */
export function tableOf({
  table: name,
  nameKey,
  filters = {},
  sort = {},
  indexes,
  ...declared
}: TableDeclaration): Table {
  const { fields, removed } = declared
  const parents = new Set(Object.values(filters).map(({ column }) => column))
  parents.delete('id')
  const sorted = (column: string) => (mayBeNull(fields, column) ? { sql: `coalesce(${column}, -1)` } : column)
  const columns: Columns = {
    account_id: bytewise(),
    id: bytewise(),
    visibility: integer(),
    ...Object.fromEntries(
      Object.entries(membersOf(declared))
        .filter(([, field]) => !field.derived)
        .map(([column, field]) => [column, columnOf(field)]),
    ),
    ...(nameKey && { [NAME_KEY]: bytewise(fields.name?.null ? { null: true } : {}) }),
  }
  return table(name, columns, {
    key: ['account_id', 'id'],
    indexes: {
      ...(!removed && {
        [`${name}_by_age`]: ['account_id', 'visibility', 'id'],
        [`${name}_by_update`]: ['account_id', 'visibility', 'updated_at', 'id'],
      }),
      ...Object.fromEntries(
        [...sortColumns(sort)].map((column) => [
          `${name}_by_${column}`,
          ['account_id', 'visibility', sorted(column), 'id'],
        ]),
      ),
      ...Object.fromEntries(
        [...parents].map((column) => [`${name}_by_${column}`, ['account_id', column, 'visibility', 'id']]),
      ),
      ...indexes,
    },
  })
}

const columnOf = (field: Field): Column => ({
  type: field.column?.type ?? typeOf(field),
  ...((field.null || field.column?.null) && { null: true }),
})

function typeOf({ schema }: Field): ColumnType {
  const { type, format } = plain(schema)
  if (type === 'boolean') return 'integer'
  if (format === 'instant') return 'bigint'
  if (format === 'base36') return 'bytewise'
  if (type === 'integer') return format === 'int64' ? 'bigint' : 'integer'
  return 'text'
}
