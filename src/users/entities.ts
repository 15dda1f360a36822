import { Type } from 'typebox'
import { component } from '../http/schema.ts'
import type { Store } from '../storage/store.ts'
import type { ProfileRow } from '../storage/tables.ts'
import type { UrlEntity } from '../text/entities.ts'
import { entitiesWith, lengthOf, readEntities } from '../text/entities.ts'
import { TextEntities, textEntities } from '../text/entity-fields.ts'
import { addressOf, shownLink } from '../text/links.ts'
import { usersByScreenNames } from './queries.ts'

const closed = { additionalProperties: false }

/** The entities of a profile (core reference, 00 section 6.2). */
export const UserEntities = component(
  'UserEntities',
  Type.Object({ description: Type.Optional(TextEntities), url: Type.Optional(TextEntities) }, closed),
  'Entities in the description and the URL of a user. Empty ones are omitted.',
)

/** The entities of profiles, undefined where there are none. Reads all users mentioned in the descriptions at once. */
export async function userEntities(page: readonly ProfileRow[], store: Pick<Store, 'all'>) {
  const read = new Map(page.map((row) => [row, readEntities(row.description)]))
  const names = [...read.values()].flatMap(({ mentions }) =>
    mentions.map(({ username }) => username.toLowerCase()),
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
