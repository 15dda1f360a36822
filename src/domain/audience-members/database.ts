import type { Store, Transaction } from '../../platform/storage/store.ts'
import type { MemberTable } from './merge.ts'
import type { AudienceRow } from './queries.ts'

export type MemberTransaction = Pick<Transaction, 'all' | 'first' | 'run'>

/** The members of an audience in a transaction that leases it. */
export interface LeasedTable extends MemberTable {
  /** The next id of a user with several keys. */
  readonly nextPerson: number
  addChanges(changes: readonly (readonly [second: number, delta: number])[]): Promise<void>
}

/** The database of the members, as the thread that merges uses it. */
export interface MemberDatabase extends Pick<Store, 'all' | 'first'> {
  write<T>(work: (tx: MemberTransaction) => Promise<T>): Promise<T>
  table(tx: MemberTransaction, leased: Pick<AudienceRow, 'audience' | 'people'>): LeasedTable
  /** Removes merged batches of an audience from the log, unless their transaction has. */
  removeMerged(audience: string): Promise<void>
}
