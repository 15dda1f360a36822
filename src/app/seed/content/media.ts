import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { MediaDependencies, StoringDependencies } from '../../../domain/media/dependencies.ts'
import { wrongDuration } from '../../../domain/media/media.ts'
import { MAX_WHOLE_BYTES } from '../../../domain/media/upload-rules.ts'
import { addWhole, storeWhole, type WholeFile } from '../../../domain/media/uploads.ts'
import { showInPost } from '../../../domain/media/uses.ts'
import { ConfigError } from '../../../platform/config/config.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { explanationOf } from '../problem.ts'
import type { Seed } from '../schema.ts'
import type { MediumOfPost } from './post-rows.ts'
import { type PlacedPost, placedPosts } from './posts-in-order.ts'
import type { SeedMedium } from './schema.ts'

/** The stored files of the media of a seed. */
export type StoredMedia = ReadonlyMap<SeedMedium, WholeFile>

const MAX_IMAGES = 4

/** Why a file cannot be a medium; undefined if it may be one. */
export function fileProblem(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile()) return `there is no file "${file}"`
  return found.size > MAX_WHOLE_BYTES ? `"${file}" has more than ${MAX_WHOLE_BYTES} bytes` : undefined
}

/**
 * Reads and stores the files of a seed, before the transaction that writes it. Those of a start
 * that fails are deleted later.
 * @throws ConfigError With the place of the first file that posts cannot show.
 */
export async function storeMedia(
  seed: Seed,
  {
    now,
    idOf,
    context,
  }: {
    now: number
    idOf(screenName: string): string
    context: StoringDependencies
  },
): Promise<StoredMedia> {
  const stored = new Map<SeedMedium, WholeFile>()
  for (const { post, pointer, author } of placedPosts(seed, now)) {
    for (const [index, medium] of (post.media ?? []).entries())
      stored.set(
        medium,
        await atPlace(`${pointer}/media/${index}`, async () =>
          suitable(await storeWhole(await contentOf(medium), { userId: idOf(author), context })),
        ),
      )
    rejectMixed(post, pointer, stored)
  }
  return stored
}

const contentOf = async ({ file, data = '' }: SeedMedium): Promise<Buffer> =>
  file === undefined ? Buffer.from(data, 'base64') : readFile(file)

function suitable(stored: WholeFile): WholeFile {
  const { category, columns } = stored
  const what = wrongDuration({ category, ...columns })
  if (what !== undefined) throw new ConfigError(what)
  if (category === 'SUBTITLES') throw new ConfigError('posts do not show subtitles')
  return stored
}

function rejectMixed({ media = [] }: PlacedPost['post'], pointer: string, stored: StoredMedia): void {
  const kinds = new Set(media.map((one) => stored.get(one)?.category))
  if (kinds.size > 1 || media.length > (kinds.has('POST_IMAGE') ? MAX_IMAGES : 1))
    throw new ConfigError(`seed: at ${pointer}/media: a post has up to 4 images, or 1 GIF, or 1 video`)
}

/** Writes the media of posts, which exist already. */
export async function writeMedia(
  tx: Transaction,
  media: readonly MediumOfPost[],
  context: Pick<MediaDependencies, 'clock' | 'config'>,
): Promise<void> {
  for (const { file, pointer, post, ...medium } of media) {
    const row = await atPlace(pointer, () => addWhole(tx, file, medium, context))
    await showInPost(tx, post, [row])
  }
}

async function atPlace<T>(pointer: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const what = error instanceof ApiError ? explanationOf(error) : (error as Error).message
    if (error instanceof ApiError || error instanceof ConfigError)
      throw new ConfigError(`seed: at ${pointer}: ${what}`, { cause: error })
    throw error
  }
}
