import type { Endpoint } from '../../platform/http/contract.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { apiError, type Cause } from '../../platform/protocols/catalogue.ts'
import { covers } from '../apps/app.ts'
import {
  type Level,
  requirementsOf,
  type Scope,
  type TokenRequirements,
  type TokenScope,
} from '../tokens/scopes.ts'
import { type AcceptedKinds, acceptedBy, wordsOfCaller } from './kinds.ts'
import type { Principal, TokenUser } from './principal.ts'

/** The error for a missing level. */
const MISSING: Readonly<Record<Level, Cause>> = {
  read: 'write not permitted',
  write: 'write not permitted',
  'direct-messages': 'direct messages not permitted',
}

/**
 * The error for a caller whose kind of authentication the endpoint does not accept. `used` is its
 * name in errors.
 */
export const kindNotAllowed = (
  cause: 'scheme unknown' | 'auth kind not allowed',
  used: string,
  { words }: AcceptedKinds,
): ApiError => new ApiError(cause, { auth: { used, supported: words } })

/**
 * Compiles the authorization check of an endpoint. It rejects a suspended user, a kind of caller
 * that the endpoint does not accept, and a token that lacks what the endpoint needs (interface,
 * Authentication rules 2 and 3).
 */
export function compileAuthorization(
  endpoint: Endpoint,
  { registrationUrl }: Enrollment,
): (principal: Principal) => void {
  const isForEnrolled = needsEnrollment(endpoint)
  const accepted = acceptedBy(endpoint)
  const needs = requirementsOf(endpoint.scopes as readonly Scope[])
  return (principal) => {
    if (principal.kind === 'user' && principal.suspended) throw apiError('user suspended')
    const taken = isTokenUser(principal) ? accepted.userTokens : accepted.kinds.includes(principal.kind)
    if (!taken) throw kindNotAllowed('auth kind not allowed', wordsOfCaller(principal), accepted)
    if (isForEnrolled && 'app' in principal && !principal.app.enrolled)
      throw notEnrolled(principal.app.id, registrationUrl)
    checkRequirements(principal, needs)
  }
}

/** Where developers enroll their apps; undefined if the operator has not set it. */
export interface Enrollment {
  readonly registrationUrl: string | undefined
}

/**
 * The protocol of the endpoints under `/2/`, except those of OAuth. Apps must be enrolled to use
 * them.
 */
const ENROLLED_PROTOCOL = 'problem'

export const needsEnrollment = (endpoint: Pick<Endpoint, 'protocol'>): boolean =>
  endpoint.protocol.name === ENROLLED_PROTOCOL

const notEnrolled = (appId: string, url: string | undefined) =>
  apiError('client not enrolled', clientMembers(appId, url))

/** The error of an app whose plan does not include an endpoint. */
export const enterpriseNeeded = (appId: string, url: string | undefined): ApiError =>
  apiError('enterprise needed', clientMembers(appId, url))

const clientMembers = (appId: string, url: string | undefined) => ({
  members: { client_id: appId, ...(url !== undefined && { registration_url: url }) },
})

const isTokenUser = (principal: Principal): principal is TokenUser =>
  principal.kind === 'user' && principal.oauth === '2.0'

function checkRequirements(principal: Principal, { levels, scopes, levelFirst }: TokenRequirements): void {
  if (isTokenUser(principal) && !(levelFirst && principal.levels)) {
    const missing = scopes.find((scope) => !principal.scopes.has(scope))
    if (missing === undefined) return
    const bearer = { error: 'insufficient_scope', scopes } as const
    throw apiError('scope missing', { detail: missing, bearer })
  }
  for (const level of levels) if (!principal.levels?.has(level)) throw apiError(causeOf(level, principal))
}

/**
 * If the app may write but the user granted it only reading, the app need not change its settings:
 * it must ask the user again.
 */
const causeOf = (level: Level, principal: Principal): Cause =>
  level === 'write' && principal.kind === 'user' && covers(principal.app.permission, 'read-write')
    ? 'write not granted'
    : MISSING[level]

/**
 * Rejects a caller whose token lacks a scope that this call needs: one of the endpoint's
 * `moreScopes`.
 */
export const requireScope = (principal: Principal, scope: TokenScope): void =>
  checkRequirements(principal, requirementsOf([scope]))
