import { Type } from 'typebox'
import { component } from '../../platform/http/schema.ts'
import type { Store } from '../../platform/storage/store.ts'
import {
  entitiesWith,
  lengthOf,
  type ReadEntities,
  readEntities,
  type UrlEntity,
} from '../../platform/text/entities.ts'
import { TextEntities, textEntities } from '../../platform/text/entity-fields.ts'
import { addressOf, shownLink } from '../../platform/text/links.ts'
import { usersByScreenNames } from './queries.ts'
import type { ProfileRow } from './tables.ts'

const closed = { additionalProperties: false }

/** The entities of a profile (core reference, 00 section 6.2). */
export const UserEntities = component(
  'UserEntities',
  Type.Object({ description: Type.Optional(TextEntities), url: Type.Optional(TextEntities) }, closed),
  'Entities in the description and the URL of a user. Empty ones are omitted.',
)

/**
 * The entities of a description as they are stored. Users who are mentioned may be renamed, so
 * their ids are not stored.
 */
export function storedEntities(description: string): string | null {
  const found = readEntities(description)
  return Object.values(found).every((list) => list.length === 0) ? null : JSON.stringify(found)
}

/** The stored entities of the description of a profile. */
export const descriptionEntities = ({
  description_entities: stored,
}: ProfileRow): ReadEntities | undefined =>
  stored === null ? undefined : (JSON.parse(stored) as ReadEntities)

/**
 * The entities of profiles, undefined where there are none. Reads all users mentioned in the
 * descriptions at once.
 */
export async function userEntities(page: readonly ProfileRow[], store: Pick<Store, 'all'>) {
  const read = new Map(page.map((row) => [row, descriptionEntities(row)]))
  const names = [...read.values()].flatMap((found) =>
    (found?.mentions ?? []).map(({ username }) => username.toLowerCase()),
  )
  const keys = JSON.stringify([...new Set(names)])
  const mentioned = names.length === 0 ? [] : await store.all(usersByScreenNames, { keys })
  const users = new Map(mentioned.map(({ id, screen_name_key }) => [screen_name_key, id]))
  return (row: ProfileRow) => {
    const found = read.get(row)
    const description = found && textEntities(entitiesWith(found, users))
    const url = row.url === null ? undefined : { urls: [wholeLink(row.url)] }
    return description || url ? { ...(description && { description }), ...(url && { url }) } : undefined
  }
}

/** A text that consists of a link. */
export function wholeLink(url: string): UrlEntity {
  const address = addressOf(url)
  return { start: 0, end: lengthOf(url), url, expanded_url: address, display_url: shownLink(address) }
}
