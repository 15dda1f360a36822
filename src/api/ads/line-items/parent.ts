import type { ProductType } from '../../../domain/reference-data/placements.ts'
import { msg, word } from '../../../platform/http/message.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { WriteContext } from '../entity/types.ts'
import type { LineItem } from './fields.ts'
import { lineItems } from './line-items.ts'

/**
 * The line item that a new entity belongs to. Rejects one whose product type does not allow it. The row is locked, so
 * that two callers cannot both add the same entity, and no one deletes the line item meanwhile.
 */
export async function parentLineItem(
  work: WriteContext,
  id: string,
  productTypes: readonly ProductType[],
): Promise<LineItem> {
  const found = await lineItems.find(work, id, 'locked')
  if (!found) throw lineItems.missing(work.scope.accountId, id)
  if (!productTypes.includes(found.product_type)) throw adsApiError(incompatible(id, found.product_type))
  return found
}

const incompatible = (id: string, productType: string) =>
  wrongParameter(
    'line_item_id',
    msg`Line Item ${id} of product_type ${word(productType)} cannot hold this`,
    'INCOMPATIBLE_LINE_ITEM',
  )
