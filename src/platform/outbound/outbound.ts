import { X509Certificate } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { connect as connectTcp } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { type Clock, monotonicTime, systemClock, WOKEN } from '../common/clock.ts'
import { CapacityError, SharedGate } from '../common/gate.ts'
import { SharedRun } from '../common/shared-run.ts'
import { parseAllowList } from './address.ts'
import { type CallResult, CallsInProgress, type EndedCall, type ResponseHeaders } from './call.ts'
import { ConnectError, type Dial, describeFailure } from './connect.ts'
import { type ConnectionSettings, Connections, MAX_HEADER_BYTES } from './connections.ts'
import { Line } from './line.ts'
import { Names } from './names.ts'
import type { Addresses, Reserved, Resolve, ResolveService } from './reserved.ts'
import { checkTarget, type TargetCheck } from './target.ts'

export interface OutboundOptions {
  /**
   * Networks in CIDR form that calls may reach although they are not public. Empty in a hardened
   * setting.
   */
  allow: readonly string[]
  /**
   * Services that no call may reach, whatever `allow` contains. Calls to them fail like calls to a
   * closed port.
   */
  reserved?: readonly Reserved[]
  /**
   * Time limit of a whole call in milliseconds: waiting in the queue, DNS, connection, TLS, headers
   * and body.
   */
  timeoutMs: number
  /** Maximum length of a response body in bytes. */
  maxBytes: number
  /** Trusted certificates in PEM, in addition to the machine's roots. */
  ca?: readonly string[]
  /** Maximum number of calls in progress. */
  maxConcurrent: number
  /**
   * Maximum number of calls in progress of one owner. Defaults to an eighth of all, at least one.
   */
  maxConcurrentOfOne?: number
  /** Maximum number of waiting calls of one owner. Defaults to 16 per concurrent call. */
  maxQueued?: number
  userAgent: string
  /** Time limit of one request on a line, in milliseconds. Defaults to `timeoutMs`. */
  lineTimeoutMs?: number
  /**
   * How long an idle connection is kept, in milliseconds, unless its server requests less. Defaults
   * to 4000.
   */
  idleMs?: number
  /** The clock for deadlines. Defaults to the machine's clock. */
  clock?: Clock
  /**
   * Resolves names that users chose. Defaults to the machine's hosts file and name servers. Never
   * called for literals or `localhost`.
   */
  resolve?: Resolve
  /**
   * Resolves the names of the reserved services. Defaults to the machine's resolver, which those
   * services use too.
   */
  resolveService?: ResolveService
  /** Called for every call that has ended. */
  onCall?: ((call: EndedCall) => void) | undefined
  /** Starts a connection to a checked address. Defaults to a plain TCP connection. */
  dial?: Dial
}

export interface OutboundRequest {
  /**
   * Whose call it is: the app or user that configured the URL. Owners share the calls in progress.
   */
  owner: string
  method: 'GET' | 'POST'
  url: string
  /** In addition to `host`, `user-agent`, `connection` and `content-length`, which are set here. */
  headers?: Readonly<Record<string, string>>
  body?: Buffer | string
  /**
   * Opens a new connection, so that the current address and certificate are checked, not those of a
   * kept one.
   */
  fresh?: boolean
  /** Maximum length of the response body in bytes, instead of that in the options. */
  maxBytes?: number
}

export type Outcome =
  /**
   * Any status, also 3xx: redirects are never followed. Names are lower case; repeated headers are
   * joined by `, `.
   */
  | { kind: 'answered'; status: number; headers: Record<string, string>; body: Buffer }
  /** Nothing was sent: the URL or one of its addresses is not allowed. */
  | { kind: 'rejected'; reason: string }
  | { kind: 'timeout' }
  | { kind: 'tls'; detail: string }
  /**
   * The name does not exist, the connection was refused, reset or closed, the response is not HTTP,
   * or there are too many calls.
   */
  | { kind: 'unreachable'; detail: string }
  /** The body exceeded its limit, or the headers their limit of 16384 bytes. */
  | { kind: 'too-large'; limitBytes: number }
  /** The outbound client is closed, or was closed meanwhile. */
  | { kind: 'closed' }

