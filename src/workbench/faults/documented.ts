import { usageCaps } from '../../platform/protocols/catalogue.ts'
import type { DocumentedError, FaultyEndpoint } from './rule.ts'
import type { FaultSettings } from './settings.ts'

/** Which cause a status means, if it has several and none is named. */
const USUAL: readonly string[] = [
  'bad request',
  'could not authenticate',
  'client not permitted',
  'auth kind not allowed',
  'rate limited',
  'internal',
  'over capacity',
]

/** Which error is meant. */
interface ErrorChoice {
  readonly status?: number | undefined
  readonly cause?: string | undefined
}

/** The error of an endpoint with a status, a cause, or both; undefined if it documents none. */
function errorWith(
  errors: readonly DocumentedError[],
  { status, cause }: ErrorChoice,
): DocumentedError | undefined {
  const possible = errors.filter(
    (error) =>
      (status === undefined || error.status === status) && (cause === undefined || error.cause === cause),
  )
  const usual = USUAL.flatMap((known) => possible.find((error) => error.cause === known) ?? [])
  return usual[0] ?? possible[0]
}

/**
 * The error with which an endpoint answers a rule; undefined if the rule answers with none, or the
 * endpoint does not document it.
 */
export function errorOfRule(
  endpoint: FaultyEndpoint,
  { kind, status, cause }: Pick<FaultSettings, 'kind'> & ErrorChoice,
): DocumentedError | undefined {
  switch (kind) {
    case 'error':
      return errorWith(endpoint.errors(), { status, cause })
    case 'expired_token':
      return errorWith(endpoint.errors(), { cause: 'invalid token' })
    case 'exhausted_limit':
      return errorWith(endpoint.errors(), { cause: endpoint.overLimit })
    case 'exhausted_usage': {
      const caps = endpoint.errors().filter((error) => usageCaps.some((cap) => cap === error.cause))
      return errorWith(caps, { cause })
    }
    default:
      return undefined
  }
}

/** Whether faults of a kind answer with a documented error. */
export const answersWithError = ({ kind }: Pick<FaultSettings, 'kind'>): boolean =>
  kind === 'error' || kind === 'expired_token' || kind === 'exhausted_limit' || kind === 'exhausted_usage'

/** `400 (bad request, DurationInvalid), 401 (…)`. */
export function listed(endpoints: readonly FaultyEndpoint[]): string {
  const byStatus = new Map<number, Set<string>>()
  for (const { status, cause } of endpoints.flatMap((endpoint) => endpoint.errors()))
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(cause))
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, causes]) => `${status} (${[...causes].join(', ')})`)
    .join(', ')
}
