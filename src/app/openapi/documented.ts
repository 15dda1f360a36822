import type { PlazaEndpoint as Endpoint } from '../../identity/auth/endpoint.ts'
import { requirementsOf } from '../../identity/tokens/scopes.ts'
import type { Naming } from '../../platform/http/contract.ts'
import { ApiError, invalidFor } from '../../platform/http/errors.ts'
import { msg } from '../../platform/http/message.ts'
import { adsApiError } from '../../platform/protocols/ads/api-error.ts'
import { adsCodes } from '../../platform/protocols/ads/codes.ts'
import type { Cause } from '../../platform/protocols/catalogue.ts'
import type { DocumentedError, ErrorCaller } from '../../workbench/faults/rule.ts'
import { causesOf, codesOf, errorFormatOf, sampleError, statusOf } from './causes.ts'

/**
 * Every error that the documents of an endpoint name: its causes, its codes of the advertising API
 * that no cause has, and its reason words.
 */
export function documentedErrors(endpoint: Endpoint, naming: Naming): readonly DocumentedError[] {
  const format = errorFormatOf(endpoint)
  const causes = causesOf(endpoint).map((cause) => ({
    cause,
    status: statusOf(cause, format),
    error: (caller: ErrorCaller) => errorOf(cause, caller, { endpoint, naming }),
  }))
  const codes = codesOf(endpoint).map((code) => ({
    cause: code,
    status: adsCodes[code],
    error: () => adsApiError({ code, message: msg`This error was produced by a fault rule` }),
  }))
  const reasons = causes.some(({ cause }) => cause === 'bad request') ? endpoint.reasons : []
  return [
    ...causes,
    ...codes,
    ...reasons.map((cause) => ({
      cause,
      status: statusOf('bad request', format),
      error: () =>
        invalidFor(cause, msg`this error was produced by a fault rule`, {
          place: 'body',
          name: '$',
          value: '',
        }),
    })),
  ]
}

/** The error as the real cause throws it: what it says about the caller is about this caller. */
function errorOf(
  cause: Cause,
  { usesBearer, appId }: ErrorCaller,
  { endpoint, naming }: { endpoint: Endpoint; naming: Naming },
): ApiError {
  if (cause === 'invalid token' && usesBearer)
    return new ApiError(cause, { bearer: { error: 'invalid_token' } })
  if (cause === 'scope missing') {
    const { scopes } = requirementsOf(endpoint.scopes)
    return new ApiError(cause, { bearer: { error: 'insufficient_scope', scopes } })
  }
  if ((cause === 'client not enrolled' || cause === 'enterprise needed') && appId !== undefined)
    return new ApiError(cause, { members: { client_id: appId } })
  return sampleError(cause, endpoint, naming)
}
