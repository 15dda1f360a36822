import { testsRemoval } from '../api/ads/ab-tests/removal.ts'
import { catalogsRemoval } from '../api/ads/catalogs/removal.ts'
import { subscriptionsRemoval } from '../delivery/activities/removal.ts'
import { rowsOfUser, shownOfUser } from '../domain/removals.ts'
import { accessOfUser, affiliatesOfUser, relationsOfUser } from '../identity/removals.ts'
import type { UserRemovals } from '../identity/users/deletion.ts'

/** Everything that is removed of a deleted user, in this order. */
export const userRemovals: UserRemovals = {
  shown: [
    accessOfUser,
    ...shownOfUser,
    relationsOfUser,
    affiliatesOfUser,
    subscriptionsRemoval,
    catalogsRemoval,
    testsRemoval,
  ],
  rows: rowsOfUser,
}
