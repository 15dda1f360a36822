import {
  APPROVAL_STATUSES,
  isTimezone,
  MAX_ACCOUNT_NAME,
  MAX_BUSINESS_TEXT,
} from '../../api/ads/accounts/account.ts'
import { APP_SYSTEMS, MAX_APP_IDENTIFIER, MAX_DEEP_LINK } from '../../api/ads/accounts/app-fields.ts'
import { FEATURES } from '../../api/ads/accounts/feature-keys.ts'
import { rolesProblem } from '../../api/ads/accounts/open.ts'
import { FUNDING_TYPES } from '../../api/ads/funding-instruments/fields.ts'
import { ROLES } from '../../api/ads/scope.ts'
import { isCurrency } from '../../domain/reference-data/currencies.ts'
import { type Int64, int64Of, MAX_INT64 } from '../../platform/common/int64.ts'
import { callAdmin, listAdmin } from '../admin-client.ts'
import { adminTarget, withAdmin } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { printList } from './list.ts'
import { numberOf, shortText, someOf } from './values.ts'

/** An account, as the admin API shows one. */
interface ShownAccount {
  id: string
  environment: string
  name: string
  business_name: string | null
  business_id: string | null
  timezone: string
  approval_status: string
  industry_type: string | null
  deleted: boolean
  created_at: string
  users: { screen_name: string; roles: string[] }[]
  features: string[]
}

/** A screen name with `@`, as errors show it. */
const named = (screenName: string) => `@${screenName.replace(/^@/, '')}`

const pathOf = (id = '') => `/accounts/${encodeURIComponent(id)}` as const

/** `plaza account create`. */
export async function create({ flags, config }: Call): Promise<number> {
  const name = shortText(flags, 'name', MAX_ACCOUNT_NAME)
  const environment = flags.on('sandbox') ? 'sandbox' : 'production'
  const timezone = flags.text('timezone')
  if (timezone !== undefined && !isTimezone(timezone))
    throw new UsageError('--timezone must be an IANA name, for example Europe/Berlin')
  const body = { name, owner: named(flags.required('owner')), environment, timezone }
  const { id } = await withAdmin(config, (admin) => callAdmin<ShownAccount>(admin, 'POST', '/accounts', body))
  print(flags, { id, environment, name }, `Account  ${id}  ${environment}  ${name}`)
  return 0
}

/** Prints JSON or text. */
function print(flags: Flags, facts: object, text: string): void {
  console.log(flags.on('json') ? JSON.stringify(facts) : text)
}

/** `plaza account list`. */
export async function list({ flags, config }: Call): Promise<number> {
  await withAdmin(config, (admin) =>
    printList(flags, listAdmin<ShownAccount>(admin, '/accounts'), { of: 'accounts', asData, asText }),
  )
  return 0
}

const asData = ({ features: _, ...account }: ShownAccount) => account

const asText = ({ id, environment, name, deleted, users }: ShownAccount) =>
  [
    `${id}  ${environment.padEnd(10)}  ${name}${deleted ? '  (deleted)' : ''}`,
    ...users.map(({ screen_name, roles }) => `    @${screen_name.padEnd(15)}  ${roles.join(', ')}`),
  ].join('\n')

/** `plaza account update`. */
export async function update({ flags, positionals: [id], config }: Call): Promise<number> {
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
  const account = await withAdmin(config, (admin) => callAdmin(admin, 'PUT', pathOf(id), given))
  print(flags, { id: account.id, ...given }, `Changed ${Object.keys(given).join(', ')} of ${account.id}.`)
  return 0
}

/** `plaza account grant`. */
export async function grant({ flags, positionals, config }: Call): Promise<number> {
  const [id = '', who = '', listed = ''] = positionals
  const roles = someOf(listed, ROLES, 'role')
  const problem = rolesProblem(roles)
  if (problem) throw new UsageError(problem)
  const path = `${pathOf(id)}/users/${encodeURIComponent(named(who))}` as const
  const { user } = await withAdmin(config, async (admin) => {
    const found = await callAdmin<{ screen_name: string }>(
      admin,
      'GET',
      `/users/${encodeURIComponent(named(who))}`,
    )
    await callAdmin(admin, 'PUT', path, { roles })
    return { user: found.screen_name }
  })
  print(flags, { id, screen_name: user, roles }, `@${user} may use ${id} as ${roles.join(', ')}.`)
  return 0
}

