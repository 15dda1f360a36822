import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { MAX_MARK_BYTES, type MarkedResource } from '../../common/marked.ts'
import { StoreUnavailable } from '../store.ts'
import { type Claim, type FileStore, MARK_FILE, type StoredFile } from './files.ts'

/** The location of files in an object store with the S3 protocol. */
export interface S3Location {
  bucket: string
  /** Prefix of every key; empty, or ends with a slash. */
  prefix: string
  /** Undefined for the endpoint of the region. */
  endpoint: string | undefined
  region: string
}

const CONNECT_MS = 3_000
/** The timeout without a byte in either direction. */
const IDLE_MS = 30_000
const ATTEMPTS = 3
const NOT_FOUND = 404
const BEYOND_END = 416
/**
 * The answers to a conditional write of an object that exists, or that another node writes at the
 * same time.
 */
const EXISTS = [412, 409]
const NOT_IMPLEMENTED = 501
const NO_FILE = '0'.repeat(64)

/**
 * Files in a bucket of an object store, with the same names as in a folder. Objects are atomic, and
 * a file is uploaded under its final name, so a killed node leaves no temporary files behind.
 * Credentials come from the usual sources: the environment, a profile, or the role of the machine.
 * Rejects with StoreUnavailable when the bucket cannot be used.
 */
export async function s3Files(location: S3Location): Promise<FileStore> {
  const bucket = new Bucket(location)
  await bucket.check()
  return {
    mark: () => bucket.mark(),
    putMark: (text) => bucket.putMark(text),
    async put(content: Buffer, claim: Claim) {
      const stored = { hash: createHash('sha256').update(content).digest('hex'), bytes: content.length }
      await claim(stored)
      await bucket.put(stored, content)
      return stored
    },
    async join(hashes, claim) {
      // Read twice: an object is uploaded under its name, which is only known after the content was
      // read.
      const stored = await nameOf(bucket.contentOf(hashes))
      await claim(stored)
      // A single segment is already the file.
      if (hashes.length !== 1)
        await bucket.put(stored, Readable.from(bucket.contentOf(hashes), { objectMode: false }))
      return stored
    },
    size: (hash) => bucket.size(hash),
    async read(hash, start, end) {
      const chunks: Buffer[] = []
      for await (const chunk of bucket.read(hash, start, end)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    stream: (hash, start, end) => Readable.from(bucket.read(hash, start, end), { objectMode: false }),
    remove: (hash) => bucket.remove(hash),
    removePassing: async () => undefined,
    close: () => bucket.close(),
  }
}

/** Computes the name of the content before it is stored. */
async function nameOf(content: AsyncIterable<Buffer>): Promise<StoredFile> {
  const digest = createHash('sha256')
  let bytes = 0
  for await (const chunk of content) {
    digest.update(chunk)
    bytes += chunk.length
  }
  return { hash: digest.digest('hex'), bytes }
}

/**
 * The objects of a bucket. Every method rejects with StoreUnavailable when the bucket cannot be
 * used.
 */
class Bucket implements MarkedResource {
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string

  constructor({ bucket, prefix, endpoint, region }: S3Location) {
    this.#bucket = bucket
    this.#prefix = prefix
    this.#client = new S3Client({
      region,
      // When one host serves all buckets, bucket names are part of the path.
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      maxAttempts: ATTEMPTS,
      // Other implementations do not support the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
    })
  }

  /** Requesting an absent object shows whether the bucket exists and is readable. */
  async check(): Promise<void> {
    const nothing = this.#client.send(new GetObjectCommand(this.#at(NO_FILE)))
    await this.#asked(
      'finding',
      nothing.catch((error) => {
        if ((error as Error).name !== 'NoSuchKey') throw error
      }),
    )
  }

  async mark(): Promise<string | undefined> {
    const range = { Range: `bytes=0-${MAX_MARK_BYTES - 1}` }
    const command = new GetObjectCommand({ ...this.#markAt(), ...range })
    const answer = await this.#found('reading', this.#client.send(command))
    return answer?.Body && (await this.#asked('reading', answer.Body.transformToString()))
  }

  /**
   * Of two nodes that do this at the same time, a store without conditional writes lets the later
   * one win.
   */
  async putMark(text: string): Promise<string> {
    const known = await this.mark()
    if (known !== undefined) return known
    const write = (condition: { IfNoneMatch?: '*' }) =>
      this.#client.send(new PutObjectCommand({ ...this.#markAt(), Body: text, ...condition }))
    const written = write({ IfNoneMatch: '*' }).catch((error) => {
      const status = statusOf(error) ?? 0
      if (EXISTS.includes(status)) return
      if (status === NOT_IMPLEMENTED) return write({})
      throw error
    })
    await this.#asked('writing to', written)
    return (await this.mark()) ?? text
  }

  async put({ hash, bytes }: StoredFile, content: Buffer | Readable): Promise<void> {
    const command = new PutObjectCommand({ ...this.#at(hash), Body: content, ContentLength: bytes })
    await this.#asked('writing to', this.#client.send(command))
  }

  async size(hash: string): Promise<number | undefined> {
    const command = new HeadObjectCommand(this.#at(hash))
    return (await this.#found('looking into', this.#client.send(command)))?.ContentLength
  }

  async *read(hash: string, start: number, end?: number): AsyncGenerator<Buffer> {
    if (end !== undefined && end <= start) return
    // The end of a range is inclusive.
    const range = start === 0 && end === undefined ? {} : { Range: `bytes=${start}-${end ? end - 1 : ''}` }
    const command = new GetObjectCommand({ ...this.#at(hash), ...range })
    const answer = await this.#found('reading', this.#client.send(command))
    if (!answer) return
    try {
      for await (const chunk of answer.Body as Readable) yield chunk as Buffer
    } catch (error) {
      throw this.#unavailable(`reading ${this.#url} broke off`, error)
    }
  }

  /** The content of some files, one after the other. */
  async *contentOf(hashes: readonly string[]): AsyncGenerator<Buffer> {
    for (const hash of hashes) yield* this.read(hash, 0)
  }

  async remove(hash: string): Promise<void> {
    await this.#found('removing from', this.#client.send(new DeleteObjectCommand(this.#at(hash))))
  }

  close(): void {
    this.#client.destroy()
  }

  get #url(): string {
    return `s3://${this.#bucket}/${this.#prefix}`
  }

  #at(hash: string) {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${hash.slice(0, 2)}/${hash}` }
  }

  #markAt() {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${MARK_FILE}` }
  }

  async #asked<T>(what: string, answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      throw this.#unavailable(`${what} ${this.#url} failed`, error)
    }
  }

  /** Undefined when the object, or the requested part of it, does not exist. */
  async #found<T>(what: string, answer: Promise<T>): Promise<T | undefined> {
    return this.#asked(
      what,
      answer.catch((error) => {
        if ([NOT_FOUND, BEYOND_END].includes(statusOf(error) ?? 0)) return undefined
        throw error
      }),
    )
  }

  #unavailable(what: string, error: unknown): StoreUnavailable {
    return new StoreUnavailable(`${what}: ${reason(error)}`, { cause: error })
  }
}

const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode

/** Responses to HEAD have no body: the status is the error. */
function reason(error: unknown): string {
  const { name, message } = error as Error
  const status = statusOf(error)
  return [name, message, status === undefined ? '' : `HTTP ${status}`]
    .filter((part, index, all) => part !== '' && part !== 'UnknownError' && all.indexOf(part) === index)
    .join(', ')
}
