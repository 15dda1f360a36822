import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TimeSource } from '../../platform/common/clock.ts'
import type { ApiError } from '../../platform/http/errors.ts'
import type { EndedCall } from '../../platform/outbound/call.ts'
import { describeFailure } from '../../platform/outbound/connect.ts'

/** Longer bodies are cut, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024
/** The last lines of a stream that are kept. */
const MAX_LINES = 20
const MAX_LINE_LENGTH = 4 * 1024
/** What an entry takes besides its headers and bodies, roughly. */
const ENTRY_BYTES = 1_024

export type EntryKind = 'request' | 'outgoing' | 'stream'

/**
 * The beginning of a body, up to `MAX_BODY_BYTES`; undefined without one, and for one that was sent
 * in pieces.
 */
export type StoredBody = Buffer | string | undefined

/** The length of a body that was sent in pieces. */
export const UNKNOWN_LENGTH = -1

/** Names and values alternately. */
export type RawHeaders = readonly string[]

/** What a stream has sent. */
export interface StreamProgress {
  /** Lines, without heartbeats. */
  lines: number
  /** The last lines. */
  readonly last: string[]
  /** How long it was open; undefined while it is. */
  endedAfterMs: number | undefined
}

/**
 * One request, outgoing call or stream, as it was: with secrets. They are masked when the entry is
 * shown (`entry.ts`), because most entries never are.
 */
export interface JournalRecord {
  /** In the order of the replies. */
  readonly sequence: number
  /** The `x-transaction-id` of a request. */
  readonly id: string
  readonly kind: EntryKind
  /** When it was answered, on the clock that users see. */
  readonly timeMs: number
  /** The same on the machine's clock, with which clients sign. */
  readonly machineMs: number
  /** The listener; empty for outgoing calls. */
  readonly host: string
  readonly scheme: 'http' | 'https'
  /** `GET /2/posts/{id}`; empty if the request matches no endpoint. */
  readonly route: string
  readonly method: string
  /** The target of a request, the URL of an outgoing call. */
  readonly url: string
  readonly callerKind: string
  readonly appId: string | undefined
  readonly userId: string | undefined
  /** Undefined if an outgoing call had no reply. */
  readonly status: number | undefined
  readonly durationMs: number
  readonly error: ApiError | undefined
  /** Why an outgoing call had no reply. */
  readonly failure: string | undefined
  readonly requestHeaders: RawHeaders
  readonly requestBody: StoredBody
  /** Of the whole body. */
  readonly requestLength: number
  readonly replyHeaders: Readonly<Record<string, number | string | string[] | undefined>>
  readonly replyBody: StoredBody
  /** Of the whole body, or `UNKNOWN_LENGTH`. */
  readonly replyLength: number
  readonly stream: StreamProgress | undefined
}

/** `bytes`: the memory that it takes, roughly. It would take long to count when an entry goes. */
type StoredRecord = JournalRecord & { readonly bytes: number }

export interface JournalOptions {
  readonly clock: TimeSource
  readonly machineClock: TimeSource
  readonly maxEntries: number
  readonly maxBytes: number
  /** Longer bodies are cut, in bytes. Defaults to `MAX_BODY_BYTES`. */
  readonly maxBodyBytes?: number
}

/**
 * The last requests, outgoing calls and streams of this process. The oldest entries go when there
 * are too many, or when they take too much memory.
 */
export class Journal {
  readonly #options: JournalOptions
  readonly #maxBodyBytes: number
  /** A ring: the entry with the sequence number n is at n modulo its length. */
  readonly #ring: (StoredRecord | undefined)[]
  /** The sequence number of the oldest entry; one more than the last if there is none. */
  #oldest = 1
  readonly #watchers = new Set<(record: JournalRecord) => void>()
  readonly #closing = new AbortController()
  #bytes = 0
  #sequence = 0

  constructor(options: JournalOptions) {
    this.#options = options
    this.#maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES
    this.#ring = new Array<undefined>(options.maxEntries)
  }

  /** The newest first. */
  get newestFirst(): JournalRecord[] {
    return this.oldestFirst.reverse()
  }

