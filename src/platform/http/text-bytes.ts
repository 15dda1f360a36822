/** More bytes than a write leaves unused because the next character does not fit. */
const SPARE_BYTES = 4

/**
 * The bytes of a text in parts. Joining them as text would make V8 copy it twice. Most texts are
 * ASCII, so they are written without first counting their bytes.
 */
export function bytesOf(parts: readonly string[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const bytes = Buffer.allocUnsafe(length + SPARE_BYTES)
  let at = 0
  for (const [index, part] of parts.entries()) {
    // Only ASCII writes as many bytes as it has characters. With the spare bytes, a truncated write
    // has more too.
    if (bytes.write(part, at) !== part.length)
      return Buffer.concat([bytes.subarray(0, at), ...parts.slice(index).map((rest) => Buffer.from(rest))])
    at += part.length
  }
  return bytes.subarray(0, at)
}
