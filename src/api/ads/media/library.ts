import { type Static, Type } from 'typebox'
import {
  CATEGORIES,
  idIn,
  isMadeFor,
  keyOf,
  type MediaCategory,
  mayUse,
  mediaByKeys,
  mediaPath,
  posterPath,
  ratioOf,
  rulesOf,
  urlOf,
  wrongDuration,
} from '../../../domain/media/media.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { fixed, msg, word } from '../../../platform/http/message.ts'
import { choice, clearable, closedComponent, instant, nullable, text } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { accountMedia, creativeTypeOf } from '../account-media/account-media.ts'
import type { AdsDependencies } from '../dependencies.ts'
import type { WriteContext } from '../entity/types.ts'
import { createItem } from '../entity/write.ts'
import { nameKey } from '../name-key.ts'
import { mediaKey } from './media-key.ts'
import { addTerms, type LibraryMedium, libraryMedia, lockEntry, putEntry, removeTerms } from './queries.ts'
import type { MediaLibraryRow } from './tables.ts'
import { releaseMedia, unknownMedium, useByKeys } from './uses.ts'

export const MEDIA_TYPES = ['GIF', 'IMAGE', 'VIDEO'] as const

const STATUSES = ['PENDING_TRANSCODE', 'TRANSCODE_COMPLETED', 'TRANSCODE_FAILED'] as const

const texts = {
  name: text(1, 100, 'Human-readable name.'),
  file_name: text(1, 255, 'Name of the file.'),
  title: text(1, 70, 'Text of a video or GIF.'),
  description: text(1, 200, 'Text of a video or GIF.'),
}

const poster = mediaKey('Preview image of a video; its first frame by default.')

const moving = 'Only for videos and GIFs.'

/** A medium in the library of an account. An image has no members of a video. */
export const MediaItem = closedComponent('LibraryMedia', {
  media_key: mediaKey('Its id.'),
  name: nullable(texts.name),
  file_name: nullable(texts.file_name),
  description: Type.Optional(nullable(texts.description)),
  title: Type.Optional(nullable(texts.title)),
  media_url: nullable(Type.String({ description: 'URL of its file.' })),
  media_category: choice([...CATEGORIES], 'Category that it was uploaded for.', 'MediaCategory'),
  media_type: choice([...MEDIA_TYPES], 'Its type.', 'MediaType'),
  media_status: choice([...STATUSES], 'Whether it is ready to be shown.'),
  poster_media_url: Type.Optional(nullable(Type.String({ description: moving }))),
  poster_media_key: Type.Optional(nullable(Type.String({ description: moving }))),
  duration: Type.Optional(
    nullable(Type.Integer({ minimum: 0, description: 'Duration of a video in milliseconds.' })),
  ),
  aspect_ratio: Type.Optional(Type.String({ description: `\`16:9\`. ${moving}` })),
  posted: Type.Boolean({ description: 'Whether it has appeared in a post.' }),
  created_at: instant('When it was added to the library.'),
  updated_at: instant('When it was last updated.'),
  deleted: Type.Boolean({ description: 'Whether it was deleted.' }),
})

const { media_key, media_category, media_type, created_at } = MediaItem.properties

/** Members of a medium that callers can read but not set. The others follow from its file. */
export const itemReadOnly = { media_key, media_category, media_type, created_at }

/** Metadata that a caller sets. */
export const details = {
  description: Type.Optional(clearable(texts.description)),
  file_name: Type.Optional(clearable(texts.file_name)),
  name: Type.Optional(clearable(texts.name)),
  poster_media_key: Type.Optional(clearable(poster)),
  title: Type.Optional(clearable(texts.title)),
}

export interface Details {
  name?: string | null
  file_name?: string | null
  title?: string | null
  description?: string | null
  poster_media_key?: string | null
}

const STATUS_OF: Readonly<Record<string, (typeof STATUSES)[number]>> = {
  PENDING: 'PENDING_TRANSCODE',
  READY: 'TRANSCODE_COMPLETED',
  FAILED: 'TRANSCODE_FAILED',
}

/** Media as the library shows them. Reads their posters at once. */
export async function itemsOf(
  media: readonly LibraryMedium[],
  context: Pick<AdsDependencies, 'store' | 'mediaOrigin'>,
): Promise<Static<typeof MediaItem>[]> {
  const keys = media.flatMap(({ poster_media_key: key }) => (key === null ? [] : [key]))
  const posters = new Map(
    (await mediaByKeys(context.store, keys)).map((row, index) => [keys[index], row] as const),
  )
  return media.map((medium) => ({
    ...fixedMembers(medium, context),
    ...(medium.media_type !== 'IMAGE' &&
      movingMembers(medium, posters.get(medium.poster_media_key ?? ''), context)),
  }))
}

