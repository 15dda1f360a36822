import {
  APPROVAL_STATUSES,
  isTimezone,
  MAX_ACCOUNT_NAME,
  MAX_BUSINESS_TEXT,
} from '../../api/ads/accounts/account.ts'
import { APP_SYSTEMS, MAX_APP_IDENTIFIER, MAX_DEEP_LINK } from '../../api/ads/accounts/app-fields.ts'
import { registerApp } from '../../api/ads/accounts/apps.ts'
import { FEATURES } from '../../api/ads/accounts/feature-keys.ts'
import { grantAccess, openAccount, rolesProblem } from '../../api/ads/accounts/open.ts'
import {
  changeAccount,
  featuresOfAccount,
  grantFeature,
  lockAccountRow,
  pageOfAccounts,
  removeAccess,
  revokeFeature,
  usersOfAccount,
} from '../../api/ads/accounts/queries.ts'
import type { AccountRow } from '../../api/ads/accounts/tables.ts'
import { FUNDING_TYPES } from '../../api/ads/funding-instruments/fields.ts'
import { fundAccount } from '../../api/ads/funding-instruments/fund.ts'
import { ROLES } from '../../api/ads/scope.ts'
import { isCurrency } from '../../domain/reference-data/currencies.ts'
import type { IdentityDependencies } from '../../identity/apps/parts.ts'
import { userNamed } from '../../identity/users/named.ts'
import { type Int64, int64Of, MAX_INT64 } from '../../platform/common/int64.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { withInstallation } from './installation.ts'
import { printList } from './list.ts'
import { pages, shortText, someOf } from './values.ts'

/** `plaza account create`. */
export async function create({ flags, config }: Call): Promise<number> {
  const name = shortText(flags, 'name', MAX_ACCOUNT_NAME)
  const owner = flags.required('owner')
  const environment = flags.on('sandbox') ? 'sandbox' : 'production'
  const timezone = flags.text('timezone')
  if (timezone !== undefined && !isTimezone(timezone))
    throw new UsageError('--timezone must be an IANA name, for example Europe/Berlin')
  const account = await withInstallation(config, async ({ store, parts }) => {
    const ownerUserId = (await userNamed(store, owner)).id
    const wanted = { environment, name, ownerUserId, ...(timezone !== undefined && { timezone }) } as const
    return store.write((tx) => openAccount(tx, wanted, parts))
  })
  print(flags, { id: account.id, environment, name }, `Account  ${account.id}  ${environment}  ${name}`)
  return 0
}

/** Prints JSON or text. */
function print(flags: Flags, facts: object, text: string): void {
  console.log(flags.on('json') ? JSON.stringify(facts) : text)
}

/** `plaza account list`. */
export async function list({ flags, config }: Call): Promise<number> {
  await withInstallation(config, ({ store }) =>
    printList(flags, accountsOf(store), { of: 'accounts', asData, asText }),
  )
  return 0
}

interface ListedAccount {
  row: AccountRow
  users: { screen_name: string; roles: string[] }[]
}

async function* accountsOf(store: Store): AsyncGenerator<ListedAccount> {
  for await (const row of pages(store, pageOfAccounts)) {
    const access = await store.all(usersOfAccount, { account: row.id })
    const users = access.map(({ screen_name, roles }) => ({ screen_name, roles: roles.split(',') }))
    yield { row, users }
  }
}

const asData = ({ row, users }: ListedAccount) => ({
  id: row.id,
  environment: row.environment,
  name: row.name,
  business_name: row.business_name,
  business_id: row.business_id,
  timezone: row.timezone,
  approval_status: row.approval_status,
  industry_type: row.industry_type,
  deleted: row.deleted === 1,
  created_at: isoTime(row.created_at),
  users,
})

const asText = ({ row: { id, environment, name, deleted }, users }: ListedAccount) =>
  [
    `${id}  ${environment.padEnd(10)}  ${name}${deleted === 1 ? '  (deleted)' : ''}`,
    ...users.map(({ screen_name, roles }) => `    @${screen_name.padEnd(15)}  ${roles.join(', ')}`),
  ].join('\n')

/** `plaza account update`. */
export async function update({ flags, positionals, config }: Call): Promise<number> {
  const given = {
    ...(flags.text('approval-status') !== undefined && {
      approval_status: flags.oneOf('approval-status', APPROVAL_STATUSES, 'ACCEPTED'),
    }),
    ...(flags.text('business-name') !== undefined && {
      business_name: shortText(flags, 'business-name', MAX_BUSINESS_TEXT),
    }),
    ...(flags.text('business-id') !== undefined && {
      business_id: shortText(flags, 'business-id', MAX_BUSINESS_TEXT),
    }),
  }
  if (Object.keys(given).length === 0) throw new UsageError('at least one flag is required')
  const account = await withAccount({ positionals, config }, async (tx, before, { clock }) => {
    const row = { ...before, ...given, updated_at: clock.now() }
    await tx.run(changeAccount, row)
    return row
  })
  print(flags, { id: account.id, ...given }, `Changed ${Object.keys(given).join(', ')} of ${account.id}.`)
  return 0
}

