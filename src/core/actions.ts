import type { TProperties } from 'typebox'
import { Type } from 'typebox'
import type { UserCaller } from '../auth/principal.ts'
import { endpointsOf } from '../http/endpoint.ts'
import type { PlazaTerms } from '../auth/endpoint.ts'
import type { Clock } from '../common/clock.ts'
import type { IdSource } from '../common/ids.ts'
import { invalid } from '../http/errors.ts'
import { msg, word } from '../http/message.ts'
import { component } from '../http/schema.ts'
import type { Naming } from '../protocols/protocols.ts'
import { protocolOf } from '../protocols/protocols.ts'
import { ResourceProblem } from '../protocols/problem/resource.ts'
import type { Store } from '../storage/store.ts'

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
