import type { TProperties, TSchema } from 'typebox'
import type { AppCaller, UserCaller } from '../auth/principal.ts'
import type { PlazaEndpoint } from '../auth/endpoint.ts'
import type { Context } from '../context.ts'
import type { PlazaTerms } from '../endpoint.ts'
import { endpoint } from '../endpoint.ts'
import type { Call, Declaration } from '../http/endpoint.ts'
import { json } from '../http/reply-kinds.ts'
import { compose } from '../objects/compose.ts'
import type { ObjectName, Shown, View } from '../objects/shape.ts'
import { objects } from './objects.ts'

/** What an endpoint replies with. */
interface Found {
  /** Ids, or what `by` names, in the order of the reply. */
  keys: readonly string[]
  by?: 'username'
  /** The parameter that named them: for what is not shown the reply has an error. */
  parameter?: string
}

type ObjectAuth = 'app' | 'user'

type ObjectDeclaration<Auth extends ObjectAuth, Path extends TProperties, Query extends TProperties> = Pick<
  Declaration<PlazaTerms, Auth, Path, Query, Record<never, never>, TSchema, TSchema>,
  'id' | 'path' | 'summary' | 'description' | 'source' | 'auth' | 'limits' | 'params' | 'query'
> & {
  /** The objects of the reply: one, or a list. */
  returns: { object: ObjectName; count: 'one' | 'many' }
  /** A reply to a call without parameters. */
  example: { params?: Record<string, string>; data: Shown | Shown[] }
  find(call: FindCall<Auth, Path, Query>, context: Context): Found | Promise<Found>
}

type FindCall<Auth extends ObjectAuth, Path extends TProperties, Query extends TProperties> = Call<
  PlazaTerms['principals'][Auth],
  Path,
  Query,
  Record<never, never>,
  TSchema
>

/**
 * Declares a GET that replies with objects: `{data, includes, errors}`. The parameters `*.fields` and `expansions` follow
 * from the objects of the reply, and so do their values.
 */
export function objectEndpoint<
  const Auth extends ObjectAuth,
  Path extends TProperties = Record<never, never>,
  Query extends TProperties = Record<never, never>,
>(declared: ObjectDeclaration<Auth, Path, Query>): PlazaEndpoint {
  const { returns, example, find, query, ...rest } = declared
  const { object, count } = returns
  const { params, data } = example
  return endpoint({
    ...rest,
    host: 'core',
    method: 'GET',
    query: { ...query, ...objects.parameters(object) },
    reply: objects.reply(object, count),
    example: { ...(params && { params }), reply: { data } },
    async handle(call, context) {
      const view = viewOf(call.principal, context)
      // The parameters of the objects stand beside its own.
      const { keys, by, parameter } = await find(call as FindCall<Auth, Path, Query>, context)
      const loaded = await objects.shape(object).load(keys, view, by)
      const selection = objects.select(object, call.query)
      const parts = { graph: objects, selection, view, naming: context.naming }
      const { data: all, ...beside } = await compose({ loaded, keys, parameter }, parts)
      return json({ ...shown(all, count), ...beside })
    },
  })
}

/** Nothing to show is no member at all. */
const shown = (data: Shown[], count: 'one' | 'many') =>
  data.length === 0 ? {} : { data: count === 'one' ? data[0] : data }

function viewOf(caller: AppCaller | UserCaller, { clock, store, mediaOrigin }: Context): View {
  const userId = caller.kind === 'user' ? caller.userId : undefined
  return { userId, now: clock.now(), store, mediaOrigin }
}
