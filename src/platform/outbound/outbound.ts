import { X509Certificate } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { connect as connectTcp, type Socket } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { Client } from 'undici'
import { type Clock, monotonicTime, systemClock } from '../common/clock.ts'
import { CapacityError, SharedGate } from '../common/gate.ts'
import { SharedRun } from '../common/shared-run.ts'
import { parseAllowList } from './address.ts'
import { ConnectError, type Dial, describeFailure, type Failure, openConnection } from './connect.ts'
import { Deadlines, Line } from './line.ts'
import { Names } from './names.ts'
import type { Addresses, Reserved, Resolve, ResolveService } from './reserved.ts'
import { checkTarget, hostOf, type TargetCheck } from './target.ts'

export interface OutboundOptions {
  /** Networks in CIDR form that calls may reach although they are not public. Empty in a hardened setting. */
  allow: readonly string[]
  /** Services that no call may reach, whatever `allow` contains. Calls to them fail like calls to a closed port. */
  reserved?: readonly Reserved[]
  /** Time limit of a whole call in milliseconds: waiting in the queue, DNS, connection, TLS, headers and body. */
  timeoutMs: number
  /** Maximum length of a response body in bytes. */
  maxBytes: number
  /** Trusted certificates in PEM, in addition to the machine's roots. */
  ca?: readonly string[]
  /** Maximum number of calls in progress. */
  maxConcurrent: number
  /** Maximum number of calls in progress of one owner. Defaults to an eighth of all, at least one. */
  maxConcurrentOfOne?: number
  /** Maximum number of waiting calls of one owner. Defaults to 16 per concurrent call. */
  maxQueued?: number
  userAgent: string
  /** Time limit of one request on a line, in milliseconds. Defaults to `timeoutMs`. */
  lineTimeoutMs?: number
  /** How long an idle connection is kept, in milliseconds, unless its server requests less. Defaults to 4000. */
  idleMs?: number
  /** The clock for deadlines. Defaults to the machine's clock. */
  clock?: Clock
  /**
   * Resolves names that users chose. Defaults to the machine's hosts file and name servers. Never called for literals or
   * `localhost`.
   */
  resolve?: Resolve
  /** Resolves the names of the reserved services. Defaults to the machine's resolver, which those services use too. */
  resolveService?: ResolveService
  /** Starts a connection to a checked address. Defaults to a plain TCP connection. */
  dial?: Dial
}

export interface OutboundRequest {
  /** Whose call it is: the app or user that configured the URL. Owners share the calls in progress. */
  owner: string
  method: 'GET' | 'POST'
  url: string
  /** In addition to `host`, `user-agent`, `connection` and `content-length`, which are set here. */
  headers?: Readonly<Record<string, string>>
  body?: Buffer | string
  /** Opens a new connection, so that the current address and certificate are checked, not those of a kept one. */
  fresh?: boolean
  /** Maximum length of the response body in bytes, instead of that in the options. */
  maxBytes?: number
}

export type Outcome =
  /** Any status, also 3xx: redirects are never followed. Names are lower case; repeated headers are joined by `, `. */
  | { kind: 'answered'; status: number; headers: Record<string, string>; body: Buffer }
  /** Nothing was sent: the URL or one of its addresses is not allowed. */
  | { kind: 'rejected'; reason: string }
  | { kind: 'timeout' }
  | { kind: 'tls'; detail: string }
  /**
   * The name does not exist, the connection was refused, reset or closed, the response is not HTTP, or there are too
   * many calls.
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
   * The host has an address that is not public. The outcome then reveals the state of an internal port, and must not be
   * passed on to the user who chose the URL.
   */
  internal: boolean
}

export interface Outbound {
  /** Checks the static rules for a webhook URL, see `checkTarget` of target.ts, without using the network. */
  checkTarget(url: string): TargetCheck
  /**
   * One HTTP exchange. Every network failure is an outcome, never an exception.
   * @throws TypeError for a header that cannot be sent, or that the caller may not set
   */
  send(request: OutboundRequest): Promise<Exchange>
  /**
   * A line for many requests to one URL of an owner, with the same rules and limits; undefined if the URL may not be
   * called.
   */
  line(url: string, owner: string): Line | undefined
  /** Ends all calls with `closed`, and resolves when every socket is closed. */
  close(): Promise<void>
}

/** Longer than a webhook URL may be, because calls add parameters to it. */
const MAX_URL_LENGTH = 8192
const MAX_HEADER_BYTES = 16_384
/** After this time, the next address is tried. */
const ATTEMPT_MS = 2_000
const IDLE_MS = 4_000
/** A busy connection is closed after this time, so that addresses and certificates are checked again. */
const MAX_USES = 1_000
const MAX_AGE_MS = 60_000

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

/** One connection, with the call that currently uses it. */
interface Slot {
  client: Client
  origin: string
  sockets: Set<Socket>
  /** The signal of the call in progress; aborted while there is none. */
  signal: AbortSignal
  /** Whether its host has an address that is not public. */
  internal: boolean
  uses: number
  spent: boolean
  /** Aborted when the connection is given up. */
  gone: AbortController
}

