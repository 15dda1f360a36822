import type { Endpoint } from '../../kit/endpoint.ts'
import { targetingCriteria } from './criteria.ts'
import { listEvents } from './events.ts'
import { optionEndpoints } from './options.ts'
import { listTvMarkets, listTvShows } from './tv.ts'

export const targetingEndpoints: readonly Endpoint[] = [
  ...targetingCriteria.endpoints,
  ...optionEndpoints,
  listEvents,
  listTvMarkets,
  listTvShows,
]
