import type { Store } from '../../../platform/storage/store.ts'
import { type MergeLimits, Merges } from '../merges.ts'
import { PostgresTable } from './table.ts'

/** With more, others would wait for the rows of a transaction. */
const LIMITS: MergeLimits = { keys: 20_000, batches: 200, rows: 5_000 }

/** Merges in the shared database: a transaction that merges batches removes them from the log. */
export const mergesOn = (
  { all, first, write }: Pick<Store, 'all' | 'first' | 'write'>,
  limits: Partial<MergeLimits> = {},
  options?: ConstructorParameters<typeof Merges>[2],
) =>
  new Merges(
    {
      all,
      first,
      write,
      table: (tx, leased) => new PostgresTable(tx, leased),
      removeMerged: async () => undefined,
    },
    { ...LIMITS, ...limits },
    options,
  )
