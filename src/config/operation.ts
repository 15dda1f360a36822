import { option } from './option.ts'
import { oneOf, wholeNumber } from './readers.ts'

/** The log, the event log and the end of the process. */
export const operationOptions = {
  logLevel: option({
    flag: 'log-level',
    takes: 'LEVEL',
    describe: 'Log level: silent, error, warn, info or debug. The log goes to standard error.',
    fallback: 'info',
    read: oneOf('silent', 'error', 'warn', 'info', 'debug'),
  }),
  eventRetentionHours: option({
    flag: 'event-retention-hours',
    takes: 'H',
    describe: 'How long the event log keeps events.',
    fallback: 168,
    read: wholeNumber(1, 8_760),
  }),
  shutdownSeconds: option({
    flag: 'shutdown-seconds',
    takes: 'S',
    describe: 'How long a shutdown waits for requests in progress to finish.',
    fallback: 10,
    read: wholeNumber(0, 600),
  }),
} as const
