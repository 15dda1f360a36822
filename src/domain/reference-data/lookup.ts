import { readFileSync } from 'node:fs'

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

/** The lines of a text table in this folder, split at tabs. */
export function readTable(name: string): string[][] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
}
