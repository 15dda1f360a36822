import { adsApiError } from './ads/api-error.ts'
import { retiredPath } from './ads/retired.ts'
import type { Protocol, ReplyKind } from '../http/contract.ts'
import type { ApiError } from '../http/errors.ts'
import { ads } from './ads/protocol.ts'
import { apiError, type Cause } from './catalogue.ts'
import { legacy, oauth } from './legacy/protocol.ts'
import { oauth2 } from './oauth2/protocol.ts'
import { page } from './page/protocol.ts'
import { problem } from './problem/protocol.ts'

export type { Naming } from '../http/contract.ts'

/** The listeners of the platform. */
export type Host = 'core' | 'ads' | 'sandbox' | 'console'

/**
 * The protocol of a path, for declared and for unknown paths. `prefixes` are those of version 2.
 */
export function protocolAt(host: string, path: string, prefixes: readonly string[] = ['/2/']): Protocol {
  if (host === 'ads' || host === 'sandbox') return ads
  if (host === 'console') return problem
  if (prefixes.some((prefix) => path.startsWith(`${prefix}oauth2/`))) return oauth2
  if (prefixes.some((prefix) => path.startsWith(prefix) || path === prefix.slice(0, -1))) return problem
  return path.startsWith('/oauth') ? oauth : legacy
}

/**
 * Versions that have ended, on the host of the core API (interface, Versioning; core reference, 00
 * section 4).
 */
const ENDED: readonly (readonly [prefix: string, cause: Cause])[] = [
  ['/labs/', 'endpoint retired'],
  ['/1/', 'version retired'],
]

const retiredOn = (host: string, path: string) =>
  host === 'ads' || host === 'sandbox' ? retiredPath(path) : undefined

/** Whether a path is that of a resource that has ended. */
export const hasEnded = (host: string, path: string): boolean => retiredOn(host, path) !== undefined

/** The error of an unknown path. Paths of ended versions and resources say so. */
export function unknownPath(host: string, path: string): ApiError {
  const retired = retiredOn(host, path)
  if (retired) return adsApiError({ code: 'ROUTE_NOT_FOUND', message: retired })
  const ended = host === 'core' ? ENDED.find(([prefix]) => path.startsWith(prefix)) : undefined
  return apiError(ended?.[1] ?? 'not found')
}

/** The protocol of a declared endpoint. */
export const protocolOf = (declared: { host: string; path: string; replyKind: ReplyKind }): Protocol =>
  declared.replyKind === 'page' ? page : protocolAt(declared.host, declared.path)

/** The sandbox serves every advertising endpoint, and some additional ones. */
export const servedBy = (host: Host, endpoint: { host: string }): boolean =>
  endpoint.host === host || (host === 'sandbox' && endpoint.host === 'ads')

/** Sandbox-only endpoints are unknown on production, even where their path has other methods. */
export const hiddenOn = (host: Host, endpoint: { host: string }): boolean =>
  host === 'ads' && endpoint.host === 'sandbox'
