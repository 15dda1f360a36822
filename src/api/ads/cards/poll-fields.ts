import { Type } from 'typebox'
import { choice, instant, text } from '../../../platform/http/schema.ts'
import { mediaKey } from '../media/media-key.ts'
import { cardName, cardUriField, posterText, sparseText } from './card-fields.ts'

const option = text(1, 25, 'One of the choices.')

const optionalOption = { schema: option, null: true, sparse: true, create: 'optional' } as const

export const fields = {
  name: { schema: cardName, create: 'required' },
  first_choice: { schema: option, create: 'required' },
  second_choice: { schema: option, create: 'required' },
  third_choice: optionalOption,
  fourth_choice: optionalOption,
  start_time: { schema: instant('When it was created.') },
  end_time: { schema: instant('When it ends.') },
  duration_in_minutes: {
    schema: Type.String({ description: 'Duration, as text.' }),
    input: Type.Integer({
      minimum: 5,
      maximum: 10_080,
      description: 'Duration in minutes, from creation.',
    }),
    create: 'required',
  },
  media_key: {
    schema: mediaKey('Image or video in the library. Requires the feature PROMOTED_MEDIA_POLLS.'),
    null: true,
    unshown: true,
    create: 'optional',
  },
  card_type: {
    schema: choice(['TEXT_POLLS', 'IMAGE_POLLS', 'VIDEO_POLLS'], 'Type, derived from its medium.'),
  },
  card_uri: cardUriField,
  image: sparseText('URL of its image.'),
  image_display_width: sparseText('Size in pixels.'),
  image_display_height: sparseText('Size in pixels.'),
  video_url: sparseText('URL of its video.'),
  video_hls_url: sparseText('The same value as `video_url`.'),
  video_width: sparseText('Part of its aspect ratio.'),
  video_height: sparseText('Part of its aspect ratio.'),
  video_poster_url: posterText('URL of its preview image.'),
  video_poster_width: posterText('Part of its aspect ratio.'),
  video_poster_height: posterText('Part of its aspect ratio.'),
  content_duration_seconds: sparseText('Property of its video.'),
} as const
