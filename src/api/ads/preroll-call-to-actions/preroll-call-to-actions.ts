import { msg } from '../../../platform/http/message.ts'
import { base36, ids } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { wrongAttribute, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { entity } from '../entity/entity.ts'
import type { Entity } from '../entity/types.ts'
import { lineItems } from '../line-items/line-items.ts'
import { fields } from './fields.ts'
import { prerollCallToActionOf } from './queries.ts'

/** The call to action of a line item's pre-roll videos: at most one. */
export const prerollCallToActions: Entity<typeof fields> = entity({
  one: 'preroll call to action',
  many: 'preroll call to actions',
  table: 'preroll_call_to_actions',
  path: '/accounts/{account_id}/preroll_call_to_actions',
  id: 'preroll_call_to_action_id',
  source: 'Creatives (reference: pre-roll call to actions)',
  notFound: 'NOT_FOUND',
  verbs: ['list', 'get', 'create', 'update', 'delete'],
  right: 'creatives',
  filters: {
    line_item_ids: {
      column: 'line_item_id',
      schema: ids(base36('A line item.'), 'Returns only the items that belong to these.'),
    },
    preroll_call_to_action_ids: {
      column: 'id',
      schema: ids(base36('A preroll call to action.'), 'Returns only the items with these ids.'),
    },
  },
  hiddenWithParent: true,
  codes: ['INCOMPATIBLE_LINE_ITEM', 'INVALID', 'LINE_ITEM_NOT_FOUND'],
  fields,
  async complete(supplied, work) {
    const { accountId } = work.scope
    // Locked, so that two concurrent requests cannot both add the only one, and the line item is not deleted.
    const lineItem = await lineItems.find(work, supplied.line_item_id, 'locked')
    if (!lineItem) throw lineItems.missing(accountId, supplied.line_item_id)
    if (lineItem.objective !== 'PREROLL_VIEWS') throw adsApiError(notPreroll)
    const other = await work.tx.first(prerollCallToActionOf, { account: accountId, lineItem: lineItem.id })
    if (other) throw adsApiError(second)
    return supplied
  },
})

const notPreroll = wrongParameter(
  'line_item_id',
  msg`A preroll call to action needs a line item with the objective PREROLL_VIEWS`,
  'INCOMPATIBLE_LINE_ITEM',
)

const second = wrongAttribute('line_item_id', msg`The line item already has a preroll call to action`)
