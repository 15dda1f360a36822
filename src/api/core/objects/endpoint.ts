import type { TProperties, TSchema } from 'typebox'
import type { PostViews } from '../../../domain/analytics/views.ts'
import type { PostSearch } from '../../../domain/search/search.ts'
import type { Usage } from '../../../domain/usage/usage.ts'
import type { PlazaEndpoint, PlazaTerms } from '../../../identity/auth/endpoint.ts'
import type { AppCaller, UserCaller } from '../../../identity/auth/principal.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Indexes } from '../../../platform/events/catch-up.ts'
import { type Call, type Declaration, endpointsOf } from '../../../platform/http/endpoint.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { compose } from '../../../platform/objects/compose.ts'
import type { LoadedObjects, ObjectMembers, ObjectName, View } from '../../../platform/objects/shape.ts'
import { usageCaps } from '../../../platform/protocols/catalogue.ts'
import type { ResourceProblem } from '../../../platform/protocols/problem/resource.ts'
import { type Naming, protocolOf } from '../../../platform/protocols/protocols.ts'
import type { Sealer } from '../../../platform/storage/seal.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { objects } from './objects.ts'

/** What handlers that reply with objects receive. */
export interface ObjectDependencies {
  readonly store: Pick<Store, 'all' | 'first'>
  readonly clock: Clock
  readonly mediaOrigin: string
  readonly naming: Naming
  readonly search: PostSearch
  readonly indexes: Indexes
  readonly sealer: Pick<Sealer, 'derive'>
  readonly config: Pick<Config, 'ruleAccess'>
  readonly usage: Usage
  readonly views: Pick<PostViews, 'add'>
}

type ObjectTerms = PlazaTerms<ObjectDependencies>

const endpoint = endpointsOf<ObjectTerms>(protocolOf)

/** Other keys than ids by which objects are found. */
export type LookupName = 'username' | 'first_version'

/** The keys, of those given, of objects that the caller sees. */
export type FindVisibleKeys = (keys: readonly string[], by?: LookupName) => Promise<ReadonlySet<string>>

/** The result of a handler. */
interface ObjectKeys {
  /** Ids, or other keys according to `by`, in the order of the reply. */
  keys: readonly string[]
  by?: LookupName
  /** The parameter that named them: objects that are not shown are reported as errors. */
  parameter?: string
  /** Keys of existing objects that the reply must not reveal. */
  hidden?: ReadonlySet<string>
  /** The `meta` of the reply. */
  meta?(shown: readonly ObjectMembers[]): object
}

/** The owner of the list is not shown: the reply only says why. */
interface HiddenObject {
  problem: ResourceProblem
}

type FindResult = ObjectKeys | HiddenObject

type ObjectAuth = 'app' | 'user'

type ObjectDeclaration<Auth extends ObjectAuth, Path extends TProperties, Query extends TProperties> = Pick<
  Declaration<ObjectTerms, Auth, Path, Query, Record<never, never>, TSchema, TSchema>,
  | 'id'
  | 'path'
  | 'summary'
  | 'description'
  | 'source'
  | 'auth'
  | 'scopes'
  | 'errors'
  | 'moreScopes'
  | 'limits'
  | 'params'
  | 'query'
> & {
  /** The objects of the reply: one, or a list. */
  returns: {
    object: ObjectName
    count: 'one' | 'many'
    meta?: TSchema
    /** An empty list is sent as such; otherwise, `data` is omitted. */
    sendsEmpty?: boolean
  }
  /** A reply to a call without parameters. */
  example: { params?: Record<string, string>; data: ObjectMembers | ObjectMembers[]; meta?: object }
  /** `shownKeys`: for lists, which omit what the caller does not see. */
  find(
    call: FindCall<Auth, Path, Query>,
    dependencies: ObjectDependencies,
    shownKeys: FindVisibleKeys,
  ): FindResult | Promise<FindResult>
}

/**
 * What a user's token needs to read objects, unless the endpoint declares other scopes: replies
 * contain posts and users.
 */
const OBJECT_SCOPES = ['post.read', 'users.read'] as const

