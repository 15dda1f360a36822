import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { ApiError, Violation } from './errors.ts'
import type { Caller, Exchange } from './exchange.ts'
import type { BodyMemory } from './input/body-memory.ts'
import type { Pair } from './input/form.ts'
import type { Incoming } from './input/incoming.ts'
import type { Bucket, LimitCount, LimitRules, LimitText } from './limits.ts'
import type { Reply as AnyReply } from './reply-kinds.ts'
import type { Streams } from './streams.ts'
import type { Vocabulary } from './vocabulary.ts'

// Types that refer to each other: endpoints have a protocol and steps, and both are compiled for an
// endpoint.

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What an endpoint declares for the documents. */
export interface Example<Body, Reply> {
  params?: Readonly<Record<string, string>>
  body?: Body
  reply: Reply
}

/**
 * How a reply is written: its value as JSON or as a form; no body; bytes from the handler, such as
 * a page, a redirect or a file; or values as lines of JSON on a connection that stays open. `page`
 * also has errors that people read, `file` those of its protocol.
 */
export type ReplyKind = 'json' | 'empty' | 'form' | 'page' | 'file' | 'stream'

/** The names that a program's endpoints use. The engine only compares them. */
export interface EndpointNames {
  /** Names of listeners. */
  hosts: string
  /** Names of kinds of authentication. */
  kinds: string
  /** Names of permissions. */
  scopes: string
  /** Names of causes of errors. */
  causes: string
}

/** How one parameter is repeated: not at all, under another name, or as other JSON text. */
export type EchoRule = 'omitted' | { readonly as: string } | { write(text: string): string }

/**
 * One endpoint, as data. Everything else about it is derived from this. `Context`: what its handler
 * receives.
 */
export interface Endpoint<N extends EndpointNames = EndpointNames, Context = never> {
  readonly id: string
  /** The listener that it belongs to. */
  readonly host: N['hosts']
  readonly method: Method
  /** With `{name}` for each path parameter. */
  readonly path: string
  /** Other paths of the same endpoint. */
  readonly aliases: readonly string[]
  /** Whether GET does the same as the method of the endpoint, for clients that send it. */
  readonly takesGet: boolean
  readonly summary: string
  readonly description: string
  /** The section of the interface that it comes from. */
  readonly source: string
  readonly protocol: Protocol
  /** The kinds of authentication: kinds of principals. */
  readonly auth: readonly N['kinds'][]
  /** What the caller must be allowed: all of it. */
  readonly scopes: readonly N['scopes'][]
  /** What the caller must also be allowed for some calls. The handler checks it. */
  readonly moreScopes: readonly N['scopes'][]
  /** Additional steps, between the authorization of the caller and the reading of the body. */
  readonly steps: readonly Step[]
  /** By the pool whose calls are counted together. */
  readonly limits: Readonly<Record<string, LimitText>>
  /** Endpoints of one group share one count. */
  readonly limitGroup: string | undefined
  /** The cause over the limit, where the interface returns something other than 429. */
  readonly overLimit: N['causes']
  readonly pathParams: TObject
  readonly query: TObject
  /** Parameters that may be in the query, in a form body or in the OAuth header. */
  readonly form: TObject
  /** Parameters that are known, but that callers cannot set. */
  readonly notSettable: readonly string[]
  /**
   * Members of the resource, as a reply shows them, that a call cannot set. Clients that save what
   * they loaded send them back. The handler receives them as `sentBack`, and rejects those that
   * differ from the stored values.
   */
  readonly readOnly: TObject
  /** Parameters that are not repeated as they were sent, by protocols that repeat parameters. */
  readonly echo: Readonly<Record<string, EchoRule>>
  readonly body: TSchema | undefined
  /** Whether a call may omit the body. */
  readonly optionalBody: boolean
  readonly maxBodyBytes: number
  /**
   * Set where a body may be `multipart/form-data`: its parts are parameters, and this one is a
   * file.
   */
  readonly multipart: { readonly maxBytes: number; readonly file: string } | undefined
  /**
   * The content types of a body that the handler reads itself, as `content`, while it arrives.
   * Empty if it does not.
   */
  readonly contentTypes: readonly string[]
  /** Rejects invalid parameters with this cause, instead of naming them. */
  readonly onInvalid: N['causes'] | undefined
  readonly replyKind: ReplyKind
  readonly reply: TSchema
  readonly status: number
  /** Other success statuses, and when each is sent. 204 has no body. */
  readonly otherStatuses: Readonly<Record<number, string>>
  /** Additional errors, besides those of its kinds of authentication, limits and parameters. */
  readonly errors: readonly N['causes'][]
  /** Additional reason words (see `invalidFor`). */
  readonly reasons: readonly string[]
  readonly example: Example<unknown, unknown> | undefined
  /** Omitted from the documents: pages that belong to another endpoint. */
  readonly hidden: boolean
  readonly handle: (call: never, context: Context) => Promise<AnyReply<unknown>>
}

