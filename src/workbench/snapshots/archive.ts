import { createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Parser, ReadEntry } from 'tar'
import { isDiskFull } from '../../platform/storage/free-space.ts'
import { SnapshotError } from './error.ts'
import { FILE_MODE, FOLDER_MODE } from './replaced-files.ts'

// A snapshot as one file is a tar archive of its files, manifest first, without the search index,
// which is built again.

/** The only names that an archive may have. */
const ENTRY =
  /^(manifest\.json|limits\.json|plaza\.db|membership-log\.db|membership\.db|nonces\/(boot|nonces-\d{1,15}\.log)|media\/([0-9a-f]{2})\/\3[0-9a-f]{62})$/
const MAX_ENTRIES = 1_000_000

/** The archive of the files in a folder. It is made while it is read. */
export async function archiveOf(folder: string): Promise<Readable> {
  const { create } = await import('tar')
  const names = await namesIn(folder)
  const first = 'manifest.json'
  const pack = create({ cwd: folder, portable: true, strict: true }, [
    first,
    ...names.filter((name) => name !== first),
  ])
  return Readable.from(pack, { objectMode: false })
}

async function namesIn(folder: string, prefix = ''): Promise<string[]> {
  const names: string[] = []
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    const name = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.isDirectory()) names.push(...(await namesIn(folder, name)))
    else if (ENTRY.test(name)) names.push(name)
  }
  return names
}

/**
 * Writes the files of an archive into an empty folder.
 * @throws SnapshotError The archive is damaged, or has other files, or more than `maxBytes`.
 */
export async function unpack(
  archive: AsyncIterable<Buffer>,
  folder: string,
  maxBytes: number,
): Promise<void> {
  const { Parser: TarParser } = await import('tar')
  const unpacking = new Unpacking(folder, maxBytes)
  const parser = new TarParser({ strict: true, onReadEntry: (entry) => unpacking.take(entry) })
  const ended = new Promise<void>((resolve) => parser.on('end', resolve))
  parser.on('error', (error) => unpacking.fail(error))
  try {
    for await (const chunk of archive) {
      if (!parser.write(chunk)) await Promise.race([drained(parser), unpacking.failed, ended])
      unpacking.check()
    }
    parser.end()
    await Promise.race([ended, unpacking.failed])
    await unpacking.done()
  } catch (error) {
    await unpacking.stop()
    if (error instanceof SnapshotError) throw error
    if (isDiskFull(error)) throw new SnapshotError('conflict', 'No space is left for the snapshot.', error)
    throw new SnapshotError(
      'invalid',
      `The file is not a complete snapshot: ${(error as Error).message}`,
      error,
    )
  }
}

const drained = (parser: Parser) => new Promise<void>((resolve) => parser.once('drain', () => resolve()))

/** Writes the entries of an archive, within its limits. */
class Unpacking {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #names = new Set<string>()
  readonly #writes: Promise<void>[] = []
  readonly #failure = Promise.withResolvers<never>()
  #error: unknown
  #bytes = 0

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#failure.promise.catch(() => undefined)
  }

  /** Rejects with the first failure. */
  get failed(): Promise<never> {
    return this.#failure.promise
  }

  take(entry: ReadEntry): void {
    try {
      this.#admit(entry)
    } catch (error) {
      this.fail(error)
    }
    if (this.#error !== undefined) return void entry.resume()
    this.#writes.push(this.#write(entry).catch((error) => this.fail(error)))
  }

  check(): void {
    if (this.#error !== undefined) throw this.#error
  }

  async done(): Promise<void> {
    await Promise.all(this.#writes)
    this.check()
  }

  /** Waits until nothing is written any more. */
  async stop(): Promise<void> {
    this.fail(new Error('stopped'))
    await Promise.all(this.#writes)
  }

  #admit({ path, type, size }: ReadEntry): void {
    const wrong = (what: string) => new SnapshotError('invalid', `The file is not a snapshot: ${what}.`)
    if (type !== 'File' || !ENTRY.test(path))
      throw wrong(`it has the entry ${JSON.stringify(path.slice(0, 100))}`)
    if (this.#names.has(path)) throw wrong(`it has ${path} twice`)
    if (this.#names.size >= MAX_ENTRIES) throw wrong(`it has more than ${MAX_ENTRIES} files`)
    this.#names.add(path)
    this.#bytes += size
    if (this.#bytes > this.#maxBytes)
      throw new SnapshotError(
        'conflict',
        `The snapshot has more than the ${Math.floor(this.#maxBytes / 1_000_000)} MB for which there is space.`,
      )
  }

  async #write(entry: ReadEntry): Promise<void> {
    const path = join(this.#folder, entry.path)
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
    const file = createWriteStream(path, { flags: 'wx', mode: FILE_MODE })
    this.failed.catch((error) => file.destroy(error))
    entry.pipe(file as NodeJS.WritableStream)
    await finished(file)
  }

  fail(error: unknown): void {
    if (this.#error !== undefined) return
    this.#error = error
    this.#failure.reject(error)
  }
}
