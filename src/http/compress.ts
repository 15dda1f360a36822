import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Encodings of replies, the preferred one first. */
const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Smaller bodies fit into one or two packets uncompressed. In characters. */
export const MIN_COMPRESSED_LENGTH = 2048
/**
 * Maximum number of compressions in progress, because other work needs the threads too. Further replies are sent
 * uncompressed.
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

const remembered = new Map<string, Encoding | undefined>()

/** The supported encoding that an `Accept-Encoding` header prefers; undefined if there is none. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  const text = Array.isArray(header) ? header.join(',') : header
  if (text === undefined || text.length > MAX_HEADER_LENGTH) return undefined
  if (remembered.has(text)) return remembered.get(text)
  const found = preferred(text)
  if (remembered.size < MAX_REMEMBERED) remembered.set(text, found)
  return found
}

function preferred(text: string): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const part of text.toLowerCase().split(',')) {
    const [, name, weight = '1'] = /^\s*([a-z0-9*_-]+)\s*(?:;\s*q\s*=\s*([0-9.]+)\s*)?$/.exec(part) ?? []
    if (name !== undefined) weights.set(name, Number(weight))
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = ENCODINGS.filter((name) => weightOf(name) > 0).sort((a, b) => weightOf(b) - weightOf(a))
  return best !== undefined && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}

let atOnce = 0

/** Compresses the body of a reply in a thread. Undefined when the threads are busy. */
export async function compressed(body: string | Buffer, encoding: Encoding): Promise<Buffer | undefined> {
  if (atOnce >= MAX_AT_ONCE) return undefined
  atOnce++
  try {
    return await (encoding === 'br' ? brotli(body, BROTLI) : zip(body, GZIP))
  } finally {
    atOnce--
  }
}