  get oldestFirst(): JournalRecord[] {
    const records: JournalRecord[] = []
    for (let sequence = this.#oldest; sequence <= this.#sequence; sequence++)
      records.push(this.#at(sequence) as JournalRecord)
    return records
  }

  /** The sequence number of the newest entry so far; 0 before the first. */
  get lastSequence(): number {
    return this.#sequence
  }

  find(id: string): JournalRecord | undefined {
    return this.newestFirst.find((record) => record.id === id)
  }

  /** Aborted when the process stops: nothing more will come. */
  get closed(): AbortSignal {
    return this.#closing.signal
  }

  /** Ends all waits. */
  close(): void {
    this.#closing.abort()
  }

  clear(): void {
    while (this.#oldest <= this.#sequence) this.#drop()
  }

  /** Calls a function for each new entry, until the returned function is called. */
  watch(watcher: (record: JournalRecord) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /**
   * Adds a request whose reply is being sent. `body`: undefined for a stream, whose text goes to
   * the returned function.
   */
  addRequest(
    { host, scheme }: { host: string; scheme: 'http' | 'https' },
    request: FastifyRequest,
    reply: FastifyReply,
    body: string | Buffer | Readable | undefined,
  ): ((text: string) => void) | undefined {
    const { caller, raw, bodyBytes } = request
    const stream = body === undefined ? { lines: 0, last: [], endedAfterMs: undefined } : undefined
    const requestBody = kept(bodyBytes, this.#maxBodyBytes)
    const replyBody = kept(body, this.#maxBodyBytes)
    const record: StoredRecord = {
      bytes: sizeOf({ url: raw.url ?? '', requestHeaders: raw.rawHeaders, requestBody, replyBody, stream }),
      sequence: ++this.#sequence,
      id: request.id,
      kind: stream ? 'stream' : 'request',
      timeMs: this.#options.clock.now(),
      machineMs: this.#options.machineClock.now(),
      host,
      scheme,
      route: request.endpoint,
      method: raw.method ?? '',
      url: raw.url ?? '',
      callerKind: caller?.kind ?? '',
      appId: caller?.app?.id,
      userId: caller?.userId,
      status: reply.statusCode,
      durationMs: performance.now() - request.began,
      error: request.error,
      failure: undefined,
      requestHeaders: raw.rawHeaders,
      requestBody,
      requestLength: lengthOf(bodyBytes),
      replyHeaders: reply.getHeaders(),
      replyBody,
      replyLength: lengthOf(body),
      stream,
    }
    this.#put(record)
    return stream && followed(stream, request, reply)
  }

  /** Adds a call to a URL that a user configured. */
  addCall({ method, url, headers, body, result, durationMs }: EndedCall): void {
    const answered = result.kind === 'answered' ? result : undefined
    const sequence = ++this.#sequence
    const requestBody = kept(body, this.#maxBodyBytes)
    const replyBody = kept(answered?.body, this.#maxBodyBytes)
    this.#put({
      bytes: sizeOf({ url, requestHeaders: headers, requestBody, replyBody, stream: undefined }),
      sequence,
      id: `call-${sequence}`,
      kind: 'outgoing',
      timeMs: this.#options.clock.now(),
      machineMs: this.#options.machineClock.now(),
      host: '',
      scheme: 'https',
      route: '',
      method,
      url,
      callerKind: '',
      appId: undefined,
      userId: undefined,
      status: answered?.status,
      durationMs,
      error: undefined,
      failure: failureOf(result),
      requestHeaders: headers,
      requestBody,
      requestLength: lengthOf(body),
      replyHeaders: answered?.headers ?? {},
      replyBody,
      replyLength: lengthOf(answered?.body),
      stream: undefined,
    })
  }

  #put(record: StoredRecord): void {
    const { maxEntries, maxBytes } = this.#options
    if (this.#sequence - this.#oldest >= maxEntries) this.#drop()
    this.#ring[record.sequence % maxEntries] = record
    this.#bytes += record.bytes
    while (this.#bytes > maxBytes && this.#oldest < this.#sequence) this.#drop()
    if (this.#watchers.size > 0) for (const watcher of this.#watchers) watcher(record)
  }

  #at(sequence: number): StoredRecord | undefined {
    return this.#ring[sequence % this.#options.maxEntries]
  }

  /** Removes the oldest entry. */
  #drop(): void {
    this.#bytes -= this.#at(this.#oldest)?.bytes ?? 0
    this.#ring[this.#oldest % this.#options.maxEntries] = undefined
    this.#oldest++
  }
}

/** Follows a stream until its connection ends. Returns what receives its text. */
function followed(
  progress: StreamProgress,
  request: FastifyRequest,
  reply: FastifyReply,
): (text: string) => void {
  reply.raw.once('close', () => {
    progress.endedAfterMs = performance.now() - request.began
  })
  return (text) => {
    const line = text.trimEnd()
    // A heartbeat is an empty line.
    if (line === '') return
    progress.lines++
    progress.last.push(line.length > MAX_LINE_LENGTH ? copied(line.slice(0, MAX_LINE_LENGTH)) : line)
    if (progress.last.length > MAX_LINES) progress.last.shift()
  }
}

/** A cut text that does not keep the whole one in memory. */
const copied = (text: string): string => Buffer.from(text).toString()

type SentBody = string | Buffer | Readable | undefined

const kept = (body: SentBody, maxBytes: number): StoredBody => {
  if (typeof body === 'string') return body.length <= maxBytes ? body : copied(body.slice(0, maxBytes))
  if (!Buffer.isBuffer(body)) return undefined
  return body.length <= maxBytes ? body : Buffer.from(body.subarray(0, maxBytes))
}

const lengthOf = (body: SentBody): number => {
  if (body === undefined) return 0
  if (typeof body === 'string') return Buffer.byteLength(body)
  return Buffer.isBuffer(body) ? body.length : UNKNOWN_LENGTH
}

const failureOf = (result: EndedCall['result']): string | undefined => {
  switch (result.kind) {
    case 'answered':
      return undefined
    case 'rejected':
      return result.reason
    case 'failed': {
      const failure = describeFailure(result.error)
      return failure.kind === 'rejected' ? failure.reason : failure.detail
    }
    case 'timeout':
      return 'no answer in time'
    case 'too-large':
      return `the answer is longer than ${result.limitBytes} bytes`
    case 'closed':
      return 'the server stopped'
  }
}

/** The memory that an entry takes, roughly. */
function sizeOf({
  url,
  requestHeaders,
  requestBody,
  replyBody,
  stream,
}: Pick<JournalRecord, 'url' | 'requestHeaders' | 'requestBody' | 'replyBody' | 'stream'>): number {
  let size = ENTRY_BYTES + url.length + (requestBody?.length ?? 0) + (replyBody?.length ?? 0)
  for (let at = 0; at < requestHeaders.length; at++) size += (requestHeaders[at] as string).length
  return stream ? size + MAX_LINES * MAX_LINE_LENGTH : size
}
