/**
 * The states of a delivery. `skipped`: the webhook was not valid, or its app was suspended or not enrolled. `dropped`:
 * too many deliveries were pending. `failed`: all attempts of the schedule failed. `oversized`: the event exceeds the
 * size limit and is never sent. `withdrawn`: the app may no longer see it; the log says why. `capped`: the app had
 * reached its usage cap when it matched, and it is never sent.
 */
export const DELIVERY_STATES = [
  'pending',
  'delivered',
  'failed',
  'skipped',
  'dropped',
  'oversized',
  'withdrawn',
  'capped',
] as const

/** Why the app may no longer see a delivery, as text. */
export const WITHDRAWALS = {
  'hidden post': 'its post was deleted, or the author is protected or suspended',
  'suspended user': 'its user is suspended',
  'ended subscription': 'its subscription has ended',
  'no consent': 'its user no longer lets the app see it',
} as const
export type Withdrawal = keyof typeof WITHDRAWALS
