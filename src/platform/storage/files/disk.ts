import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../common/make-folder.ts'
import { MAX_MARK_BYTES, type MarkedResource } from '../../common/marked.ts'
import type { RandomSource } from '../../common/random.ts'
import { errorCode, writeAtomically } from '../atomic-file.ts'
import { isDiskFull } from '../free-space.ts'
import { type Claim, type FileStore, FilesFull, MARK_FILE, type StoredFile } from './files.ts'

const CHUNK_BYTES = 1024 * 1024
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
/**
 * The errors of shared volumes that have no hard links: of two nodes that mark one at the same
 * time, the later one wins.
 */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/**
 * Files in a folder, named `ab/abcd…` by their hash. A file is first written under a temporary
 * name, flushed, and then renamed, so that readers never see a part of it. Nodes that share the
 * folder share the files.
 */
export function diskFiles(folder: string, random: RandomSource): FileStore {
  makeFolder(join(folder, INCOMING), FOLDER_MODE)
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash)
  const prepared = new Set<string>()
  const temporaryPath = () => join(folder, INCOMING, `${process.pid}.${random.bytes(12).toString('hex')}`)

  /** Writes a file and moves it to its final name. */
  async function keep(content: AsyncIterable<Buffer> | Iterable<Buffer>, claim: Claim): Promise<StoredFile> {
    const temporary = temporaryPath()
    try {
      const stored = await write(temporary, content)
      await claim(stored)
      const path = pathOf(stored.hash)
      await prepare(dirname(path))
      await rename(temporary, path)
      await flush(dirname(path))
      return stored
    } catch (error) {
      if (isDiskFull(error)) throw new FilesFull(`no space is left in ${folder}`)
      throw error
    } finally {
      await rm(temporary, { force: true })
    }
  }

  /**
   * Creates the folder of a file. Once per process also if it exists: another one may not have
   * flushed its name.
   */
  async function prepare(path: string): Promise<void> {
    if (prepared.has(path)) return
    await mkdir(path, { recursive: true, mode: FOLDER_MODE })
    await flush(folder)
    prepared.add(path)
  }

  return {
    ...markIn(join(folder, MARK_FILE), random),
    pathOf,
    put: (content, claim) => keep([content], claim),
    join: (hashes, claim) => keep(contentOf(hashes.map(pathOf)), claim),
    async size(hash) {
      try {
        return (await stat(pathOf(hash))).size
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined
        throw error
      }
    },
    read: (hash, start, end) => reading(pathOf(hash), (file) => readFully(file, start, end)),
    stream: (hash, start, end) =>
      // The end of a stream's range is inclusive.
      createReadStream(pathOf(hash), { start, end: end - 1, highWaterMark: CHUNK_BYTES }),
    remove: (hash) => rm(pathOf(hash), { force: true }),
    removePassing: (before) => removePassing(join(folder, INCOMING), before),
    close: () => undefined,
  }
}

const INCOMING = 'incoming'

/** The mark in a file. */
function markIn(path: string, random: RandomSource): MarkedResource {
  async function mark(): Promise<string | undefined> {
    try {
      return String(await reading(path, (file) => readFully(file, 0, MAX_MARK_BYTES)))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }
  }

  async function putMark(text: string): Promise<string> {
    const known = await mark()
    if (known !== undefined) return known
    const write = (keepExisting: boolean) =>
      writeAtomically(path, text, { mode: FILE_MODE, keepExisting, random })
    try {
      write(true)
    } catch (error) {
      if (!NO_LINKS.includes(errorCode(error) ?? '')) throw error
      write(false)
    }
    return (await mark()) ?? text
  }

  return { mark, putMark }
}

/** The content of some files, one after the other. */
async function* contentOf(paths: readonly string[]): AsyncIterable<Buffer> {
  for (const path of paths)
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) yield chunk as Buffer
}

async function removePassing(folder: string, before: number): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    const path = join(folder, name)
    // A file that has disappeared was finished.
    const touched = await stat(path).catch(() => undefined)
    if (touched && touched.mtimeMs < before) await rm(path, { force: true })
  }
}

async function write(path: string, content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<StoredFile> {
  const digest = createHash('sha256')
  let bytes = 0
  const file = await open(path, 'wx', FILE_MODE)
  try {
    for await (const chunk of content) {
      digest.update(chunk)
      bytes += chunk.length
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { hash: digest.digest('hex'), bytes }
}

async function reading<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'r')
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

async function readFully(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, end - start))
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, start + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** Makes the names in a folder durable. */
async function flush(folder: string): Promise<void> {
  await reading(folder, (handle) => handle.sync())
}
