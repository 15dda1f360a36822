import { Readable } from 'node:stream'
import { filePath } from '../../../domain/media/media.ts'
import { mediaOfFile } from '../../../domain/media/queries.ts'
import { defaultPicture } from '../../../identity/users/default-picture.ts'
import { type BytesReply, bytes } from '../../../platform/http/reply-kinds.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { UploadDependencies } from './endpoint.ts'

const YEAR_SECONDS = 31_536_000

type FileDependencies = Pick<UploadDependencies, 'store' | 'files' | 'clock'>

/** The bytes of a file, or a range of them. `audience` is who may cache them. */
export async function fileReply(
  name: string,
  range: string | string[] | undefined,
  context: FileDependencies,
  audience: 'public' | 'private' = 'public',
): Promise<BytesReply> {
  const file = await fileOf(name.slice(0, name.indexOf('.')), context)
  // A file has only one valid extension, that of its type.
  if (!file || filePath(file.hash, file.type) !== `/media/${name}`) throw apiError('not found', name)
  const { size, type } = file
  const asked = rangeOf(typeof range === 'string' ? range : undefined, size)
  if (asked === 'beyond')
    return bytes({ status: 416, headers: { 'content-range': `bytes */${size}` }, body: '' })
  const { start, end } = asked ?? { start: 0, end: size }
  return bytes({
    status: asked ? 206 : 200,
    headers: {
      'content-type': type,
      'content-length': String(end - start),
      'accept-ranges': 'bytes',
      ...(asked && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
      ...(audience === 'public' && { 'cache-control': `public, max-age=${YEAR_SECONDS}, immutable` }),
      'content-security-policy': "default-src 'none'",
    },
    body: file.stream(start, end),
  })
}

interface MediaFile {
  hash: string
  type: string
  size: number
  stream(start: number, end: number): Readable
}

async function fileOf(
  hash: string,
  { store, files, clock }: FileDependencies,
): Promise<MediaFile | undefined> {
  if (hash === defaultPicture.hash) {
    const { content, content_type: type } = defaultPicture
    const stream = (start: number, end: number) => Readable.from(content.subarray(start, end))
    return { hash, type, size: content.length, stream }
  }
  const medium = await store.first(mediaOfFile, { hash, now: clock.now() })
  const size = medium && (await files.size(hash))
  if (medium?.content_type === undefined || size === undefined) return undefined
  return { hash, type: medium.content_type, size, stream: (start, end) => files.stream(hash, start, end) }
}

/**
 * One range of bytes; its end is exclusive. Any other header gets the whole file, which is allowed.
 */
function rangeOf(
  header: string | undefined,
  bytes: number,
): { start: number; end: number } | 'beyond' | undefined {
  const [, from = '', to = ''] = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  // The last n bytes.
  if (from === '') return Number(to) === 0 ? 'beyond' : { start: Math.max(0, bytes - Number(to)), end: bytes }
  const start = Number(from)
  const end = to === '' ? bytes : Math.min(bytes, Number(to) + 1)
  if (start >= bytes) return 'beyond'
  return start < end ? { start, end } : undefined
}
