import type { AppRow } from '../../identity/apps/tables.ts'
import type { WebhookRow } from './tables.ts'

/** Whether a webhook is valid. It becomes invalid without a task, once its last success is too long ago. */
export const isValid = (
  { valid, last_success_at }: Pick<WebhookRow, 'valid' | 'last_success_at'>,
  { nowMs, invalidAfterSeconds }: { nowMs: number; invalidAfterSeconds: number },
): boolean => valid === 1 && nowMs - last_success_at < invalidAfterSeconds * 1000

/** Whether a webhook may receive deliveries now: it is valid, and its app is enrolled and not suspended. */
export const mayReceive = (
  target: Pick<WebhookRow, 'valid' | 'last_success_at'> & Pick<AppRow, 'suspended' | 'enrolled'>,
  at: { nowMs: number; invalidAfterSeconds: number },
): boolean => target.suspended === 0 && target.enrolled === 1 && isValid(target, at)
