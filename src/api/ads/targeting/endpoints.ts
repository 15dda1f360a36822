import type { AdsEndpoint } from '../endpoint.ts'
import { targetingCriteria } from './criteria.ts'
import { estimateAudience } from './estimate/estimate.ts'
import { listEvents } from './events.ts'
import { optionEndpoints } from './options.ts'
import { listTargetingSuggestions } from './suggestions/suggestions.ts'
import { listTvMarkets, listTvShows } from './tv.ts'

export const targetingEndpoints: readonly AdsEndpoint[] = [
  ...targetingCriteria.endpoints,
  ...optionEndpoints,
  estimateAudience,
  listTargetingSuggestions,
  listEvents,
  listTvMarkets,
  listTvShows,
]
