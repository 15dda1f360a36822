import { SharedGate } from '../../../../platform/common/gate.ts'

/**
 * Estimates and suggestions read many users. Running only two at a time, and one for each user of
 * the API, leaves capacity for other requests.
 */
export const gate = new SharedGate(2, { maxWaiting: 100, maxWaitingOfOne: 20 })
