import type { Endpoint, EndpointNames } from '../../platform/http/contract.ts'
import type { Cause } from '../../platform/protocols/catalogue.ts'
import type { Host } from '../../platform/protocols/protocols.ts'
import type { Scope } from '../tokens/scopes.ts'
import type { AuthKind, Principals } from './principal.ts'

/** The names that endpoints of Plaza use. */
export interface PlazaNames extends EndpointNames {
  hosts: Host
  kinds: AuthKind
  scopes: Scope
  causes: Cause
}

/** An endpoint of Plaza, whose handler receives `Dependencies`. */
export type PlazaEndpoint<Dependencies = never> = Endpoint<PlazaNames, Dependencies>

/**
 * The function that an area declares its endpoints with. Handlers receive only the dependencies of
 * the area.
 */
export interface PlazaTerms<Dependencies> {
  names: PlazaNames
  principals: Principals
  context: Dependencies
  extra: object
}
