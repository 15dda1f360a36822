import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Where requests go. */
export interface Target {
  port: number
  tls: boolean
}

export interface OpenLoopOptions {
  target: Target
  /** Requests per second, whatever becomes of those before. */
  rate: number
  seconds: number
  connections: number
  /** The next request as it goes over the wire. */
  next(): string
  /** The expected status. */
  status: number
}

export interface OpenLoopResult {
  /** Requests per second that were answered. */
  achieved: number
  /** Scheduled requests that never got an answer of the expected status. */
  missed: number
  /** Milliseconds from the scheduled time of a request to the last byte of its reply. */
  p50: number
  p99: number
  max: number
}

/** How long after the last scheduled request replies are waited for. */
const GRACE_MS = 5_000

/**
 * Sends requests at fixed times over a pool of connections, one request at a time on each. A
 * request that finds every connection busy waits in a queue, and the wait counts: latency runs from
 * the scheduled time, so that a slow server cannot hide its queue by slowing its callers down.
 */
export async function openLoop(options: OpenLoopOptions): Promise<OpenLoopResult> {
  const { rate, seconds, next, status } = options
  const total = Math.floor(rate * seconds)
  const latencies = new Float64Array(total)
  const pool = await Promise.all(Array.from({ length: options.connections }, () => Wire.open(options.target)))
  const idle = [...pool]
  let scheduled = 0
  let sent = 0
  let answered = 0
  let wrong = 0
  let lost = 0

  const began = performance.now()
  const dueAt = (index: number) => began + (index * 1000) / rate
  await new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(deadline)
      resolve()
    }
    const deadline = setTimeout(resolve, seconds * 1000 + GRACE_MS)
    const send = () => {
      while (sent < scheduled) {
        const wire = idle.pop()
        if (!wire) return
        const due = dueAt(sent++)
        wire.exchange(next(), (reply) => {
          if (reply === status) latencies[answered++] = performance.now() - due
          else if (reply === undefined) lost++
          else wrong++
          if (reply !== undefined) idle.push(wire)
          if (answered + wrong + lost === total || lost === pool.length) finish()
          else send()
        })
      }
    }
    const tick = () => {
      scheduled = Math.min(total, Math.floor(((performance.now() - began) * rate) / 1000) + 1)
      send()
      if (scheduled < total) setTimeout(tick, 1)
    }
    tick()
  })
  const elapsed = (performance.now() - began) / 1000
  for (const wire of pool) wire.close()

  const sorted = latencies.subarray(0, answered).sort()
  const at = (share: number) =>
    sorted[Math.min(answered - 1, Math.floor(answered * share))] ?? Number.POSITIVE_INFINITY
  return {
    achieved: answered / elapsed,
    missed: total - answered,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
  }
}

/**
 * What plain connections read into. Without it, Node.js allocates a buffer outside the heap for
 * each read. Such buffers made the garbage collector mark the whole heap twice a second, and its
 * threads took the processor from the server.
 */
const READ_BUFFER = Buffer.alloc(65_536)

/** One keep-alive connection. It reads only as much of a reply as it takes to find its end. */
class Wire {
  readonly #socket: Socket
  #held = ''
  #done: ((status: number | undefined) => void) | undefined

  private constructor({ port, tls }: Target) {
    const where = { host: '127.0.0.1', port }
    if (tls) {
      // The load generator trusts itself: it started the server that it measures.
      this.#socket = connectTls({ ...where, rejectUnauthorized: false })
      this.#socket.on('data', (chunk: Buffer) => this.#read(chunk.toString('latin1')))
    } else {
      const callback = (length: number, buffer: Uint8Array) => {
        this.#read((buffer as Buffer).toString('latin1', 0, length))
        return true
      }
      this.#socket = connect({ ...where, onread: { buffer: READ_BUFFER, callback } })
    }
    this.#socket.setNoDelay(true)
    this.#socket.on('error', () => this.#socket.destroy())
    this.#socket.on('close', () => this.#finish(undefined))
  }

  static async open(target: Target): Promise<Wire> {
    const wire = new Wire(target)
    await once(wire.#socket, target.tls ? 'secureConnect' : 'connect')
    return wire
  }

  exchange(request: string, done: (status: number | undefined) => void): void {
    this.#done = done
    if (this.#socket.destroyed) this.#finish(undefined)
    else this.#socket.write(request, 'latin1')
  }

  close(): void {
    this.#done = undefined
    this.#socket.destroy()
  }

  #read(chunk: string): void {
    this.#held = this.#held === '' ? chunk : this.#held + chunk
    const head = this.#held.indexOf('\r\n\r\n')
    if (head === -1) return
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#held)?.[1]
    if (this.#held.length < head + 4 + Number(length ?? 0)) return
    const status = Number(this.#held.slice(9, 12))
    this.#held = ''
    this.#finish(status)
  }

  #finish(status: number | undefined): void {
    const done = this.#done
    this.#done = undefined
    done?.(status)
  }
}
