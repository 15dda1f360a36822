import {
  type MessagePort,
  parentPort,
  type ResourceLimits,
  type Transferable,
  Worker,
} from 'node:worker_threads'

/** Functions that a thread offers to its parent. Arguments and results are copied or moved. */
export type ThreadMethods = Readonly<Record<string, (...args: never[]) => unknown>>

interface ThreadCall {
  id: number
  method: string
  args: unknown[]
}

/** Custom members of an error do not cross thread boundaries. */
type ThreadReply = { id: number; result: unknown } | { id: number; error: unknown; code: unknown }

interface PendingCall {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** How long a thread that is to end may take to finish its current call. */
const CLOSE_MS = 5_000

/**
 * A worker thread that is called like an object. It runs one call at a time, in the order of the
 * calls.
 */
export class Thread<Offered extends ThreadMethods> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, PendingCall>()
  readonly #exited: Promise<void>
  #calls = 0
  #ended: Error | undefined

  constructor(file: URL, workerData: unknown, resourceLimits: ResourceLimits = {}) {
    this.#worker = new Worker(file, { workerData, resourceLimits })
    // The thread does not keep a process alive that has nothing else to do.
    this.#worker.unref()
    this.#worker.on('message', (answer: ThreadReply) => this.#settle(answer))
    this.#worker.on('error', (error) => this.#end(error as Error))
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#end(new Error('a worker thread has ended'))
        resolve()
      })
    })
  }

  /** Whether it can be called. */
  get alive(): boolean {
    return this.#ended === undefined
  }

  /** Calls a function in the thread. The buffers in `transfer` are transferred. */
  call<Name extends keyof Offered & string>(
    method: Name,
    args: Parameters<Offered[Name]>,
    transfer: readonly Transferable[] = [],
  ): Promise<Awaited<ReturnType<Offered[Name]>>> {
    return this.#send(method, args, transfer)
  }

  /** Resolves to the result of the function. Its type is unknown here. */
  #send<Result>(method: string, args: unknown[], transfer: readonly Transferable[] = []): Promise<Result> {
    if (this.#ended) return Promise.reject(this.#ended)
    const id = this.#calls++
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { resolve: (value) => resolve(value as Result), reject })
      this.#worker.ref()
      this.#worker.postMessage({ id, method, args } satisfies ThreadCall, transfer)
    })
  }

  /** Lets the thread finish its current call, calls its `close`, and ends it. */
  async close(): Promise<void> {
    const closing = this.#send('close', []).catch(() => undefined)
    let timer: NodeJS.Timeout | undefined
    await Promise.race([closing, new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)))])
    clearTimeout(timer)
    await this.#worker.terminate()
    await this.#exited
  }

  #settle(answer: ThreadReply): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if ('error' in answer) waiting?.reject(withCode(answer.error, answer.code))
    else waiting?.resolve(answer.result)
  }

  #end(error: Error): void {
    this.#ended ??= error
    for (const { reject } of this.#waiting.values()) reject(this.#ended)
    this.#waiting.clear()
  }
}

const withCode = (error: unknown, code: unknown) =>
  error instanceof Error && code !== undefined ? Object.assign(error, { code }) : error

/** Bytes in a separate buffer, which can be transferred. */
export function transferable(bytes: Uint8Array): Uint8Array {
  const { buffer, byteLength } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? bytes : Uint8Array.from(bytes)
}

/** Offers functions to the parent thread. `give` returns the buffers of a result to transfer. */
export function serve(methods: ThreadMethods, give: (result: unknown) => Transferable[] = () => []): void {
  const port = parentPort as MessagePort
  let line: Promise<unknown> = Promise.resolve()
  port.on('message', ({ id, method, args }: ThreadCall) => {
    line = line.then(async () => {
      try {
        const result = await (methods[method] as (...all: unknown[]) => unknown)(...args)
        port.postMessage({ id, result } satisfies ThreadReply, give(result))
      } catch (error) {
        port.postMessage({ id, error, code: (error as { code?: unknown }).code } satisfies ThreadReply)
      }
    })
  })
}
