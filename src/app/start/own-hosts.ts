import { X509Certificate } from 'node:crypto'
import { networkInterfaces } from 'node:os'

export interface OwnHostsOptions {
  /** The certificate of the listener, in PEM; undefined for plain HTTP. */
  certificate: string | undefined
  /** The address that it listens on. */
  listen: string
  port: number
  /** Hosts of other listeners, which a shared certificate also contains. */
  others: readonly string[]
}

const WILDCARDS: readonly string[] = ['0.0.0.0', '::']
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1', 'localhost']
const DEFAULT_PORTS = { https: 443, http: 80 }

/**
 * The hosts that belong to a listener, as in `Host` headers: its address, `localhost` if it listens
 * on loopback, and the names of its certificate, each with its port.
 */
export class OwnHosts {
  readonly #names: ReadonlySet<string>
  /** `*.example.com` becomes `.example.com`. */
  readonly #endings: readonly string[]
  readonly #defaultPort: number
  readonly #known: ReadonlySet<string>
  readonly #port: number

  constructor(parts: OwnHostsOptions) {
    const names = namesOf(parts).filter((name) => !parts.others.includes(name))
    this.#names = new Set(names.filter((name) => !name.startsWith('*.')))
    this.#endings = names.filter((name) => name.startsWith('*.')).map((name) => name.slice(1))
    this.#defaultPort = DEFAULT_PORTS[parts.certificate === undefined ? 'http' : 'https']
    this.#port = parts.port
    this.#known = new Set(
      [...this.#names].flatMap((name) => [
        `${name}:${parts.port}`,
        ...(parts.port === this.#defaultPort ? [name] : []),
      ]),
    )
  }

  /** Whether a `Host` header names this listener. */
  has(header: string): boolean {
    if (this.#known.has(header)) return true
    const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::([0-9]{0,5}))?$/.exec(header.toLowerCase()) ?? []
    const requestedPort = port === undefined || port === '' ? this.#defaultPort : Number(port)
    if (host === '' || requestedPort !== this.#port) return false
    return this.#names.has(host) || this.#endings.some((ending) => endsOneLabel(host, ending))
  }
}

/** A wildcard matches one label. */
const endsOneLabel = (host: string, ending: string) =>
  host.endsWith(ending) && host.length > ending.length && !host.slice(0, -ending.length).includes('.')

function namesOf({ certificate, listen }: OwnHostsOptions): string[] {
  const own = listen.toLowerCase()
  const addresses = WILDCARDS.includes(own)
    ? Object.values(networkInterfaces()).flatMap((ones) => (ones ?? []).map(({ address }) => address))
    : [own]
  const isLocal = [...addresses, own].some(
    (address) => LOOPBACK.includes(address) || WILDCARDS.includes(address),
  )
  const certified = certificate === undefined ? '' : (new X509Certificate(certificate).subjectAltName ?? '')
  const names = [...certified.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name]) => name as string)
  return [...new Set([...addresses, ...(isLocal ? LOOPBACK : []), ...names].map(hostText))]
}

/** An address as in a `Host` header. */
function hostText(name: string): string {
  if (!name.includes(':')) return name.toLowerCase()
  return URL.parse(`http://[${name.replace(/%.*$/, '')}]`)?.hostname ?? name
}
