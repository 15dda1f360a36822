import type { Endpoint, Names } from '../http/endpoint.ts'
import type { Scope } from '../identity/scopes.ts'
import type { Cause } from '../protocols/catalogue.ts'
import type { Host } from '../protocols/protocols.ts'
import type { AuthKind } from './principal.ts'

/** The names that endpoints of Plaza use. */
export interface PlazaNames extends Names {
  hosts: Host
  kinds: AuthKind
  scopes: Scope
  causes: Cause
}

export type PlazaEndpoint = Endpoint<PlazaNames>
