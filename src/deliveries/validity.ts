import type { WebhookRow } from '../storage/tables.ts'

/** Whether a webhook is valid. It is invalid by itself once its last success is too long ago: no task has to run for that. */
export const isValid = (
  { valid, last_success_at }: Pick<WebhookRow, 'valid' | 'last_success_at'>,
  { nowMs, invalidAfterSeconds }: { nowMs: number; invalidAfterSeconds: number },
): boolean => valid === 1 && nowMs - last_success_at < invalidAfterSeconds * 1000
