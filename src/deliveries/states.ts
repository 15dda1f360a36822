/**
 * What becomes of a delivery. `skipped`: the webhook was not valid, or its app was suspended or not
 * enrolled. `dropped`: too many were pending. `failed`: no attempt
 * of the schedule succeeded. `oversized`: the event is larger than a delivery may be, and is never sent. `withdrawn`: the app
 * may not see it any more, as its log says. `capped`: the app had no posts left when it matched, and it is never sent.
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

/** Why the app may not see a delivery any more, as text. */
export const WITHDRAWALS = {
  'hidden post': 'its post was deleted, or the author is protected or suspended',
  'suspended user': 'its user is suspended',
  'ended subscription': 'its subscription has ended',
  'no consent': 'its user no longer lets the app see it',
} as const
export type Withdrawal = keyof typeof WITHDRAWALS
