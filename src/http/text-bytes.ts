/** More than the bytes that a write leaves free because the next character does not fit. */
const SPARE_BYTES = 4

/**
 * The bytes of a text that comes in parts: putting them together as text would make V8 copy it twice. Most texts are ASCII:
 * they are written without counting their bytes first.
 */
export function bytesOf(parts: readonly string[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const bytes = Buffer.allocUnsafe(length + SPARE_BYTES)
  let at = 0
  for (const [index, part] of parts.entries()) {
    // With room to spare, other text takes more bytes than it has characters, or as many as there are.
    if (bytes.write(part, at) !== part.length)
      return Buffer.concat([bytes.subarray(0, at), ...parts.slice(index).map((rest) => Buffer.from(rest))])
    at += part.length
  }
  return bytes.subarray(0, at)
}
