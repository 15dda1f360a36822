/** A hash of text as an unsigned 32-bit number: FNV-1a. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Mixes two numbers into one of 32 bits: the finalizer of MurmurHash3. */
export function mixed(a: number, b: number): number {
  let hash = Math.imul(a ^ Math.imul(b | 0, 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A number from 0 up to 1 that follows from a hash. */
export const fraction = (hash: number): number => hash / 2 ** 32