function fixedMembers(medium: LibraryMedium, context: Pick<AdsDependencies, 'mediaOrigin'>) {
  return {
    media_key: medium.media_key,
    name: medium.name,
    file_name: medium.file_name,
    media_url: urlOf(mediaPath(medium), context),
    media_category: medium.category as MediaCategory,
    media_type: medium.media_type as (typeof MEDIA_TYPES)[number],
    media_status: STATUS_OF[medium.state] ?? 'PENDING_TRANSCODE',
    posted: medium.posted === 1,
    created_at: medium.created_at,
    updated_at: medium.updated_at,
    deleted: medium.deleted === 1,
  }
}

function movingMembers(
  medium: LibraryMedium,
  chosen: MediaRow | undefined,
  context: Pick<AdsDependencies, 'mediaOrigin'>,
) {
  const path = chosen ? mediaPath(chosen) : posterPath(medium)
  return {
    description: medium.description,
    title: medium.title,
    poster_media_url: urlOf(path, context),
    // Null until it is made.
    poster_media_key: path === null ? null : (chosen?.media_key ?? ownPoster({ id: medium.media_id })),
    duration: medium.duration_ms,
    aspect_ratio: ratioOf(medium.width ?? 1, medium.height ?? 1).join(':'),
  }
}

/** The key that stands for the poster of the medium itself. No medium has it. */
const ownPoster = ({ id }: Pick<MediaRow, 'id'>) => keyOf('POST_IMAGE', id)

/** Metadata that a caller sets. The key of its own poster means that no other one is chosen. */
export const textsOf = (medium: MediaRow, details: Details): Details =>
  rulesOf(medium).kind !== 'IMAGE' && details.poster_media_key === ownPoster(medium)
    ? { ...details, poster_media_key: null }
    : details

/** Media of the library of an account, by their keys. */
export async function inLibrary(
  tx: Pick<Transaction, 'all'>,
  accountId: string,
  keys: readonly string[],
): Promise<Map<string, LibraryMedium>> {
  if (keys.length === 0) return new Map()
  const ids = JSON.stringify([...new Set(keys.map(idIn))])
  const found = await tx.all(libraryMedia, { account: accountId, ids })
  return new Map(
    found.filter((medium) => keys.includes(medium.media_key)).map((medium) => [medium.media_key, medium]),
  )
}

/**
 * Media that a caller may use for an account, by key: from its library, or uploaded by or for the
 * caller, and not for direct messages.
 */
export async function usableMedia(
  { tx, scope, caller, now }: Pick<WriteContext, 'tx' | 'scope' | 'caller' | 'now'>,
  keys: readonly string[],
): Promise<Map<string, MediaRow>> {
  const held = await inLibrary(tx, scope.accountId, keys)
  const rows = await mediaByKeys(tx, keys)
  return new Map(
    rows.flatMap((row) =>
      row && (held.has(row.media_key) || (mayUse(row, caller.userId, now) && isMadeFor(row, 'posts')))
        ? [[row.media_key, row] as const]
        : [],
    ),
  )
}

/** Why a medium cannot be shown; undefined if it can be shown, now or once it is processed. */
export function notShowable(row: Pick<MediaRow, 'state' | 'duration_ms' | 'category'>): string | undefined {
  if (wrongDuration(row) !== undefined) return 'its duration is not supported'
  if (row.state === 'FAILED') return 'it could not be read'
  return row.state === 'OPEN' ? 'its upload is not finished' : undefined
}

/** The errors of a medium's metadata. */
export async function wrongDetails(
  medium: Pick<MediaRow, 'category'>,
  details: Details,
  work: WriteContext,
): Promise<AdsError[]> {
  const { kind } = rulesOf(medium)
  const errors: AdsError[] = []
  const onlyOf = (names: readonly (keyof Details)[], what: string) => {
    for (const name of names)
      if (typeof details[name] === 'string')
        errors.push(wrongParameter(name, msg`setting ${word(name)} is for ${fixed(what)}`))
  }
  if (kind === 'IMAGE') onlyOf(['title', 'description'], 'videos and GIFs')
  if (kind !== 'VIDEO') onlyOf(['poster_media_key'], 'videos')
  const key = details.poster_media_key
  if (errors.length > 0 || typeof key !== 'string') return errors
  const chosen = (await usableMedia(work, [key])).get(key)
  if (!chosen || chosen.hash === null) return [unknownMedium(key, 'poster_media_key')]
  if (rulesOf(chosen).kind === 'IMAGE') return []
  return [wrongParameter('poster_media_key', msg`Media ${key} is not an image`, 'INVALID_MEDIA')]
}

