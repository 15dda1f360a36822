import { consumerSecretOf } from '../identity/credentials.ts'
import type { Sealer } from '../storage/seal.ts'
import type { Store } from '../storage/store.ts'
import type { DeliveryRow } from '../storage/tables.ts'
import type { LoggedAttempt } from './attempt.ts'
import type { Target } from './queries.ts'
import { deliveryBySeq, pageOfDeliveries, pageOfDeliveriesTo } from './queries.ts'
import { signature } from './signature.ts'

/** A place in a list of deliveries, newest first. */
export type ListPlace = Pick<DeliveryRow, 'seq' | 'created_at'>

const BEGINNING: ListPlace = { seq: Number.MAX_SAFE_INTEGER, created_at: Number.MAX_SAFE_INTEGER }

/** Where a list goes on after a delivery; its beginning without one. Undefined when the delivery is not there. */
export async function placeAfter(store: Store, seq: number | undefined): Promise<ListPlace | undefined> {
  return seq === undefined ? BEGINNING : store.first(deliveryBySeq, { seq })
}

/** The deliveries to all webhooks or to one after a place, newest first. */
export const deliveriesAfter = (
  store: Store,
  { webhook, place, limit }: { webhook: string | undefined; place: ListPlace; limit: number },
): Promise<readonly DeliveryRow[]> =>
  webhook === undefined
    ? store.all(pageOfDeliveries, { before: place.seq, limit })
    : store.all(pageOfDeliveriesTo, { webhook, created: place.created_at, before: place.seq, limit })

export const attemptsOf = ({ log }: Pick<DeliveryRow, 'log'>) => JSON.parse(log) as readonly LoggedAttempt[]

/** What the signature of a delivery is, with the secret of the app that is in force. */
export function signatureOf(
  { body }: DeliveryRow,
  { app_id, consumer_secret_sealed }: Target,
  sealer: Sealer,
): string {
  return signature(consumerSecretOf({ id: app_id, consumer_secret_sealed }, sealer), body)
}
