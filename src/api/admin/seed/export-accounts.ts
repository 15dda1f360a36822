import { audiencesIn } from '../../../domain/audience-members/segments.ts'
import { instantText } from '../../../platform/common/instant.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { plain } from '../../../platform/http/schema.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { ExportedNames } from '../../../workbench/seed/exported-names.ts'
import { FIRST_FEATURES } from '../../ads/accounts/feature-keys.ts'
import { featuresOfAccount, pageOfAccounts, usersOfAccount } from '../../ads/accounts/queries.ts'
import type { AccountRow } from '../../ads/accounts/tables.ts'
import { customAudiences } from '../../ads/audiences/custom-audiences.ts'
import { segmentsOf } from '../../ads/audiences/flexible.ts'
import { renamedLeaves } from '../../ads/audiences/segments.ts'
import { campaigns } from '../../ads/campaigns/campaigns.ts'
import type { EntityItem, Fields } from '../../ads/entity/fields.ts'
import { DRAFT, listQuery, VISIBLE } from '../../ads/entity/queries.ts'
import { type Entity, settable } from '../../ads/entity/types.ts'
import { fundingInstruments } from '../../ads/funding-instruments/funding-instruments.ts'
import { lineItems } from '../../ads/line-items/line-items.ts'
import { fullUser } from '../../ads/line-items/queries.ts'
import { promotedPosts } from '../../ads/promoted-posts/promoted-posts.ts'
import { targetingCriteria } from '../../ads/targeting/criteria.ts'
import { isEntityType, isUserType } from '../../ads/targeting/types.ts'
import { UNNAMED } from './unnamed.ts'

const MAX_ACCOUNTS = 1000
/** Of each kind and account. */
const MAX_ENTITIES = 10_000
/** Of an account of a seed. */
const MAX_AUDIENCES = 1000

interface Exported {
  readonly names: ExportedNames
  /** The names of exported posts by their ids. */
  readonly nameOf: ReadonlyMap<string, string>
}

/** The advertising accounts of exported users, with what they advertise. */
export async function exportAccounts(store: Store, exported: Exported): Promise<object[]> {
  const accounts = []
  for (const row of await store.all(pageOfAccounts, { after: '', limit: MAX_ACCOUNTS })) {
    const full = await store.first(fullUser, { account: row.id })
    const owner = full && exported.names.get(full.user_id)
    if (row.deleted === 0 && owner !== undefined)
      accounts.push(await exportAccount(store, row, owner, exported))
  }
  return accounts
}

async function exportAccount(store: Store, row: AccountRow, owner: string, exported: Exported) {
  const known = new Set(exported.names.values())
  const users = (await store.all(usersOfAccount, { account: row.id })).flatMap(({ screen_name, roles }) =>
    known.has(screen_name) && (screen_name !== owner || roles !== OWNER_ROLES)
      ? [{ user: screen_name, roles: roles.split(',') }]
      : [],
  )
  const features = (await store.all(featuresOfAccount, { account: row.id }))
    .map(({ feature_key }) => feature_key)
    .filter((key) => !FIRST_FEATURES.some((first) => first === key))
  const funding = (await rowsOf(store, fundingInstruments, row.id)).map((one, index) => ({
    ...one,
    label: `funding${index + 1}`,
  }))
  return {
    name: row.name,
    owner,
    environment: row.environment,
    timezone: row.timezone,
    ...(row.approval_status !== 'ACCEPTED' && { approval_status: row.approval_status }),
    ...(row.business_name !== null && { business_name: row.business_name }),
    ...(row.business_id !== null && { business_id: row.business_id }),
    ...(users.length > 0 && { users }),
    ...(features.length > 0 && { features }),
    ...(funding.length > 0 && { funding: funding.map(fundingOf) }),
    ...(await audiencesOf(store, row.id)),
    ...(await campaignsOf(store, row.id, new Map(funding.map(({ id, label }) => [id, label])), exported)),
  }
}

/** Of the user whom an account belongs to. */
const OWNER_ROLES = 'ACCOUNT_ADMIN,POST_COMPOSER'

/** The entities of an account that are not deleted, and not below one that is: oldest first. */
async function rowsOf<F extends Fields>(
  store: Store,
  entity: Entity<F>,
  account: string,
): Promise<EntityItem<F>[]> {
  const rows = await store.all(
    listQuery({
      table: entity.declared.table,
      columns: entity.codec.columns,
      narrowings: [],
      sort: [{ column: 'id', descending: false }],
      visibilities: entity.declared.drafts ? [VISIBLE, DRAFT] : [VISIBLE],
      after: false,
    }),
    { account, limit: MAX_ENTITIES },
  )
  return rows.map((row) => entity.codec.decode(row))
}

/** Schedules have no parts of seconds. */
const scheduleOf = (item: { start_time: number | null; end_time: number | null }) => ({
  ...(item.start_time !== null && { start_time: instantText(item.start_time) }),
  ...(item.end_time !== null && { end_time: instantText(item.end_time) }),
})

