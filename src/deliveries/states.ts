/**
 * What becomes of a delivery. `skipped`: the webhook was not valid. `dropped`: too many were pending. `failed`: no attempt
 * of the schedule succeeded. `oversized`: the event is larger than a delivery may be, and is never sent.
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'skipped', 'dropped', 'oversized'] as const