/** Runs `work` on the account that the first argument names, in one transaction. */
function withAccount<T>(
  { positionals, config }: Pick<Call, 'positionals' | 'config'>,
  work: (tx: Transaction, account: AccountRow, parts: IdentityDependencies) => Promise<T>,
): Promise<T> {
  const [id = ''] = positionals
  return withInstallation(config, ({ store, parts }) =>
    store.write(async (tx) => {
      const account = await tx.first(lockAccountRow, { id })
      if (!account || account.deleted === 1)
        throw new Error(`There is no account ${id}. "plaza account list" lists the accounts.`)
      return work(tx, account, parts)
    }),
  )
}

/** `plaza account grant`. */
export async function grant({ flags, positionals, config }: Call): Promise<number> {
  const [, who = '', listed = ''] = positionals
  const roles = someOf(listed, ROLES, 'role')
  const problem = rolesProblem(roles)
  if (problem) throw new UsageError(problem)
  const user = await withInstallation(config, ({ store }) => userNamed(store, who))
  const { id } = await withAccount({ positionals, config }, async (tx, account, { clock }) => {
    await grantAccess(tx, { accountId: account.id, userId: user.id, roles, now: clock.now() })
    return account
  })
  const screen_name = user.screen_name
  print(flags, { id, screen_name, roles }, `@${screen_name} may use ${id} as ${roles.join(', ')}.`)
  return 0
}

/** `plaza account revoke`. */
export async function revoke({ flags, positionals, config }: Call): Promise<number> {
  const [, who = ''] = positionals
  const user = await withInstallation(config, ({ store }) => userNamed(store, who))
  const { id, screen_name } = await withAccount({ positionals, config }, async (tx, account) => {
    const removed = await tx.run(removeAccess, { userId: user.id, account: account.id })
    if (removed === 0) throw new Error(`@${user.screen_name} has no access to ${account.id}.`)
    return { id: account.id, screen_name: user.screen_name }
  })
  print(flags, { id, screen_name }, `@${screen_name} may no longer use ${id}.`)
  return 0
}

/** `plaza account fund`. */
export async function fund({ flags, positionals, config }: Call): Promise<number> {
  const currency = flags.text('currency') ?? 'USD'
  if (!isCurrency(currency)) throw new UsageError('--currency must be an ISO 4217 code, for example EUR')
  const type = flags.oneOf('type', FUNDING_TYPES, 'CREDIT_LINE')
  const amounts = {
    creditLimitMicro: amount(flags, 'credit-limit'),
    fundedAmountMicro: amount(flags, 'funded-amount'),
  }
  const made = await withAccount({ positionals, config }, async (tx, account, parts) => ({
    id: await fundAccount(tx, account.id, { currency, type, ...amounts }, parts),
    account_id: account.id,
    currency,
    type,
  }))
  print(flags, made, `Funding instrument  ${made.id}  ${type}  ${currency}`)
  return 0
}

/** Converts `12.50` to millionths of a unit. */
function amount(flags: Flags, flag: string): Int64 | undefined {
  const text = flags.text(flag)
  if (text === undefined) return undefined
  const [, units = '', decimals = ''] = /^([0-9]{1,13})(?:\.([0-9]{1,6}))?$/.exec(text) ?? []
  const micros = int64Of(units + decimals.padEnd(6, '0'))
  if (units === '' || micros === 0 || micros > MAX_INT64)
    throw new UsageError(
      `--${flag} must be an amount like 1000 or 12.50, at most ${MAX_AMOUNT}, got "${text}"`,
    )
  return micros
}

const MAX_AMOUNT = '9223372036854.775807'

/** `plaza account feature add`. */
export const addFeatures = (call: Call) => changeFeatures(call, grantFeature)

/** `plaza account feature remove`. */
export const removeFeatures = (call: Call) => changeFeatures(call, revokeFeature)

async function changeFeatures(
  { flags, positionals, config }: Call,
  change: typeof grantFeature,
): Promise<number> {
  const keys = someOf(positionals[1] ?? '', FEATURES, 'feature')
  const { id, features } = await withAccount({ positionals, config }, async (tx, account) => {
    for (const feature_key of keys) await tx.run(change, { account_id: account.id, feature_key })
    const rows = await tx.all(featuresOfAccount, { account: account.id })
    return { id: account.id, features: rows.map(({ feature_key }) => feature_key) }
  })
  print(flags, { id, features }, [`Features of ${id}:`, ...features.map((one) => `  ${one}`)].join('\n'))
  return 0
}

/** `plaza account app add`. */
export async function addApp({ flags, positionals, config }: Call): Promise<number> {
  const [, identifier = ''] = positionals
  const system = flags.oneOf('os', APP_SYSTEMS, 'Android')
  const form = system === 'iOS' ? /^[0-9]{1,20}$/ : /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)+$/
  if (!form.test(identifier) || identifier.length > MAX_APP_IDENTIFIER)
    throw new UsageError(
      `"${identifier}" is not ${system === 'iOS' ? 'the number of an iOS app' : 'the package name of an Android app'}`,
    )
  const deepLinkPattern =
    flags.text('deep-link') === undefined ? null : shortText(flags, 'deep-link', MAX_DEEP_LINK)
  const app = { identifier, system, conversionTracking: flags.on('conversion-tracking'), deepLinkPattern }
  const id = await withAccount({ positionals, config }, (tx, account, parts) =>
    registerApp(tx, account.id, app, parts),
  )
  if (id === undefined) throw new Error(`The account already has the app ${identifier} for ${system}.`)
  const facts = { id, app_store_identifier: identifier, os_type: system }
  print(flags, facts, `App  ${id}  ${system}  ${identifier}`)
  return 0
}
