import type { ServerResponse } from 'node:http'

/** The open end of a stream: what a handler writes to. */
export interface Sink<Value> {
  /** False while a write waits for the client to read. Leave out then whatever can be left out. */
  readonly canWrite: boolean
  /** Writes text as it is: a heartbeat. Resolves once the buffer has drained; rejects once the client is gone. */
  write(text: string): Promise<void>
  /** Writes a value of the declared schema as one line, ended by CR LF. */
  send(value: Value): Promise<void>
}

/** Why the signal of a stream aborts. */
export type StreamEnd = 'client gone' | 'shutdown'

/** The streams that the listeners of this process hold open. */
export class Streams {
  readonly #open = new Map<AbortController, Promise<void>>()
  #isShuttingDown = false

  /** Streams that are open now. */
  get count(): number {
    return this.#open.size
  }

  /**
   * Tells every stream that the server shuts down, those that are opened from now on too. Resolves when what they wrote
   * has left: a listener that closes before would cut it off.
   */
  async shutDown(): Promise<void> {
    this.#isShuttingDown = true
    for (const one of this.#open.keys()) one.abort('shutdown' satisfies StreamEnd)
    await Promise.allSettled(this.#open.values())
  }

  /**
   * Runs a stream whose head was sent. It ends when `run` does, which the signal asks for when the client is gone or the
   * server shuts down. A stream whose `run` fails breaks off, so that its client knows that it is not whole.
   */
  run<Value>(
    response: ServerResponse,
    writeValue: (value: Value) => string,
    run: (sink: Sink<Value>, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController()
    const gone = () => controller.abort('client gone' satisfies StreamEnd)
    if (this.#isShuttingDown) controller.abort('shutdown' satisfies StreamEnd)
    if (response.destroyed) gone()
    else response.once('close', gone)
    const running = runInto(response, writeValue, (sink) => run(sink, controller.signal)).finally(() =>
      this.#open.delete(controller),
    )
    this.#open.set(controller, running)
    return running
  }
}

/** Resolves when everything that was written has left, or the client has. Rejects with what `run` fails with. */
async function runInto<Value>(
  response: ServerResponse,
  writeValue: (value: Value) => string,
  run: (sink: Sink<Value>) => Promise<void>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    if (response.destroyed) resolve()
    response.once('close', resolve).once('finish', resolve)
  })
  try {
    await run(new ResponseSink(response, writeValue))
    response.end()
  } catch (error) {
    if (response.destroyed) return
    // What was written before leaves; the chunk that says that this was all does not.
    response.socket?.destroySoon()
    throw error
  }
  await closed
}

/** A write while another one waits for the buffer to drain, or after the client has gone. */
class StreamWriteError extends Error {
  override name = 'StreamWriteError'
}

class ResponseSink<Value> implements Sink<Value> {
  readonly #response: ServerResponse
  readonly #writeValue: (value: Value) => string
  canWrite = true

  constructor(response: ServerResponse, writeValue: (value: Value) => string) {
    this.#response = response
    this.#writeValue = writeValue
  }

  send(value: Value): Promise<void> {
    return this.write(`${this.#writeValue(value)}\r\n`)
  }

  async write(text: string): Promise<void> {
    if (this.#response.destroyed) throw new StreamWriteError('the client is gone')
    // A writer that does not wait would fill the memory with what a slow reader has not taken.
    if (!this.canWrite) throw new StreamWriteError('written before the buffer drained')
    if (this.#response.write(text)) return
    this.canWrite = false
    await this.#drained()
    this.canWrite = true
  }

  /** Resolves when everything written has left. */
  #drained(): Promise<void> {
    const response = this.#response
    return new Promise((resolve, reject) => {
      const settle = () => {
        response.off('drain', settle)
        response.off('close', settle)
        if (response.destroyed) reject(new StreamWriteError('the client is gone'))
        else resolve()
      }
      response.once('drain', settle)
      response.once('close', settle)
    })
  }
}