const WORDS = /[\p{L}\p{M}\p{N}]+/gu

/** The words of a text, in the form in which a search compares them. */
export const termsOf = (words: string): string[] => [...new Set(nameKey(words).match(WORDS) ?? [])]

/**
 * Adds a medium to the library of an account, or changes the metadata of an existing one. Images
 * with the size of an advertisement and in-stream videos also become account media.
 */
export async function keepInLibrary(medium: MediaRow, details: Details, work: WriteContext): Promise<void> {
  const { tx, scope, context, now } = work
  const there = await tx.first(lockEntry, { account: scope.accountId, mediaId: medium.id })
  const known = there?.deleted === 0 ? there : undefined
  const entry: MediaLibraryRow = {
    account_id: scope.accountId,
    media_id: medium.id,
    media_type: rulesOf(medium).kind,
    entry_id: known?.entry_id ?? context.ids.next(),
    name: null,
    file_name: null,
    title: null,
    description: null,
    poster_media_key: null,
    created_at: now,
    updated_at: now,
    deleted: 0,
    ...known,
    ...details,
  }
  if (known && JSON.stringify({ ...known, ...details }) === JSON.stringify(known)) return
  await hold(medium, entry, work)
  await putEntryWithTerms(tx, { ...entry, updated_at: now })
  if (!known) await addAccountMedia(medium, work)
}

/** Keeps a medium in the library, and the poster that was chosen for it. */
const hold = (
  { id, media_key: key }: MediaRow,
  { poster_media_key: poster }: MediaLibraryRow,
  work: WriteContext,
) =>
  useByKeys({ table: 'media_library', id }, [key, poster], work, (usedKey) =>
    usedKey === key ? 'media_key' : 'poster_media_key',
  )

/** The words by which searches find a medium of a library. */
export const termsOfEntry = ({ name, title, file_name, description }: MediaLibraryRow): string[] =>
  termsOf([name, title, file_name, description].join(' '))

async function putEntryWithTerms(tx: Transaction, entry: MediaLibraryRow): Promise<void> {
  const { account_id, media_id, entry_id, media_type } = entry
  await tx.run(putEntry, entry)
  await tx.run(removeTerms, { account: account_id, mediaId: media_id })
  const terms = JSON.stringify(termsOfEntry(entry))
  await tx.run(addTerms, { account_id, entry_id, media_id, media_type, terms })
}

async function addAccountMedia(medium: MediaRow, work: WriteContext): Promise<void> {
  const isPreroll = medium.category === 'AMPLIFY_VIDEO'
  const type = isPreroll ? 'PREROLL' : medium.category === 'POST_IMAGE' && imageType(medium)
  if (!type) return
  if (await accountMedia.findSame(work, { media_key: medium.media_key })) return
  const values = {
    creative_type: type,
    video_id: isPreroll ? medium.media_key : null,
    media_url: isPreroll ? null : mediaPath(medium),
    media_key: medium.media_key,
  }
  await createItem(accountMedia, values, work)
}

const imageType = ({ width, height }: MediaRow) => creativeTypeOf(width ?? 0, height ?? 0)

/** Removes a medium from the library. Posts and cards that show it are not affected. */
export async function removeFromLibrary(key: string, work: WriteContext): Promise<LibraryMedium> {
  const { tx, scope, now } = work
  const medium = (await inLibrary(tx, scope.accountId, [key])).get(key)
  const entry = medium && (await tx.first(lockEntry, { account: scope.accountId, mediaId: medium.media_id }))
  if (!medium || entry?.deleted !== 0) throw adsApiError(unknownMedium(key))
  const gone = { ...entry, deleted: 1, updated_at: now }
  await tx.run(putEntry, gone)
  await tx.run(removeTerms, { account: scope.accountId, mediaId: medium.media_id })
  await releaseMedia({ table: 'media_library', id: medium.media_id }, work)
  return { ...medium, ...gone }
}
