import { msg } from '../../../platform/http/message.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { wrongAttribute, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { entity } from '../entity/entity.ts'
import { byIds, byParents } from '../entity/filters.ts'
import type { Entity } from '../entity/types.ts'
import { lineItems } from '../line-items/line-items.ts'
import { fields } from './fields.ts'

/** The call to action of a line item's pre-roll videos: at most one. */
export const prerollCallToActions: Entity<typeof fields> = entity({
  one: 'preroll call to action',
  source: 'Creatives (reference: pre-roll call to actions)',
  notFound: 'NOT_FOUND',
  right: 'creatives',
  filters: {
    line_item_ids: byParents('line item'),
    preroll_call_to_action_ids: byIds('preroll call to action'),
  },
  hiddenWithParent: true,
  codes: ['INCOMPATIBLE_LINE_ITEM', 'INVALID', 'LINE_ITEM_NOT_FOUND'],
  fields,
  same: ['line_item_id'],
  async complete(supplied, work) {
    // Locked, so that two concurrent requests cannot both add the only one, and the line item is
    // not deleted.
    const lineItem = await lineItems.require(work, supplied.line_item_id, 'locked')
    if (lineItem.objective !== 'PREROLL_VIEWS') throw adsApiError(notPreroll)
    if (await prerollCallToActions.findSame(work, supplied)) throw adsApiError(second)
    return supplied
  },
})

const notPreroll = wrongParameter(
  'line_item_id',
  msg`A preroll call to action needs a line item with the objective PREROLL_VIEWS`,
  'INCOMPATIBLE_LINE_ITEM',
)

const second = wrongAttribute('line_item_id', msg`The line item already has a preroll call to action`)
