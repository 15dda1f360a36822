import { type Static, Type } from 'typebox'
import { APPROVAL_STATUSES, MAX_ACCOUNT_NAME, MAX_BUSINESS_TEXT } from '../../api/ads/accounts/account.ts'
import { FEATURES } from '../../api/ads/accounts/feature-keys.ts'
import { grantAccess, openAccount } from '../../api/ads/accounts/open.ts'
import { changeAccount, grantFeature } from '../../api/ads/accounts/queries.ts'
import { FUNDING_TYPES } from '../../api/ads/funding-instruments/fields.ts'
import { fundAccount } from '../../api/ads/funding-instruments/fund.ts'
import { ROLES } from '../../api/ads/scope.ts'
import type { IdentityDependencies } from '../../identity/apps/parts.ts'
import { choice, choices, micros, text } from '../../platform/http/schema.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { SeedRecord } from '../../workbench/create/seeded.ts'

const Access = Type.Object(
  {
    user: text(1, 15, 'Screen name.'),
    roles: choices([...ROLES], 'Permissions of the user in the account.'),
  },
  { additionalProperties: false },
)

const Funding = Type.Object(
  {
    currency: text(3, 3, 'ISO 4217 code.'),
    type: choice([...FUNDING_TYPES], 'Type of funding.'),
    credit_limit_local_micro: Type.Optional(micros('Limit of a credit line or card.')),
    funded_amount_local_micro: Type.Optional(micros('Funded amount of an insertion order.')),
  },
  { additionalProperties: false },
)

/** An advertising account of a seed file. */
export const SeedAccount = Type.Object(
  {
    name: text(1, MAX_ACCOUNT_NAME, 'Human-readable name.'),
    owner: text(1, 15, 'Screen name of the advertiser: its administrator, and whom it promotes.'),
    environment: choice(['production', 'sandbox'], 'Where it is.'),
    timezone: Type.Optional(text(1, 100, 'IANA name.')),
    approval_status: Type.Optional(choice([...APPROVAL_STATUSES], 'ACCEPTED when absent.')),
    business_name: Type.Optional(text(1, MAX_BUSINESS_TEXT, 'Name of the business that it belongs to.')),
    business_id: Type.Optional(text(1, MAX_BUSINESS_TEXT, 'Of that business.')),
    users: Type.Optional(Type.Array(Access, { maxItems: 1000 })),
    features: Type.Optional(choices([...FEATURES], 'In addition to those that every account has.')),
    funding: Type.Optional(Type.Array(Funding, { maxItems: 100 })),
  },
  { additionalProperties: false },
)

/** Creates an account of a seed with all its properties. */
export async function openSeedAccount(
  tx: Transaction,
  seed: Static<typeof SeedAccount>,
  idOf: (screenName: string) => string,
  parts: IdentityDependencies,
): Promise<SeedRecord['accounts'][number]> {
  const { name, owner, environment, timezone } = seed
  const row = await openAccount(
    tx,
    { environment, name, ownerUserId: idOf(owner), ...(timezone !== undefined && { timezone }) },
    parts,
  )
  await tx.run(changeAccount, {
    ...row,
    approval_status: seed.approval_status ?? row.approval_status,
    business_name: seed.business_name ?? null,
    business_id: seed.business_id ?? null,
  })
  for (const { user, roles } of seed.users ?? []) {
    await grantAccess(tx, { accountId: row.id, userId: idOf(user), roles, now: parts.clock.now() })
  }
  for (const feature_key of seed.features ?? [])
    await tx.run(grantFeature, { account_id: row.id, feature_key })
  const fundingInstrumentIds = []
  for (const { currency, type, ...amounts } of seed.funding ?? []) {
    const funding = {
      currency,
      type,
      creditLimitMicro: amounts.credit_limit_local_micro,
      fundedAmountMicro: amounts.funded_amount_local_micro,
    }
    fundingInstrumentIds.push(await fundAccount(tx, row.id, funding, parts))
  }
  return { id: row.id, environment, name, owner, fundingInstrumentIds }
}
