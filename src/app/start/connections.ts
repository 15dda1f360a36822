import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../platform/common/network.ts'

/** Maximum number of open connections. */
export interface ConnectionLimits {
  max: number
  /** Maximum number per IPv4 address or IPv6 /64 network. */
  perAddress: number
}

export interface ConnectionOptions extends ConnectionLimits {
  /** How long a reply may wait for its reader to take any of it. */
  stalledMs?: number
  /** The interval of that check. */
  lookMs?: number
  /** Called when connections were dropped since the last call, at most once a minute. */
  onDropped?: (dropped: { count: number; address: string; limit: keyof ConnectionLimits }) => void
}

/** A reply that makes no progress for this long is aborted. */
const STALLED_MS = 30_000
const LOOK_MS = 2_000
const REPORT_EVERY_MS = 60_000
/** Descriptors reserved for files, databases and outbound calls. */
const RESERVED_DESCRIPTORS = 96
const FEWEST = 16

/**
 * The connections of some listeners. They are counted against limits, and closed when the peer
 * stops reading its reply. A connection beyond a limit is closed before anything is read from it.
 */
export class Connections {
  readonly #options: Required<Omit<ConnectionOptions, 'onDropped'>> & Pick<ConnectionOptions, 'onDropped'>
  readonly #open = new Map<Socket, { queued: number; since: number }>()
  readonly #perAddress = new Map<string, number>()
  #count = 0
  #dropped = 0
  #reportedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(options: ConnectionOptions) {
    this.#options = { stalledMs: STALLED_MS, lookMs: LOOK_MS, ...options }
  }

  /** Open connections that are counted. */
  get count(): number {
    return this.#count
  }

  /** Counts the connections of a server and watches its replies, until the server closes. */
  guard(server: Server): void {
    server.on('connection', (socket: Socket) => this.#admit(socket))
  }

  #admit(socket: Socket): void {
    const address = networkOf(socket.remoteAddress ?? '')
    const held = this.#perAddress.get(address) ?? 0
    const reached = this.#count >= this.#options.max ? 'max' : 'perAddress'
    if (reached === 'max' || held >= this.#options.perAddress) {
      this.#drop(socket, address, reached)
      return
    }
    this.#count++
    this.#perAddress.set(address, held + 1)
    this.#open.set(socket, { queued: 0, since: 0 })
    this.#timer ??= setInterval(() => this.look(performance.now()), this.#options.lookMs).unref()
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#count--
      const left = (this.#perAddress.get(address) ?? 1) - 1
      if (left === 0) this.#perAddress.delete(address)
      else this.#perAddress.set(address, left)
      if (this.#count > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
  }

  #drop(socket: Socket, address: string, limit: keyof ConnectionLimits): void {
    socket.destroy()
    this.#dropped++
    if (performance.now() - this.#reportedAt < REPORT_EVERY_MS) return
    this.#options.onDropped?.({ count: this.#dropped, address, limit })
    this.#reportedAt = performance.now()
    this.#dropped = 0
  }

  /** Closes the connections whose replies have made no progress for too long. Called by a timer. */
  look(now: number): void {
    for (const [socket, waiting] of this.#open) {
      const queued = queuedBytes(socket)
      if (queued === 0 || queued !== waiting.queued) {
        waiting.queued = queued
        waiting.since = now
      } else if (now - waiting.since >= this.#options.stalledMs) socket.destroy()
    }
  }
}

/**
 * Bytes that the peer has not read yet. The public counters of a socket do not change during one
 * large write, and under TLS they count unencrypted bytes. This is the queue of the transport
 * itself.
 */
const queuedBytes = (socket: Socket): number =>
  (socket as { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0

/**
 * The effective limits: no more than the descriptors that the system allows this process, and at
 * most half of all per address. `perAddress` does not apply behind a proxy, where every connection
 * comes from the proxy.
 */
export function connectionLimits(
  configured: ConnectionLimits,
  { behindProxy, descriptors }: { behindProxy: boolean; descriptors: number | undefined },
): ConnectionLimits {
  const max = Math.min(
    configured.max,
    descriptors === undefined ? configured.max : Math.max(FEWEST, descriptors - RESERVED_DESCRIPTORS),
  )
  if (behindProxy) return { max, perAddress: max }
  return { max, perAddress: Math.max(1, Math.min(configured.perAddress, Math.floor(max / 2))) }
}

/** How many files and sockets the system lets this process open; undefined if it does not say. */
export function openFilesLimit(): number | undefined {
  const limit = Number(softLimit())
  return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined
}

function softLimit(): unknown {
  try {
    return /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
  } catch {
    // Not Linux. The diagnostic report contains the limit too, but takes a tenth of the time of a
    // start.
    Object.assign(process.report, { excludeNetwork: true })
    const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
    return report.userLimits?.open_files?.soft
  }
}
