import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import type { AdsCode } from '../protocols/ads/codes.ts'
import type { Cause } from '../protocols/catalogue.ts'
import type { LimitText } from './limits.ts'
import type { FilePart } from './input/multipart.ts'
import type { SentBack } from './input/read-only.ts'
import type { Reply as AnyReply } from './reply-kinds.ts'

/** The servers of the platform, each a listener of its own. */
export type Host = 'core' | 'ads' | 'sandbox' | 'console'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * How a caller may sign in:
 * `app` an app-only bearer, `user` OAuth 1.0a with an access token, `client` OAuth 1.0a with the
 * app's key alone, `pending` OAuth 1.0a with a request token, `basic` the app's key and secret,
 * `none` nothing at all.
 */
export type AuthKind = 'app' | 'user' | 'client' | 'pending' | 'basic' | 'none'

/** Each auth kind in the words that refusals use; clients compare some of them. */
export const authWords: Readonly<Record<AuthKind, string>> = {
  app: 'OAuth 2.0 Application-Only',
  user: 'OAuth 1.0a User Context',
  client: 'OAuth 1.0a Application',
  pending: 'OAuth 1.0a Request Token',
  basic: 'Basic',
  none: 'None',
}

/**
 * How a caller signed in, where a refusal names it (core reference, exact bodies): clients know these words and
 * `Unknown`.
 */
export const usedWords: Readonly<Record<AuthKind, string>> = {
  app: authWords.app,
  user: authWords.user,
  client: 'Unknown',
  pending: 'Unknown',
  basic: 'Unknown',
  none: 'Unknown',
}

/** The form in which refusals are told. */
export type DialectName = 'problem' | 'legacy' | 'ads' | 'page'

/** What the rights of a user token must cover. */
export type Access = 'read' | 'write' | 'direct-messages'

/**
 * What the account in the path of an advertising endpoint must let the caller do: `read` anybody with access to it,
 * `campaigns`, `creatives` and `account` those whose role there covers it.
 */
export type Right = 'read' | 'campaigns' | 'creatives' | 'account'

/** Whose calls a limit counts together. */
export type LimitPool = 'app' | 'user' | 'client' | 'address' | 'account'

/** What an endpoint says of itself in the documents. */
export interface Example<Body, Reply> {
  params?: Readonly<Record<string, string>>
  body?: Body
  reply: Reply
}

/** How a reply is written: its value as JSON or as a form, or bytes of the handler's own: a page, a redirect, a file. */
export type ReplyKind = 'json' | 'form' | 'page'

/** One endpoint, as data. Everything else about it is derived from here. */
export interface Endpoint {
  readonly id: string
  readonly host: Host
  readonly method: Method
  /** With `{name}` for each path parameter. */
  readonly path: string
  /** Other paths of the same endpoint. */
  readonly aliases: readonly string[]
  readonly summary: string
  readonly description: string
  /** The section of the interface that it comes from. */
  readonly source: string
  readonly dialect: DialectName
  readonly auth: readonly AuthKind[]
  readonly access: Access
  /** Set when the path names an account: what the caller must be allowed there. */
  readonly right: Right | undefined
  readonly limits: Readonly<Partial<Record<LimitPool, LimitText>>>
  /** Endpoints of one group share one count. */
  readonly limitGroup: string | undefined
  /** In place of the limit of the user pool when the call asks for `with_total_count`. */
  readonly totalsLimit: LimitText | undefined
  /** What is said over the limit, where the interface has another word than 429. */
  readonly overLimit: Cause
  readonly pathParams: TObject
  readonly query: TObject
  /** Parameters that may stand in the query, in a form body or in the OAuth header. */
  readonly form: TObject
  /** Parameters that are known and refused, because callers cannot set them. */
  readonly notSettable: readonly string[]
  /**
   * Members of the resource, as a reply shows them, that a call cannot set. Clients that save what they loaded send them
   * back: the handler gets them as `sentBack`, and refuses those that differ from what is stored.
   */
  readonly readOnly: TObject
  readonly body: TSchema | undefined
  readonly maxBodyBytes: number
  /** Set where a body may be `multipart/form-data`: its parts are parameters, and the file of this name. */
  readonly multipart: { readonly maxBytes: number; readonly file: string } | undefined
  /** Wrong parameters are refused as this cause instead of being named. */
  readonly onInvalid: Cause | undefined
  readonly replyKind: ReplyKind
  readonly reply: TSchema
  readonly status: number
  /** Other statuses of success, and when each is sent. 204 has no body. */
  readonly otherStatuses: Readonly<Record<number, string>>
  /** Refusals of its own, beside those of its auth kinds, limits and parameters. */
  readonly refusals: readonly Cause[]
  /** Reason words of its own (see `invalidFor`). */
  readonly reasons: readonly string[]
  /** Codes of the advertising dialect that it may answer with, beside those of every endpoint. */
  readonly codes: readonly AdsCode[]
  readonly example: Example<unknown, unknown> | undefined
  /** Left out of the documents: pages that belong to another endpoint. */
  readonly hidden: boolean
  readonly handle: (call: never, context: never) => Promise<AnyReply<unknown>>
}

