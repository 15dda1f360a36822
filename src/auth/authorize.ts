import type { Endpoint } from '../http/contract.ts'
import { covers } from '../identity/app.ts'
import type { Level, Needs, Scope, TokenScope } from '../identity/scopes.ts'
import { needsOf } from '../identity/scopes.ts'
import { ApiError } from '../http/errors.ts'
import type { Cause } from '../protocols/catalogue.ts'
import { apiError } from '../protocols/catalogue.ts'
import type { Accepted } from './kinds.ts'
import { acceptedBy, wordsOfCaller } from './kinds.ts'
import type { Principal, TokenUser } from './principal.ts'

/** The error of a missing level. */
const MISSING: Readonly<Record<Level, Cause>> = {
  read: 'write not permitted',
  write: 'write not permitted',
  'direct-messages': 'direct messages not permitted',
}

/** The error of a caller whose kind of authentication the endpoint does not accept. `used`: its name in errors. */
export const kindNotAllowed = (
  cause: 'scheme unknown' | 'auth kind not allowed',
  used: string,
  { words }: Accepted,
): ApiError => new ApiError(cause, { auth: { used, supported: words } })

/**
 * Compiles the check of callers of an endpoint. It rejects a suspended user, a caller of a kind that the endpoint does not
 * accept, and one whose token does not cover what the endpoint needs (interface, Authentication rules 2 and 3).
 */
export function compileAuthorization(
  endpoint: Endpoint,
  { registrationUrl }: Enrollment,
): (principal: Principal) => void {
  const isForEnrolled = needsEnrollment(endpoint)
  const accepted = acceptedBy(endpoint)
  const needs = needsOf(endpoint.scopes as readonly Scope[])
  return (principal) => {
    if (principal.kind === 'user' && principal.suspended) throw apiError('user suspended')
    const taken = isTokenUser(principal) ? accepted.userTokens : accepted.kinds.includes(principal.kind)
    if (!taken) throw kindNotAllowed('auth kind not allowed', wordsOfCaller(principal), accepted)
    if (isForEnrolled && 'app' in principal && !principal.app.enrolled)
      throw notEnrolled(principal.app.id, registrationUrl)
    checkNeeds(principal, needs)
  }
}

/** Where developers enroll their apps; undefined when the operator names no place. */
export interface Enrollment {
  readonly registrationUrl: string | undefined
}

/** The endpoints under `/2/`, except those of OAuth: what an app needs to be enrolled for. */
const ENROLLED_PROTOCOL = 'problem'

export const needsEnrollment = (endpoint: Pick<Endpoint, 'protocol'>): boolean =>
  endpoint.protocol.name === ENROLLED_PROTOCOL

const notEnrolled = (appId: string, url: string | undefined) =>
  apiError('client not enrolled', {
    members: { client_id: appId, ...(url !== undefined && { registration_url: url }) },
  })

const isTokenUser = (principal: Principal): principal is TokenUser =>
  principal.kind === 'user' && principal.oauth === '2.0'

function checkNeeds(principal: Principal, { levels, scopes, levelFirst }: Needs): void {
  if (isTokenUser(principal) && !(levelFirst && principal.levels)) {
    for (const scope of scopes) if (!principal.scopes.has(scope)) throw apiError('scope missing', scope)
    return
  }
  for (const level of levels) if (!principal.levels?.has(level)) throw apiError(causeOf(level, principal))
}

/** An app that may write, and a user who lets it only read: the app need not change, but ask the user again. */
const causeOf = (level: Level, principal: Principal): Cause =>
  level === 'write' && principal.kind === 'user' && covers(principal.app.permission, 'read-write')
    ? 'write not granted'
    : MISSING[level]

/** Rejects a caller whose token lacks a scope that this call needs: one of the `moreScopes` of its endpoint. */
export const requireScope = (principal: Principal, scope: TokenScope): void =>
  checkNeeds(principal, needsOf([scope]))
