import { consentsOf } from '../../identity/tokens/consents.ts'
import type { TokenScope } from '../../identity/tokens/scopes.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { LoggedAttempt } from './attempt.ts'
import { type DueDelivery, deliveriesWithConditions, type Outcome } from './queries.ts'
import { WITHDRAWALS, type Withdrawal } from './states.ts'

/**
 * The deliveries that must not be sent any more, and why. Much may have changed since they were
 * enqueued: a delivery waits for its turn or its next attempt, or is sent again a day later.
 */
export async function withdrawnAmong(
  store: Pick<Store, 'all'>,
  seqs: readonly number[],
  nowMs: number,
): Promise<ReadonlyMap<number, Withdrawal>> {
  if (seqs.length === 0) return new Map()
  const rows = await store.all(deliveriesWithConditions, { seqs: JSON.stringify(seqs) })
  const pairs = rows.flatMap(({ app_id, user_id, scope }) =>
    user_id === null || scope === null ? [] : [{ app: app_id, user: user_id }],
  )
  const allows = await consentsOf(store, pairs, nowMs)
  return new Map(
    rows.flatMap(({ seq, app_id, user_id, scope, withdrawal }): [number, Withdrawal][] => {
      if (withdrawal !== null) return [[seq, withdrawal]]
      if (user_id === null || scope === null) return []
      return allows({ app: app_id, user: user_id }, scope as TokenScope) ? [] : [[seq, 'no consent']]
    }),
  )
}

/** What the log of a delivery says about it. */
export const loggedWithdrawal = (withdrawal: Withdrawal, nowMs: number): LoggedAttempt => ({
  at: nowMs,
  ms: 0,
  error: `not sent: ${WITHDRAWALS[withdrawal]}`,
})

/** The outcome of a delivery that must not be sent any more. */
export const withdrawn = (due: DueDelivery, withdrawal: Withdrawal, nowMs: number): Outcome => ({
  seq: due.seq,
  state: 'withdrawn',
  attempts: due.attempts,
  due_at: due.due_at,
  ended_at: nowMs,
  attempt: JSON.stringify(loggedWithdrawal(withdrawal, nowMs)),
})
