import { campaigns } from '../../ads/campaigns/campaigns.ts'
import { entityEndpoint } from './entity.ts'

/** POST /admin/v1/accounts/{account_id}/campaigns. */
export const createAdminCampaign = entityEndpoint(campaigns, 'campaigns')
