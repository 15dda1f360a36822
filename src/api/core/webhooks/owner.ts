import type { AppCaller, UserCaller } from '../../../identity/auth/principal.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'

/**
 * Rejects a user who does not own the app. Its webhooks receive the events of all its users, so only its owner and the
 * app itself may add or remove them.
 */
export function rejectOtherUsers(caller: AppCaller | UserCaller): void {
  if (caller.kind === 'user' && caller.userId !== caller.app.ownerUserId)
    throw apiError('client not permitted', 'the user does not own the app')
}
