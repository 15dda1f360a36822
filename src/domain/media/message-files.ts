import type { Store } from '../../platform/storage/store.ts'
import { mediaPath, posterPath } from './media.ts'
import { messagesWithMedia } from './queries.ts'
import type { MediaRow } from './tables.ts'

// The files of direct messages have URLs of their own, which only those who see the message may
// fetch.

/** Characters of the hash of a file that name it within its message. */
const NAME_LENGTH = 32

/** The name of a file within a message: `0123…cdef.jpg`. */
export const resourceIdOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return `${name.slice(0, NAME_LENGTH)}${name.slice(name.lastIndexOf('.'))}`
}

/** The path of a file of a medium, as the message that shows it has it. */
const messageFilePath = (message: string, medium: string, path: string): string =>
  `/2/dm_conversations/media/${message}/${medium}/${resourceIdOf(path)}`

/** A medium that a post shows, or that all users may show, is no secret. */
const isPublic = ({ made_for, posted, shared }: MediaRow): boolean =>
  made_for === 'posts' || posted === 1 || shared === 1

/** Resolves to the path of a file of a medium as viewers fetch it. */
export async function pathsOf(
  page: readonly MediaRow[],
  store: Pick<Store, 'all'>,
): Promise<(row: MediaRow, path: string | null) => string | null> {
  const ids = page.filter((row) => !isPublic(row)).map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await store.all(messagesWithMedia, { ids: JSON.stringify(ids) })
  const messages = new Map(rows.map((row) => [row.media_id, row.holder_id]))
  return ({ id }, path) => {
    const message = messages.get(id)
    return path === null || message === undefined ? path : messageFilePath(message, id, path)
  }
}

/** The path of the file that has a name within its message: of the medium, or its poster. */
export const fileNamed = (row: MediaRow, resourceId: string): string | undefined =>
  [mediaPath(row), posterPath(row)].find((path) => path !== null && resourceIdOf(path) === resourceId) ??
  undefined
