import { type TProperties, Type } from 'typebox'
import type { PlazaTerms } from '../../identity/auth/endpoint.ts'
import type { UserCaller } from '../../identity/auth/principal.ts'
import type { Clock } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import { endpointsOf } from '../../platform/http/endpoint.ts'
import { invalid } from '../../platform/http/errors.ts'
import { msg, word } from '../../platform/http/message.ts'
import { component } from '../../platform/http/schema.ts'
import { ResourceProblem } from '../../platform/protocols/problem/resource.ts'
import { type Naming, protocolOf } from '../../platform/protocols/protocols.ts'
import type { Store } from '../../platform/storage/store.ts'

/** What handlers of users' actions receive. */
export interface ActionDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly ids: IdSource
  readonly naming: Naming
  readonly mediaOrigin: string
}

/** Declares an endpoint by which a user acts on another user or on a post. */
export const actionEndpoint = endpointsOf<PlazaTerms<ActionDependencies>>(protocolOf)

const closed = { additionalProperties: false }

/** The reply of an action: the resulting state, or why there is nothing to act on. */
export const actionReply = (name: string, members: TProperties) =>
  Type.Object(
    {
      data: Type.Optional(component(name, Type.Unsafe<object>(Type.Object(members, closed)))),
      errors: Type.Optional(Type.Array(ResourceProblem, { minItems: 1 })),
    },
    closed,
  )

/** Rejects a call for a user other than the caller. */
export function checkOwn({ userId }: Pick<UserCaller, 'userId'>, name: string, value: string): void {
  if (value === userId) return
  const explanation = msg`The \`${word(name)}\` path parameter value [${value}] must be the same as the authenticating user [${userId}]`
  throw invalid({ place: 'path', name, value, fault: { kind: 'rule', explanation } })
}
