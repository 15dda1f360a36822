import type { PlazaEndpoint as Endpoint } from '../auth/endpoint.ts'
import type { Vocabulary } from '../http/vocabulary.ts'
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
  ['x-rate-limit-remaining', { description: 'Calls left in the window.', schema: { type: 'integer' } }],
  [
    'x-rate-limit-reset',
    { description: 'When the window ends: seconds since the epoch.', schema: { type: 'integer' } },
  ],
  [
    'x-current-api-version',
    { description: 'Version of the advertising API that is in force.', schema: { type: 'string' } },
  ],
  ['retry-after', { description: 'With 503: seconds until a next try.', schema: { type: 'integer' } }],
]

/** The headers of a reply under a status; `counted`: after the call was counted against a limit. */
export function headersOf(
  endpoint: Endpoint,
  vocabulary: Vocabulary,
  { status, counted = true }: { status: number; counted?: boolean },
): Json {
  const names = HEADERS.map(([name]) => name).filter((name) => {
    if (name === 'retry-after') return status === 503
    if (name === 'x-current-api-version') return endpoint.host === 'ads' || endpoint.host === 'sandbox'
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
