import type { Protocol } from './oauth.ts'

/** A request, as a row declares it. Texts may name variables: `{webhook}`. */
export interface ExchangeRequest {
  /**
   * The method, and the URL or what follows the base of the area: `PUT
   * {base_url}/2/webhooks/{webhook}`.
   */
  readonly send: string
  readonly query?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** A raw body, with its content type, if it is sent. */
  readonly body?: { readonly type: string | undefined; readonly content: string | Buffer }
  readonly headers?: Readonly<Record<string, string>>
  /** What the signature changes, to be invalid. */
  readonly protocol?: Protocol
}
