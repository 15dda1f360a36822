import type { Logger } from 'pino'
import type { Module } from '../module.ts'
import { auditLog } from './audit.ts'

/** Logs every event, for operators. */
export const audit: Module<{ log: Logger }> = {
  consumers: ({ log }) => [auditLog(log)],
}
