import { Type } from 'typebox'
import { languageCodes } from '../../../domain/reference-data/languages.ts'
import { locationsReady } from '../../../domain/reference-data/locations.ts'
import { platformOfAppStore } from '../../../domain/reference-data/platforms.ts'
import { msg, word, words } from '../../../platform/http/message.ts'
import { base36, choice, ids, standard } from '../../../platform/http/schema.ts'
import { byVocabulary, type Vocabulary } from '../../../platform/http/vocabulary.ts'
import { AdsApiError, adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, wrongAttribute, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { entity } from '../entity/entity.ts'
import { byIds } from '../entity/filters.ts'
import type { Entity, WriteContext } from '../entity/types.ts'
import { createItem } from '../entity/write.ts'
import { fields } from './fields.ts'
import { localizedName } from './localized.ts'
import { type Operator, TARGETING_TYPES, type TargetingType } from './names.ts'
import { criteriaOfValue, targetedLineItem } from './queries.ts'
import { wrongAfter } from './rules.ts'
import { targetingTypes } from './types.ts'
import { isError, type Target, type ValueContext } from './values.ts'

export const lang = Type.Optional(
  standard(
    choice(
      [...languageCodes],
      'ISO 639-1: adds `localized_name` if there is a name in this language.',
      'LanguageCode',
    ),
  ),
)

/** Who sees a line item: one criterion each. They can be created and deleted, but not changed. */
export const targetingCriteria: Entity<typeof fields> = entity({
  one: 'targeting criterion',
  many: 'targeting criteria',
  source: 'Campaign management (reference: targeting criteria)',
  notFound: 'TARGETING_CRITERION_NOT_FOUND',
  verbs: ['list', 'get', 'create', 'delete'],
  maxBatch: 500,
  parent: { table: 'line_items', column: 'line_item_id', lockedFor: () => true },
  dataType: 'targeting_criterion',
  limits: 'entity',
  filters: {
    line_item_ids: {
      column: 'line_item_id',
      schema: ids(base36('A line item.'), 'Returns only the items that belong to these.'),
      required: true,
    },
    targeting_criterion_ids: byIds('criterion'),
  },
  query: { lang },
  hiddenWithParent: true,
  history: 'TARGETING_CRITERIA',
  codes: [
    'CAMPAIGN_NOT_FOUND',
    'INCLUSIVE_PARAMETERS',
    'INCOMPATIBLE_LINE_ITEM',
    'INVALID',
    'INVALID_TARGETING_TYPE',
    'INVALID_TV_SHOW_LOCATIONS',
    'INVALID_USER_ID',
    'LINE_ITEM_NOT_FOUND',
    'TAILORED_AUDIENCE_NOT_FOUND',
    'TV_SHOW_OUTSIDE_MARKET',
  ],
  indexes: {
    targeting_criteria_by_value: ['account_id', 'line_item_id', 'targeting_type', 'targeting_value'],
    targeting_criteria_by_target: [
      'account_id',
      'targeting_type',
      'targeting_value',
      'visibility',
      'line_item_id',
    ],
  },
  delivered: true,
  fields,
  prepare: locationsReady,
  async complete(supplied, work) {
    const { line_item_id, operator_type = 'EQ' } = supplied
    await lineItemOf(line_item_id, work)
    const { targeting_type, targeting_value: given } = supplied
    const { type, target, value } = await read(
      { targeting_type, targeting_value: given, operator_type },
      work,
    )
    return {
      line_item_id,
      name: target.name,
      operator_type,
      targeting_type: type,
      targeting_value: value,
      location_type: target.locationType ?? null,
    }
  },
  async existing(fresh, work) {
    const alike = await work.tx.all(criteriaOfValue, {
      account: work.scope.accountId,
      lineItem: fresh.line_item_id,
      type: fresh.targeting_type,
      value: fresh.targeting_value,
    })
    const same = alike.find((criterion) => criterion.operator_type === fresh.operator_type)
    if (same) return targetingCriteria.find(work, same.id)
    const other = alike.find((criterion) => isOpposite(criterion.operator_type, fresh.operator_type))
    if (other)
      throw adsApiError(
        wrongAttribute(
          'operator_type',
          msg`${word(fresh.targeting_type)} "${fresh.targeting_value}" is already targeted with ${word(other.operator_type)}`,
        ),
      )
    return undefined
  },
  checkAll: (items, work) => wrongAfter(items, work),
  async derive(items, { query }) {
    const locale = query?.lang as string | undefined
    if (locale === undefined) return
    for (const criterion of items) {
      const localized = localizedName(criterion, locale)
      if (localized !== undefined) criterion.localized_name = localized
    }
  },
})

const isOpposite = (operator: string, other: string) =>
  (operator === 'EQ' && other === 'NE') || (operator === 'NE' && other === 'EQ')

async function lineItemOf(id: string, { tx, scope }: WriteContext): Promise<void> {
  if (await tx.first(targetedLineItem, { account: scope.accountId, id })) return
  throw rejected(
    'line_item_id',
    msg`Line Item ${id} was not found for Account ${scope.accountId}`,
    'LINE_ITEM_NOT_FOUND',
  )
}

/** Types by their public names. */
const renamedTypes = byVocabulary(
  (vocabulary: Vocabulary) => new Map(TARGETING_TYPES.map((type) => [vocabulary.name(type), type])),
)

export interface CriterionInput {
  /** As the caller sent it. */
  targeting_type: string
  targeting_value: string
  operator_type: Operator
}

/** The target of a criterion, or all of its errors. */
export async function describe(
  { targeting_type, targeting_value, operator_type }: CriterionInput,
  { vocabulary, ...context }: ValueContext & { vocabulary: Vocabulary },
): Promise<{ type: TargetingType; target: Target; value: string } | { errors: AdsError[] }> {
  const type = renamedTypes(vocabulary).get(targeting_type)
  if (!type) return { errors: [unknownType(targeting_type)] }
  const row = targetingTypes[type]
  const value = row.spellings?.get(targeting_value) ?? targeting_value
  const target = await row.value(value, context)
  const errors = [
    ...(row.operators.includes(operator_type) ? [] : [wrongOperator(type, operator_type)]),
    ...(isError(target) ? [target] : []),
  ]
  return errors.length > 0 || isError(target) ? { errors } : { type, target, value }
}

async function read(described: CriterionInput, { tx, scope, context }: WriteContext) {
  const { membership, config, naming } = context
  const valueContext = { store: tx, accountId: scope.accountId, membership, config }
  const found = await describe(described, { ...valueContext, vocabulary: naming.vocabulary })
  if ('errors' in found) throw new AdsApiError({ errors: found.errors })
  return found
}

const unknownType = (type: string) =>
  wrongParameter(
    'targeting_type',
    msg`Expected a value in ${words(TARGETING_TYPES)}, got "${type}" for targeting_type`,
    'INVALID_TARGETING_TYPE',
  )

const wrongOperator = (type: TargetingType, operator: Operator) =>
  wrongParameter(
    'operator_type',
    msg`Expected a value in ${words(targetingTypes[type].operators)} with ${word(type)}, got "${operator}" for operator_type`,
  )

/** A new line item that promotes an app is shown on the platforms of the app. */
export async function targetAppPlatforms(
  lineItem: {
    id: string
    android_app_store_identifier: string | null
    ios_app_store_identifier: string | null
  },
  work: WriteContext,
): Promise<void> {
  const platforms = [
    ...(lineItem.android_app_store_identifier === null ? [] : [platformOfAppStore.ANDROID]),
    ...(lineItem.ios_app_store_identifier === null ? [] : [platformOfAppStore.IOS]),
  ]
  for (const targeting_value of platforms)
    await createItem(
      targetingCriteria,
      { line_item_id: lineItem.id, targeting_type: 'PLATFORM', targeting_value },
      work,
    )
}