/** An error, ready to be sent. */
export interface RenderedError {
  status: number
  contentType: string
  body: string
  headers?: Readonly<Record<string, string>>
}

/** The context in which errors are written. */
export interface Naming {
  readonly vocabulary: Vocabulary
  /** `{problem_base}`: the prefix of the URIs that name types of errors. */
  readonly problemBase: string
}

/** Renders an error. `understood`: JSON text of the parsed call, for protocols that repeat it. */
export type Renderer = (error: ApiError, naming: Naming, understood?: string) => RenderedError

/** What a name that a client sent is the name of; undefined if it is no parameter. */
export type ParameterKindOf = (name: string) => 'list' | 'value' | undefined

/** How the parameters of a call are read. */
export interface InputRules {
  /** Whether an undeclared query parameter is rejected; otherwise it is ignored. */
  readonly closedQuery: boolean
  /** Whether a list may be sent as a repeated parameter: `a=1&a=2` for `a=1,2`. */
  readonly repeatedLists: boolean
  /** Whether form parameters are read only from the body; otherwise also from the query. */
  readonly bodyOnly: boolean
  /** Whether form parameters may be sent as the members of a JSON object. */
  readonly jsonParameters: boolean
  /** Whether JSON may be sent without its content type, or with that of a form. */
  readonly untypedJson: boolean
  /**
   * Whether `null` for an optional member of a JSON body counts as absent, except where it has a
   * meaning.
   */
  readonly absentNulls: boolean
  /** Whether parsed parameters are recorded, for replies that repeat them. */
  readonly echo: boolean
  /** The pairs that the form parameters of an endpoint are read from. */
  pairs(incoming: Incoming, caller: Caller, violations: Violation[], kindOf: ParameterKindOf): readonly Pair[]
}

/**
 * The behavior of one protocol of the interface. The engine calls it and never checks which
 * protocol it is.
 */
export interface Protocol {
  readonly name: string
  readonly input: InputRules
  /** Whether a 401 has `WWW-Authenticate`. */
  readonly challenges: boolean
  readonly render: Renderer
  /**
   * Compiles which bucket counts a call of an endpoint; the bucket of the caller's pool by default.
   */
  bucketOf?(endpoint: Endpoint, services: Services): BucketOf | undefined
  /** Compiles what handlers of this protocol receive in addition to the members of every call. */
  extend?(services: Services): (call: object, exchange: Exchange) => void
}

/** Runs a step for one request. Returns a promise only when it has to wait. */
export type RunStep = (exchange: Exchange) => void | Promise<void>

/** One step of the pipeline. */
export interface Step {
  readonly name: string
  /** Compiles the step for an endpoint, once; undefined when it does nothing. */
  compile(endpoint: Endpoint, services: Services): RunStep | undefined
}

/** The dependencies of the engine, for one listener. */
export interface Services {
  naming: Naming
  limitRules: LimitRules
  /** The name of the listener. */
  host: string
  /** True behind a proxy that terminates TLS and is trusted to name the client. */
  behindProxy: boolean
  secure: boolean
  /** The steps of every request, in order. */
  steps: readonly Step[]
  /** The memory limit of request bodies. */
  bodyMemory: BodyMemory
  /** The streams that are open. */
  streams: Streams
  /** The protocol of an unknown path. */
  protocolAt(path: string): Protocol
  /** The error of an unknown path. */
  unknownPath(path: string): ApiError
  /** Whether a resource has ended. Some methods of its path may be left. */
  hasEnded(path: string): boolean
  /** The HTTP authentication schemes that an endpoint accepts. */
  schemesOf(endpoint: Endpoint): readonly string[]
  /** The public origin of the host: the realm of challenges. */
  origin: string
  count(bucket: string, limit: number, windowSeconds: number): LimitCount | Promise<LimitCount>
  /** Takes back a call that was counted in the window that ends then. */
  uncount(bucket: string, resetSeconds: number): void | Promise<void>
  /** Turns an unexpected error into an API error, and logs it. */
  failure(error: unknown, request: FastifyRequest): ApiError
  /**
   * Called for every reply just before it is sent, with its body before compression; undefined for
   * a stream, whose text goes to the returned function.
   */
  replied(
    request: FastifyRequest,
    reply: FastifyReply,
    body: string | Buffer | Readable | undefined,
  ): ((text: string) => void) | undefined
  context: unknown
}

/** The bucket that counts a call; undefined when it is not counted. */
export type BucketOf = (exchange: Exchange) => Bucket | undefined
