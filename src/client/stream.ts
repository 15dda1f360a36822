import { ConnectionError, PlazaError, type Problem, StreamError } from './errors.ts'
import { parseJson } from './exact-json.ts'
import { waitMsOf } from './limits.ts'
import { after, nowMs, pause, randomShare } from './machine.ts'
import { type Described, requestOf, type Values } from './operation.ts'
import type { CallOptions } from './options.ts'
import { type Sender, send } from './send.ts'

export interface StreamOptions extends CallOptions {
  /**
   * Milliseconds without a line after which the connection counts as lost; 45 seconds by default.
   * The server sends a line at least every 20 seconds.
   */
  readonly keepAliveTimeoutMs?: number
  /**
   * Whether the stream is opened again when it ends; true by default. `attempts` is how often in a
   * row without any line between, `maxWaitMs` the longest pause, 30 seconds by default.
   */
  readonly reconnect?: boolean | { readonly attempts?: number; readonly maxWaitMs?: number }
  /**
   * Whether a stream that is opened again asks for what it missed, up to five minutes; true by
   * default. What it sent before is not repeated.
   */
  readonly backfill?: boolean
  /** Called when the stream is open. */
  readonly onConnect?: () => void
  /** Called when the stream has ended, and will be opened again after some milliseconds. */
  readonly onDisconnect?: (reason: Error, waitMs: number) => void
}

/** A stream. Iterate it once; leaving the loop closes it. */
export interface EventStream<L> extends AsyncIterable<L> {
  /** Ends the iteration and the connection. */
  close(): void
}

const KEEP_ALIVE_TIMEOUT_MS = 45_000
const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 30_000
const MAX_BACKFILL_MINUTES = 5
/** Ids of lines that are remembered, so that a backfill repeats none. */
const MAX_KNOWN = 10_000
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024

export function openStream(
  sender: Sender,
  origin: string,
  operation: Described,
  params: Values,
  options: StreamOptions,
): EventStream<unknown> {
  const closing = new AbortController()
  const signals = [closing.signal, ...(options.signal ? [options.signal] : [])]
  const signal = AbortSignal.any(signals)
  const connection = new Connection(sender, origin, operation, params, { ...options, signal })
  return {
    close: () => closing.abort(),
    async *[Symbol.asyncIterator]() {
      try {
        yield* connection.lines()
      } catch (error) {
        if (!closing.signal.aborted) throw error
      } finally {
        closing.abort()
      }
    },
  }
}

class Connection {
  readonly #sender: Sender
  readonly #origin: string
  readonly #operation: Described
  readonly #params: Values
  readonly #options: StreamOptions & { signal: AbortSignal }
  readonly #known = new Set<string>()
  /** The lowest id of the first connection: what is below it is older than the stream. */
  #oldest: bigint | undefined
  #isFirst = true
  /** When the last line came; undefined before the first. */
  #lastMs: number | undefined
  /** Connections in a row that ended without any line. */
  #failures = 0

  constructor(
    sender: Sender,
    origin: string,
    operation: Described,
    params: Values,
    options: StreamOptions & { signal: AbortSignal },
  ) {
    this.#sender = sender
    this.#origin = origin
    this.#operation = operation
    this.#params = params
    this.#options = options
  }

