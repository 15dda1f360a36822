import type { Migration } from './migration.ts'

/** An order of users that has nothing to do with them, for samples. */
export const userLots: Migration = {
  name: '0005-user-lots',
  statements: () => [
    'create index "users_by_lot" on "users" ((((cast(id as bigint) % 2147483647) * 1327217885) % 2147483647))',
  ],
}
