import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import type { FilePart } from './input/multipart.ts'
import type { SentBack } from './input/read-only.ts'
import type { LimitText } from './limits.ts'
import type { Protocol } from './protocol.ts'
import type { Reply as AnyReply } from './reply-kinds.ts'
import type { Step } from './step.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What an endpoint says of itself in the documents. */
export interface Example<Body, Reply> {
  params?: Readonly<Record<string, string>>
  body?: Body
  reply: Reply
}

/**
 * How a reply is written: its value as JSON or as a form; bytes of the handler's own, which may be a page, a redirect or a
 * file; or values as lines of JSON on a connection that stays open.
 */
export type ReplyKind = 'json' | 'form' | 'page' | 'stream'

/** How one parameter is repeated: not at all, under another name, or as other JSON text. */
export type EchoRule = 'omitted' | { readonly as: string } | { write(text: string): string }

/** The names that endpoints of a program use. The engine only compares them. */
export interface Names {
  /** Of its listeners. */
  hosts: string
  /** Of the kinds of authentication. */
  kinds: string
  /** Of what a caller may be allowed. */
  scopes: string
  /** Of the causes of errors. */
  causes: string
}

/** One endpoint, as data. Everything else about it is derived from here. `Context`: what its handler is given. */
export interface Endpoint<N extends Names = Names, Context = never> {
  readonly id: string
  /** The listener that it belongs to. */
  readonly host: N['hosts']
  readonly method: Method
  /** With `{name}` for each path parameter. */
  readonly path: string
  /** Other paths of the same endpoint. */
  readonly aliases: readonly string[]
  readonly summary: string
  readonly description: string
  /** The section of the interface that it comes from. */
  readonly source: string
  readonly protocol: Protocol
  /** The kinds of authentication: kinds of principals. */
  readonly auth: readonly N['kinds'][]
  /** What the caller must be allowed, all of it. */
  readonly scopes: readonly N['scopes'][]
  /** Steps of its own, between the authorization of the caller and the reading of the body. */
  readonly steps: readonly Step[]
  /** By the pool whose calls are counted together. */
  readonly limits: Readonly<Record<string, LimitText>>
  /** Endpoints of one group share one count. */
  readonly limitGroup: string | undefined
  /** What is said over the limit, where the interface has another word than 429. */
  readonly overLimit: N['causes']
  readonly pathParams: TObject
  readonly query: TObject
  /** Parameters that may stand in the query, in a form body or in the OAuth header. */
  readonly form: TObject
  /** Parameters that are known, but that callers cannot set. */
  readonly notSettable: readonly string[]
  /**
   * Members of the resource, as a reply shows them, that a call cannot set. Clients that save what they loaded send them
   * back: the handler gets them as `sentBack`, and rejects those that differ from what is stored.
   */
  readonly readOnly: TObject
  /** Parameters that a protocol that repeats them repeats otherwise than they were sent. */
  readonly echo: Readonly<Record<string, EchoRule>>
  readonly body: TSchema | undefined
  readonly maxBodyBytes: number
  /** Set where a body may be `multipart/form-data`: its parts are parameters, and the file of this name. */
  readonly multipart: { readonly maxBytes: number; readonly file: string } | undefined
  /** Wrong parameters are rejected as this cause instead of being named. */
  readonly onInvalid: N['causes'] | undefined
  readonly replyKind: ReplyKind
  readonly reply: TSchema
  readonly status: number
  /** Other statuses of success, and when each is sent. 204 has no body. */
  readonly otherStatuses: Readonly<Record<number, string>>
  /** Errors of its own, beside those of its auth kinds, limits and parameters. */
  readonly errors: readonly N['causes'][]
  /** Reason words of its own (see `invalidFor`). */
  readonly reasons: readonly string[]
  readonly example: Example<unknown, unknown> | undefined
  /** Left out of the documents: pages that belong to another endpoint. */
  readonly hidden: boolean
  readonly handle: (call: never, context: Context) => Promise<AnyReply<unknown>>
}