/** The outcome of a call. */
export interface Exchange {
  outcome: Outcome
  /** Whether a request was sent; false if there was no connection. */
  sent: boolean
  /**
   * The host has an address that is not public. The outcome then reveals the state of an internal
   * port, and must not be passed on to the user who chose the URL.
   */
  internal: boolean
}

export interface Outbound {
  /**
   * Checks the static rules for a webhook URL, see `checkTarget` of target.ts, without using the
   * network.
   */
  checkTarget(url: string): TargetCheck
  /**
   * One HTTP exchange. Every network failure is an outcome, never an exception.
   * @throws TypeError for a header that cannot be sent, or that the caller may not set
   */
  send(request: OutboundRequest): Promise<Exchange>
  /**
   * A line for many requests to one URL of an owner, with the same rules and limits; undefined if
   * the URL may not be called.
   */
  line(url: string, owner: string): Line | undefined
  /** Ends all calls with `closed`, and resolves when every socket is closed. */
  close(): Promise<void>
}

/** Longer than a webhook URL may be, because calls add parameters to it. */
const MAX_URL_LENGTH = 8192
/** After this time, the next address is tried. */
const ATTEMPT_MS = 2_000
const IDLE_MS = 4_000
/**
 * A connection for calls is closed after so many, so that addresses and certificates are checked
 * again.
 */
const MAX_USES = 1_000
/**
 * The connections of a line: the caller limits the number of requests in progress, and their age
 * ends them.
 */
const UNLIMITED = { maxIdle: Number.POSITIVE_INFINITY, maxUses: Number.POSITIVE_INFINITY }

const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/

/**
 * A client for URLs that users configure. It reaches only public addresses and those in `allow`,
 * whatever names resolve to. It follows no redirects, uses no proxy, decompresses nothing, and
 * limits time, size and number of calls.
 * @throws Error names a text in `allow` that is not a network, or says that a certificate in `ca`
 * cannot be read
 */
export const createOutbound = (options: OutboundOptions): Outbound => new OutboundClient(options)

class OutboundClient implements Outbound {
  readonly #options: OutboundOptions
  readonly #clock: Clock
  readonly #settings: ConnectionSettings
  readonly #gate: SharedGate
  readonly #calls: CallsInProgress
  readonly #connections: Connections
  readonly #lines = new Set<Line>()
  #isClosed = false

