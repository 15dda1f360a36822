import { grantAccess, openAccount } from '../../../api/ads/accounts/open.ts'
import { changeAccount, grantFeature } from '../../../api/ads/accounts/queries.ts'
import { fundAccount } from '../../../api/ads/funding-instruments/fund.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { SeedRecord } from '../../../workbench/create/seeded.ts'
import { type CampaignParts, writeAudiences, writeCampaign } from './campaigns.ts'
import type { SeedAccount } from './schema.ts'
import { secondOf } from './times.ts'

/** Creates an account of a seed with all its properties. `index` is its place there. */
export async function openSeedAccount(
  tx: Transaction,
  seed: SeedAccount,
  index: number,
  parts: CampaignParts,
): Promise<SeedRecord['accounts'][number]> {
  const { name, owner, environment, timezone } = seed
  const { now, idOf, ads } = parts
  const opened = await openAccount(
    tx,
    { environment, name, ownerUserId: idOf(owner), ...(timezone !== undefined && { timezone }) },
    ads,
  )
  const account = {
    ...opened,
    approval_status: seed.approval_status ?? opened.approval_status,
    business_name: seed.business_name ?? null,
    business_id: seed.business_id ?? null,
  }
  await tx.run(changeAccount, account)
  for (const { user, roles } of seed.users ?? [])
    await grantAccess(tx, { accountId: account.id, userId: idOf(user), roles, now })
  for (const feature_key of seed.features ?? [])
    await tx.run(grantFeature, { account_id: account.id, feature_key })
  const fundingIds = new Map<string | undefined, string>()
  const fundingInstrumentIds = []
  for (const { id: label, currency, type, start_time, end_time, ...amounts } of seed.funding ?? []) {
    const funding = {
      currency,
      type,
      creditLimitMicro: amounts.credit_limit_local_micro,
      fundedAmountMicro: amounts.funded_amount_local_micro,
      startsAt: secondOf(start_time, now),
      endsAt: secondOf(end_time, now),
    }
    const id = await fundAccount(tx, account.id, funding, ads)
    fundingInstrumentIds.push(id)
    if (label !== undefined) fundingIds.set(label, id)
  }
  const at = { account, ownerId: idOf(owner), place: ['accounts', index] }
  await writeAudiences(tx, seed.audiences ?? [], at, parts)
  for (const [position, campaign] of (seed.campaigns ?? []).entries()) {
    const fundingId =
      campaign.funding === undefined ? fundingInstrumentIds[0] : fundingIds.get(campaign.funding)
    await writeCampaign(tx, campaign, { ...at, fundingId, position }, parts)
  }
  return { id: account.id, environment, name, owner, fundingInstrumentIds }
}
