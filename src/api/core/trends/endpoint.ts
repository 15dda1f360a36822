import { Type } from 'typebox'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { component } from '../../../platform/http/schema.ts'
import { type Naming, protocolOf } from '../../../platform/protocols/protocols.ts'
import type { Store } from '../../../platform/storage/store.ts'

/** What handlers of trends receive. */
export interface TrendDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly naming: Naming
}

/** Declares an endpoint for trends. */
export const endpoint = endpointsOf<PlazaTerms<TrendDependencies>>(protocolOf)

/** The wanted members of each trend. */
export const chosen = (members: object, wanted: readonly string[]) =>
  Object.fromEntries(Object.entries(members).filter(([name]) => wanted.includes(name)))

/** The `meta` of a reply without trends. */
export const TrendsMeta = component(
  'TrendsMeta',
  Type.Object(
    { result_count: Type.Integer({ minimum: 0, description: '0: there are no trends.' }) },
    { additionalProperties: false },
  ),
)
