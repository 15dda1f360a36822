import { spendingByIds } from '../../domain/ad-delivery/queries.ts'
import type { Int64 } from '../../platform/common/int64.ts'
import { msg } from '../../platform/http/message.ts'
import { type AdsError, wrongAttribute } from '../../platform/protocols/ads/codes.ts'
import type { Change } from './entity/types.ts'

type BudgetChange = Pick<Change<Record<never, never>>, 'tx' | 'scope' | 'before'> & {
  readonly supplied: { readonly total_budget_amount_local_micro?: Int64 | null }
}

/** A total budget cannot be lowered below what was spent (reference: budgets). */
export async function spentMore(
  { id }: { id: string },
  { tx, scope, before, supplied }: BudgetChange,
): Promise<AdsError[]> {
  const total = supplied.total_budget_amount_local_micro
  if (!before || total === undefined || total === null) return []
  const [row] = await tx.all(spendingByIds, { account: scope.accountId, ids: JSON.stringify([id]) })
  if (!row || total >= row.spent) return []
  return [
    wrongAttribute(
      'total_budget_amount_local_micro',
      msg`Expected at least ${row.spent}, which is already spent, got "${total}" for total_budget_amount_local_micro`,
      'SPEND_EXCEEDS_BUDGET',
    ),
  ]
}
