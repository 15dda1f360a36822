import { invalidFor } from '../../../../platform/http/errors.ts'
import { msg } from '../../../../platform/http/message.ts'

/** The error for a subscription that the app does not have, even if another app has it. */
export const subscriptionNotFound = (id: string, place: 'path' | 'query' = 'path') =>
  invalidFor('SubscriptionIdInvalid', msg`this app has no subscription with the id ${id}`, {
    place,
    name: place === 'path' ? 'subscription_id' : 'ids',
    value: id,
  })
