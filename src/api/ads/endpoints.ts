import { accountEndpoints } from './accounts/endpoints.ts'
import { audienceEndpoints } from './audiences/endpoints.ts'
import { campaigns } from './campaigns/campaigns.ts'
import { cardEndpoints } from './cards/endpoints.ts'
import { catalogEndpoints } from './catalogs/endpoints.ts'
import { categoryEndpoints } from './categories/endpoints.ts'
import type { AdsEndpoint } from './endpoint.ts'
import { fundingInstruments } from './funding-instruments/funding-instruments.ts'
import { searchKeywordInsights } from './keyword-insights/search.ts'
import { lineItems } from './line-items/line-items.ts'
import { mediaEndpoints } from './media/endpoints.ts'
import { postEndpoints } from './posts/endpoints.ts'
import { prerollCallToActions } from './preroll-call-to-actions/preroll-call-to-actions.ts'
import { promotableUsers } from './promotable-users/promotable-users.ts'
import { targetingEndpoints } from './targeting/endpoints.ts'
import { trackingTags } from './tracking-tags/tracking-tags.ts'
import { webEventTags } from './web-event-tags/web-event-tags.ts'

/** Every endpoint of the advertising API. */
export const adsEndpoints: readonly AdsEndpoint[] = [
  ...accountEndpoints,
  ...fundingInstruments.endpoints,
  ...promotableUsers.endpoints,
  ...campaigns.endpoints,
  ...lineItems.endpoints,
  ...trackingTags.endpoints,
  ...webEventTags.endpoints,
  ...targetingEndpoints,
  ...audienceEndpoints,
  searchKeywordInsights,
  ...mediaEndpoints,
  ...cardEndpoints,
  ...postEndpoints,
  ...prerollCallToActions.endpoints,
  ...categoryEndpoints,
  ...catalogEndpoints,
]
