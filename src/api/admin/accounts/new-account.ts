import { type Static, Type } from 'typebox'
import { isCurrency } from '../../../domain/reference-data/currencies.ts'
import type { IdentityDependencies } from '../../../identity/apps/parts.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import { choice, choices, micros, text } from '../../../platform/http/schema.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { lockedUserIn } from '../../../workbench/create/find-user.ts'
import { NotThere, WrongValue } from '../../../workbench/create/wrong.ts'
import {
  APPROVAL_STATUSES,
  isTimezone,
  MAX_ACCOUNT_NAME,
  MAX_BUSINESS_TEXT,
} from '../../ads/accounts/account.ts'
import { FEATURES } from '../../ads/accounts/feature-keys.ts'
import { grantAccess, openAccount, rolesProblem } from '../../ads/accounts/open.ts'
import {
  changeAccount,
  featuresOfAccount,
  grantFeature,
  lockAccountRow,
  usersOfAccount,
} from '../../ads/accounts/queries.ts'
import type { AccountRow } from '../../ads/accounts/tables.ts'
import { FUNDING_TYPES } from '../../ads/funding-instruments/fields.ts'
import { fundAccount } from '../../ads/funding-instruments/fund.ts'
import { ROLES, type Role } from '../../ads/scope.ts'
import { userName } from '../users/user.ts'

const closed = { additionalProperties: false }

export const rolesMember = choices([...ROLES], 'Permissions of the user in the account.')

export const FundingBody = Type.Object(
  {
    currency: text(3, 3, 'ISO 4217 code.'),
    type: choice([...FUNDING_TYPES], 'Type of funding.'),
    credit_limit_local_micro: Type.Optional(micros('Limit of a credit line or card.')),
    funded_amount_local_micro: Type.Optional(micros('Funded amount of an insertion order.')),
  },
  closed,
)
export type FundingValues = Static<typeof FundingBody>

/** Members that its users cannot change. */
export const CHANGE_MEMBERS = {
  approval_status: choice([...APPROVAL_STATUSES], 'Whether it may advertise; ACCEPTED by default.'),
  business_name: text(1, MAX_BUSINESS_TEXT, 'Name of the business that it belongs to.'),
  business_id: text(1, MAX_BUSINESS_TEXT, 'Of that business. Accounts of one business may share audiences.'),
}

export const NewAccountBody = Type.Object(
  {
    name: text(1, MAX_ACCOUNT_NAME, 'Human-readable name.'),
    owner: userName('Id or screen name of the advertiser: its administrator, and whom it promotes.'),
    environment: Type.Optional(choice(['production', 'sandbox'], 'Where it is; production by default.')),
    timezone: Type.Optional(text(1, 100, 'IANA name; America/Los_Angeles by default.')),
    approval_status: Type.Optional(CHANGE_MEMBERS.approval_status),
    business_name: Type.Optional(CHANGE_MEMBERS.business_name),
    business_id: Type.Optional(CHANGE_MEMBERS.business_id),
    users: Type.Optional(
      Type.Array(Type.Object({ user: userName('Id or screen name.'), roles: rolesMember }, closed), {
        maxItems: 1000,
        description: 'Other users of the account.',
      }),
    ),
    features: Type.Optional(choices([...FEATURES], 'In addition to those that every account has.')),
    funding: Type.Optional(Type.Array(FundingBody, { maxItems: 100 })),
  },
  closed,
)
export type NewAccountValues = Static<typeof NewAccountBody>

/**
 * Opens an advertising account with everything that its users cannot change.
 * @throws WrongValue
 */
export async function addNewAccount(
  tx: Transaction,
  values: NewAccountValues,
  parts: IdentityDependencies,
): Promise<{ row: AccountRow; fundingIds: string[] }> {
  const { name, environment = 'production', timezone } = values
  if (isBlank(name)) throw new WrongValue('name', name, 'The name must have a visible character.')
  if (timezone !== undefined && !isTimezone(timezone))
    throw new WrongValue('timezone', timezone, `There is no time zone "${timezone}".`)
  const owner = await lockedUserIn(tx, 'owner', values.owner)
  const opened = await openAccount(
    tx,
    { environment, name, ownerUserId: owner.id, ...(timezone !== undefined && { timezone }) },
    parts,
  )
  const row = {
    ...opened,
    approval_status: values.approval_status ?? opened.approval_status,
    business_name: values.business_name ?? null,
    business_id: values.business_id ?? null,
  }
  await tx.run(changeAccount, row)
  for (const { user, roles } of values.users ?? [])
    await giveRoles(tx, row.id, { user, member: 'users', roles, now: parts.clock.now() })
  for (const feature_key of values.features ?? [])
    await tx.run(grantFeature, { account_id: row.id, feature_key })
  const fundingIds = []
  for (const funding of values.funding ?? []) fundingIds.push(await addFunding(tx, row.id, funding, parts))
  return { row, fundingIds }
}

/**
 * Sets the roles of a user in an account.
 * @throws WrongValue
 */
export async function giveRoles(
  tx: Transaction,
  accountId: string,
  given: { user: string; member: string; roles: readonly Role[]; now: number },
) {
  const problem = rolesProblem(given.roles)
  if (problem) throw new WrongValue('roles', given.roles.join(','), `${problem}.`)
  const user = await lockedUserIn(tx, given.member, given.user)
  await grantAccess(tx, { accountId, userId: user.id, roles: given.roles, now: given.now })
  return user
}

/**
 * Adds a funding instrument to an account. Resolves to its id.
 * @throws WrongValue
 */
export function addFunding(
  tx: Transaction,
  accountId: string,
  { currency, type, ...amounts }: FundingValues,
  parts: IdentityDependencies,
): Promise<string> {
  if (!isCurrency(currency))
    throw new WrongValue('currency', currency, `"${currency}" is not an ISO 4217 currency.`)
  const { credit_limit_local_micro: creditLimitMicro, funded_amount_local_micro: fundedAmountMicro } = amounts
  return fundAccount(tx, accountId, { currency, type, creditLimitMicro, fundedAmountMicro }, parts)
}

/**
 * The account that is read or changed, locked.
 * @throws NotThere
 */
export async function theAccount(tx: Transaction, id: string): Promise<AccountRow> {
  const row = await tx.first(lockAccountRow, { id })
  if (!row || row.deleted === 1) throw new NotThere(`There is no account ${id}.`)
  return row
}

/** An account as replies show it. */
export async function presentAccount(reader: Pick<Transaction, 'all'>, row: AccountRow) {
  const users = await reader.all(usersOfAccount, { account: row.id })
  const features = await reader.all(featuresOfAccount, { account: row.id })
  return {
    id: row.id,
    environment: row.environment as 'production' | 'sandbox',
    name: row.name,
    business_name: row.business_name,
    business_id: row.business_id,
    timezone: row.timezone,
    approval_status: row.approval_status,
    industry_type: row.industry_type,
    deleted: row.deleted === 1,
    created_at: isoTime(row.created_at),
    users: users.map(({ screen_name, roles }) => ({ screen_name, roles: roles.split(',') })),
    features: features.map(({ feature_key }) => feature_key),
  }
}