/** What an author writes. `Principals` maps an auth kind to who that caller is. */
export interface Declaration<
  Principals extends Record<AuthKind, unknown>,
  Context,
  Scope,
  Auth extends AuthKind,
  Path extends TProperties,
  Query extends TProperties,
  Form extends TProperties,
  Body extends TSchema,
  Reply extends TSchema,
> {
  id: string
  host: Host
  method: Method
  path: string
  aliases?: readonly string[]
  summary: string
  description: string
  source: string
  auth: readonly Auth[]
  /** What a user token must cover; `read` unless said otherwise. */
  access?: Access
  right?: Right
  limits?: Endpoint['limits']
  limitGroup?: string
  totalsLimit?: LimitText
  overLimit?: Cause
  params?: Path
  query?: Query
  form?: Form
  notSettable?: readonly string[]
  readOnly?: TProperties
  body?: Body
  maxBodyBytes?: number
  multipart?: Endpoint['multipart']
  onInvalid?: Cause
  replyKind?: ReplyKind
  reply: Reply
  status?: number
  otherStatuses?: Endpoint['otherStatuses']
  refusals?: readonly Cause[]
  reasons?: readonly string[]
  codes?: readonly AdsCode[]
  example?: Example<Static<Body>, Static<Reply>>
  hidden?: boolean
  handle(
    call: Call<Principals[Auth], Scope, Path, Query, Form, Body>,
    context: Context,
  ): Promise<AnyReply<Static<Reply>>>
}

/** What a handler gets: everything is already typed, bounded and allowed. */
export interface Call<
  Principal,
  Scope,
  Path extends TProperties,
  Query extends TProperties,
  Form extends TProperties,
  Body extends TSchema,
> {
  principal: Principal
  /** The account in the path and the caller's place in it; only where the endpoint has a `right`. */
  scope: Scope
  /** The host that was called: an advertising endpoint answers on production and on the sandbox. */
  host: Host
  /** JSON text of how the parameters were understood, in the words of the vocabulary. */
  echo: string
  params: Static<TObject<Path>>
  query: Static<TObject<Query>>
  form: Static<TObject<Form>>
  body: Static<Body>
  /** Read-only members that were sent: right when the resource has those values. */
  sentBack: readonly SentBack[]
  /** The files of a multipart body. */
  files: readonly FilePart[]
  /** Headers of the request, by lower-case name. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The address that the request came from. */
  address: string
}

const DEFAULT_MAX_BODY_BYTES = 64 * 1024

/** Which dialect a path speaks: the one rule for declared and for unknown paths. `prefixes`: of version 2. */
export function dialectOf(host: Host, path: string, prefixes: readonly string[] = ['/2/']): DialectName {
  if (host === 'ads' || host === 'sandbox') return 'ads'
  return prefixes.some((prefix) => path.startsWith(prefix) || path === prefix.slice(0, -1))
    ? 'problem'
    : 'legacy'
}

/** The methods of requests that an endpoint answers: HEAD wherever GET is, without the body. */
export const methodsOf = ({ method }: Pick<Endpoint, 'method'>): string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method]

/** The sandbox serves every advertising endpoint, and some of its own. */
export const servedBy = (host: Host, endpoint: Pick<Endpoint, 'host'>) =>
  endpoint.host === host || (host === 'sandbox' && endpoint.host === 'ads')

/**
 * Makes the `endpoint` function of a program: `Principals` says who a caller of each auth kind is,
 * `Context` what handlers are given, `Scope` what they learn of the account in the path.
 */
export function endpointsOf<Principals extends Record<AuthKind, unknown>, Context, Scope>() {
  return function endpoint<
    const Auth extends AuthKind,
    Reply extends TSchema,
    Path extends TProperties = Record<never, never>,
    Query extends TProperties = Record<never, never>,
    Form extends TProperties = Record<never, never>,
    Body extends TSchema = TSchema,
  >(declared: Declaration<Principals, Context, Scope, Auth, Path, Query, Form, Body, Reply>): Endpoint {
    const replyKind = declared.replyKind ?? 'json'
    return Object.freeze({
      aliases: [],
      access: 'read' as const,
      limits: {},
      overLimit: 'rate limited' as const,
      maxBodyBytes: DEFAULT_MAX_BODY_BYTES,
      multipart: undefined,
      status: 200,
      otherStatuses: {},
      refusals: [],
      reasons: [],
      codes: [],
      notSettable: [],
      right: undefined,
      limitGroup: undefined,
      totalsLimit: undefined,
      hidden: false,
      ...declared,
      dialect: replyKind === 'page' ? ('page' as const) : dialectOf(declared.host, declared.path),
      replyKind,
      pathParams: objectOf(declared.params),
      query: objectOf(declared.query),
      form: objectOf(declared.form),
      readOnly: objectOf(declared.readOnly),
      body: declared.body,
      onInvalid: declared.onInvalid,
      example: declared.example,
      handle: declared.handle as unknown as Endpoint['handle'],
    })
  }
}

function objectOf(properties: TProperties | undefined): TObject {
  return Type.Object(properties ?? {}, { additionalProperties: false })
}
