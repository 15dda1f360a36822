import { isAhead } from '../../../../domain/broadcasts/state.ts'
import type { BroadcastRow } from '../../../../domain/broadcasts/tables.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import type { ActionDependencies } from '../../actions.ts'
import { changeOwn, unknownBroadcast } from '../subject.ts'

/**
 * Changes a scheduled broadcast of the caller that has not started. One that was not scheduled is
 * reported in `errors`.
 */
export const changeScheduled = (
  named: { id: string; userId: string },
  dependencies: ActionDependencies,
  change: (tx: Transaction, row: BroadcastRow) => Promise<object>,
) =>
  changeOwn(named, dependencies, async (tx, row) => {
    if (row.scheduled_id === null) return { errors: [unknownBroadcast(named.id, dependencies.naming)] }
    return change(tx, row)
  })

export function requireAhead(row: BroadcastRow, now: number): void {
  if (!isAhead(row, now)) throw apiError('broadcast started')
}
