import { spendingByIds } from '../../domain/ad-delivery/queries.ts'
import type { Int64 } from '../../platform/common/int64.ts'
import { msg, word } from '../../platform/http/message.ts'
import { type AdsError, wrongAttribute } from '../../platform/protocols/ads/codes.ts'
import type { Change } from './entity/types.ts'

type Amount = 'total_budget_amount_local_micro' | 'funded_amount_local_micro'

type BudgetChange = Pick<Change<Record<never, never>>, 'tx' | 'scope' | 'before'> & {
  readonly supplied: { readonly [Name in Amount]?: Int64 | null }
}

/** A total amount cannot be lowered below what was spent (reference: budgets). */
export async function spentMore(
  id: string,
  amount: Amount,
  { tx, scope, before, supplied }: BudgetChange,
): Promise<AdsError[]> {
  const total = supplied[amount]
  if (!before || total === undefined || total === null) return []
  const [row] = await tx.all(spendingByIds, { account: scope.accountId, ids: JSON.stringify([id]) })
  if (!row || total >= row.spent) return []
  return [
    wrongAttribute(
      amount,
      msg`Expected at least ${row.spent}, which is already spent, got "${total}" for ${word(amount)}`,
      'SPEND_EXCEEDS_BUDGET',
    ),
  ]
}
