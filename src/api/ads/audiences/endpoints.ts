import type { AdsEndpoint } from '../endpoint.ts'
import { customAudienceEndpoints } from './custom-audiences.ts'
import { batchDoNotReachListUsers, doNotReachLists } from './do-not-reach-lists.ts'
import { audiencePermissionEndpoints } from './permissions.ts'
import { listTargeted } from './targeted.ts'
import { uploadCustomAudienceUsers } from './users.ts'

export const audienceEndpoints: readonly AdsEndpoint[] = [
  ...customAudienceEndpoints,
  uploadCustomAudienceUsers,
  listTargeted,
  ...audiencePermissionEndpoints,
  ...doNotReachLists.endpoints,
  batchDoNotReachListUsers,
]
