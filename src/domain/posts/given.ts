import { type Static, Type } from 'typebox'
import { choice, id, text } from '../../platform/http/schema.ts'
import { type Annotation, type Entities, lengthOf, type UrlEntity } from '../../platform/text/entities.ts'
import { PREVIEW_MEMBERS, previewIn } from '../link-previews/members.ts'
import type { PostRow } from './tables.ts'
import { MAX_LENGTH } from './weight.ts'

const closed = { additionalProperties: false }
const optional = Type.Optional
const MAX_LINKS = 100
const MAX_NOTES = 50
export const MAX_COUNTRIES = 250

const GivenLink = Type.Object(
  {
    url: optional(text(1, 4096, 'The link as the text contains it.')),
    expanded_url: optional(text(1, 4096, 'Instead of `url`: the link with its scheme.')),
    ...PREVIEW_MEMBERS,
  },
  closed,
)

const place = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_LENGTH, description })

const GivenAnnotation = Type.Object(
  {
    start: optional(place('First code point; by default, that of `normalized_text` in the text.')),
    end: optional(place('Last code point.')),
    probability: optional(Type.Number({ minimum: 0, maximum: 1, description: 'How certain it is.' })),
    type: optional(text(1, 100, 'Person, Place, Product, Organization or another type.')),
    normalized_text: optional(text(1, 200, 'Usual form of the name.')),
  },
  closed,
)

const Part = Type.Object(
  {
    id: id('Number of the domain or the entity.'),
    name: optional(text(1, 200, 'Name.')),
    description: optional(text(1, 1000, 'Description.')),
  },
  closed,
)

export const COUNTRY = '^[A-Z]{2}$'

export const Withheld = Type.Object(
  {
    country_codes: Type.Array(Type.String({ pattern: COUNTRY }), {
      minItems: 1,
      maxItems: MAX_COUNTRIES,
      uniqueItems: true,
      description: 'Countries, ISO 3166-1 alpha-2.',
    }),
    copyright: optional(Type.Boolean({ description: 'Whether for a claim of copyright; false by default.' })),
    scope: optional(
      choice(['post', 'user'], 'Whether the post or its author is withheld; the post by default.'),
    ),
  },
  { ...closed, description: 'Where it is withheld. It is still shown: who receives it decides.' },
)
export type Withheld = Static<typeof Withheld>

/**
 * What seeds, imports and the admin API can give a post that the platform does not find out by
 * itself, in the form in which the API shows it.
 */
export const GIVEN_MEMBERS = {
  withheld: optional(Withheld),
  dropped: optional(
    Type.Boolean({ description: 'Whether it is out of public view: only its author sees it then.' }),
  ),
  context_annotations: optional(
    Type.Array(Type.Object({ domain: Part, entity: Part }, closed), {
      maxItems: MAX_NOTES,
      description: 'What it is about, instead of what the dictionary finds.',
    }),
  ),
  entities: optional(
    Type.Object(
      {
        annotations: optional(
          Type.Array(GivenAnnotation, {
            maxItems: MAX_NOTES,
            description: 'Names in the text, instead of those that the dictionary finds.',
          }),
        ),
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

/** The columns that hold what can be given. */
type GivenColumns = Pick<PostRow, 'entities' | 'context_annotations' | 'withheld' | 'dropped'>

/**
 * What a post would have to be given to be the same again. Previews of own posts are found anew.
 */
export function givenOf({ entities, context_annotations, withheld, dropped }: GivenColumns): GivenPost {
  const { annotations = [], urls } = JSON.parse(entities) as Entities
  const previews = new Map(
    urls.flatMap((link) => {
      const preview = link.post_id === undefined ? previewIn(link) : undefined
      return preview ? [[link.url, { url: link.url, ...preview }] as const] : []
    }),
  )
  const links = [...previews.values()]
  const lists = { ...(annotations.length > 0 && { annotations }), ...(links.length > 0 && { urls: links }) }
  return {
    ...(withheld !== null && { withheld: JSON.parse(withheld) }),
    ...(dropped === 1 && { dropped: true }),
    ...(context_annotations !== null && { context_annotations: JSON.parse(context_annotations) }),
    ...(Object.keys(lists).length > 0 && { entities: lists }),
  }
}

/** The entities of a text with what is given for them. Links that the text lacks are ignored. */
export function entitiesWithGiven(
  entities: Entities,
  { entities: given }: GivenPost,
  text: string,
): Entities {
  if (!given) return entities
  const annotations = given.annotations
    ? given.annotations.flatMap((one) => placed(one, text)).sort((a, b) => a.start - b.start)
    : entities.annotations
  const { annotations: _, ...others } = entities
  return {
    ...others,
    urls: given.urls ? linksWithPreviews(entities.urls, given.urls) : entities.urls,
    ...(annotations && annotations.length > 0 && { annotations }),
  }
}

/** An annotation with its place, unless the text does not contain it. */
function placed({ start, end, ...annotation }: Static<typeof GivenAnnotation>, text: string): Annotation[] {
  if (start !== undefined && end !== undefined)
    return start <= end && end < lengthOf(text) ? [{ start, end, ...annotation }] : []
  const name = annotation.normalized_text
  const unit = name === undefined ? -1 : text.indexOf(name)
  if (name === undefined || unit < 0) return []
  const first = lengthOf(text.slice(0, unit))
  return [{ start: first, end: first + lengthOf(name) - 1, ...annotation }]
}

function linksWithPreviews(
  links: readonly UrlEntity[],
  urls: readonly Static<typeof GivenLink>[],
): UrlEntity[] {
  const previews = new Map(
    urls.flatMap((link) => {
      const preview = previewIn(link)
      return preview ? [link.url, link.expanded_url].map((url) => [url, preview] as const) : []
    }),
  )
  return links.map((link) => ({ ...link, ...(previews.get(link.url) ?? previews.get(link.expanded_url)) }))
}
