import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { MAX_MARK_BYTES } from '../../common/marked.ts'
import { StoreUnavailable } from '../store.ts'
import type { Claim, FileStore, StoredFile } from './files.ts'
import { MARK_FILE } from './files.ts'

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
/** The answers to a conditional write of an object that exists, or that another node writes at the same time. */
const EXISTS = [412, 409]
const NOT_IMPLEMENTED = 501
const NO_FILE = '0'.repeat(64)

/**
 * Files in a bucket of an object store, with the same names as in a folder. Objects are atomic, and a file is uploaded
 * under its final name, so a killed node leaves no temporary files behind. Credentials come from the usual sources: the
 * environment, a profile, or the role of the machine. Rejects with StoreUnavailable when the bucket cannot be used.
 */
export async function s3Files({ bucket, prefix, endpoint, region }: S3Location): Promise<FileStore> {
  const client = new S3Client({
    region,
    // When one host serves all buckets, bucket names are part of the path.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    maxAttempts: ATTEMPTS,
    // Other implementations do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
  })
  const at = (hash: string) => ({ Bucket: bucket, Key: `${prefix}${hash.slice(0, 2)}/${hash}` })

  async function asked<T>(what: string, answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      throw new StoreUnavailable(`${what} s3://${bucket}/${prefix} failed: ${reason(error)}`, {
        cause: error,
      })
    }
  }

  /** Undefined when the object, or the requested part of it, does not exist. */
  async function found<T>(what: string, answer: Promise<T>): Promise<T | undefined> {
    return asked(
      what,
      answer.catch((error) => {
        if ([NOT_FOUND, BEYOND_END].includes(statusOf(error) ?? 0)) return undefined
        throw error
      }),
    )
  }

  const markAt = { Bucket: bucket, Key: `${prefix}${MARK_FILE}` }

  async function mark(): Promise<string | undefined> {
    const range = { Range: `bytes=0-${MAX_MARK_BYTES - 1}` }
    const answer = await found('reading', client.send(new GetObjectCommand({ ...markAt, ...range })))
    return answer?.Body && (await asked('reading', answer.Body.transformToString()))
  }

  /** Of two nodes that do this at the same time, a store without conditional writes lets the later one win. */
  async function putMark(text: string): Promise<string> {
    const known = await mark()
    if (known !== undefined) return known
    const write = (condition: { IfNoneMatch?: '*' }) =>
      client.send(new PutObjectCommand({ ...markAt, Body: text, ...condition }))
    const written = write({ IfNoneMatch: '*' }).catch((error) => {
      const status = statusOf(error) ?? 0
      if (EXISTS.includes(status)) return
      if (status === NOT_IMPLEMENTED) return write({})
      throw error
    })
    await asked('writing to', written)
    return (await mark()) ?? text
  }

  async function send({ hash, bytes }: StoredFile, content: Buffer | Readable): Promise<void> {
    const command = new PutObjectCommand({ ...at(hash), Body: content, ContentLength: bytes })
    await asked('writing to', client.send(command))
  }

  async function size(hash: string): Promise<number | undefined> {
    return (await found('looking into', client.send(new HeadObjectCommand(at(hash)))))?.ContentLength
  }

  async function* bytesOf(hash: string, start: number, end?: number): AsyncGenerator<Buffer> {
    if (end !== undefined && end <= start) return
    // The end of a range is inclusive.
    const range = start === 0 && end === undefined ? {} : { Range: `bytes=${start}-${end ? end - 1 : ''}` }
    const answer = await found('reading', client.send(new GetObjectCommand({ ...at(hash), ...range })))
    if (!answer) return
    try {
      for await (const chunk of answer.Body as Readable) yield chunk as Buffer
    } catch (error) {
      throw new StoreUnavailable(`reading s3://${bucket}/${prefix} broke off: ${reason(error)}`, {
        cause: error,
      })
    }
  }

  async function* contentOf(hashes: readonly string[]): AsyncGenerator<Buffer> {
    for (const hash of hashes) yield* bytesOf(hash, 0)
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

  // Requesting an absent object shows whether the bucket exists and is readable.
  const nothing = client.send(new GetObjectCommand(at(NO_FILE)))
  await asked(
    'finding',
    nothing.catch((error) => {
      if ((error as Error).name !== 'NoSuchKey') throw error
    }),
  )

  return {
    mark,
    putMark,
    async put(content: Buffer, claim: Claim) {
      const stored = { hash: createHash('sha256').update(content).digest('hex'), bytes: content.length }
      await claim(stored)
      await send(stored, content)
      return stored
    },
    async join(hashes, claim) {
      // Read twice: an object is uploaded under its name, which is only known after the content was read.
      const stored = await nameOf(contentOf(hashes))
      await claim(stored)
      // A single segment is already the file.
      if (hashes.length !== 1) await send(stored, Readable.from(contentOf(hashes), { objectMode: false }))
      return stored
    },
    size,
    async read(hash, start, end) {
      const chunks: Buffer[] = []
      for await (const chunk of bytesOf(hash, start, end)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    stream: (hash, start, end) => Readable.from(bytesOf(hash, start, end), { objectMode: false }),
    async remove(hash) {
      await found('removing from', client.send(new DeleteObjectCommand(at(hash))))
    },
    removePassing: async () => undefined,
    close: () => client.destroy(),
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
