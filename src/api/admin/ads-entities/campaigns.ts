import { campaigns } from '../../ads/campaigns/campaigns.ts'
import { entityEndpoints } from './entity.ts'

/** /admin/v1/accounts/{account_id}/campaigns. */
export const {
  create: createAdminCampaign,
  list: listAdminCampaigns,
  update: updateAdminCampaign,
  delete: deleteAdminCampaign,
} = entityEndpoints(campaigns, 'campaigns')
