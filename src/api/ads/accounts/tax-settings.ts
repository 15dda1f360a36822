import { type Static, type TSchema, Type } from 'typebox'
import { isCountry } from '../../../platform/common/countries.ts'
import { msg, word } from '../../../platform/http/message.ts'
import {
  choice,
  clearable,
  closedComponent,
  componentName,
  nullable,
  text,
} from '../../../platform/http/schema.ts'
import { AdsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import { type ItemOf, rowCodec } from '../../../platform/storage/table.ts'
import { adsEndpoint } from '../endpoint.ts'
import { rejectChanged } from '../entity/write.ts'
import { email } from './account.ts'
import { lockAccountRow, putTaxSettings, taxSettings } from './queries.ts'
import { accountTaxSettings } from './tables.ts'

const MAX_TEXT = 255
const MAX_POSTAL_CODE = 20
const MAX_TAX_ID = 50

const country = (description: string) => Type.String({ pattern: '^[A-Z]{2}$', description })

/** The members of an address: the parameter, the member of a reply, and the schema. */
const address = (whose: string) =>
  [
    ['name', 'company', text(1, MAX_TEXT, `Name ${whose}.`)],
    ['first_name', 'first_name', text(1, MAX_TEXT, `First name ${whose}.`)],
    ['last_name', 'last_name', text(1, MAX_TEXT, `Last name ${whose}.`)],
    ['email', 'email', email(`E-mail address for invoices ${whose}.`)],
    ['street1', 'street1', text(1, MAX_TEXT, `Street ${whose}.`)],
    ['street2', 'street2', text(1, MAX_TEXT, `Second line of the street ${whose}.`)],
    ['city', 'city', text(1, MAX_TEXT, `City ${whose}.`)],
    ['region', 'region', text(1, MAX_TEXT, `Region ${whose}.`)],
    ['postal_code', 'postal_code', text(1, MAX_POSTAL_CODE, `Postal code ${whose}.`)],
    ['country', 'country', country(`ISO 3166-1 alpha-2 code of the country ${whose}.`)],
  ] as const

/** One setting: its parameter, its member of a reply, and its default. */
interface Setting {
  parameter: string
  member: string
  /** Its schema in a request. */
  input: TSchema
  /** Its schema in a reply; if undefined, it is shown only when it is set. */
  output: TSchema | undefined
  unset: string | null
}

const always = (parameter: string, input: TSchema): Setting => ({
  parameter,
  member: parameter,
  input,
  output: nullable(input),
  unset: null,
})

const defaulted = (
  parameter: string,
  values: [string, ...string[]],
  unset: string,
  what: string,
): Setting => ({
  parameter,
  member: parameter,
  input: choice(values, what, componentName(parameter, values.includes(unset) ? '' : 'choice')),
  output: choice([...new Set([...values, unset])] as [string, ...string[]], what, componentName(parameter)),
  unset,
})

const settings: readonly Setting[] = [
  always('tax_id', text(1, MAX_TAX_ID, 'Tax id.')),
  always(
    'tax_category',
    choice(
      ['BUSINESS_NO_VAT', 'BUSINESS_WITH_VAT', 'INDIVIDUAL'],
      'How the advertiser is taxed.',
      'TaxCategory',
    ),
  ),
  defaulted(
    'business_relationship',
    ['AGENCY', 'SELF'],
    'SELF',
    'Whether the account advertises for itself or for others.',
  ),
  defaulted('bill_to', ['ADVERTISER', 'AGENCY'], 'NOT_SET', 'Who is billed.'),
  defaulted('invoice_jurisdiction', ['LOI_SAPIN', 'NONE', 'NOT_SET'], 'NOT_SET', 'Jurisdiction of invoices.'),
  {
    parameter: 'tax_exemption_id',
    member: 'tax_exemption_id',
    input: text(1, MAX_TAX_ID, 'Tax exemption id.'),
    output: undefined,
    unset: null,
  },
  ...address('of the payer').map(([parameter, member, input]) => ({
    ...always(`address_${parameter}`, input),
    member: `address_${member}`,
  })),
  ...address('of the client of an agency').map(([parameter, member, input]) => ({
    parameter: `client_address_${parameter}`,
    member: `client_address_${member}`,
    input,
    output: undefined,
    unset: null,
  })),
]

const COUNTRIES = ['address_country', 'client_address_country']

const TaxSettings = closedComponent(
  'TaxSettings',
  Object.fromEntries(settings.map(({ member, input, output }) => [member, output ?? Type.Optional(input)])),
)

const at = {
  path: '/accounts/{account_id}/tax_settings',
  source: 'Campaign management (reference: access and settings)',
  data: TaxSettings,
} as const

/** The stored settings, by parameter. */
type StoredTaxSettings = ItemOf<typeof accountTaxSettings>['settings']
const codec = rowCodec(accountTaxSettings)

export const getTaxSettings = adsEndpoint({
  ...at,
  id: 'getTaxSettings',
  method: 'GET',
  summary: 'Get the tax settings of an account',
  description:
    'Returns the tax settings. Members about the client of an agency are present only when they are set.',
  right: 'read',
  handle: async ({ scope }, { store }) => ({ data: shown(await stored(store, scope.accountId)) }),
})

export const updateTaxSettings = adsEndpoint({
  ...at,
  id: 'updateTaxSettings',
  method: 'PUT',
  summary: 'Update the tax settings of an account',
  description:
    'Changes only the parameters that are sent. An empty value removes the stored value. The name is returned as the company.',
  right: 'account',
  form: Object.fromEntries(
    settings.map(({ parameter, input }) => [parameter, Type.Optional(clearable(input))]),
  ),
  readOnly: Object.fromEntries(settings.map(({ member, input, output }) => [member, output ?? input])),
  async handle({ scope, form, sentBack }, { store }) {
    const submitted = form as StoredTaxSettings
    rejectUnknownCountries(submitted)
    const after = await store.write(async (tx) => {
      await tx.first(lockAccountRow, { id: scope.accountId })
      const before = await stored(tx, scope.accountId)
      rejectChanged(sentBack, shown(before))
      const merged = { ...before, ...submitted }
      const set = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
      await tx.run(putTaxSettings, codec.encode({ account_id: scope.accountId, settings: set }))
      return set
    })
    return { data: shown(after) }
  },
})

async function stored(
  store: Pick<Store | Transaction, 'first'>,
  accountId: string,
): Promise<StoredTaxSettings> {
  const row = await store.first(taxSettings, { account: accountId })
  return row ? codec.decode(row).settings : {}
}

/** A member that is shown only when it is set: replies omit undefined members. */
const shown = (values: StoredTaxSettings) =>
  Object.fromEntries(
    settings.map(({ parameter, member, output, unset }) => [
      member,
      values[parameter] ?? (output ? unset : undefined),
    ]),
  ) as Static<typeof TaxSettings>

function rejectUnknownCountries(settings: StoredTaxSettings): void {
  const errors = COUNTRIES.flatMap((name) => {
    const code = settings[name]
    if (code === undefined || code === null || isCountry(code)) return []
    return [
      wrongParameter(name, msg`Expected an ISO 3166-1 alpha-2 country, got "${code}" for ${word(name)}`),
    ]
  })
  if (errors.length > 0) throw new AdsApiError({ errors })
}
