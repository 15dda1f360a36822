import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Violation } from './errors.ts'
import type { HeldBody } from './input/body-memory.ts'
import type { Pair } from './input/form.ts'
import type { Incoming } from './input/incoming.ts'
import type { SentBack } from './input/read-only.ts'
import type { Reply } from './reply-kinds.ts'

/** Whose calls a limit counts together. */
export interface Pool {
  kind: string
  owner: string
}

/** Who calls, as far as the engine must know. */
export interface Caller {
  kind: string
  /** The pool of rate limits that it draws on, and the name of that pool's owner. */
  pool: Pool
  /** Everything that a signature covers, from wherever it stood. */
  parameters?: readonly Pair[]
  /** Tells the parameters of the signature itself, which may stand in any query. */
  isOfSignature?(name: string): boolean
  /** For the log. */
  app?: { id: string }
  userId?: string
}

/**
 * Reads a form body, which a signature covers. `isKnown`: whether the head of the request already showed credentials
 * that exist; the body of any other caller has less memory to come into.
 */
export type ReadForm = (isKnown: boolean) => Promise<void>

/** A request whose body is still to be read. */
export type Open = { -readonly [Name in keyof Incoming]: Incoming[Name] }

/** What was read of the parameters of a request so far. */
export interface Input {
  params: unknown
  query: unknown
  form: unknown
  body: unknown
  sentBack: SentBack[]
  violations: Violation[]
  /** How parameters were understood: members of a JSON object. Empty where the protocol does not repeat them. */
  echo: string[]
}

/** One request and its reply on their way through the steps. A step may rely on what the steps before it filled in. */
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
  incoming!: Open
  /** The memory of the body; undefined when none follows. Since `open body`. */
  held: HeldBody | undefined = undefined
  /** There when the body is a form; its pairs stand in `incoming` afterwards. */
  readForm: ReadForm | undefined = undefined
  /** Since `authenticate`. */
  caller!: Caller
  /** What steps of the protocol found out for its handlers. */
  scope: unknown = undefined
  /** Since `handle`. */
  result!: Reply<unknown>

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request
    this.reply = reply
  }

  /** JSON text of how the parameters were understood, in the words of the vocabulary. */
  get understood(): string {
    const { echo } = this.input
    return echo.length === 0 ? '{}' : `{${echo.join(',')}}`
  }
}