type FindCall<Auth extends ObjectAuth, Path extends TProperties, Query extends TProperties> = Call<
  ObjectTerms['principals'][Auth],
  Path,
  Query,
  Record<never, never>,
  TSchema
>

/**
 * Declares a GET that replies with objects: `{data, includes, errors}`. The parameters `*.fields`
 * and `expansions`, and their values, follow from the objects of the reply. Posts in `data` count
 * towards the usage caps of the app.
 */
export function objectEndpoint<
  const Auth extends ObjectAuth,
  Path extends TProperties = Record<never, never>,
  Query extends TProperties = Record<never, never>,
>(declared: ObjectDeclaration<Auth, Path, Query>): PlazaEndpoint<ObjectDependencies> {
  const { returns, example, find, query, ...rest } = declared
  const { object, count, sendsEmpty = false } = returns
  const counts = object === 'post'
  const { params, ...reply } = example
  return endpoint({
    scopes: OBJECT_SCOPES,
    ...rest,
    host: 'core',
    method: 'GET',
    query: { ...query, ...objects.parameters(object) },
    reply: objects.reply(object, count, returns.meta && { meta: returns.meta }),
    errors: counts ? usageCaps : [],
    example: { ...(params && { params }), reply },
    async handle(call, dependencies) {
      const view = viewOf(call.principal, dependencies)
      const loader = new Loader(object, view)
      // The parameters of the objects are added to its own.
      const found = await find(call as FindCall<Auth, Path, Query>, dependencies, loader.shownKeys)
      if ('problem' in found) return json({ errors: [found.problem] })
      const { keys, by, parameter, hidden, meta } = found
      const all = await loader.load(keys, by)
      const loaded = hidden ? { ...all, has: (key: string) => !hidden.has(key) && all.has(key) } : all
      const selection = objects.select(object, call.query)
      const parts = { graph: objects, selection, view, naming: dependencies.naming }
      const { data, ...beside } = await compose({ loaded, keys, parameter }, parts)
      if (counts) await dependencies.usage.count(call.principal.app, data.map(idOf))
      loaded.served(keys.filter((key) => loaded.has(key) && loaded.withheld(key) === undefined))
      return json({
        ...(sendsEmpty && data.length === 0 ? { data } : shown(data, count)),
        ...beside,
        ...(meta && { meta: meta(data) }),
      })
    },
  })
}

/**
 * Loads objects. A list has loaded those of its page to see which are shown; then they are not
 * loaded again.
 */
class Loader {
  readonly #object: ObjectName
  readonly #view: View
  #last: { keys: ReadonlySet<string>; by: LookupName | undefined; loaded: LoadedObjects } | undefined

  constructor(object: ObjectName, view: View) {
    this.#object = object
    this.#view = view
  }

  async load(keys: readonly string[], by: LookupName | undefined): Promise<LoadedObjects> {
    const last = this.#last
    // A list reads one entry more than its page. If it read many more, fields would be computed for
    // all of them.
    const isKnown = last?.by === by && last !== undefined && keys.every((key) => last.keys.has(key))
    if (isKnown && last.keys.size <= keys.length + 1) return last.loaded
    const loaded = await objects.shape(this.#object).load(keys, this.#view, by)
    this.#last = { keys: new Set(keys), by, loaded }
    return loaded
  }

  readonly shownKeys: FindVisibleKeys = async (keys, by) => {
    const loaded = await this.load(keys, by)
    return new Set(keys.filter((key) => loaded.has(key) && loaded.withheld(key) === undefined))
  }
}

/** The id of an object, which is always shown. */
const idOf = ({ id }: ObjectMembers) => String(id)

/** Empty parts are omitted. */
const shown = (data: ObjectMembers[], count: 'one' | 'many') =>
  data.length === 0 ? {} : { data: count === 'one' ? data[0] : data }

function viewOf(
  caller: AppCaller | UserCaller,
  { clock, store, mediaOrigin, views }: ObjectDependencies,
): View {
  const userId = caller.kind === 'user' ? caller.userId : undefined
  return { userId, now: clock.now(), store, mediaOrigin, views }
}