  async *lines(): AsyncGenerator<unknown, void, undefined> {
    for (;;) {
      let reason: Error
      try {
        yield* this.#connected()
        if (this.#isOfPast()) return
        reason = new StreamError('The server ended the stream.')
      } catch (error) {
        this.#options.signal.throwIfAborted()
        reason = error as Error
      }
      this.#isFirst = false
      const waitMs = this.#waitAfter(reason)
      this.#options.onDisconnect?.(reason, waitMs)
      await pause(waitMs, this.#options.signal)
      this.#failures++
    }
  }

  /** What one connection sends. */
  async *#connected(): AsyncGenerator<unknown, void, undefined> {
    const { keepAliveTimeoutMs = KEEP_ALIVE_TIMEOUT_MS, signal, onConnect } = this.#options
    const request = await requestOf(this.#origin, this.#operation, { ...this.#params, ...this.#missed() })
    // Connections that fail are opened again here.
    const options = { ...this.#options, retry: { attempts: 0 } }
    const body = await send(this.#sender, request, options, async (response, done) => {
      done()
      return response.body
    })
    onConnect?.()
    for await (const line of linesOf(body, keepAliveTimeoutMs, signal)) {
      this.#lastMs = nowMs()
      this.#failures = 0
      if (line === '') continue
      const value = parseJson(line)
      const problem = disconnection(value)
      if (problem) throw new StreamError(problem.detail ?? problem.title, problem)
      if (this.#isNew(value)) yield value
    }
  }

  /** Asks a stream that is opened again for the minutes since the last line. */
  #missed(): Values {
    const { backfill } = this.#operation
    if (this.#lastMs === undefined || backfill === undefined || this.#options.backfill === false) return {}
    const minutes = Math.ceil((nowMs() - this.#lastMs) / 60_000)
    return { [backfill]: Math.min(Math.max(minutes, 1), MAX_BACKFILL_MINUTES) }
  }

  /** With a start, the stream sends what is past, and ends. */
  #isOfPast(): boolean {
    return ['start_time', 'startTime'].some((name) => this.#params[name] !== undefined)
  }

  #isNew(line: unknown): boolean {
    const { data, id_str } = line as { data?: { id?: string; event_uuid?: string }; id_str?: string }
    const id = data?.event_uuid ?? data?.id ?? id_str
    if (id === undefined) return true
    if (this.#known.has(id) || this.#isOlder(id)) return false
    this.#known.add(id)
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.values().next().value as string)
    return true
  }

  /** Ids of posts and events are in the order of their time. */
  #isOlder(id: string): boolean {
    if (!/^[0-9]+$/.test(id)) return false
    const number = BigInt(id)
    if (!this.#isFirst) return this.#oldest !== undefined && number < this.#oldest
    if (this.#oldest === undefined || number < this.#oldest) this.#oldest = number
    return false
  }

  /** Milliseconds until the next connection. @throws the reason when there is none */
  #waitAfter(reason: Error): number {
    const { reconnect = true } = this.#options
    const { attempts = Number.POSITIVE_INFINITY, maxWaitMs = MAX_WAIT_MS } =
      typeof reconnect === 'object' ? reconnect : {}
    if (reconnect === false || this.#failures >= attempts || !mayPass(reason)) throw reason
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, maxWaitMs) * (0.5 + randomShare() / 2)
    const stated = reason instanceof PlazaError ? waitMsOf(reason.headers, nowMs()) : undefined
    return Math.min(Math.max(wait, stated ?? 0), maxWaitMs)
  }
}

/** Whether the next connection may succeed where this one has failed. */
function mayPass(reason: Error): boolean {
  if (reason instanceof PlazaError) return reason.status === 429 || reason.status >= 500
  return reason instanceof ConnectionError || reason instanceof StreamError || reason instanceof SyntaxError
}

/** The Problem of the last line of a stream that the server ends. */
function disconnection(line: unknown): Problem | undefined {
  const { data, errors } = line as { data?: unknown; errors?: Problem[] }
  return data === undefined
    ? errors?.find(({ type }) => /\/operational-disconnect$|\/streaming-connection$/.test(String(type)))
    : undefined
}

/**
 * The lines of a body, empty ones included, until it ends or the signal is aborted.
 * @throws ConnectionError, also when nothing comes for some time
 */
async function* linesOf(
  body: ReadableStream<Uint8Array> | null,
  silenceMs: number,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  if (!body) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let isSilent = false
  let rest = ''
  const end = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', end, { once: true })
  try {
    for (;;) {
      const cancel = after(silenceMs, () => {
        isSilent = true
        end()
      })
      const { done, value } = await read(reader).finally(cancel)
      signal.throwIfAborted()
      if (isSilent) throw new ConnectionError(`The stream sent nothing for ${silenceMs} ms.`)
      if (done) return
      rest += decoder.decode(value, { stream: true })
      if (rest.length > MAX_LINE_CHARACTERS) throw new StreamError('A line of the stream is too long.')
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield line.trimEnd()
    }
  } finally {
    signal.removeEventListener('abort', end)
    // Ends the connection when the reader leaves.
    end()
  }
}

const read = (reader: ReadableStreamDefaultReader<Uint8Array>) =>
  reader.read().catch((cause) => {
    throw new ConnectionError('The connection of the stream was lost.', { cause })
  })
