import { entity } from '../entity/entity.ts'
import { byIds, byParents } from '../entity/filters.ts'
import { lineItems } from '../line-items/line-items.ts'
import { fields } from './fields.ts'

/** A URL of the advertiser that is requested each time a line item is seen or clicked. */
export const trackingTags = entity({
  one: 'tracking tag',
  source: 'Campaign management (reference: tracking tags)',
  notFound: 'NOT_FOUND',
  hiddenWithParent: true,
  filters: {
    line_item_ids: byParents('line item'),
    tracking_tag_ids: byIds('tracking tag'),
  },
  codes: ['LINE_ITEM_NOT_FOUND'],
  fields,
  async complete(supplied, work) {
    // Locked until the tag is written, so that the line item is not deleted.
    await lineItems.require(work, supplied.line_item_id, 'locked')
    return supplied
  },
})
