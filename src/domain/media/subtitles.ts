import type { Transaction } from '../../platform/storage/store.ts'
import { UNUSED_MEDIUM_MS } from './media.ts'
import {
  holdMedia,
  lockMedia,
  putSubtitles,
  releaseSubtitles,
  removeSubtitles,
  subtitlesOf,
} from './queries.ts'
import type { MediaSubtitlesRow } from './tables.ts'

/** Maximum number of languages of one video. */
export const MAX_LANGUAGES = 100

const keyOf = (language: string) => language.toLowerCase()

/**
 * Adds subtitles to a video, replacing those in the same language. Both rows are locked. Resolves
 * to all subtitles of the video, or to undefined when there would be too many.
 */
export async function addSubtitles(
  tx: Transaction,
  added: Omit<MediaSubtitlesRow, 'language_key'>,
): Promise<MediaSubtitlesRow[] | undefined> {
  const row = { ...added, language_key: keyOf(added.language_code) }
  const others = await tx.all(subtitlesOf, { medium: row.media_id })
  const former = others.find(({ language_key }) => language_key === row.language_key)
  if (!former && others.length >= MAX_LANGUAGES) return undefined
  await tx.run(putSubtitles, row)
  await tx.run(holdMedia, { ids: JSON.stringify([row.subtitles_id]) })
  if (former && former.subtitles_id !== row.subtitles_id) await release(tx, former)
  return tx.all(subtitlesOf, { medium: row.media_id })
}

/** Removes the subtitles of a language from a locked video. Resolves to whether it had any. */
export async function removeLanguage(tx: Transaction, medium: string, language: string): Promise<boolean> {
  const language_key = keyOf(language)
  const all = await tx.all(subtitlesOf, { medium })
  const former = all.find((row) => row.language_key === language_key)
  if (!former) return false
  await tx.run(removeSubtitles, { medium, language: language_key })
  await release(tx, former)
  return true
}

const release = (tx: Transaction, { subtitles_id }: MediaSubtitlesRow) =>
  releaseFile(tx, subtitles_id, tx.now + UNUSED_MEDIUM_MS)

/**
 * Lets a file of subtitles expire when no video has it any more. It is locked before videos are
 * searched: of two transactions that each remove it from one video, the later one sees that it was
 * the last.
 */
export async function releaseFile(tx: Transaction, id: string, expiresAt: number): Promise<void> {
  await tx.first(lockMedia, { id })
  await tx.run(releaseSubtitles, { id, expiresAt })
}
