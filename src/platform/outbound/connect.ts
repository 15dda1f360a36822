import { isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { type Clock, WOKEN } from '../common/clock.ts'
import { beginningOf } from '../common/cut-text.ts'
import { type AllowList, classify, mayReach, sameAddress } from './address.ts'
import { isReserved, type Reserved, type Resolve, type ResolveService } from './reserved.ts'
import { isLocalhost, loopbackOf } from './target.ts'

/** Starts a TCP connection to a literal address. Must not resolve anything and must not throw. */
export type Dial = (where: { address: string; port: number }) => Socket

/** Why there is no connection, as reported to the caller of the outgoing request. */
export type Failure =
  | { kind: 'rejected'; reason: string }
  | { kind: 'tls'; detail: string }
  | { kind: 'unreachable'; detail: string }

/** Carries a {@link Failure} through code that only passes errors on. */
export class ConnectError extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.kind)
    this.failure = failure
  }
}

export interface ConnectOptions {
  /** Host name, or IP literal without brackets. */
  host: string
  port: number
  /** The TLS context to use; absent for plain http. */
  secure: SecureContext | undefined
  allow: AllowList
  /** Services that no connection may reach, whatever `allow` contains. */
  reserved: readonly Reserved[]
  resolve: Resolve
  resolveService: ResolveService
  dial: Dial
  /** For whom the connection is opened. */
  owner: string
  /** The clock of the attempts. */
  clock: Clock
  /** Maximum time for one address while there are others to try, in milliseconds. */
  attemptMs: number
  /** Called once it is known that the host has an address that is not public. */
  internal: () => void
  /** Receives every socket at its creation, so that the caller can destroy it. */
  track: (socket: Socket) => void
  signal: AbortSignal
}

/** Limits the connections to a name with hundreds of addresses. */
const MAX_ATTEMPTS = 6

/**
 * Opens one connection after checking every address of the host, and only to a checked address:
 * sockets connect to literal addresses, so nothing is resolved a second time.
 * @throws ConnectError
 */
export async function openConnection(options: ConnectOptions): Promise<Socket> {
  const addresses = await checkedAddresses(options)
  let failure: Failure = { kind: 'unreachable', detail: 'the host name has no address' }
  for (const [index, address] of addresses.entries()) {
    try {
      const socket = await dialOne(address, index === addresses.length - 1, options)
      return options.secure === undefined ? socket : await handshake(socket, options.secure, options)
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error
      failure = error.failure
      // Another address leads to the same server, so it does not help with a certificate or a
      // rejection.
      if (failure.kind !== 'unreachable' || options.signal.aborted) break
    }
  }
  throw new ConnectError(failure)
}

async function checkedAddresses(options: ConnectOptions): Promise<string[]> {
  const { host, port, allow, reserved, resolveService } = options
  const addresses = isIP(host) !== 0 ? [host] : isLocalhost(host) ? loopbackOf(allow) : await named(options)
  if (addresses.some((address) => classify(address) !== 'public')) options.internal()
  // One internal address makes the whole name invalid: legitimate names do not mix public and
  // internal addresses.
  if (addresses.length > 0 && !addresses.every((address) => mayReach(address, allow))) {
    throw new ConnectError({ kind: 'rejected', reason: 'the host resolves to an address that is not public' })
  }
  if (isLocalhost(host) && addresses.length === 0) {
    throw new ConnectError({ kind: 'rejected', reason: 'localhost is not public' })
  }
  for (const address of addresses) {
    // The same failure as for a closed port, so that the caller does not learn which ports are
    // reserved.
    if (await isReserved({ address, port }, reserved, resolveService)) throw connectionRefused()
  }
  return [...new Set(addresses)].slice(0, MAX_ATTEMPTS)
}

const connectionRefused = () =>
  new ConnectError({ kind: 'unreachable', detail: 'the connection was refused' })

async function named({ host, resolve, owner, signal }: ConnectOptions): Promise<string[]> {
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(aborted())
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) throw aborted()
    const found = await Promise.race([resolve(host, { owner, signal }), stopped.promise])
    return found.map(({ address }) => address)
  } catch (error) {
    if (error instanceof ConnectError) throw error
    throw new ConnectError({ kind: 'unreachable', detail: 'the host name could not be resolved' })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function aborted(): ConnectError {
  return new ConnectError({ kind: 'unreachable', detail: 'the call was given up' })
}

async function dialOne(address: string, last: boolean, options: ConnectOptions): Promise<Socket> {
  const { port, clock, attemptMs, signal } = options
  if (signal.aborted) throw aborted()
  const socket = options.dial({ address, port })
  options.track(socket)
  const done = new AbortController()
  const slow = new ConnectError({ kind: 'unreachable', detail: 'the connection timed out' })
  if (!last) void clock.at(clock.now() + attemptMs, done.signal).then((came) => came && socket.destroy(slow))
  try {
    await reached(socket, 'connect')
  } finally {
    done.abort(WOKEN)
  }
  if (!sameAddress(socket.remoteAddress ?? '', address)) {
    socket.destroy()
    const reason = 'the connection led to another address than the checked one'
    throw new ConnectError({ kind: 'rejected', reason })
  }
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 10_000)
  return socket
}

async function handshake(plain: Socket, secureContext: SecureContext, options: ConnectOptions) {
  const { host, track, signal } = options
  if (signal.aborted) {
    plain.destroy()
    throw aborted()
  }
  const socket = connectTls({
    socket: plain,
    secureContext,
    // The certificate is checked against this host. Addresses cannot be sent as server name (RFC
    // 6066).
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    // Explicit, because an environment variable can turn the default off.
    rejectUnauthorized: true,
  })
  track(socket)
  try {
    await reached(socket, 'secureConnect')
    if (socket.authorized) return socket
    throw new ConnectError({ kind: 'tls', detail: 'the certificate is not trusted' })
  } catch (error) {
    socket.destroy()
    plain.destroy()
    throw error
  }
}

/**
 * Waits until a socket is connected. Its later errors are ignored here: whoever uses it learns of
 * its end.
 * @throws ConnectError when it fails or is closed before
 */
function reached(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve)
    socket.on('error', (error) => reject(new ConnectError(describeFailure(error, event === 'secureConnect'))))
    socket.on('close', () =>
      reject(new ConnectError({ kind: 'unreachable', detail: 'the connection was closed' })),
    )
  })
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Describes an error of a socket or of HTTP parsing, without revealing internal addresses. */
function describeSocketError(error: Error): string {
  const code = codeOf(error)
  if (code === 'ECONNREFUSED') return 'the connection was refused'
  if (code === 'ETIMEDOUT') return 'the connection timed out'
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL')
    return 'there is no route to the host'
  // By its name, because the library may not be loaded yet.
  if (error.name === 'HTTPParserError') return 'the answer is not valid HTTP'
  return 'the connection was closed'
}

/**
 * The failure behind an error. With `handshaking`, while TLS is being set up, every other error is
 * a TLS error.
 */
export function describeFailure(error: Error, handshaking = false): Failure {
  if (error instanceof ConnectError) return error.failure
  const code = codeOf(error)
  const ofSocket = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EADDR|UND_ERR)/.test(code)
  if (
    code.startsWith('ERR_SSL_') ||
    code.startsWith('ERR_TLS_') ||
    code === 'EPROTO' ||
    (handshaking && !ofSocket)
  ) {
    const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message
    return { kind: 'tls', detail: beginningOf(reason, 200) }
  }
  return { kind: 'unreachable', detail: describeSocketError(error) }
}
