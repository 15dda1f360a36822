import { Type } from 'typebox'
import { component } from '../http/schema.ts'
import type { UrlEntity } from './entities.ts'

const closed = { additionalProperties: false }

/** The position of something in a text, in classic form. */
export const Indices = Type.Array(Type.Integer(), {
  description: 'Start and end in code points; the end is exclusive.',
})

/** A link in a text, in classic form. */
export const ClassicLink = component(
  'TextLink',
  Type.Object(
    { url: Type.String(), expanded_url: Type.String(), display_url: Type.String(), indices: Indices },
    closed,
  ),
)

/** A link that was found in a text, in classic form. */
export const classicLink = ({ start, end, url, expanded_url, display_url }: UrlEntity) => ({
  url,
  expanded_url,
  display_url,
  indices: [start, end],
})
