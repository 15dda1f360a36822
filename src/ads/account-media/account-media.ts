import { Type } from 'typebox'
import { choice } from '../../kit/schema.ts'
import { entity } from '../entity/entity.ts'

/** What a medium can be shown as; all but the last two are images (interface, `creative_types`). */
const CREATIVE_TYPES = [
  'BANNER',
  'BANNER_TABLET',
  'INTERSTITIAL',
  'INTERSTITIAL_LANDSCAPE',
  'INTERSTITIAL_LANDSCAPE_TABLET',
  'INTERSTITIAL_TABLET',
  'MEDIUM_RECTANGLE',
  'PREROLL',
  'VAST_PREROLL',
] as const

export const creativeType = choice([...CREATIVE_TYPES], 'What it can be shown as.')

export const isVideo = (type: (typeof CREATIVE_TYPES)[number]) =>
  type === 'PREROLL' || type === 'VAST_PREROLL'

/** An image or a video of an account that line items can show outside of posts. */
export const accountMedia = entity({
  one: 'account media',
  many: 'account media',
  table: 'account_media',
  path: '/accounts/{account_id}/account_media',
  id: 'account_media_id',
  source: 'Creatives',
  notFound: 'ACCOUNT_MEDIA_NOT_FOUND',
  // They come and go with the media library.
  verbs: [],
  fields: {
    creative_type: { schema: creativeType },
    media_url: { schema: Type.String({ description: 'Of an image.' }), null: true },
    video_id: { schema: Type.String({ description: 'The key of a video.' }), null: true },
  },
})
