import type { Store } from '../../platform/storage/store.ts'
import type { LoggedAttempt } from './attempt.ts'
import { deliveryBySeq, pageOfDeliveries, pageOfDeliveriesTo } from './queries.ts'
import type { DeliveryRow } from './tables.ts'

/** A position in a list of deliveries, newest first. */
export type ListPlace = Pick<DeliveryRow, 'seq' | 'created_at'>

const BEGINNING: ListPlace = { seq: Number.MAX_SAFE_INTEGER, created_at: Number.MAX_SAFE_INTEGER }

/**
 * The position after a delivery, or the beginning of the list without one. Undefined when the
 * delivery does not exist.
 */
export async function placeAfter(store: Store, seq: number | undefined): Promise<ListPlace | undefined> {
  return seq === undefined ? BEGINNING : store.first(deliveryBySeq, { seq })
}

/** The deliveries after a position, to one webhook or to all, newest first. */
export const deliveriesAfter = (
  store: Store,
  { webhook, place, limit }: { webhook: string | undefined; place: ListPlace; limit: number },
): Promise<readonly DeliveryRow[]> =>
  webhook === undefined
    ? store.all(pageOfDeliveries, { before: place.seq, limit })
    : store.all(pageOfDeliveriesTo, { webhook, created: place.created_at, before: place.seq, limit })

export const attemptsOf = ({ log }: Pick<DeliveryRow, 'log'>) => JSON.parse(log) as readonly LoggedAttempt[]

/** The signatures of a delivery, one for each secret that was current at an attempt. */
export const signaturesOf = (row: Pick<DeliveryRow, 'log'>): string[] => [
  ...new Set(attemptsOf(row).flatMap(({ signature }) => signature ?? [])),
]
