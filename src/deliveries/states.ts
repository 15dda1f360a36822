/**
 * What becomes of a delivery. `skipped`: the webhook was not valid. `dropped`: too many were pending. `failed`: no attempt
 * of the schedule succeeded.
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'skipped', 'dropped'] as const
