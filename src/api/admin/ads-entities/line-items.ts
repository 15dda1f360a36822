import { lineItems } from '../../ads/line-items/line-items.ts'
import { entityEndpoint } from './entity.ts'

/** POST /admin/v1/accounts/{account_id}/line_items. */
export const createAdminLineItem = entityEndpoint(lineItems, 'line_items')
