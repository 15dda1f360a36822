import type { Answer } from './consumer.ts'
import type { Caller } from './callers.ts'
import type { Protocol } from './oauth.ts'
import type { World } from './world.ts'

/** A request, and the reply that the interface promises. Texts may name variables: `{webhook}`. */
export interface Exchange {
  /** What is promised. */
  readonly it: string
  /** What Plaza does instead, for as long as it does: the row is shown as work to do and fails nothing. */
  readonly differs?: string
  /** The method, and the URL or what follows the base of the area: `PUT {base_url}/2/webhooks/{webhook}`. */
  readonly send: string
  /** Who sends it; that of the area when absent. */
  readonly as?: Caller
  /** That the suite started the Plaza and ran commands beside it. */
  readonly needs?: 'a command'
  readonly query?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** A body as it is, with its content type. */
  readonly body?: { readonly type: string; readonly content: string | Buffer }
  readonly headers?: Readonly<Record<string, string>>
  /** What the signature says otherwise than it should. */
  readonly protocol?: Protocol
  /** How the webhook consumer answers meanwhile. */
  readonly consumer?: Answer

  readonly status: number
  /** The JSON body with no member more or less, or a text. Absent: the reply has no body. */
  readonly reply?: unknown
  /** The content type, where it is not that of JSON. */
  readonly type?: string | undefined
  /** Headers beside those that every reply has. Null: the header must be absent. */
  readonly has?: Readonly<Record<string, unknown>>
  /** The documented rate limit of the caller and, on the advertising API, of the account. */
  readonly limit?: number
  readonly accountLimit?: number
}

/** What takes more than one request, or more than a literal. */
export interface Story {
  readonly it: string
  /** Who calls, or that the suite started the Plaza and can run a command beside it. */
  readonly needs?: Caller | 'a command'
  run(world: World): Promise<void>
}

/** The exchanges about one part of the interface, in the order in which they are made. */
export interface Area {
  readonly name: string
  /** What is before the paths of the area. */
  readonly base: string
  readonly as: Caller
  readonly rows: readonly (Exchange | Story)[]
}
