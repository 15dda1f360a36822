import { base36, ids } from '../../../platform/http/schema.ts'
import { entity } from '../entity/entity.ts'
import { lineItems } from '../line-items/line-items.ts'
import { fields } from './fields.ts'

/** A URL of the advertiser that is requested each time a line item is seen or clicked. */
export const trackingTags = entity({
  one: 'tracking tag',
  many: 'tracking tags',
  table: 'tracking_tags',
  path: '/accounts/{account_id}/tracking_tags',
  id: 'tracking_tag_id',
  source: 'Campaign management (reference: tracking tags)',
  notFound: 'NOT_FOUND',
  verbs: ['list', 'get', 'create', 'update', 'delete'],
  hiddenWithParent: true,
  filters: {
    line_item_ids: {
      column: 'line_item_id',
      schema: ids(base36('A line item.'), 'Returns only the items that belong to these.'),
    },
    tracking_tag_ids: {
      column: 'id',
      schema: ids(base36('A tracking tag.'), 'Returns only the items with these ids.'),
    },
  },
  codes: ['LINE_ITEM_NOT_FOUND'],
  fields,
  async complete(supplied, work) {
    // Locked until the tag is written, so that the line item is not deleted.
    const lineItem = await lineItems.find(work, supplied.line_item_id, 'locked')
    if (!lineItem) throw lineItems.missing(work.scope.accountId, supplied.line_item_id)
    return supplied
  },
})
