import type { PlazaTerms } from '../../identity/auth/endpoint.ts'
import type { Gate } from '../../platform/common/gate.ts'
import { endpointsOf } from '../../platform/http/endpoint.ts'
import { protocolOf } from '../../platform/protocols/protocols.ts'
import type { ClockControl } from '../../workbench/clock/clock-control.ts'
import type { FaultControl } from '../../workbench/faults/control.ts'
import type { ExplainServices } from '../../workbench/journal/explain.ts'
import type { Journal } from '../../workbench/journal/journal.ts'
import type { ResendServices } from '../../workbench/journal/resend.ts'
import type { SignatureServices } from '../../workbench/signature/check.ts'

/** The journal, and what its endpoints need. */
export interface JournalParts {
  readonly journal: Journal
  /** Calls that wait for an entry, and streams of entries. */
  readonly waits: Gate
  readonly followers: Gate
  readonly explaining: ExplainServices
  readonly resending: ResendServices
  /** The header in which replies name the request. */
  readonly requestIdHeader: string
}

/** What handlers of the admin API receive. */
export interface AdminDependencies {
  readonly clockControl: ClockControl
  readonly faults: FaultControl
  /** Undefined if the journal is switched off. */
  readonly journal: JournalParts | undefined
  /** By listener. */
  readonly signatures: ReadonlyMap<string, SignatureServices>
}

/**
 * Declares an endpoint of the admin API. `auth` is `none`, because access is checked for the whole
 * API before any endpoint is reached (`access.ts`).
 */
export const endpoint = endpointsOf<PlazaTerms<AdminDependencies>>(protocolOf)

/** What all endpoints of the admin API have in common. */
export const ADMIN = {
  host: 'console',
  source: 'Admin API',
  auth: ['none'],
  errors: ['could not authenticate', 'auth kind not allowed'],
} as const
