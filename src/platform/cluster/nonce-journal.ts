import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../common/make-folder.ts'
import { ClusterUnavailable } from './cluster.ts'
import { FINGERPRINT_WORDS } from './nonce-table.ts'

/** A fingerprint and a check word, little endian. */
export const RECORD_BYTES = 4 * FINGERPRINT_WORDS + 4

const LOG_NAME = /^nonces-(\d{1,15})\.log$/
const MARKER_NAME = 'boot'
const READ_BYTES = 1 << 20

/** The folder's marker, written by earlier processes. */
interface JournalMarker {
  /** Absent when the operating system does not report it. */
  readonly boot?: string
  readonly windowSeconds: number
  readonly floorSeconds: number
}

export interface NonceJournalOptions {
  /** Created if absent. One process at a time may use it. */
  readonly folder: string
  readonly windowSeconds: number
  /** The start of the process, seconds since the epoch. */
  readonly startSeconds: number
  /** No request has been accepted before, so a folder without a journal has lost none. */
  readonly isNew: boolean
  /** Buckets below this number are obsolete, and their files are deleted. */
  readonly firstBucket: number
  /** Different after every start of the machine; undefined if it cannot be determined. */
  readonly bootId: string | undefined
}

/** The nonces of a single node, as they are copied. */
export interface CopiedNonces {
  /** Nonces with a timestamp at or before this second may have been lost and must be rejected. */
  readonly floorSeconds: number
  readonly windowSeconds: number
  /** The fingerprints of each bucket, one after the other. */
  readonly buckets: ReadonlyMap<number, Uint32Array>
}

/** Linux's id of the current boot of the machine; undefined on other systems. */
export function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim() || undefined
  } catch {
    return undefined
  }
}

/**
 * Says of a copy of a journal that it is complete, on this machine: nothing was lost since it was
 * written. A folder without a marker stays so.
 */
export function adoptJournal(folder: string, bootId = readBootId()): void {
  const path = join(folder, MARKER_NAME)
  const marker = readMarker(folder)
  if (marker === undefined || marker === 'unreadable') return
  const { windowSeconds, floorSeconds } = marker
  const adopted = { ...(bootId !== undefined && { boot: bootId }), windowSeconds, floorSeconds }
  writeFileSync(path, JSON.stringify(adopted), { mode: 0o600 })
}

/** Writes nonces as the journal of a new folder. */
export async function writeJournal(
  folder: string,
  { floorSeconds, windowSeconds, buckets }: CopiedNonces,
  bootId = readBootId(),
): Promise<void> {
  const journal = new NonceJournal({
    folder,
    windowSeconds,
    startSeconds: floorSeconds,
    isNew: true,
    firstBucket: 0,
    bootId,
  })
  for (const [bucket, fingerprints] of buckets) {
    journal.open(bucket, () => undefined)
    for (let at = 0; at < fingerprints.length; at += FINGERPRINT_WORDS)
      journal.append(bucket, fingerprints.subarray(at, at + FINGERPRINT_WORDS))
  }
  journal.flush()
  await journal.close()
  const marker = { ...(bootId !== undefined && { boot: bootId }), windowSeconds, floorSeconds }
  writeFileSync(join(folder, MARKER_NAME), JSON.stringify(marker), { mode: 0o600 })
}

/**
 * Reads a journal that no process uses.
 * @throws ClusterUnavailable The folder is not a complete journal.
 */
export async function readJournal(folder: string): Promise<CopiedNonces> {
  const marker = readMarker(folder)
  if (marker === undefined || marker === 'unreadable')
    throw new ClusterUnavailable(`${folder} is not a journal of nonces`)
  const { boot, windowSeconds, floorSeconds } = marker
  const journal = new NonceJournal({
    folder,
    windowSeconds,
    startSeconds: floorSeconds,
    isNew: false,
    firstBucket: 0,
    bootId: boot,
  })
  const buckets = new Map<number, Uint32Array>()
  for (const bucket of journal.buckets) {
    const words: number[] = []
    journal.open(bucket, (fingerprint) => words.push(...fingerprint))
    buckets.set(bucket, Uint32Array.from(words))
  }
  await journal.close()
  return { floorSeconds, windowSeconds, buckets }
}

