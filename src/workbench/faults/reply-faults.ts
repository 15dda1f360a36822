import type { ServerResponse } from 'node:http'
import { systemClock } from '../../platform/common/clock.ts'

type Chunk = string | Uint8Array

const bytesOf = (chunk: Chunk | null | undefined, encoding: unknown): Buffer =>
  chunk === undefined || chunk === null || typeof chunk === 'function'
    ? Buffer.alloc(0)
    : typeof chunk === 'string'
      ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
      : Buffer.from(chunk)

/** How the writes of a reply are replaced. */
interface ReplacedWrites {
  write(bytes: Buffer): boolean
  end(): void
}

function replace(response: ServerResponse, { write, end }: ReplacedWrites): void {
  response.write = ((chunk: Chunk, encoding?: unknown, done?: unknown) => {
    const more = write(bytesOf(chunk, encoding))
    for (const after of [encoding, done]) if (typeof after === 'function') process.nextTick(after)
    return more
  }) as ServerResponse['write']
  response.end = ((chunk?: Chunk, encoding?: unknown) => {
    const bytes = bytesOf(chunk, encoding)
    if (bytes.length > 0) write(bytes)
    end()
    return response
  }) as ServerResponse['end']
}

/** Ends the connection in place of the reply. The handler has done its work by then. */
export function loseReply(response: ServerResponse): void {
  const drop = () => {
    response.socket?.destroy()
    return true
  }
  replace(response, { write: drop, end: drop })
  response.writeHead = () => response
  response.flushHeaders = drop
}

/** Ends the connection after so many bytes of the body. */
export function truncateReply(response: ServerResponse, bytes: number): void {
  const write = response.write.bind(response) as (bytes: Buffer) => boolean
  const end = response.end.bind(response) as () => void
  let left = bytes
  let isCut = false
  const cut = () => {
    isCut = true
    response.flushHeaders()
    response.socket?.destroySoon()
  }
  replace(response, {
    write(chunk) {
      if (isCut) return true
      if (chunk.length <= left) {
        left -= chunk.length
        return write(chunk)
      }
      if (left > 0) write(chunk.subarray(0, left))
      cut()
      return true
    },
    end: () => {
      if (!isCut) end()
    },
  })
}

/** In real time. */
const SLICE_MS = 100
/** Bytes that may wait; with more, the writer waits, too. */
const MAX_QUEUED_BYTES = 16_384

/** Sends the body at so many bytes per second. Ends the connection when the signal is aborted. */
export function throttleReply(response: ServerResponse, bytesPerSecond: number, signal: AbortSignal): void {
  const write = response.write.bind(response) as (bytes: Buffer) => boolean
  const end = response.end.bind(response) as () => void
  const sliceBytes = Math.max(1, Math.floor((bytesPerSecond * SLICE_MS) / 1_000))
  const queue: Buffer[] = []
  let queuedBytes = 0
  let hasEnded = false
  let isRunning = false
  async function run() {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const slice = next.subarray(0, sliceBytes)
      if (slice.length < next.length) queue.unshift(next.subarray(sliceBytes))
      queuedBytes -= slice.length
      write(slice)
      const waitMs = (slice.length * 1_000) / bytesPerSecond
      if (!(await systemClock.at(systemClock.now() + waitMs, signal))) response.socket?.destroy()
      if (response.destroyed || response.socket?.destroyed) return
    }
    isRunning = false
    if (hasEnded) end()
    else response.emit('drain')
  }
  const start = () => {
    if (isRunning) return
    isRunning = true
    void run()
  }
  replace(response, {
    write(chunk) {
      if (chunk.length > 0) queue.push(chunk)
      queuedBytes += chunk.length
      start()
      return queuedBytes < MAX_QUEUED_BYTES
    },
    end() {
      hasEnded = true
      start()
    },
  })
}
