import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { type Encoding, flushingCompressor } from './compress.ts'

/** The writable end of a stream, for its handler. */
export interface Sink<Value> {
  /** False while a write waits for the client to read: skip optional data then. */
  readonly canWrite: boolean
  /**
   * Writes text unchanged: a heartbeat. Resolves once the buffer has drained; rejects once the
   * client is gone.
   */
  write(text: string): Promise<void>
  /** Writes a value of the declared schema as one line, ended by CR LF. */
  send(value: Value): Promise<void>
  /**
   * Writes the last text, even while a write waits for the client to read. Nothing can be written
   * after it.
   */
  last(text: string): void
}

/** How values become text, and who else receives the text. */
interface Writing<Value> {
  writeValue(value: Value): string
  onWrite?: ((text: string) => void) | undefined
}

/** Why the signal of a stream aborts. */
export type StreamEnd = 'client gone' | 'shutdown'

/** The open streams of this process's listeners. */
export class Streams {
  readonly #open = new Map<AbortController, Promise<void>>()
  readonly #responses = new WeakSet<ServerResponse>()
  #isShuttingDown = false

  /** Streams that are open now. */
  get count(): number {
    return this.#open.size
  }

  /** Whether a response is that of a stream. */
  has(response: ServerResponse): boolean {
    return this.#responses.has(response)
  }

  /**
   * Signals the shutdown to every stream, including those opened later. Resolves when everything
   * they wrote has been sent: a listener that closes earlier would truncate it.
   */
  async shutDown(): Promise<void> {
    this.#isShuttingDown = true
    for (const controller of this.#open.keys()) controller.abort('shutdown' satisfies StreamEnd)
    await Promise.allSettled(this.#open.values())
  }

  /**
   * Runs a stream whose head was sent, with its `content-encoding`. It ends when `run` returns; the
   * signal aborts when the client disconnects or the server shuts down. A stream whose `run` fails
   * is cut off, so that the client can detect that it is incomplete.
   */
  run<Value>(
    response: ServerResponse,
    { encoding, ...writing }: { encoding: Encoding | undefined } & Writing<Value>,
    run: (sink: Sink<Value>, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    this.#responses.add(response)
    const controller = new AbortController()
    const gone = () => controller.abort('client gone' satisfies StreamEnd)
    if (this.#isShuttingDown) controller.abort('shutdown' satisfies StreamEnd)
    if (response.destroyed) gone()
    else response.once('close', gone)
    const running = runInto(response, encoding, (output) =>
      run(new ResponseSink(response, output, writing), controller.signal),
    ).finally(() => this.#open.delete(controller))
    this.#open.set(controller, running)
    return running
  }
}

/**
 * Resolves when everything written has been sent or the client has disconnected. Rejects with the
 * error of `run`.
 */
async function runInto(
  response: ServerResponse,
  encoding: Encoding | undefined,
  run: (output: Writable) => Promise<void>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    if (response.destroyed) resolve()
    response.once('close', resolve).once('finish', resolve)
  })
  const output = encoding ? packedInto(response, encoding) : response
  try {
    await run(output)
    output.end()
  } catch (error) {
    if (response.destroyed) return
    // Sends what was written before, but not the final chunk.
    output.write('', () => response.socket?.destroySoon())
    throw error
  }
  await closed
}

/** Compresses what is written, and sends it. It ends with the response. */
function packedInto(response: ServerResponse, encoding: Encoding): Writable {
  const packer = flushingCompressor(encoding)
  if (response.destroyed) packer.destroy()
  response.once('close', () => packer.destroy())
  packer.pipe(response)
  return packer
}

/** A write while another one waits for the buffer to drain, or after the client has gone. */
class StreamWriteError extends Error {
  override name = 'StreamWriteError'
}

class ResponseSink<Value> implements Sink<Value> {
  readonly #response: ServerResponse
  /** The response, or the compressor before it. */
  readonly #output: Writable
  readonly #writing: Writing<Value>
  canWrite = true
  /** Until the last text. */
  #isOpen = true

  constructor(response: ServerResponse, output: Writable, writing: Writing<Value>) {
    this.#response = response
    this.#output = output
    this.#writing = writing
  }

  send(value: Value): Promise<void> {
    return this.write(`${this.#writing.writeValue(value)}\r\n`)
  }

  async write(text: string): Promise<void> {
    if (this.#response.destroyed) throw new StreamWriteError('the client is gone')
    // Without waiting, a slow reader would make the buffer grow without limit.
    if (!this.canWrite) throw new StreamWriteError('written before the buffer drained')
    this.#writing.onWrite?.(text)
    if (this.#output.write(text)) return
    this.canWrite = false
    await this.#drained()
    this.canWrite = this.#isOpen
  }

  last(text: string): void {
    if (this.#response.destroyed || !this.#isOpen) return
    this.#isOpen = false
    this.canWrite = false
    if (text === '') return
    this.#writing.onWrite?.(text)
    this.#output.write(text)
  }

  /** Resolves when everything written has been sent. */
  #drained(): Promise<void> {
    const response = this.#response
    const output = this.#output
    return new Promise((resolve, reject) => {
      const settle = () => {
        output.off('drain', settle)
        response.off('close', settle)
        if (response.destroyed) reject(new StreamWriteError('the client is gone'))
        else resolve()
      }
      output.once('drain', settle)
      response.once('close', settle)
    })
  }
}
