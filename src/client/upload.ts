import type { Client } from './client.ts'
import type { InitializeMediumUploadForm, UploadedMedium } from './generated/core.ts'
import { pause } from './machine.ts'
import type { CallOptions } from './options.ts'
import type { Upload } from './types.ts'

export interface UploadOptions extends CallOptions {
  /** `video/mp4` */
  readonly mediaType: NonNullable<InitializeMediumUploadForm['media_type']>
  /** Derived from the type by default. */
  readonly category?: NonNullable<InitializeMediumUploadForm['media_category']>
  /** Bytes of a segment, one megabyte by default; larger where a file has more than 1,000. */
  readonly segmentBytes?: number
  /** Called after each segment. */
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void
}

/** The file was received, but cannot be used. */
export class UploadError extends Error {
  override readonly name = 'UploadError'
  readonly medium: UploadedMedium

  constructor(medium: UploadedMedium) {
    const { error } = (medium.processing_info ?? {}) as { error?: { message?: string } }
    super(error?.message ?? 'The medium could not be processed.')
    this.medium = medium
  }
}

const SEGMENT_BYTES = 1024 * 1024
const MAX_SEGMENTS = 1000

/**
 * Uploads a file in segments, and waits until it is processed: `id` is then for posts and messages,
 * `media_key` for advertising.
 * @throws UploadError when it cannot be used, and what calls throw
 */
export async function uploadMedia(
  client: Client,
  file: Upload,
  options: UploadOptions,
): Promise<UploadedMedium> {
  const { mediaType, category, segmentBytes = SEGMENT_BYTES, onProgress, ...call } = options
  const blob = file instanceof Blob ? file : new Blob([file])
  const start = await client.core.initializeMediumUpload(
    {
      media_type: mediaType,
      total_bytes: blob.size,
      ...(category !== undefined && { media_category: category }),
    },
    call,
  )
  const { id } = start.data
  const step = Math.max(segmentBytes, Math.ceil(blob.size / MAX_SEGMENTS))
  for (let at = 0, index = 0; at < blob.size; at += step, index++) {
    const media = blob.slice(at, at + step)
    await client.core.appendMediumUpload({ id, media, segment_index: index }, call)
    onProgress?.(Math.min(at + step, blob.size), blob.size)
  }
  const { data } = await client.core.finalizeMediumUpload({ id }, call)
  return processed(client, data, call)
}

/** Waits as long as the server says, until it has processed the file. */
async function processed(client: Client, given: UploadedMedium, call: CallOptions): Promise<UploadedMedium> {
  let medium = given
  for (;;) {
    const { state, check_after_secs = 1 } = medium.processing_info ?? { state: 'succeeded' }
    if (state === 'succeeded') return medium
    if (state === 'failed') throw new UploadError(medium)
    await pause(check_after_secs * 1000, call.signal)
    medium = (await client.core.getMediumUpload({ media_id: medium.id }, call)).data
  }
}
