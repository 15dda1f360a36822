import { Type } from 'typebox'
import { choice, component, instant, text } from '../../../platform/http/schema.ts'
import { type CellRow, COMMON, codecOf, type Fields, membersOf, schemaOf } from '../entity/fields.ts'
import type { AccountRow } from './tables.ts'

const INDUSTRIES = [
  'AGENCY',
  'BUSINESS_TO_BUSINESS',
  'ONLINE_SERVICES',
  'EDUCATION',
  'FINANCIAL',
  'HEALTH',
  'GOVERNMENT',
  'MEDIA',
  'MOBILE',
  'RESTAURANT',
  'RETAIL',
  'TECHNOLOGY',
  'TRAVEL',
  'OTHER',
] as const

export const APPROVAL_STATUSES = ['ACCEPTED', 'REJECTED', 'UNDER_REVIEW'] as const

/** Maximum length of an account's name, in characters. */
export const MAX_ACCOUNT_NAME = 255

/** Maximum length of the name and the id of a business, in characters. */
export const MAX_BUSINESS_TEXT = 255

export const accountName = text(1, MAX_ACCOUNT_NAME, 'Human-readable name.')
export const industryType = choice([...INDUSTRIES], 'Industry of the advertiser.', 'IndustryType')

/** A syntactically plausible e-mail address. */
export const email = (description: string) =>
  Type.String({ pattern: '^[^@\\s]{1,64}@[^@\\s]{1,189}$', description })

const fields: Fields = {
  name: { schema: accountName },
  business_name: {
    schema: text(1, MAX_BUSINESS_TEXT, 'Name of the business that it belongs to.'),
    null: true,
  },
  business_id: { schema: text(1, MAX_BUSINESS_TEXT, 'Id of the business that it belongs to.'), null: true },
  timezone: { schema: text(1, 100, 'IANA name of the time zone of the account.') },
  timezone_switch_at: { schema: instant('When the time zone was set.'), null: true },
  approval_status: { schema: choice([...APPROVAL_STATUSES], 'Whether it may advertise.') },
  industry_type: { schema: industryType, null: true },
}

const members = membersOf({ fields })

/** An account in a reply (interface, Advertising resources). */
export const Account = component('Account', schemaOf<typeof fields>(members))

const { id, created_at } = COMMON
const READ_ONLY = [
  'business_name',
  'business_id',
  'timezone',
  'timezone_switch_at',
  'approval_status',
] as const

/** Members of an account that callers can read but not set. */
export const accountReadOnly = Object.fromEntries(
  Object.entries({
    id,
    created_at,
    ...Object.fromEntries(READ_ONLY.map((name) => [name, fields[name]])),
  }).map(([name, field]) => [name, (field as Fields[string]).schema]),
)

/** The columns of an account that a reply needs. */
export const accountColumns: readonly string[] = Object.keys(members)

const codec = codecOf<typeof fields>(members)

/** An account as a reply shows it. */
export const shownAccount = (row: AccountRow | CellRow) => codec.decode({ ...row })

/** Whether this machine knows a time zone by its IANA name. */
export function isTimezone(name: string): boolean {
  // The machine also accepts offsets, which are not names.
  if (!/^[A-Z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== undefined
  } catch {
    return false
  }
}
