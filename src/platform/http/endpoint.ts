import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { Endpoint, EndpointNames, Example, Method, Protocol, ReplyKind, Step } from './contract.ts'
import type { FilePart } from './input/multipart.ts'
import type { SentBack } from './input/read-only.ts'
import type { LimitText } from './limits.ts'
import type { Reply as AnyReply } from './reply-kinds.ts'

/** The parts of a program's types that its endpoints are declared with. */
export interface EndpointTerms {
  names: EndpointNames
  /** The principal of each kind of authentication. */
  principals: object
  /** What handlers receive. */
  context: unknown
  /** What the protocol adds to each call. */
  extra: object
}

/** What an author declares. */
export interface Declaration<
  T extends EndpointTerms,
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
  takesGet?: boolean
  summary: string
  description: string
  source: string
  auth: readonly Auth[]
  /** What the caller must be allowed; defaults to `read`. */
  scopes?: readonly T['names']['scopes'][]
  /** What the caller must also be allowed for some calls, which the handler checks. */
  moreScopes?: readonly T['names']['scopes'][]
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
  optionalBody?: boolean
  maxBodyBytes?: number
  multipart?: Endpoint['multipart']
  contentTypes?: Endpoint['contentTypes']
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

/** What a handler receives: typed, bounded and authorized. */
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
  /** Read-only members that were sent. They are valid if the resource has the same values. */
  sentBack: readonly SentBack[]
  /** The files of a multipart body. */
  files: readonly FilePart[]
  /** The body, of an endpoint with `contentTypes`. It can be read once. */
  content: AsyncIterable<Buffer>
  /** Headers of the request, by lower-case name. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The address from which the request came. */
  address: string
}

const DEFAULT_MAX_BODY_BYTES = 64 * 1024

/**
 * The methods of requests that an endpoint answers: HEAD wherever GET changes nothing, without the
 * body.
 */
export function methodsOf({ method, takesGet }: Pick<Endpoint, 'method' | 'takesGet'>): string[] {
  if (method === 'GET') return ['GET', 'HEAD']
  return takesGet ? [method, 'GET'] : [method]
}

/**
 * Makes the `endpoint` function of a part of the program. `protocolOf` returns the protocol of each
 * endpoint.
 */
export function endpointsOf<T extends EndpointTerms>(
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
      takesGet: false,
      scopes: ['read' as T['names']['scopes']],
      moreScopes: [],
      steps: [],
      limits: {},
      overLimit: 'rate limited',
      maxBodyBytes: DEFAULT_MAX_BODY_BYTES,
      multipart: undefined,
      contentTypes: [],
      optionalBody: false,
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
      // The engine calls the handler with input that matches the declaration; the type of an
      // endpoint does not depend on its input.
      handle: declared.handle as Endpoint<T['names'], T['context']>['handle'],
    })
  }
}

function objectOf(properties: TProperties | undefined): TObject {
  return Type.Object(properties ?? {}, { additionalProperties: false })
}
