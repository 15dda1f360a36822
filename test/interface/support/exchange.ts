import type { Caller } from './callers.ts'
import type { Answer } from './consumer.ts'
import type { ExchangeRequest } from './request.ts'
import type { World } from './world.ts'

/** A request, and the reply that the interface promises. Texts may name variables: `{webhook}`. */
export interface Exchange extends ExchangeRequest {
  /** The rule that the row checks. */
  readonly it: string
  /** What Plaza does instead, for now: the row is reported as open and does not fail. */
  readonly differs?: string
  /** The caller; defaults to that of the area. */
  readonly as?: Caller
  /** Set if the suite must have started the Plaza, so that it can run commands. */
  readonly needs?: 'a command'
  /** How the webhook consumer answers during the request. */
  readonly consumer?: Answer

  readonly status: number
  /** The JSON body, exactly, or a text. If absent, the reply has no body. */
  readonly reply?: unknown
  /** The content type, if it is not that of JSON. */
  readonly type?: string | undefined
  /** Headers in addition to those of every reply. Null: the header must be absent. */
  readonly has?: Readonly<Record<string, unknown>>
  /** The documented rate limit of the caller and, on the advertising API, of the account. */
  readonly limit?: number
  readonly accountLimit?: number
}

/** A check that takes more than one request, or more than a literal. */
export interface Story {
  readonly it: string
  /** The caller, or that the suite must have started the Plaza, so that it can run commands. */
  readonly needs?: Caller | 'a command'
  run(world: World): Promise<void>
}

/** The exchanges about one part of the interface, in order. */
export interface Area {
  readonly name: string
  /** The base of the paths of the area. */
  readonly base: string
  readonly as: Caller
  readonly rows: readonly (Exchange | Story)[]
}
