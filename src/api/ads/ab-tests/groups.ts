import { nextBase36 } from '../../../platform/common/ids.ts'
import { percentageText, WHOLE } from '../../../platform/common/percentage.ts'
import { fixed, type Message, msg } from '../../../platform/http/message.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, missingParameter, wrongAttribute } from '../../../platform/protocols/ads/codes.ts'
import { lockAccountRow } from '../accounts/queries.ts'
import type { WriteContext } from '../entity/types.ts'
import { throwErrors } from '../entity/write.ts'
import { entitiesOfTest, type GroupChange, type NewGroup, type TestedType, type UserGroup } from './fields.ts'
import { lineItemsOfCampaign, otherTest, type TestedRow, testOfLineItems } from './queries.ts'

/** Groups of a test, by what it compares. */
const MIN_GROUPS = 2
const MAX_GROUPS = { CAMPAIGN: 30, LINE_ITEM: 5 } as const
/** Equal sizes differ by this much at most, because thirds do not add up to the whole. */
const ROUNDING = 1

const NAMES = { CAMPAIGN: 'Campaign', LINE_ITEM: 'Line Item' } as const

const wrong = (message: Message) => wrongAttribute('user_groups', message)

/** New groups, with ids of their own. */
export const newGroups = (
  groups: readonly NewGroup[],
  { context }: Pick<WriteContext, 'context'>,
): UserGroup[] =>
  groups.map(({ name = null, description = null, size, entity_ids }) => ({
    id: nextBase36(context.ids),
    name,
    description,
    size,
    entity_ids: [...entity_ids],
  }))

/**
 * The groups of a test after an update. Groups with ids change those of the test; groups without
 * ids replace them all (reference: A/B tests, array semantics).
 */
export function changedGroups(
  changes: readonly GroupChange[],
  before: readonly UserGroup[],
  work: Pick<WriteContext, 'context'>,
): UserGroup[] {
  const byId = new Map(changes.flatMap((change) => (change.id === undefined ? [] : [[change.id, change]])))
  if (byId.size === 0) return newGroups(changes.map(completed), work)
  if (changes.some(({ id }) => id === undefined))
    throw adsApiError(wrong(msg`Expected an id in all groups or in none for user_groups`))
  if (byId.size < changes.length) throw adsApiError(wrong(msg`Expected each id once for user_groups`))
  const known = new Set(before.map(({ id }) => id))
  const unknown = [...byId.keys()].find((id) => !known.has(id))
  if (unknown !== undefined) throw adsApiError(wrong(msg`The test has no user group ${unknown}`))
  return before.map((group) => ({ ...group, ...byId.get(group.id) }))
}

/** A group that replaces others, which needs what a new one needs. */
function completed({ id: _, ...group }: GroupChange, at: number): NewGroup {
  const { size, entity_ids } = group
  const missing = Object.entries({ size, entity_ids }).filter(([, value]) => value === undefined)
  throwErrors(missing.map(([name]) => missingParameter(`user_groups[${at}].${name}`)))
  return { ...group, size, entity_ids } as NewGroup
}

/** The groups of a test, with what is known of their entities. */
export interface Division {
  readonly id: string
  readonly entity_type: TestedType
  readonly user_groups: readonly UserGroup[]
  readonly rows: readonly TestedRow[]
  /** The entities that the test had before: they may be deleted since. */
  readonly before: ReadonlySet<string>
}