/** `plaza account revoke`. */
export async function revoke({ flags, positionals, config }: Call): Promise<number> {
  const [id = '', who = ''] = positionals
  const name = encodeURIComponent(named(who))
  const screen_name = await withAdmin(config, async (admin) => {
    const user = await callAdmin<{ screen_name: string }>(admin, 'GET', `/users/${name}`)
    await callAdmin(admin, 'DELETE', `${pathOf(id)}/users/${name}`)
    return user.screen_name
  })
  print(flags, { id, screen_name }, `@${screen_name} may no longer use ${id}.`)
  return 0
}

/** `plaza account fund`. */
export async function fund({ flags, positionals: [id], config }: Call): Promise<number> {
  const currency = flags.text('currency') ?? 'USD'
  if (!isCurrency(currency)) throw new UsageError('--currency must be an ISO 4217 code, for example EUR')
  const type = flags.oneOf('type', FUNDING_TYPES, 'CREDIT_LINE')
  const body = {
    ...{ currency, type },
    credit_limit_local_micro: amount(flags, 'credit-limit'),
    funded_amount_local_micro: amount(flags, 'funded-amount'),
  }
  const path = `${pathOf(id)}/funding_instruments` as const
  const made = await withAdmin(config, (admin) => callAdmin<{ id: string }>(admin, 'POST', path, body))
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
export const addFeatures = (call: Call) => changeFeatures(call, 'add_features')

/** `plaza account feature remove`. */
export const removeFeatures = (call: Call) => changeFeatures(call, 'remove_features')

async function changeFeatures(
  { flags, positionals: [account, listed = ''], config }: Call,
  change: 'add_features' | 'remove_features',
): Promise<number> {
  const keys = someOf(listed, FEATURES, 'feature')
  const { id, features } = await withAdmin(config, (admin) =>
    callAdmin<ShownAccount>(admin, 'PUT', pathOf(account), { [change]: keys }),
  )
  print(flags, { id, features }, [`Features of ${id}:`, ...features.map((one) => `  ${one}`)].join('\n'))
  return 0
}

/** `plaza account app add`. */
export async function addApp({
  flags,
  positionals: [account, identifier = ''],
  config,
}: Call): Promise<number> {
  const system = flags.oneOf('os', APP_SYSTEMS, 'Android')
  const form = system === 'iOS' ? /^[0-9]{1,20}$/ : /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)+$/
  if (!form.test(identifier) || identifier.length > MAX_APP_IDENTIFIER)
    throw new UsageError(
      `"${identifier}" is not ${system === 'iOS' ? 'the number of an iOS app' : 'the package name of an Android app'}`,
    )
  const body = {
    app_store_identifier: identifier,
    os_type: system,
    conversion_tracking_enabled: flags.on('conversion-tracking'),
    deep_link_pattern:
      flags.text('deep-link') === undefined ? undefined : shortText(flags, 'deep-link', MAX_DEEP_LINK),
  }
  const facts = await withAdmin(config, (admin) =>
    callAdmin<{ id: string }>(admin, 'POST', `${pathOf(account)}/account_apps`, body),
  )
  print(flags, facts, `App  ${facts.id}  ${system}  ${identifier}`)
  return 0
}

/** `plaza account clicks`. */
export async function clicks({ flags, positionals: [account, post = ''], config }: Call): Promise<number> {
  const path = `${pathOf(account)}/ad_clicks?promoted_post_id=${encodeURIComponent(post)}` as const
  const limit = numberOf(flags, 'limit', DEFAULT_CLICKS, MAX_CLICKS)
  const found = listAdmin<{ click_id: string; clicked_at: string }>(await adminTarget(config), path)
  await printList(flags, firstOf(found, limit), {
    of: 'clicks',
    asData: (click) => click,
    asText: ({ click_id, clicked_at }) => `${clicked_at}  ${click_id}`,
  })
  return 0
}

const DEFAULT_CLICKS = 50
const MAX_CLICKS = 999_999_999

async function* firstOf<Item>(items: AsyncIterable<Item>, count: number): AsyncGenerator<Item> {
  let left = count
  for await (const item of items) {
    yield item
    if (--left === 0) return
  }
}
