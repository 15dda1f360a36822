import { adsEndpoints } from '../api/ads/endpoints.ts'
import { showPostPreview } from '../api/ads/previews/show.ts'
import * as core from '../api/core/endpoints.ts'
import * as oauth from '../api/oauth/endpoints.ts'
import type { PlazaEndpoint } from '../identity/auth/endpoint.ts'
import type { Context } from './start/context.ts'

/** Every endpoint of Plaza. Routes, documents and tests are derived from this list. */
export const endpoints: readonly PlazaEndpoint<Context>[] = [
  ...Object.values(core),
  ...Object.values(oauth),
  ...adsEndpoints,
  showPostPreview,
]
