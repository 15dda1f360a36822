import type { Ads } from './generated/ads.ts'
import type { Core } from './generated/core.ts'
import { ADS, CORE } from './generated/operations.ts'
import { type Described, described, requestOf, type Values } from './operation.ts'
import type { CallOptions } from './options.ts'
import { fetchTrusting } from './own-fetch.ts'
import { itemsOf, pagesOf } from './paging.ts'
import { bodyOf, type Sender, send } from './send.ts'
import { openStream, type StreamOptions } from './stream.ts'

export interface ClientOptions extends Omit<CallOptions, 'signal'> {
  /** Origins: those of `startPlaza().urls`, or those that `plaza start` prints. */
  readonly urls: {
    readonly core?: string
    readonly ads?: string
    readonly adsSandbox?: string
  }
  /**
   * PEM of the certificate authority of the server: `startPlaza().ca`. Without it, what the system
   * and NODE_EXTRA_CA_CERTS trust. Not with `fetch`.
   */
  readonly ca?: string | undefined
  /** Sends the requests, instead of the `fetch` of the runtime. */
  readonly fetch?: typeof fetch
}

/** Every operation of the APIs, as a method of the same name as in the OpenAPI documents. */
export interface Client {
  /** The core API and OAuth. */
  readonly core: Core
  /** The advertising API. */
  readonly ads: Ads
  /** The advertising API on the sandbox. */
  readonly sandbox: Ads
  /** A client that is the same but for these options: `client.with({ auth })`. */
  with(options: Omit<CallOptions, 'signal'>): Client
  /** Closes the connections that the option `ca` needs. */
  close(): Promise<void>
}

/** A client of the APIs. It connects at its first call. */
export function createClient({ urls, ca, fetch: given, ...options }: ClientOptions): Client {
  if (ca !== undefined && given)
    throw new TypeError('ca and fetch exclude each other: let fetch trust the authority')
  const own = ca === undefined ? undefined : fetchTrusting(ca)
  const send = given ?? own?.fetch ?? ((input, init) => fetch(input, init))
  const origins = { core: origin(urls.core), ads: origin(urls.ads), adsSandbox: origin(urls.adsSandbox) }
  const close = async () => own?.close()
  return clientOf(origins, { fetch: send, coreUrl: origins.core, options }, close)
}

type Origins = Record<'core' | 'ads' | 'adsSandbox', string | undefined>

const origin = (url: string | undefined) => (url === undefined ? undefined : new URL(url).origin)

function clientOf(origins: Origins, sender: Sender, close: () => Promise<void>): Client {
  return {
    core: methods<Core>(CORE, 'core', origins, sender),
    ads: methods<Ads>(ADS, 'ads', origins, sender),
    sandbox: methods<Ads>(ADS, 'adsSandbox', origins, sender),
    with: (options) => clientOf(origins, { ...sender, options: { ...sender.options, ...options } }, close),
    close,
  }
}

function methods<T>(table: Record<string, string>, host: keyof Origins, origins: Origins, sender: Sender): T {
  const url = () => {
    const found = origins[host]
    if (found === undefined) throw new TypeError(`urls.${host} is needed to call this operation`)
    return found
  }
  return Object.fromEntries(
    Object.entries(table).map(([name, line]) => [name, method(described(name, line), url, sender)]),
  ) as T
}

function method(operation: Described, url: () => string, sender: Sender): unknown {
  if (operation.isStream)
    return (params: Values = {}, options: StreamOptions = {}) =>
      openStream(sender, url(), operation, params, options)
  const call = async (params: Values = {}, options: CallOptions = {}) =>
    send(sender, await requestOf(url(), operation, params), options, bodyOf)
  const { page } = operation
  if (page === undefined) return call
  const pages = (params: Values = {}, options?: CallOptions) => pagesOf(call as never, page, params, options)
  return Object.assign(call, {
    pages,
    items: (params?: Values, options?: CallOptions) => itemsOf(pages(params, options)),
  })
}
