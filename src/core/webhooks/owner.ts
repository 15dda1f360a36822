import type { AppCaller, UserCaller } from '../../auth/principal.ts'
import { apiError } from '../../protocols/catalogue.ts'

/**
 * Rejects a user who does not own the app: its webhooks receive the events of all its users, so that only its owner
 * and the app itself may add or remove one.
 */
export function rejectOtherUsers(caller: AppCaller | UserCaller): void {
  if (caller.kind === 'user' && caller.userId !== caller.app.ownerUserId)
    throw apiError('client not permitted', 'the user does not own the app')
}