/** The number of unwritten records for which the buffer does not grow. */
const FIRST_RECORDS = 64

interface JournalFile {
  descriptor: number
  /** Records that wait for `flush`, in the first `used` bytes. */
  unwritten: Buffer
  used: number
}

/**
 * The used nonces, on disk: one append-only file of fingerprints per bucket of timestamps.
 *
 * `flush` passes records to the operating system, so that they survive the end of the process,
 * however it ends. They are not flushed to the disk, so a power failure may lose the last ones. The
 * next start detects that by the machine's boot id, and rejects every nonce stamped up to then
 * (`floorSeconds`).
 */
export class NonceJournal {
  /** Nonces with a timestamp at or before this second may have been lost and must be rejected. */
  readonly floorSeconds: number
  /** Buckets that have a file, in ascending order. */
  readonly buckets: readonly number[]
  readonly #folder: string
  readonly #files = new Map<number, JournalFile>()
  readonly #deletions = new Set<Promise<void>>()

  /** @throws ClusterUnavailable When the folder cannot be used. */
  constructor(options: NonceJournalOptions) {
    this.#folder = options.folder
    try {
      makeFolder(options.folder, 0o700)
      const buckets = readdirSync(options.folder).flatMap((name) => {
        const bucket = LOG_NAME.exec(name)?.[1]
        return bucket === undefined ? [] : [Number(bucket)]
      })
      const marker = readMarker(options.folder)
      this.floorSeconds = floorAfter(marker, buckets.length === 0, options)
      this.#writeMarker(marker, {
        ...(options.bootId === undefined ? {} : { boot: options.bootId }),
        windowSeconds: options.windowSeconds,
        floorSeconds: this.floorSeconds,
      })
      for (const bucket of buckets) if (bucket < options.firstBucket) unlinkSync(this.#path(bucket))
      this.buckets = buckets.filter((bucket) => bucket >= options.firstBucket).sort((a, b) => a - b)
    } catch (cause) {
      throw new ClusterUnavailable(
        `The nonce journal in ${options.folder} cannot be opened: ${reason(cause)}`,
        {
          cause,
        },
      )
    }
  }

  /**
   * Opens a bucket's file and reads its records. Damaged records are skipped.
   *
   * @param onFingerprint Called with the same array each time.
   * @throws ClusterUnavailable When the file cannot be opened or read.
   */
  open(bucket: number, onFingerprint: (fingerprint: Uint32Array) => void): void {
    if (this.#files.has(bucket)) return
    let file: number | undefined
    try {
      file = openSync(this.#path(bucket), constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600)
      if (fstatSync(file).isFile()) readRecords(file, onFingerprint)
      this.#files.set(bucket, {
        descriptor: file,
        unwritten: Buffer.alloc(FIRST_RECORDS * RECORD_BYTES),
        used: 0,
      })
    } catch (cause) {
      if (file !== undefined) closeSync(file)
      throw new ClusterUnavailable(
        `The nonce journal ${this.#path(bucket)} cannot be opened: ${reason(cause)}`,
        {
          cause,
        },
      )
    }
  }

  /**
   * Adds a fingerprint to the next `flush`.
   *
   * @throws ClusterUnavailable When the bucket is not open.
   */
  append(bucket: number, fingerprint: Uint32Array): void {
    const file = this.#files.get(bucket)
    if (file === undefined)
      throw new ClusterUnavailable(`The nonce journal ${this.#path(bucket)} is not open`)
    if (file.used + RECORD_BYTES > file.unwritten.length) {
      file.unwritten = Buffer.concat([file.unwritten], 2 * file.unwritten.length)
    }
    const record = file.unwritten
    for (let word = 0; word < FINGERPRINT_WORDS; word++) {
      record.writeUInt32LE(fingerprint[word] as number, file.used + 4 * word)
    }
    record.writeUInt32LE(checkWord(fingerprint), file.used + 4 * FINGERPRINT_WORDS)
    file.used += RECORD_BYTES
  }

  /**
   * Writes all appended records to the operating system.
   *
   * @throws ClusterUnavailable When it was not written completely.
   */
  flush(): void {
    for (const file of this.#files.values()) {
      const bytes = file.used
      if (bytes === 0) continue
      file.used = 0
      let written = 0
      try {
        written = writeSync(file.descriptor, file.unwritten, 0, bytes)
      } catch (cause) {
        throw new ClusterUnavailable(`The nonces could not be recorded: ${reason(cause)}`, { cause })
      }
      // A full disk may store a part of the records. The reader skips a torn one.
      if (written !== bytes)
        throw new ClusterUnavailable('The nonces could not be recorded: the disk is full')
    }
  }

  /**
   * Closes a bucket's file and deletes it in the background. If that fails, the next start deletes
   * it.
   */
  drop(bucket: number): void {
    const file = this.#files.get(bucket)
    if (file === undefined) return
    this.#files.delete(bucket)
    closeSync(file.descriptor)
    const deletion: Promise<void> = unlink(this.#path(bucket))
      .catch(() => {})
      .finally(() => this.#deletions.delete(deletion))
    this.#deletions.add(deletion)
  }

  async close(): Promise<void> {
    for (const { descriptor } of this.#files.values()) closeSync(descriptor)
    this.#files.clear()
    await Promise.all(this.#deletions)
  }

  #path(bucket: number): string {
    return join(this.#folder, `nonces-${bucket}.log`)
  }

  #writeMarker(former: JournalMarker | 'unreadable' | undefined, marker: JournalMarker): void {
    const text = JSON.stringify(marker)
    if (former !== undefined && former !== 'unreadable' && JSON.stringify(former) === text) return
    // Flushed and renamed, so that a power failure leaves either the previous marker or this one.
    const path = join(this.#folder, MARKER_NAME)
    writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
    const folder = openSync(this.#folder, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  }
}

function readMarker(folder: string): JournalMarker | 'unreadable' | undefined {
  let text: string
  try {
    text = readFileSync(join(folder, MARKER_NAME), 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
  try {
    const marker: Partial<JournalMarker> | null = JSON.parse(text)
    if (Number.isFinite(marker?.windowSeconds) && Number.isFinite(marker?.floorSeconds))
      return marker as JournalMarker
  } catch {
    // Handled like any other invalid marker.
  }
  return 'unreadable'
}

function floorAfter(
  marker: JournalMarker | 'unreadable' | undefined,
  noLogs: boolean,
  options: NonceJournalOptions,
): number {
  if (marker === undefined && noLogs && options.isNew) return -1
  if (marker === undefined || marker === 'unreadable') return options.startSeconds
  // Without both ids, it is unknown whether the machine was restarted in between.
  const sameBoot = options.bootId !== undefined && marker.boot === options.bootId
  if (!sameBoot) return options.startSeconds
  // With a wider window than before, nonces that were already deleted would be within it again.
  const widened = options.windowSeconds > marker.windowSeconds
  return widened
    ? Math.max(marker.floorSeconds, options.startSeconds - marker.windowSeconds)
    : marker.floorSeconds
}

function checkWord(words: Uint32Array): number {
  let check = 0x706c617a
  for (let word = 0; word < FINGERPRINT_WORDS; word++) {
    check = Math.imul(check ^ (words[word] as number), 0x9e3779b1)
    check ^= check >>> 15
  }
  return check >>> 0
}

/**
 * Reads every complete record of a file. After a damaged record, searches byte by byte for the next
 * one.
 */
function readRecords(file: number, onFingerprint: (fingerprint: Uint32Array) => void): void {
  const buffer = Buffer.alloc(READ_BYTES)
  const fingerprint = new Uint32Array(FINGERPRINT_WORDS)
  let held = 0
  let position = 0
  for (;;) {
    const count = readSync(file, buffer, held, READ_BYTES - held, position)
    if (count === 0) return
    position += count
    held += count
    let at = 0
    while (held - at >= RECORD_BYTES) {
      for (let word = 0; word < FINGERPRINT_WORDS; word++) {
        fingerprint[word] = buffer.readUInt32LE(at + 4 * word)
      }
      const whole = buffer.readUInt32LE(at + 4 * FINGERPRINT_WORDS) === checkWord(fingerprint)
      if (whole && fingerprint[0] !== 0) onFingerprint(fingerprint)
      at += whole ? RECORD_BYTES : 1
    }
    buffer.copyWithin(0, at, held)
    held -= at
  }
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
