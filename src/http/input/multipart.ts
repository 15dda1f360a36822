import type { IncomingHttpHeaders } from 'node:http'
import { Busboy } from '@fastify/busboy'
import { apiError, invalid } from '../errors.ts'
import type { Pair } from './form.ts'

/** A file of a multipart body. */
export interface FilePart {
  /** The name of its field. */
  name: string
  /** The type that the sender declared. */
  type: string
  content: Buffer
}

export interface Parts {
  fields: Pair[]
  files: FilePart[]
}

const MAX_FIELDS = 50
const MAX_FILES = 4
const MAX_HEADERS = 20
const MAX_HEADER_BYTES = 8 * 1024
const MAX_NAME_BYTES = 100

/**
 * The parts of a `multipart/form-data` body that has been read. A part is a file if it has a file name or binary
 * content, or the name of the endpoint's file. Rejects a body that is malformed, truncated or has too many parts.
 */
export function readMultipart(body: Buffer, headers: IncomingHttpHeaders, file: string): Promise<Parts> {
  const parts: Parts = { fields: [], files: [] }
  return new Promise((resolve, reject) => {
    const malformed = (detail: string) => reject(apiError('bad request', `multipart: ${detail}`))
    let parser: InstanceType<typeof Busboy>
    try {
      parser = new Busboy({
        headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
        isPartAFile: (name, type, fileName) =>
          name === file || type === 'application/octet-stream' || fileName !== undefined,
        limits: {
          fields: MAX_FIELDS,
          files: MAX_FILES,
          parts: MAX_FIELDS + MAX_FILES,
          headerPairs: MAX_HEADERS,
          headerSize: MAX_HEADER_BYTES,
          fieldNameSize: MAX_NAME_BYTES,
          fieldSize: body.length,
        },
      })
    } catch (error) {
      return malformed((error as Error).message)
    }
    parser.on('field', (name, value) => {
      // The parser inserts a replacement character where bytes were not text.
      if (value.includes('\ufffd')) reject(unreadable(name))
      else parts.fields.push([name, value])
    })
    parser.on('file', (name, stream, _fileName, _encoding, type) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => parts.files.push({ name, type, content: Buffer.concat(chunks) }))
      stream.once('error', (error: Error) => malformed(error.message))
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      parser.once(limit, () => malformed('too many parts'))
    parser.once('error', (error) => malformed(String(error)))
    parser.once('finish', () => resolve(parts))
    parser.end(body)
  })
}

const unreadable = (name: string) =>
  invalid({ place: 'form', name, value: undefined, fault: { kind: 'invalid' } })
