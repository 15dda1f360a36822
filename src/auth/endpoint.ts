import type { Endpoint, Names } from '../http/contract.ts'
import type { Scope } from '../identity/scopes.ts'
import type { Cause } from '../protocols/catalogue.ts'
import type { Host } from '../protocols/protocols.ts'
import type { AuthKind, Principals } from './principal.ts'

/** The names that endpoints of Plaza use. */
export interface PlazaNames extends Names {
  hosts: Host
  kinds: AuthKind
  scopes: Scope
  causes: Cause
}

/** An endpoint of Plaza, whose handler receives `Dependencies`. */
export type PlazaEndpoint<Dependencies = never> = Endpoint<PlazaNames, Dependencies>

/** The function that an area declares its endpoints with. Handlers receive only the dependencies of the area. */
export interface PlazaTerms<Dependencies> {
  names: PlazaNames
  principals: Principals
  context: Dependencies
  extra: object
}
