import {
  type CuratedCategory,
  curatedCategoryById,
} from '../../../domain/reference-data/curated-categories.ts'
import { locationsReady } from '../../../domain/reference-data/locations.ts'
import { msg } from '../../../platform/http/message.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, wrongAttribute, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { entity } from '../entity/entity.ts'
import type { WriteContext } from '../entity/types.ts'
import {
  countCriteria,
  curatedCategoryOfLineItem,
  targetedLineItem,
  valuesOfType,
} from '../targeting/queries.ts'
import { isInCountries, MAX_PUBLISHERS } from '../targeting/rules.ts'
import { fields } from './line-item-curated-category-fields.ts'

/** The curated category of videos in which a line item is shown: at most one. */
export const lineItemCuratedCategories = entity({
  one: 'line item curated category',
  many: 'line item curated categories',
  source: 'Campaign management',
  notFound: 'NOT_FOUND',
  hiddenWithParent: true,
  codes: ['INCOMPATIBLE_LINE_ITEM', 'INVALID', 'LINE_ITEM_NOT_FOUND'],
  indexes: {
    line_item_curated_categories_by_line_item_id: ['account_id', 'line_item_id', 'visibility', 'id'],
  },
  fields,
  prepare: locationsReady,
  complete: async (supplied) => supplied,
  async check(item, work) {
    const at = { account: work.scope.accountId, lineItem: item.line_item_id }
    // Locked, so that two concurrent requests cannot both add the only one.
    const lineItem = await work.tx.first(targetedLineItem, { account: at.account, id: at.lineItem })
    if (!lineItem) throw adsApiError(noLineItem(at))
    const category = curatedCategoryById(item.curated_category_id)
    if (!category) throw adsApiError(noCategory(item.curated_category_id))
    const other = await work.tx.first(curatedCategoryOfLineItem, at)
    return [
      ...(lineItem.objective === 'PREROLL_VIEWS' ? [] : [notPreroll]),
      ...(other && other.id !== work.before?.id ? [second] : []),
      ...(await wrongTargeting(category, at, work)),
    ]
  },
})

/**
 * A curated category requires places in its countries, excludes targeting by content, and limits
 * the number of excluded publishers.
 */
async function wrongTargeting(
  category: CuratedCategory,
  at: { account: string; lineItem: string },
  { tx }: WriteContext,
): Promise<AdsError[]> {
  const places = await tx.all(valuesOfType, { ...at, type: 'LOCATION' })
  const isThere = isInCountries(places, category.country_codes)
  const counts = new Map(
    (await tx.all(countCriteria, at)).map(({ targeting_type, total }) => [targeting_type, total]),
  )
  return [
    ...(isThere ? [] : [elsewhere(category)]),
    ...(counts.has('IAB_CATEGORY') ? [besideContent] : []),
    ...((counts.get('CONTENT_PUBLISHER_USER') ?? 0) > MAX_PUBLISHERS.curated ? [tooManyPublishers] : []),
  ]
}

const noLineItem = ({ account, lineItem }: { account: string; lineItem: string }): AdsError =>
  wrongParameter(
    'line_item_id',
    msg`Line Item ${lineItem} was not found for Account ${account}`,
    'LINE_ITEM_NOT_FOUND',
  )

export const noCategory = (id: string): AdsError =>
  wrongParameter('curated_category_id', msg`Curated Category ${id} was not found`, 'NOT_FOUND')

const notPreroll = wrongParameter(
  'line_item_id',
  msg`A curated category needs a line item with the objective PREROLL_VIEWS`,
  'INCOMPATIBLE_LINE_ITEM',
)

const second = wrongAttribute('line_item_id', msg`The line item already has a curated category`)

const elsewhere = ({ name, country_codes }: CuratedCategory) =>
  wrongAttribute(
    'curated_category_id',
    msg`${name} is for places in ${country_codes.join(', ')}: the line item needs a LOCATION there first`,
  )

const besideContent = wrongAttribute(
  'curated_category_id',
  msg`A curated category cannot be combined with targeting by IAB_CATEGORY`,
)

const tooManyPublishers = wrongAttribute(
  'line_item_id',
  msg`With a curated category, at most ${MAX_PUBLISHERS.curated} publishers may be excluded`,
)