/** What a part of a program declares its endpoints with. */
export interface Terms {
  names: Names
  /** Who a caller of each kind of authentication is. */
  principals: object
  /** What handlers are given. */
  context: unknown
  /** What calls have that the protocol extends. */
  extra: object
}

/** What an author writes. */
export interface Declaration<
  T extends Terms,
  Auth extends keyof T['principals'] & T['names']['kinds'],
  Path extends TProperties,
  Query extends TProperties,
  Form extends TProperties,
  Body extends TSchema,
  Reply extends TSchema,
> {
  id: string
  host: T['names']['hosts']
  method: Method
  path: string
  aliases?: readonly string[]
  summary: string
  description: string
  source: string
  auth: readonly Auth[]
  /** What the caller must be allowed; `read` unless said otherwise. */
  scopes?: readonly T['names']['scopes'][]
  steps?: readonly Step[]
  limits?: Readonly<Record<string, LimitText>>
  limitGroup?: string
  overLimit?: T['names']['causes']
  params?: Path
  query?: Query
  form?: Form
  notSettable?: readonly string[]
  readOnly?: TProperties
  echo?: Endpoint['echo']
  body?: Body
  maxBodyBytes?: number
  multipart?: Endpoint['multipart']
  onInvalid?: T['names']['causes']
  replyKind?: ReplyKind
  reply: Reply
  status?: number
  otherStatuses?: Endpoint['otherStatuses']
  errors?: readonly T['names']['causes'][]
  reasons?: readonly string[]
  example?: Example<Static<Body>, Static<Reply>>
  hidden?: boolean
  handle(
    call: Call<T['principals'][Auth], Path, Query, Form, Body> & T['extra'],
    context: T['context'],
  ): Promise<AnyReply<Static<Reply>>>
}

/** What a handler gets: everything is already typed, bounded and allowed. */
export interface Call<
  Principal,
  Path extends TProperties,
  Query extends TProperties,
  Form extends TProperties,
  Body extends TSchema,
> {
  principal: Principal
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

/** The methods of requests that an endpoint answers: HEAD wherever GET is, without the body. */
export const methodsOf = ({ method }: Pick<Endpoint, 'method'>): string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method]

/** Makes the `endpoint` function of a part of the program. `protocolOf` says how each endpoint speaks. */
export function endpointsOf<T extends Terms>(
  protocolOf: (declared: { host: T['names']['hosts']; path: string; replyKind: ReplyKind }) => Protocol,
) {
  return function endpoint<
    const Auth extends keyof T['principals'] & T['names']['kinds'],
    Reply extends TSchema,
    Path extends TProperties = Record<never, never>,
    Query extends TProperties = Record<never, never>,
    Form extends TProperties = Record<never, never>,
    Body extends TSchema = TSchema,
  >(declared: Declaration<T, Auth, Path, Query, Form, Body, Reply>): Endpoint<T['names'], T['context']> {
    const { host, path, replyKind = 'json' } = declared
    return Object.freeze({
      aliases: [],
      scopes: ['read' as T['names']['scopes']],
      steps: [],
      limits: {},
      overLimit: 'rate limited',
      maxBodyBytes: DEFAULT_MAX_BODY_BYTES,
      multipart: undefined,
      status: 200,
      otherStatuses: {},
      errors: [],
      reasons: [],
      notSettable: [],
      echo: {},
      limitGroup: undefined,
      hidden: false,
      ...declared,
      protocol: protocolOf({ host, path, replyKind }),
      replyKind,
      pathParams: objectOf(declared.params),
      query: objectOf(declared.query),
      form: objectOf(declared.form),
      readOnly: objectOf(declared.readOnly),
      body: declared.body,
      onInvalid: declared.onInvalid,
      example: declared.example,
      // The engine calls it with what the declaration says; types of endpoints do not differ by their calls.
      handle: declared.handle as Endpoint<T['names'], T['context']>['handle'],
    })
  }
}

function objectOf(properties: TProperties | undefined): TObject {
  return Type.Object(properties ?? {}, { additionalProperties: false })
}
