import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { joinBytes } from '../../common/join-bytes.ts'
import { type Claim, FilesFull, type MemoryFiles, type StoredFile } from './files.ts'

/** Memory for files with --memory. */
const MAX_BYTES = 256 * 1024 * 1024

/** Files in memory, gone with the process. `copied`: the files to begin with. */
export function memoryFiles({
  maxBytes = MAX_BYTES,
  copied = new Map(),
}: {
  maxBytes?: number
  copied?: ReadonlyMap<string, Buffer> | undefined
} = {}): MemoryFiles {
  const files = new Map(copied)
  let total = [...files.values()].reduce((sum, { length }) => sum + length, 0)
  let marked: string | undefined

  async function put(content: Buffer, claim: Claim): Promise<StoredFile> {
    const stored = { hash: createHash('sha256').update(content).digest('hex'), bytes: content.length }
    await claim(stored)
    if (files.has(stored.hash)) return stored
    if (total + stored.bytes > maxBytes) throw new FilesFull(`files in memory would pass ${maxBytes} bytes`)
    files.set(stored.hash, content)
    total += stored.bytes
    return stored
  }

  function content(hash: string): Buffer {
    const found = files.get(hash)
    if (!found) throw new Error(`there is no file ${hash}`)
    return found
  }

  return {
    mark: async () => marked,
    async putMark(text) {
      marked ??= text
      return marked
    },
    put,
    join: async (hashes, claim) => put(await joinBytes(hashes.map(content)), claim),
    size: async (hash) => files.get(hash)?.length,
    read: async (hash, start, end) => content(hash).subarray(start, end),
    stream: (hash, start, end) => Readable.from([content(hash).subarray(start, end)]),
    async remove(hash) {
      total -= files.get(hash)?.length ?? 0
      files.delete(hash)
    },
    copyAll: () => new Map(files),
    // Temporary files end with the process.
    removePassing: async () => undefined,
    close: () => undefined,
  }
}
