import type { PlazaEndpoint as Endpoint } from '../../identity/auth/endpoint.ts'
import { DEPRECATED_STEP, DEPRECATION_HEADERS } from '../../platform/http/steps/deprecated.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { OLD_VERSION_STEP } from '../../platform/protocols/ads/old-version.ts'
import type { Json } from './schemas.ts'

/** Every header that the documents declare, by its neutral name. */
export const HEADERS: readonly [string, Json][] = [
  [
    'x-transaction-id',
    { description: 'Id of the request, which is also in the log.', schema: { type: 'string' } },
  ],
  [
    'x-access-level',
    {
      description: 'Access level of the access token.',
      schema: { type: 'string', enum: ['read', 'read-write', 'read-write-directmessages'] },
    },
  ],
  ['x-rate-limit-limit', { description: 'Calls allowed in one window.', schema: { type: 'integer' } }],
  ['x-rate-limit-remaining', { description: 'Calls remaining in the window.', schema: { type: 'integer' } }],
  [
    'x-rate-limit-reset',
    { description: 'When the window ends: seconds since the epoch.', schema: { type: 'integer' } },
  ],
  ...(['user', 'app'] as const).flatMap((of): [string, Json][] => [
    [
      `x-${of}-limit-24hour-limit`,
      { description: `Calls of the ${of} allowed in 24 hours.`, schema: { type: 'integer' } },
    ],
    [
      `x-${of}-limit-24hour-remaining`,
      { description: `Calls of the ${of} remaining in these hours.`, schema: { type: 'integer' } },
    ],
    [
      `x-${of}-limit-24hour-reset`,
      { description: 'When these hours end: seconds since the epoch.', schema: { type: 'integer' } },
    ],
  ]),
  [
    'x-current-api-version',
    { description: 'Current version of the advertising API.', schema: { type: 'string' } },
  ],
  ['x-api-warn', { description: 'The version that replaces an older one.', schema: { type: 'string' } }],
  [
    'deprecation',
    {
      description: 'Time since which the endpoint is deprecated: `@` and seconds since the epoch (RFC 9745).',
      schema: { type: 'string' },
    },
  ],
  ['link', { description: 'The endpoint that replaces a deprecated one.', schema: { type: 'string' } }],
  ['retry-after', { description: 'With 503: seconds to wait before a retry.', schema: { type: 'integer' } }],
]

/** Pools of limits over a day, and the prefix of their headers. */
const DAY_HEADERS = {
  'user-24hour': 'x-user-limit-24hour',
  'app-24hour': 'x-app-limit-24hour',
} as const

/** Whether another endpoint replaces it. */
export const isDeprecated = ({ steps }: Pick<Endpoint, 'steps'>): boolean =>
  steps.some(({ name }) => name === DEPRECATED_STEP)

/** The headers of a reply under a status; `counted`: after the call was counted against a limit. */
export function headersOf(
  endpoint: Endpoint,
  vocabulary: Vocabulary,
  { status, counted = true }: { status: number; counted?: boolean },
): Json {
  const names = HEADERS.map(([name]) => name).filter((name) => {
    if (DEPRECATION_HEADERS.includes(name)) return counted && isDeprecated(endpoint)
    if (name === 'x-api-warn') return counted && endpoint.steps.some((one) => one.name === OLD_VERSION_STEP)
    if (name === 'retry-after') return status === 503
    if (name === 'x-current-api-version') return endpoint.host === 'ads' || endpoint.host === 'sandbox'
    const [day] = Object.entries(DAY_HEADERS).find(([, prefix]) => name.startsWith(prefix)) ?? []
    if (day !== undefined) return counted && day in endpoint.limits
    if (name === 'x-access-level') return endpoint.auth.includes('user') && counted
    return !name.startsWith('x-rate-limit') || (counted && Object.keys(endpoint.limits).length > 0)
  })
  return Object.fromEntries(
    names.map((name) => {
      const publicName = vocabulary.header(name)
      return [publicName, { $ref: `#/components/headers/${publicName}` }]
    }),
  )
}
