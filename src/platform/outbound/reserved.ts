import { networkInterfaces } from 'node:os'
import { classify, sameAddress } from './address.ts'
import { isLocalhost } from './target.ts'

/** The addresses of a host name, in the order in which to try them. */
export type Addresses = readonly { address: string; family: number }[]

/** All addresses of the name of one of Plaza's services. Rejects when the name does not exist. */
export type ResolveService = (host: string) => Promise<Addresses>

/** For whom a name is looked up, and until when. */
export interface Lookup {
  readonly owner: string
  readonly signal: AbortSignal
}

/** All addresses of a host name that a user chose. Rejects when the name does not exist. */
export type Resolve = (host: string, lookup: Lookup) => Promise<Addresses>

/**
 * A service that outgoing calls must not reach: one of Plaza's listeners, its database, its Redis.
 */
export interface Reserved {
  /** A host name or an IP address without brackets. */
  host: string
  port: number
}

/** The service that a URL names; undefined if it cannot be reached over TCP. */
export function reservedBy(url: string | undefined, defaultPort: number): Reserved[] {
  const parsed = url === undefined ? null : URL.parse(url)
  if (parsed === null) return []
  // A database URL without a host, or with a socket's folder in its query, means this machine.
  const host = parsed.hostname.replace(/^\[|\]$/g, '') || 'localhost'
  return [{ host, port: Number(parsed.port) || defaultPort }]
}

/**
 * Whether a connection to the address would reach one of the reserved services. Names are resolved
 * each time, so that a service that has moved stays unreachable. Costs nothing for ports that no
 * service uses.
 */
export async function isReserved(
  to: { address: string; port: number },
  reserved: readonly Reserved[],
  resolve: ResolveService,
): Promise<boolean> {
  for (const { host, port } of reserved) {
    if (port === to.port && (await leadsTo(host, to.address, resolve))) return true
  }
  return false
}

async function leadsTo(host: string, address: string, resolve: ResolveService): Promise<boolean> {
  const hosts = isLocalhost(host) ? ['127.0.0.1'] : await addressesOf(host, resolve)
  const isHere = isThisMachine(address)
  return hosts.some((one) => sameAddress(one, address) || (isHere && isThisMachine(one)))
}

async function addressesOf(host: string, resolve: ResolveService): Promise<string[]> {
  if (classify(host) !== 'invalid') return [host]
  // If the name of a service does not resolve, nothing else can reach it by that name either.
  return resolve(host).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )
}

/**
 * All addresses of this machine count as the same host, because most services listen on all of
 * them.
 */
function isThisMachine(address: string): boolean {
  const kind = classify(address)
  if (kind === 'loopback' || kind === 'unspecified') return true
  return Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => sameAddress(entry.address, address)),
  )
}
