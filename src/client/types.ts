import type { CallOptions } from './options.ts'
import type { EventStream, StreamOptions } from './stream.ts'

/** A 64-bit integer: a number up to 2^53 - 1, a bigint beyond. */
export type Int64 = number | bigint

/** Bytes of a file. */
export type Upload = Blob | Uint8Array<ArrayBuffer>

/** Parameters are optional where none is required. */
type Arguments<P, O> = Record<never, never> extends P ? [params?: P, options?: O] : [params: P, options?: O]

/** Resolves to the body of the reply. Rejects with PlazaError or ConnectionError. */
export type Operation<P, R> = (...args: Arguments<P, CallOptions>) => Promise<R>

/** The items of a page. */
type ItemOf<R> = R extends { data?: readonly (infer T)[] } ? T : never

/** An operation that returns a list page by page. */
export interface PagedOperation<P, R> {
  (...args: Arguments<P, CallOptions>): Promise<R>
  /** Every page from the one that the parameters name; the next is requested when it is needed. */
  pages(...args: Arguments<P, CallOptions>): AsyncIterableIterator<R, undefined>
  /** The items of these pages. */
  items(...args: Arguments<P, CallOptions>): AsyncIterableIterator<ItemOf<R>, undefined>
}

/** Opens a stream, which connects when it is iterated. */
export type StreamOperation<P, L> = (...args: Arguments<P, StreamOptions>) => EventStream<L>
