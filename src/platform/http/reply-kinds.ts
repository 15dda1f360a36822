import type { Readable } from 'node:stream'
import type { StreamedJson } from './reply.ts'
import type { Sink } from './streams.ts'

/** What a handler returns: a reply of one of these kinds. */
export type Reply<Value> = JsonReply<Value> | EmptyReply | BytesReply | StreamReply<Value>

/** A value in the encoding of the endpoint: JSON, or a form where it declares one. */
export interface JsonReply<Value> {
  readonly kind: 'json'
  readonly value: Value
  /** Replaces the status of the endpoint. */
  readonly status: number | undefined
  /** By their neutral names. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /**
   * The parts of the value that are read while it is sent, in their order. An error ends the
   * connection.
   */
  readonly streamed: readonly StreamedJson[]
}

/** A status and headers without a body. */
export interface EmptyReply {
  readonly kind: 'empty'
  readonly status: number
}

/** Bytes that are sent unchanged: a page, a redirect or a file. */
export interface BytesReply {
  readonly kind: 'bytes'
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string | Readable
}

/**
 * A connection that stays open: the head is sent at once, then whatever `run` writes. The signal
 * aborts when the client disconnects or the server shuts down. The stream ends when `run` returns.
 */
export interface StreamReply<Value> {
  readonly kind: 'stream'
  readonly run: (sink: Sink<Value>, signal: AbortSignal) => Promise<void>
  /** Called instead of `run` when only the head is sent. */
  readonly unopened: (() => void) | undefined
  /** By their neutral names. */
  readonly headers: Readonly<Record<string, string>>
}

/** Replies with a value of the declared schema. `status` replaces the status of the endpoint. */
export const json = <Value>(
  value: Value,
  status?: number,
  headers?: Readonly<Record<string, string>>,
  streamed: readonly StreamedJson[] = [],
): JsonReply<Value> => ({ kind: 'json', value, status, headers, streamed })

/** Replies without a body. */
export const empty = (status = 204): EmptyReply => ({ kind: 'empty', status })

/** Replies with a body that is neither checked nor renamed. */
export const bytes = (reply: Omit<BytesReply, 'kind'>): BytesReply => ({ kind: 'bytes', ...reply })

/**
 * Replies with a connection that stays open. Errors of a request are thrown before the head is
 * sent.
 */
export const stream = <Value>(
  run: StreamReply<Value>['run'],
  unopened?: StreamReply<Value>['unopened'],
  headers: StreamReply<Value>['headers'] = {},
): StreamReply<Value> => ({ kind: 'stream', run, unopened, headers })
