import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError, Violation } from './errors.ts'
import type { ReservedBody } from './input/body-memory.ts'
import type { Pair } from './input/form.ts'
import type { Incoming } from './input/incoming.ts'
import type { SentBack } from './input/read-only.ts'
import type { Reply } from './reply-kinds.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the endpoint returns pages for browsers. */
    isPage?: boolean
  }
  interface FastifyRequest {
    /**
     * The endpoint, by its neutral path: `GET /2/posts/{id}`. Empty if the request matches none.
     */
    endpoint: string
    /** For the log line: the caller, and the error. */
    caller: Caller | undefined
    error: ApiError | undefined
    /** When the request arrived, on the clock of `performance`. */
    began: number
    /** The body as it was sent; undefined without one, and until it is read. */
    bodyBytes: Buffer | undefined
  }
}

/** The scope in which a limit counts calls. */
export interface Pool {
  kind: string
  owner: string
}

/** The caller, as far as the engine needs it. */
export interface Caller {
  kind: string
  /** The rate limit pool of the caller, and the owner of the pool. */
  pool: Pool
  /** All parameters that a signature covers, wherever they were sent. */
  parameters?: readonly Pair[]
  /** Whether a parameter belongs to the signature itself, and is therefore allowed in any query. */
  isOfSignature?(name: string): boolean
  /** For the log. */
  app?: { id: string }
  userId?: string
}

/**
 * Reads a form body, which a signature covers. `isKnown`: whether the headers already contained
 * existing credentials. Bodies of other callers have a lower memory limit.
 */
export type ReadForm = (isKnown: boolean) => Promise<void>

/** A request whose body has not been read yet. */
export type MutableIncoming = { -readonly [Name in keyof Incoming]: Incoming[Name] }

/** The parameters of a request that have been read so far. */
export interface Input {
  params: unknown
  query: unknown
  form: unknown
  body: unknown
  sentBack: SentBack[]
  violations: Violation[]
  /**
   * The parsed parameters as members of a JSON object. Empty when the protocol does not repeat
   * them.
   */
  echo: string[]
}

/** The state of one request in the pipeline. A step may rely on what earlier steps have set. */
export class Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly input: Input = {
    params: {},
    query: {},
    form: {},
    body: undefined,
    sentBack: [],
    violations: [],
    echo: [],
  }
  /** Since `identify`. */
  incoming!: MutableIncoming
  /** The reserved memory of the body; undefined without a body. Since `open body`. */
  held: ReservedBody | undefined = undefined
  /** Present when the body is a form; `incoming` has its pairs afterwards. */
  readForm: ReadForm | undefined = undefined
  /** Since `authenticate`. */
  caller!: Caller
  /** Values that steps of the protocol set for its handlers. */
  scope: unknown = undefined
  /** Since `handle`. */
  result!: Reply<unknown>

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request
    this.reply = reply
  }

  /** The parsed parameters as JSON text, with public names. */
  get understood(): string {
    const { echo } = this.input
    return echo.length === 0 ? '{}' : `{${echo.join(',')}}`
  }
}
