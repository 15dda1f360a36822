import { Type } from 'typebox'
import { MAX_WEIGHT } from '../../../domain/posts/weight.ts'
import { choice, long, text, webAddress } from '../../../platform/http/schema.ts'
import { removable, required } from '../entity/fields.ts'
import { mediaKey } from '../media/media-key.ts'
import { cardName, cardUriField, posterText, sparseText } from './card-fields.ts'

const hashtag = Type.String({
  pattern: '^[#\uff03]?[\\p{L}\\p{M}\\p{Nd}_]{1,20}$',
  description: 'Hashtag of up to 20 characters, without the leading sign.',
})

/**
 * Leaves room for links, whose weight does not depend on their length. A request contains four such
 * texts.
 */
const MAX_POST_LENGTH = 4_000

const postText = text(
  1,
  MAX_POST_LENGTH,
  `Text of the post of a user who chooses it. Its weight is at most ${MAX_WEIGHT}.`,
)

/** The same, nullable. */
const always = { ...required, column: { null: true } } as const

/** Shown only if it is set. */
const sparse = { ...removable, sparse: true } as const

const unshown = { ...removable, unshown: true } as const

const libraryKey = (what: string) => mediaKey(`${what}, in the library.`)

export const callsToAction = {
  first_cta: { schema: hashtag, ...always },
  first_cta_post: { schema: postText, ...always },
  second_cta: { schema: hashtag, ...sparse },
  second_cta_post: { schema: postText, ...sparse },
  third_cta: { schema: hashtag, ...sparse },
  third_cta_post: { schema: postText, ...sparse },
  fourth_cta: { schema: hashtag, ...sparse },
  fourth_cta_post: { schema: postText, ...sparse },
} as const

const shared = {
  name: { schema: cardName, ...required },
  title: { schema: text(1, 23, 'Required if there is no second call to action.'), ...removable },
  ...callsToAction,
  thank_you_text: { schema: text(1, 23, 'Text shown to users who responded.'), ...always },
  thank_you_url: { schema: webAddress('URL that the thank-you text links to.'), ...sparse },
  unlocked_image_media_key: { schema: libraryKey('An image for users who responded'), ...unshown },
  card_uri: cardUriField,
} as const

export const ofVideo = {
  ...shared,
  media_key: { schema: libraryKey('A video of 16:9'), ...always },
  poster_media_key: { schema: libraryKey('An image that represents the video'), ...unshown },
  unlocked_video_media_key: { schema: libraryKey('A video for users who responded'), ...sparse },
  media_url: sparseText('URL of the video.'),
  poster_media_url: posterText('URL of its preview image.'),
  video_owner_id: { schema: long('Who uploaded the video.'), derived: true, sparse: true },
  video_width: sparseText('Part of its aspect ratio.'),
  video_height: sparseText('Part of its aspect ratio.'),
  card_type: { schema: choice(['VIDEO_CONVERSATION'], 'Its type.') },
} as const

export const ofImage = {
  ...shared,
  media_key: { schema: libraryKey('An image of 1.91:1, at least 800 pixels wide,'), ...always },
  media_url: sparseText('URL of the image.'),
  image_display_width: sparseText('Size in pixels.'),
  image_display_height: sparseText('Size in pixels.'),
  card_type: { schema: choice(['IMAGE_CONVERSATION'], 'Its type.') },
} as const
