import { isBlank } from '../../../platform/common/visible.ts'
import { msg } from '../../../platform/http/message.ts'
import type { Vocabulary } from '../../../platform/http/vocabulary.ts'
import { wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { lockAccountRow } from '../accounts/queries.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { entity, renamed } from '../entity/entity.ts'
import type { EntityItem } from '../entity/fields.ts'
import { byIds } from '../entity/filters.ts'
import { type Change, type Grant, ownerOf } from '../entity/types.ts'
import { blankName } from '../messages.ts'
import { nameKey } from '../name-key.ts'
import type { AccountScope } from '../scope.ts'
import { audienceOf, writableAudience } from './access.ts'
import { fields, type Level } from './custom-audience-fields.ts'
import { addCombination, audienceStates, segmentsOf, unchangeable, wrongCombination } from './flexible.ts'
import { audienceOfName } from './queries.ts'
import { enqueueRemoval } from './removal.ts'
import { shownSegments } from './segments.ts'
import { DELETED_TARGETABILITY, targetabilityOf } from './targetability.ts'

const FIXED = { partner_source: 'OTHER' } as const

/** A set of people that an advertiser knows, by keys. Only hashes of the keys are stored. */
export const customAudiences = entity({
  one: 'custom audience',
  source: 'Audiences and insights',
  notFound: 'TAILORED_AUDIENCE_NOT_FOUND',
  verbs: ['get', 'create', 'update', 'delete'],
  maxBatch: 10,
  filters: {
    custom_audience_ids: byIds('audience'),
  },
  search: true,
  sort: { name: 'name_key' },
  nameKey: true,
  updateCodes: ['INVALID'],
  batchCodes: ['EXCLUSIVE_PARAMETERS', 'INVALID', 'INVALID_TAILORED_AUDIENCE_TYPE', 'MISSING_PARAMETER'],
  indexes: {
    custom_audiences_by_id: { on: ['id'], unique: true },
    custom_audiences_only: { on: ['account_id', 'name_key'], unique: true, where: 'deleted = 0' },
  },
  fields,
  fixed: (work) => ({ ...FIXED, owner_account_id: ownerOf(work) }),
  complete: async (supplied) => ({
    description: null,
    audience_type: 'CRM',
    segments: null,
    ...supplied,
  }),
  async check(item, change) {
    if (change.before && item.audience_type !== 'CRM') return [unchangeable(item.id)]
    return [
      ...(isBlank(item.name) ? [blankName(item.name)] : []),
      ...(change.before ? [] : await wrongCombination(item, change)),
      ...(await takenName(item, change)),
    ]
  },
  async after(item, change) {
    if (!change.before) await addCombination(item, ownerOf(change), change.tx)
  },
  afterDelete: ({ id: audience }, { tx, scope }) =>
    enqueueRemoval(tx, { audience, account: scope.accountId }),
  grants: { codes: ['ACTION_NOT_ALLOWED'], find: grantOf },
  derive: (items, { scope, context, grant }) =>
    deriveAudiences(items, { accountId: scope.accountId, grantOf: () => grant }, context),
})

/** The same under the former name, which some clients still use. */
export const tailoredAudiences = renamed(customAudiences, {
  one: 'tailored audience',
  filters: { tailored_audience_ids: byIds('audience') },
})

type CustomAudience = EntityItem<typeof fields>

async function takenName({ id, name }: CustomAudience, change: Change<typeof fields>) {
  const { before, tx } = change
  const key = nameKey(name)
  if (before && nameKey(before.name) === key) return []
  const account = ownerOf(change)
  // Prevents two concurrent requests from using the same name.
  await tx.first(lockAccountRow, { id: account })
  const taken = await tx.first(audienceOfName, { account, key })
  if (!taken || taken.id === id) return []
  return [
    wrongParameter(
      'name',
      msg`Expected a name that no other audience of Account ${account} has, got "${name}" for name`,
    ),
  ]
}

/** What an audience combines, as replies show it. */
const metadataOf = (
  { id, owner_account_id, name, segments }: CustomAudience,
  vocabulary: Vocabulary,
): CustomAudience['metadata'] => [
  {
    custom_audience_id: id,
    account_id: owner_account_id,
    name,
    audience_source: 'FLEXIBLE_AUDIENCE',
    upload_status: 'UPLOADED',
    segments: shownSegments(segmentsOf(segments ?? ''), vocabulary) as never,
  },
]

/**
 * The permission that an account has for an audience of another account. Its own audiences,
 * including deleted ones, need no permission.
 */
async function grantOf(
  id: string,
  {
    scope,
    context: { store },
    writes,
  }: { scope: AccountScope; context: Pick<AdsDependencies, 'store'>; writes: boolean },
): Promise<Grant | undefined> {
  const found = await audienceOf(id, { store, accountId: scope.accountId })
  if (!found || found.isOwner) return undefined
  return writes ? writableAudience(id, scope, store, 'custom_audience_id') : found
}

/**
 * Fills in derived members. `grantOf` returns the permission of the account for each audience;
 * undefined for its own.
 */
export async function deriveAudiences(
  items: CustomAudience[],
  { accountId, grantOf }: { accountId: string; grantOf(item: CustomAudience): Grant | undefined },
  { naming, config, ...stores }: Pick<AdsDependencies, 'config' | 'membership' | 'naming' | 'store'>,
): Promise<void> {
  const states = await audienceStates(
    items.map(({ id }) => id),
    stores,
  )
  for (const audience of items) {
    const grant = grantOf(audience)
    const targetability = audience.deleted
      ? DELETED_TARGETABILITY
      : targetabilityOf(states.get(audience.id), config)
    Object.assign(audience, FIXED)
    audience.targetable = targetability.targetable
    audience.targetable_types = [audience.audience_type, `EXCLUDED_${audience.audience_type}`]
    audience.reasons_not_targetable = targetability.reasons
    audience.audience_size = targetability.size
    audience.owner_account_id = grant?.ownerId ?? accountId
    audience.is_owner = grant === undefined
    audience.permission_level = (grant?.level as Level | undefined) ?? 'READ_WRITE'
    if (audience.segments !== null) audience.metadata = metadataOf(audience, naming.vocabulary)
  }
}
