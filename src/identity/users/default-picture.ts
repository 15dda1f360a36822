import { hash } from 'node:crypto'
import type { ProfileRow } from './tables.ts'

/** A PNG of 48 by 48 pixels: the outline of a person. */
const CONTENT = Buffer.from(
  [
    'iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAQMAAABtzGvEAAAABlBMVEXL0tmKlqPyR8wKAAAAVUlEQVR42q3NMQ6AIBBEUagoPQJH',
    '4WhwVI9gSUH4hskaYgzauM1rdmac++nCLmIVqYncBSzxUD5erhbrtAXbezsL3IYCjOAGxyTCKE3QJhn6A1DbmhOIelJXTuI0RAAA',
    'AABJRU5ErkJggg==',
  ].join(''),
  'base64',
)

/** The picture of users without one of their own. It is served like the file of a medium. */
export const defaultPicture = {
  hash: hash('sha256', CONTENT),
  content_type: 'image/png',
  content: CONTENT,
} as const

const PATH = `/media/${defaultPicture.hash}.png`

/** The URL of the picture of a user. */
export const pictureOf = (
  { profile_image_url }: Pick<ProfileRow, 'profile_image_url'>,
  { mediaOrigin }: { readonly mediaOrigin: string },
): string => profile_image_url ?? mediaOrigin + PATH
