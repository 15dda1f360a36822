import { isCurrency } from '../../../domain/reference-data/currencies.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import { type IdSource, nextBase36 } from '../../../platform/common/ids.ts'
import type { Int64 } from '../../../platform/common/int64.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { VISIBLE } from '../entity/queries.ts'
import type { FUNDING_TYPES } from './fields.ts'
import { fundingInstruments } from './funding-instruments.ts'

export interface NewFunding {
  currency: string
  type: (typeof FUNDING_TYPES)[number]
  /** In millionths of the currency's unit; of credit lines and cards. */
  creditLimitMicro?: Int64 | undefined
  /** In millionths of the currency's unit; of insertion orders. */
  fundedAmountMicro?: Int64 | undefined
  /** From when to when it pays, in epoch milliseconds: by default from now on. */
  startsAt?: number | undefined
  endsAt?: number | undefined
}

/**
 * Adds a funding instrument to an account. In production, this happens outside the API.
 */
export async function fundAccount(
  tx: Transaction,
  accountId: string,
  { currency, type, creditLimitMicro, fundedAmountMicro, startsAt, endsAt }: NewFunding,
  { clock, ids }: { clock: Clock; ids: IdSource },
): Promise<string> {
  if (!isCurrency(currency)) throw new Error(`"${currency}" is not an ISO 4217 currency`)
  const now = clock.now()
  const id = nextBase36(ids)
  const words = type.toLowerCase().replaceAll('_', ' ')
  await tx.run(fundingInstruments.rows.add, {
    account_id: accountId,
    id,
    visibility: VISIBLE,
    created_at: now,
    updated_at: now,
    deleted: 0,
    type,
    currency,
    description: words.charAt(0).toUpperCase() + words.slice(1),
    start_time: startsAt ?? now,
    end_time: endsAt ?? null,
    entity_status: 'ACTIVE',
    credit_limit_local_micro: creditLimitMicro ?? null,
    funded_amount_local_micro: fundedAmountMicro ?? null,
    io_header: null,
  })
  return id
}
