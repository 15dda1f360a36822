import { existsSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** Calls `make` at the first use and caches its result. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Finds entries of `all` by a key. The map is built at the first lookup. */
export function lookup<T>(
  all: () => readonly T[],
  keyOf: (entry: T) => string,
): (key: string) => T | undefined {
  const byKey = once(() => new Map(all().map((entry) => [keyOf(entry), entry])))
  return (key) => byKey().get(key)
}

/**
 * The rows of a text table, split at tabs. Lines that start with `#` are comments. A build has
 * large tables compressed, under their name and `.br`.
 */
export function readTable(url: URL): string[][] {
  const packed = new URL(`${url}.br`)
  const text = existsSync(packed)
    ? brotliDecompressSync(readFileSync(packed)).toString()
    : readFileSync(url, 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split('\t'))
}
