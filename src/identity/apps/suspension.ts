import { emit } from '../../platform/events/log.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { setUserSuspended } from '../users/queries.ts'
import { appRestored, appSuspended, userRestored, userSuspended } from './events.ts'
import { moveCredentialEpoch, setAppSuspended } from './queries.ts'

/**
 * Suspends a user or an app, or ends the suspension. Every node applies it before its next request.
 * Resolves to whether the user or app exists.
 */
export async function setSuspended(
  tx: Transaction,
  what: { kind: 'user' | 'app'; id: string; suspended: boolean },
): Promise<boolean> {
  const { kind, id, suspended } = what
  const change = kind === 'user' ? setUserSuspended : setAppSuspended
  const changed = await tx.run(change, { id, suspended: suspended ? 1 : 0 })
  if (changed === 0) return false
  await tx.run(moveCredentialEpoch, {})
  if (kind === 'user') await emit(tx, suspended ? userSuspended : userRestored, { user_id: id })
  else await emit(tx, suspended ? appSuspended : appRestored, { app_id: id })
  return true
}
