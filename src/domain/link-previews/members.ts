import { type Static, Type } from 'typebox'
import { text, webAddress } from '../../platform/http/schema.ts'
import type { LinkPreview } from '../../platform/text/entities.ts'

const closed = { additionalProperties: false }
const optional = Type.Optional
const MAX_IMAGES = 10
const MAX_SIDE = 100_000
const side = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_SIDE, description })

/** What can be given about a page (core reference, 00 section 6.2). All members are optional. */
export const PREVIEW_MEMBERS = {
  title: optional(text(1, 1000, 'Title of the page.')),
  description: optional(text(1, 5000, 'Description of the page.')),
  unwound_url: optional(webAddress('Where the link leads in the end.')),
  status: optional(
    Type.Integer({ minimum: 100, maximum: 599, description: 'Status with which the page answers.' }),
  ),
  images: optional(
    Type.Array(
      Type.Object(
        {
          url: webAddress('URL of the image.'),
          width: optional(side('Width in pixels.')),
          height: optional(side('Height in pixels.')),
        },
        closed,
      ),
      { minItems: 1, maxItems: MAX_IMAGES, description: 'Images of the page.' },
    ),
  ),
}

/** A link with its preview. */
export const GivenPreview = Type.Object(
  { url: webAddress('URL of the page, with its scheme.'), ...PREVIEW_MEMBERS },
  closed,
)
export type GivenPreview = Static<typeof GivenPreview>

const NAMES = ['title', 'description', 'unwound_url', 'status', 'images'] as const

/** The members of a preview among those of an object; undefined without any. */
export function previewIn(given: LinkPreview): LinkPreview | undefined {
  const found = NAMES.filter((name) => given[name] !== undefined)
  return found.length === 0 ? undefined : Object.fromEntries(found.map((name) => [name, given[name]]))
}

/** Longer URLs have no stored preview: the index has a limit. */
const MAX_KEY = 2048

/** A URL as previews are stored by it, without a fragment. Undefined for a wrong one. */
export function linkKey(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const parsed = new URL(url)
  parsed.hash = ''
  return parsed.href.length > MAX_KEY ? undefined : parsed.href
}
