import type { AppRow } from '../../identity/apps/tables.ts'
import type { WebhookRow } from './tables.ts'

/**
 * The states of a delivery. `skipped`: the webhook was not valid, or its app was suspended or not
 * enrolled. `dropped`: too many deliveries were pending. `failed`: all attempts of the schedule
 * failed. `oversized`: the event exceeds the size limit and is never sent. `withdrawn`: the app may
 * no longer see it; the log says why. `capped`: the app had reached its usage cap when it matched,
 * and it is never sent.
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

/**
 * Whether a webhook is valid. It becomes invalid without a task, once its last success is too long
 * ago.
 */
export const isValid = (
  { valid, last_success_at }: Pick<WebhookRow, 'valid' | 'last_success_at'>,
  { nowMs, invalidAfterSeconds }: { nowMs: number; invalidAfterSeconds: number },
): boolean => valid === 1 && nowMs - last_success_at < invalidAfterSeconds * 1000

/**
 * Whether a webhook may receive deliveries now: it is valid, and its app is enrolled and not
 * suspended.
 */
export const mayReceive = (
  target: Pick<WebhookRow, 'valid' | 'last_success_at'> & Pick<AppRow, 'suspended' | 'enrolled'>,
  at: { nowMs: number; invalidAfterSeconds: number },
): boolean => target.suspended === 0 && target.enrolled === 1 && isValid(target, at)
