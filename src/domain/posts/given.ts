import { type Static, Type } from 'typebox'
import { text } from '../../platform/http/schema.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { PREVIEW_MEMBERS, previewIn } from '../link-previews/members.ts'
import type { PostRow } from './tables.ts'

const closed = { additionalProperties: false }
const optional = Type.Optional
const MAX_LINKS = 100

const GivenLink = Type.Object(
  {
    url: optional(text(1, 4096, 'The link as the text contains it.')),
    expanded_url: optional(text(1, 4096, 'Instead of `url`: the link with its scheme.')),
    ...PREVIEW_MEMBERS,
  },
  closed,
)

/**
 * What seeds, imports and the admin API can give a post that the platform does not find out by
 * itself, in the form in which the API shows it.
 */
export const GIVEN_MEMBERS = {
  entities: optional(
    Type.Object(
      {
        urls: optional(
          Type.Array(GivenLink, { maxItems: MAX_LINKS, description: 'Previews of links in the text.' }),
        ),
      },
      { ...closed, description: 'What is known of the text.' },
    ),
  ),
}

export const GivenPost = Type.Object(GIVEN_MEMBERS, closed)
export type GivenPost = Static<typeof GivenPost>

/**
 * What a post would have to be given to be the same again. Previews of own posts are found anew.
 */
export function givenOf({ entities }: Pick<PostRow, 'entities'>): GivenPost {
  const { urls } = JSON.parse(entities) as Entities
  const links = urls.flatMap((link) => {
    const preview = link.post_id === undefined ? previewIn(link) : undefined
    return preview ? [{ url: link.url, ...preview }] : []
  })
  return links.length === 0 ? {} : { entities: { urls: links } }
}

/** The entities of a text with what is given for them. Links that the text lacks are ignored. */
export function entitiesWithGiven(entities: Entities, { entities: given }: GivenPost): Entities {
  if (!given?.urls) return entities
  const previews = new Map(
    given.urls.flatMap((link) => {
      const preview = previewIn(link)
      return preview ? [link.url, link.expanded_url].map((url) => [url, preview] as const) : []
    }),
  )
  const urls = entities.urls.map((link) => ({
    ...link,
    ...(previews.get(link.url) ?? previews.get(link.expanded_url)),
  }))
  return { ...entities, urls }
}