/**
 * A client for URLs that users configure. It reaches only public addresses and those in `allow`, whatever names resolve
 * to. It follows no redirects, uses no proxy, decompresses nothing, and limits time, size and number of calls.
 * @throws Error names a text in `allow` that is not a network, or says that a certificate in `ca` cannot be read
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const allow = parseAllowList(options.allow)
  const names = new Names({ monotonic: monotonicTime })
  const resolve: Resolve = options.resolve ?? ((host, at) => names.resolve(host, at))
  const resolveService = options.resolveService ?? sharedLookup()
  const dial: Dial = options.dial ?? (({ address, port }) => connectTcp({ host: address, port }))
  const clock = options.clock ?? systemClock
  const idleMs = options.idleMs ?? IDLE_MS
  const maxQueued = options.maxQueued ?? options.maxConcurrent * 16
  const gate = new SharedGate(options.maxConcurrent, {
    maxWaiting: maxQueued,
    maxWaitingOfOne: maxQueued,
    widthOfOne: options.maxConcurrentOfOne ?? Math.max(1, options.maxConcurrent >> 3),
  })
  const extra = options.ca ?? []
  for (const pem of extra) new X509Certificate(pem)
  // Created at the first TLS call, because it reads every certificate of the machine.
  let secureContext: SecureContext | undefined
  let library: Library | undefined
  const trusted = () => {
    secureContext ??= createSecureContext({
      minVersion: 'TLSv1.2',
      ...(extra.length > 0 ? { ca: [...getCACertificates('default'), ...extra] } : {}),
    })
    return secureContext
  }

  const calls = new Set<AbortController>()
  const sockets = new Set<Socket>()
  /** Idle connections, the longest kept first. */
  const idle: Slot[] = []
  let closed = false

  const lines = new Set<Line>()
  const deadlines = new Deadlines(clock, options.lineTimeoutMs ?? options.timeoutMs)

  const noCall = AbortSignal.abort()

  function openSlot(url: URL, owner: string, { Client }: Library): Slot {
    const secure = url.protocol === 'https:'
    const slot: Slot = {
      origin: url.origin,
      sockets: new Set(),
      signal: noCall,
      internal: false,
      uses: 0,
      spent: false,
      gone: new AbortController(),
      client: new Client(url.origin, {
        allowH2: false,
        pipelining: 1,
        keepAliveTimeout: idleMs,
        keepAliveMaxTimeout: idleMs,
        maxHeaderSize: MAX_HEADER_BYTES,
        // The deadline of the call is the only time limit.
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: (_, done) => {
          openConnection({
            host: hostOf(url),
            port: Number(url.port) || (secure ? 443 : 80),
            secure: secure ? trusted() : undefined,
            allow,
            reserved: options.reserved ?? [],
            ...{ resolve, resolveService, dial, clock, owner },
            internal: () => {
              slot.internal = true
            },
            attemptMs: Math.min(ATTEMPT_MS, options.timeoutMs / 2),
            track: (socket) => track(slot, socket),
            signal: slot.signal,
          }).then(
            (socket) => done(null, socket),
            (error: Error) => done(error, null),
          )
        },
      }),
    }
    slot.client.on('disconnect', () => {
      slot.spent = true
      if (idle.includes(slot)) drop(slot)
    })
    void clock.at(clock.now() + MAX_AGE_MS, slot.gone.signal).then((came) => {
      if (!came) return
      slot.spent = true
      if (idle.includes(slot)) drop(slot)
    })
    return slot
  }

  function track(slot: Slot, socket: Socket): void {
    for (const set of [sockets, slot.sockets]) {
      set.add(socket)
      socket.once('close', () => set.delete(socket))
    }
  }

  function takeSlot(url: URL): Slot | undefined {
    // The server is least likely to be just closing the most recently used connection.
    const index = idle.findLastIndex((slot) => slot.origin === url.origin)
    return index === -1 ? undefined : idle.splice(index, 1)[0]
  }

  function keep(slot: Slot): void {
    slot.signal = noCall
    if (slot.spent || closed || slot.uses >= MAX_USES) {
      drop(slot)
      return
    }
    idle.push(slot)
    const oldest = idle.length > options.maxConcurrent ? idle[0] : undefined
    if (oldest !== undefined) drop(oldest)
  }

  function drop(slot: Slot): void {
    slot.gone.abort()
    slot.signal = noCall
    const index = idle.indexOf(slot)
    if (index !== -1) idle.splice(index, 1)
    slot.client.destroy().catch(() => {})
    for (const socket of slot.sockets) socket.destroy()
  }

  function exchange(
    url: URL,
    request: OutboundRequest,
    headers: Record<string, string>,
    signal: AbortSignal,
    library: Library,
  ) {
    return new Promise<Exchange>((settle) => {
      const slot =
        (request.fresh === true ? undefined : takeSlot(url)) ?? openSlot(url, request.owner, library)
      slot.signal = signal
      slot.uses++
      let settled = false
      let sent = false
      const finish = (outcome: Outcome, release: (slot: Slot) => void = drop) => {
        if (settled) return
        settled = true
        signal.removeEventListener('abort', stop)
        release(slot)
        settle({ outcome, sent, internal: slot.internal })
      }
      const stop = () => finish(signal.reason)
      signal.addEventListener('abort', stop)

      const { maxBytes = options.maxBytes } = request
      const body = collector(maxBytes)
      const tooLarge: Outcome = { kind: 'too-large', limitBytes: maxBytes }
      let status = 0
      let answered: Record<string, string> = {}
      slot.client.dispatch(
        {
          path: url.pathname + url.search,
          method: request.method,
          headers,
          body: request.body ?? null,
        },
        {
          onRequestStart() {
            sent = true
          },
          onResponseStart(_, code, received) {
            // Informational responses precede the final one.
            if (code < 200) return
            status = code
            answered = joined(received)
            const bodiless = code === 204 || code === 304
            if (!bodiless && Number(answered['content-length']) > maxBytes) finish(tooLarge)
          },
          onResponseData(_, chunk) {
            if (!settled && !body.add(chunk)) finish(tooLarge)
          },
          onResponseEnd() {
            finish({ kind: 'answered', status, headers: answered, body: body.bytes() }, keep)
          },
          onResponseError(_, error) {
            finish(failureOf(error))
          },
        },
      )
    })
  }

  return {
    checkTarget: (url) => checkTarget(url, { allow }),

    line(text, owner) {
      const target = checkTarget(text, { allow, maxLength: MAX_URL_LENGTH })
      if (!target.ok || closed) return undefined
      const line = new Line(target.url, {
        userAgent: options.userAgent,
        deadlines,
        slots: {
          async open() {
            // Loaded at the first call.
            library ??= await import('undici')
            const slot = openSlot(target.url, owner, library)
            slot.signal = slot.gone.signal
            return slot
          },
          drop: (slot) => drop(slot as Slot),
        },
        closed: () => lines.delete(line),
      })
      lines.add(line)
      return line
    },

    async send(request) {
      const headers = requestHeaders(request.headers ?? {}, options.userAgent)
      if (closed) return unsent({ kind: 'closed' })
      const target = checkTarget(request.url, { allow, maxLength: MAX_URL_LENGTH })
      if (!target.ok) return unsent({ kind: 'rejected', reason: target.reason })
      const call = new AbortController()
      const done = new AbortController()
      void clock.at(clock.now() + options.timeoutMs, done.signal).then((came) => {
        if (came) call.abort({ kind: 'timeout' } satisfies Outcome)
      })
      calls.add(call)
      try {
        return await gate.through(
          request.owner,
          async () => {
            // Loaded at the first call, which may also have ended meanwhile.
            library ??= await import('undici')
            if (call.signal.aborted) return unsent(call.signal.reason)
            return exchange(target.url, request, headers, call.signal, library)
          },
          call.signal,
        )
      } catch (error) {
        if (call.signal.aborted) return unsent(call.signal.reason)
        if (!(error instanceof CapacityError)) throw error
        return unsent({ kind: 'unreachable', detail: 'too many calls at once' })
      } finally {
        done.abort()
        calls.delete(call)
      }
    },

    async close() {
      closed = true
      for (const call of calls) call.abort({ kind: 'closed' } satisfies Outcome)
      for (const line of lines) line.close()
      for (const slot of [...idle]) drop(slot)
      await Promise.all([...sockets].map((socket) => new Promise((gone) => socket.once('close', gone))))
    },
  }
}

type Library = Pick<typeof import('undici'), 'Client'>

/**
 * Looks up the names of Plaza's own services with the machine's resolver, as their clients do. Calls during a lookup share
 * the next one, so that calls to users' URLs keep at most one thread per service.
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

function failureOf(error: Error): Failure | Outcome {
  if (!(error instanceof ConnectError) && 'code' in error && error.code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { kind: 'too-large', limitBytes: MAX_HEADER_BYTES }
  }
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

function joined(received: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(received).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

/**
 * Collects a body in one growing buffer, so that a server that sends single bytes cannot make it cost more than its
 * size.
 */
function collector(maxBytes: number): { add(chunk: Buffer): boolean; bytes(): Buffer } {
  let store = Buffer.alloc(0)
  let length = 0
  return {
    add(chunk) {
      const needed = length + chunk.length
      if (needed > maxBytes) return false
      if (needed > store.length) {
        const larger = Buffer.alloc(Math.min(maxBytes, Math.max(needed, store.length * 2, 1024)))
        store.copy(larger, 0, 0, length)
        store = larger
      }
      chunk.copy(store, length)
      length = needed
      return true
    },
    bytes: () => store.subarray(0, length),
  }
}
