import { Slices } from './slices.ts'

/** Bytes that are copied at once. */
const AT_ONCE_BYTES = 1024 * 1024

/** Concatenates chunks in slices. Removes each from the list as soon as it is copied. */
export async function joinBytes(chunks: Buffer[]): Promise<Buffer> {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  if (length <= AT_ONCE_BYTES) return Buffer.concat(chunks, length)
  const slices = new Slices()
  const joined = Buffer.allocUnsafeSlow(length)
  let to = 0
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift())
    for (let from = 0; from < chunk.length; from += AT_ONCE_BYTES) {
      to += chunk.copy(joined, to, from, from + AT_ONCE_BYTES)
      if (slices.isOver) await slices.next()
    }
  return joined
}