  constructor(options: OutboundOptions) {
    const { maxConcurrent, timeoutMs } = options
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#settings = settingsOf(options, this.#clock)
    const maxWaiting = options.maxQueued ?? maxConcurrent * 16
    this.#gate = new SharedGate(maxConcurrent, {
      maxWaiting,
      maxWaitingOfOne: maxWaiting,
      widthOfOne: options.maxConcurrentOfOne ?? Math.max(1, maxConcurrent >> 3),
    })
    this.#calls = new CallsInProgress(this.#clock, timeoutMs)
    this.#connections = new Connections(this.#settings, { maxIdle: maxConcurrent, maxUses: MAX_USES })
  }

  checkTarget(url: string): TargetCheck {
    return checkTarget(url, { allow: this.#settings.allow })
  }

  line(text: string, owner: string): Line | undefined {
    const target = this.#target(text)
    if (!target.ok || this.#isClosed) return undefined
    const { userAgent, timeoutMs, lineTimeoutMs = timeoutMs } = this.#options
    const line = new Line(
      { url: target.url, owner },
      {
        userAgent,
        connections: new Connections(this.#settings, UNLIMITED),
        calls: new CallsInProgress(this.#clock, lineTimeoutMs),
        whenClosed: () => this.#lines.delete(line),
        onCall: this.#options.onCall,
      },
    )
    this.#lines.add(line)
    return line
  }

  async send(request: OutboundRequest): Promise<Exchange> {
    const { owner, method, body = null, maxBytes = this.#options.maxBytes } = request
    const headers = requestHeaders(request.headers ?? {}, this.#options.userAgent)
    if (this.#isClosed) return unsent({ kind: 'closed' })
    const target = this.#target(request.url)
    const { onCall } = this.#options
    const startedAt = performance.now()
    const ends = (result: EndedCall['result']) =>
      onCall?.({
        ...{ method, url: request.url, headers: Object.entries(headers).flat(), body: request.body, result },
        durationMs: performance.now() - startedAt,
      })
    if (!target.ok) {
      ends({ kind: 'rejected', reason: target.reason })
      return unsent({ kind: 'rejected', reason: target.reason })
    }
    const { url } = target
    const ended = new AbortController()
    const done = Promise.withResolvers<CallResult>()
    const call = this.#calls.start({ maxBytes, keptBytes: maxBytes, isStartEnough: false }, (result) => {
      ends(result)
      done.resolve(result)
      ended.abort(WOKEN)
    })
    const work = () => {
      const sent = { path: url.pathname + url.search, method, headers, body }
      this.#connections.send({ url, owner, isFresh: request.fresh === true }, sent, call)
      return done.promise
    }
    this.#gate.through(owner, work, ended.signal).catch((error) => {
      if (error instanceof CapacityError) call.giveUp({ kind: 'failed', error: tooManyCalls() })
      else done.reject(error)
    })
    const outcome = outcomeOf(await done.promise)
    return { outcome, sent: call.wasSent, internal: call.connection?.isInternal ?? false }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#calls.close()
    this.#connections.close()
    for (const line of this.#lines) line.close()
    const { sockets } = this.#settings
    await Promise.all([...sockets].map((socket) => new Promise((gone) => socket.once('close', gone))))
  }

  /** The parsed URL of a call. Calls add parameters to the URL of a webhook. */
  #target(url: string): TargetCheck {
    return checkTarget(url, { allow: this.#settings.allow, maxLength: MAX_URL_LENGTH })
  }
}

function settingsOf(options: OutboundOptions, clock: Clock): ConnectionSettings {
  const names = new Names({ monotonic: monotonicTime })
  const { ca = [], reserved = [], idleMs = IDLE_MS, timeoutMs } = options
  for (const pem of ca) new X509Certificate(pem)
  // Created at the first TLS call, because it reads every certificate of the machine.
  let secureContext: SecureContext | undefined
  return {
    allow: parseAllowList(options.allow),
    reserved,
    resolve: options.resolve ?? ((host, at) => names.resolve(host, at)),
    resolveService: options.resolveService ?? sharedLookup(),
    dial: options.dial ?? (({ address, port }) => connectTcp({ host: address, port })),
    clock,
    attemptMs: Math.min(ATTEMPT_MS, timeoutMs / 2),
    trusted() {
      secureContext ??= createSecureContext({
        minVersion: 'TLSv1.2',
        ...(ca.length > 0 ? { ca: [...getCACertificates('default'), ...ca] } : {}),
      })
      return secureContext
    },
    idleMs,
    sockets: new Set(),
  }
}

/**
 * Looks up the names of Plaza's own services with the machine's resolver, as their clients do.
 * Calls during a lookup share the next one, so that calls to users' URLs keep at most one thread
 * per service.
 */
function sharedLookup(): ResolveService {
  const lookups = new Map<string, SharedRun<Addresses>>()
  return (host) => {
    const known = lookups.get(host) ?? new SharedRun(() => lookup(host, { all: true, order: 'verbatim' }))
    lookups.set(host, known)
    return known.run()
  }
}

const unsent = (outcome: Outcome): Exchange => ({ outcome, sent: false, internal: false })

const tooManyCalls = () => new ConnectError({ kind: 'unreachable', detail: 'too many calls at once' })

function outcomeOf(result: CallResult): Outcome {
  if (result.kind === 'answered') return { ...result, headers: joined(result.headers) }
  if (result.kind !== 'failed') return result
  const { error } = result
  if ('code' in error && error.code === 'UND_ERR_HEADERS_OVERFLOW')
    return { kind: 'too-large', limitBytes: MAX_HEADER_BYTES }
  return describeFailure(error)
}

function requestHeaders(given: Readonly<Record<string, string>>, userAgent: string): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': userAgent }
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (!HEADER_NAME.test(lower) || OWN_HEADERS.has(lower))
      throw new TypeError(`header ${name} cannot be set`)
    if (!HEADER_VALUE.test(value)) throw new TypeError(`header ${name} has a value that cannot be sent`)
    headers[lower] = value
  }
  return headers
}

function joined(received: ResponseHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(received).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}
