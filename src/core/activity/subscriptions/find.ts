import { invalidFor } from '../../../http/errors.ts'
import { msg } from '../../../http/message.ts'

/** A subscription that the app does not have; another app's is not found either. */
export const subscriptionNotFound = (id: string, place: 'path' | 'query' = 'path') =>
  invalidFor('SubscriptionIdInvalid', msg`this app has no subscription with the id ${id}`, {
    place,
    name: place === 'path' ? 'subscription_id' : 'ids',
    value: id,
  })
