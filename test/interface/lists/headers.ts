import type { Entry } from './errors.ts'

/**
 * Headers of replies (core reference, 00 sections 1 and 5; advertising reference, 00 section 8).
 */
export const headers: readonly Entry[] = [
  ...[
    'allow',
    'cache-control',
    'content-type',
    'deprecation',
    'link',
    'retry-after',
    'strict-transport-security',
    'www-authenticate',
    'x-api-warn',
    'x-access-level',
    'x-account-rate-limit-limit',
    'x-account-rate-limit-remaining',
    'x-account-rate-limit-reset',
    'x-concurrent-job-limit',
    'x-concurrent-job-limit-remaining',
    'x-connection-hash',
    'x-current-api-version',
    'x-rate-limit-limit',
    'x-rate-limit-remaining',
    'x-rate-limit-reset',
    'x-response-time',
    'x-transaction-id',
  ].map((error) => ({ error })),
  ...['limit', 'remaining', 'reset'].flatMap((part) =>
    ['x-user-limit-24hour', 'x-app-limit-24hour'].map((prefix) => ({ error: `${prefix}-${part}` })),
  ),
]
