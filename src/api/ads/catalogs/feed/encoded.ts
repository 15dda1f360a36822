import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { TextDecoder } from 'node:util'
import { createGunzip } from 'node:zlib'
import { FeedError } from './item.ts'

const CHUNK_BYTES = 64 * 1024
const GZIP = Buffer.from([0x1f, 0x8b])
/** Enough for an XML declaration, or a byte order mark. */
const HEAD_BYTES = 256

/** The decoder of an encoding by its name in the Encoding Standard. Undefined if there is none. */
export function decoderOf(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name, { fatal: true })
  } catch {
    return undefined
  }
}

/**
 * Decodes the text of a file, which may be compressed with gzip. The encoding is
 * `statedEncoding`, else that of the byte order mark or the XML declaration, else UTF-8. `onBytes`
 * receives the number of bytes that were read from the file.
 * @throws FeedError
 */
export async function* textOf(
  file: string,
  statedEncoding: string | undefined,
  onBytes: (bytes: number) => void,
): AsyncGenerator<string, undefined> {
  let decoder: TextDecoder | undefined
  let line = 1
  try {
    for await (const chunk of bytesOf(file, onBytes)) {
      decoder ??= decoderFor(chunk.subarray(0, HEAD_BYTES), statedEncoding)
      const text = decoder.decode(chunk, { stream: true })
      for (const character of text) if (character === '\n') line++
      yield text
    }
    yield decoder?.decode() ?? ''
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new FeedError(notEncoded(line, decoder?.encoding ?? 'utf-8'))
  }
  return undefined
}

const notEncoded = (line: number, encoding: string) =>
  encoding === 'utf-8'
    ? `line ${line} or a line soon after it is no UTF-8: name the encoding with --encoding, such as latin1`
    : `line ${line} or a line soon after it is not in the encoding ${encoding}`

function decoderFor(head: Buffer, statedEncoding: string | undefined): TextDecoder {
  const name = statedEncoding ?? encodingIn(head)
  const decoder = decoderOf(name)
  if (!decoder) throw new FeedError(`the encoding ${JSON.stringify(name)} is unknown`)
  return decoder
}

/** The encoding of a file, from its first bytes (XML 1.0, appendix F). */
function encodingIn(head: Buffer): string {
  const start = head.toString('latin1', 0, 4)
  if (start.startsWith('\xff\xfe') || start.startsWith('<\0')) return 'utf-16le'
  if (start.startsWith('\xfe\xff') || start.startsWith('\0<')) return 'utf-16be'
  const declared = /^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(
    head.toString('latin1'),
  )?.[1]
  // A declaration that can be read byte by byte is not encoded in UTF-16, even if it says so.
  return declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : declared
}

/** The bytes of a file, decompressed if necessary, in pieces of a limited size. */
async function* bytesOf(file: string, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  const source = countedBytes(file, onBytes)
  if (!(await isCompressed(file))) return yield* source
  // An error of either is thrown by the iteration.
  const unpacked = pipeline(source, createGunzip(), () => undefined)
  try {
    for await (const chunk of unpacked) yield chunk as Buffer
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error
    throw new FeedError('the compressed file is damaged or incomplete')
  }
}

async function* countedBytes(file: string, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    onBytes(chunk.length)
    yield chunk as Buffer
  }
}

async function isCompressed(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0)
    return buffer.equals(GZIP)
  } finally {
    await handle.close()
  }
}