function fundingOf(one: EntityItem<typeof fundingInstruments.declared.fields> & { label: string }) {
  const { label, currency, type, credit_limit_local_micro, funded_amount_local_micro } = one
  return {
    id: label,
    currency,
    type,
    ...(credit_limit_local_micro !== null && { credit_limit_local_micro }),
    ...(funded_amount_local_micro !== null && { funded_amount_local_micro }),
    ...scheduleOf(one),
  }
}

/** The values that callers could have set. `without`: those that a seed writes in its own way. */
function valuesOf(fields: Fields, item: object, without: readonly string[]) {
  const values = new Map<string, unknown>(Object.entries(item))
  return Object.fromEntries(
    settable(fields, 'create').flatMap(([name, { input }]) => {
      const value = values.get(name)
      const isAbsent = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
      // Some values cannot be set any more.
      const choices = input && plain(input).enum
      const isClosed = choices !== undefined && !choices.some((choice) => choice === value)
      return isAbsent || isClosed || without.includes(name) ? [] : [[name, value]]
    }),
  )
}

/** Custom audiences of the account, without their members, which are hashes of personal data. */
async function audiencesOf(store: Store, account: string) {
  const rows = (await rowsOf(store, customAudiences, account)).slice(0, MAX_AUDIENCES)
  if (rows.length === 0) return {}
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
  // A combination names audiences before it in the seed, which may have later times.
  const [uploaded = [], combined = []] = [true, false].map((isUploaded) =>
    rows.filter(({ segments }) => (segments === null) === isUploaded),
  )
  return {
    audiences: [...uploaded, ...combined].flatMap(({ name, description, created_at, ...row }) => {
      const combination = combinationOf(row, nameOf)
      return combination
        ? [
            {
              name,
              ...(description !== null && { description }),
              created_at: isoTime(created_at),
              ...combination,
            },
          ]
        : []
    }),
  }
}

/**
 * What an audience combines; undefined if it combines audiences that a seed has no names for: of
 * other accounts, or deleted ones.
 */
function combinationOf(
  {
    audience_type,
    segments,
  }: Pick<EntityItem<typeof customAudiences.declared.fields>, 'audience_type' | 'segments'>,
  nameOf: ReadonlyMap<string, string>,
) {
  if (segments === null) return {}
  const combination = segmentsOf(segments)
  if (!audiencesIn(combination).every((audience) => nameOf.has(audience))) return undefined
  return { audience_type, segments: renamedLeaves(combination, (audience) => nameOf.get(audience)) }
}

async function campaignsOf(
  store: Store,
  account: string,
  labels: ReadonlyMap<string, string>,
  exported: Exported,
) {
  const rows = await rowsOf(store, campaigns, account)
  if (rows.length === 0) return {}
  // Conversions need a web event tag, which a seed has no name for.
  const named = (await rowsOf(store, lineItems, account)).filter((one) => one.goal !== 'WEBSITE_CONVERSIONS')
  const items = Map.groupBy(named, (one) => one.campaign_id)
  const criteria = Map.groupBy(await rowsOf(store, targetingCriteria, account), (one) => one.line_item_id)
  const promoted = Map.groupBy(await rowsOf(store, promotedPosts, account), (one) => one.line_item_id)
  const lineItemOf = (item: EntityItem<typeof lineItems.declared.fields>) => {
    const targeting = (criteria.get(item.id) ?? []).flatMap((one) => criterionOf(one, exported.names))
    const posts = (promoted.get(item.id) ?? []).flatMap(({ post_id }) => exported.nameOf.get(post_id) ?? [])
    const without = ['campaign_id', 'start_time', 'end_time', ...UNNAMED]
    return {
      ...valuesOf(lineItems.declared.fields, item, without),
      created_at: isoTime(item.created_at),
      ...scheduleOf(item),
      ...(targeting.length > 0 && { targeting }),
      ...(posts.length > 0 && { promoted_posts: posts }),
    }
  }
  return {
    campaigns: rows.map((row) => ({
      ...valuesOf(campaigns.declared.fields, row, ['funding_instrument_id']),
      created_at: isoTime(row.created_at),
      funding: labels.get(row.funding_instrument_id),
      ...(items.has(row.id) && { line_items: items.get(row.id)?.map(lineItemOf) }),
    })),
  }
}

/** Targeted users by their names. What targets audiences or campaigns has no name in a seed. */
function criterionOf(
  { targeting_type, targeting_value, operator_type }: EntityItem<typeof targetingCriteria.declared.fields>,
  names: ExportedNames,
) {
  const isOfUser = isUserType(targeting_type)
  const name = names.get(targeting_value)
  if (isEntityType(targeting_type) || (isOfUser && name === undefined)) return []
  const value = isOfUser ? `@${name}` : targeting_value
  return [{ targeting_type, targeting_value: value, ...(operator_type !== 'EQ' && { operator_type }) }]
}