/** The rules that the groups of a test break. */
export async function wrongGroups(division: Division, work: WriteContext): Promise<AdsError[]> {
  const { user_groups, entity_type } = division
  const most = MAX_GROUPS[entity_type]
  const { length } = user_groups
  const sum = user_groups.reduce((total, { size }) => total + size, 0)
  const empty = user_groups.findIndex(({ entity_ids }) => entity_ids.length === 0)
  const ids = entitiesOfTest(division)
  const seen = new Set<string>()
  const twice = ids.find((id) => seen.size === seen.add(id).size)
  return [
    ...(length >= MIN_GROUPS && length <= most
      ? []
      : [wrong(msg`Expected ${MIN_GROUPS} to ${most} groups, got ${length} for user_groups`)]),
    ...(sum === WHOLE
      ? []
      : [wrong(msg`Expected sizes that add up to 100.0, got ${percentageText(sum)} for user_groups`)]),
    ...(empty === -1 ? [] : [wrong(msg`Expected an id, got none for user_groups[${empty}].entity_ids`)]),
    ...(twice === undefined
      ? []
      : [wrong(msg`${fixed(NAMES[entity_type])} ${twice} is in user_groups twice`)]),
    ...unknownEntity(division, ids, work.scope.accountId),
    ...(entity_type === 'LINE_ITEM' ? await wrongLineItems(division, ids, work) : []),
    ...(await takenEntity(division, ids, work)),
  ]
}

/** A campaign or line item that does not exist, or is of another account. */
function unknownEntity({ entity_type, rows, before }: Division, ids: readonly string[], account: string) {
  const known = new Set(rows.flatMap(({ id, gone }) => (gone === 1 && !before.has(id) ? [] : [id])))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown === undefined) return []
  return [wrong(msg`${fixed(NAMES[entity_type])} ${unknown} was not found for Account ${account}`)]
}

/** All line items of one campaign take part, each in a group of its own, and of the same size. */
async function wrongLineItems(
  { user_groups, rows }: Division,
  ids: readonly string[],
  { tx, scope }: WriteContext,
): Promise<AdsError[]> {
  const sizes = user_groups.map(({ size }) => size)
  const shared = user_groups.findIndex(({ entity_ids }) => entity_ids.length > 1)
  const [campaign, ...others] = new Set(rows.map(({ campaign_id }) => campaign_id))
  const listed = new Set(ids)
  const siblings =
    campaign === undefined ? [] : await tx.all(lineItemsOfCampaign, { account: scope.accountId, campaign })
  const left = siblings.find(({ id }) => !listed.has(id))
  return [
    ...(Math.max(...sizes) - Math.min(...sizes) <= ROUNDING
      ? []
      : [
          wrong(
            msg`Expected groups of the same size for line items, got ${sizes.map(percentageText).join(', ')} for user_groups`,
          ),
        ]),
    ...(shared === -1
      ? []
      : [
          wrong(
            msg`Expected one line item, got ${user_groups[shared]?.entity_ids.length ?? 0} for user_groups[${shared}].entity_ids`,
          ),
        ]),
    ...(others.length > 0
      ? [wrong(msg`Expected line items of one campaign for user_groups`)]
      : left
        ? [wrong(msg`Line Item ${left.id} of Campaign ${campaign ?? ''} is in none of user_groups`)]
        : []),
  ]
}

/**
 * An entity that belongs to another test. A line item belongs to the test of its campaign, so that
 * nobody is in groups of two tests.
 */
async function takenEntity(
  { id, entity_type, rows }: Division,
  ids: readonly string[],
  { tx, scope }: WriteContext,
) {
  const account = scope.accountId
  // Prevents two concurrent requests from using the same entity.
  await tx.first(lockAccountRow, { id: account })
  const campaigns = entity_type === 'LINE_ITEM' ? rows.map(({ campaign_id }) => campaign_id) : []
  const taken =
    (await tx.first(otherTest, { account, ids: JSON.stringify([...ids, ...campaigns]), test: id })) ??
    (entity_type === 'CAMPAIGN'
      ? await tx.first(testOfLineItems, { account, ids: JSON.stringify(ids) })
      : undefined)
  if (!taken) return []
  const { entity_id, ab_test_id } = taken
  const isOwn = ids.includes(entity_id)
  const what = NAMES[isOwn === (entity_type === 'CAMPAIGN') ? 'CAMPAIGN' : 'LINE_ITEM']
  return [wrong(msg`${fixed(what)} ${entity_id} belongs to A/B Test ${ab_test_id}`)]
}
