import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Smaller bodies fit into one packet uncompressed. In characters. */
export const MIN_COMPRESSED_LENGTH = 1_024
/**
 * Compressing a smaller body takes less time than handing it to a thread (20 to 40 microseconds).
 * In characters.
 */
const MIN_LENGTH_FOR_THREAD = 8_192
/**
 * Maximum number of compressions in progress, because other work needs the threads too. Further
 * replies are sent uncompressed.
 */
const MAX_AT_ONCE = 8
/** Clients of one kind send the same header. */
const MAX_REMEMBERED = 100
const MAX_HEADER_LENGTH = 200

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}
const GZIP = { level: 6 }
/**
 * A stream keeps its compressor: this window takes 90 KB less than the largest, and compresses
 * posts as well.
 */
const GZIP_OF_STREAM = { ...GZIP, windowBits: 13, memLevel: 6 }

/**
 * Selects the encoding that an `Accept-Encoding` header prefers; undefined if it accepts none of
 * `ours`, of which the first one is chosen if the client has no preference.
 */
function compileChoice(ours: readonly Encoding[]) {
  const remembered = new Map<string, Encoding | undefined>()
  return (header: string | string[] | undefined): Encoding | undefined => {
    const text = Array.isArray(header) ? header.join(',') : header
    if (text === undefined || text.length > MAX_HEADER_LENGTH) return undefined
    if (remembered.has(text)) return remembered.get(text)
    const found = preferred(text, ours)
    if (remembered.size < MAX_REMEMBERED) remembered.set(text, found)
    return found
  }
}

export const acceptedEncoding = compileChoice(['br', 'gzip'])
/** A Brotli compressor takes three times the memory of gzip as long as the stream is open. */
export const acceptedStreamEncoding = compileChoice(['gzip', 'br'])

function preferred(text: string, ours: readonly Encoding[]): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const part of text.toLowerCase().split(',')) {
    const [, name, weight = '1'] = /^\s*([a-z0-9*_-]+)\s*(?:;\s*q\s*=\s*([0-9.]+)\s*)?$/.exec(part) ?? []
    if (name !== undefined) weights.set(name, Number(weight))
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = ours.filter((name) => weightOf(name) > 0).sort((a, b) => weightOf(b) - weightOf(a))
  return best !== undefined && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}

let atOnce = 0

/** Compresses the body of a reply: a large one in a thread. Undefined when the threads are busy. */
export function compressed(body: string | Buffer, encoding: Encoding): Buffer | Promise<Buffer> | undefined {
  if (body.length < MIN_LENGTH_FOR_THREAD)
    return encoding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body, GZIP)
  return atOnce < MAX_AT_ONCE ? inThread(body, encoding) : undefined
}

async function inThread(body: string | Buffer, encoding: Encoding): Promise<Buffer> {
  atOnce++
  try {
    return await (encoding === 'br' ? brotli(body, BROTLI) : zip(body, GZIP))
  } finally {
    atOnce--
  }
}

/** Compresses a body that is written piece by piece. */
export const compressor = (encoding: Encoding): Transform =>
  encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP)

/** Compresses a stream. What is written can be decompressed at once. */
export const flushingCompressor = (encoding: Encoding): Transform =>
  encoding === 'br'
    ? createBrotliCompress({ ...BROTLI, flush: constants.BROTLI_OPERATION_FLUSH })
    : createGzip({ ...GZIP_OF_STREAM, flush: constants.Z_SYNC_FLUSH })
