import { lineItems } from '../../ads/line-items/line-items.ts'
import { entityEndpoints } from './entity.ts'

/** /admin/v1/accounts/{account_id}/line_items. */
export const {
  create: createAdminLineItem,
  list: listAdminLineItems,
  update: updateAdminLineItem,
  delete: deleteAdminLineItem,
} = entityEndpoints(lineItems, 'line_items')
