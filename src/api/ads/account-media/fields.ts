import { Type } from 'typebox'
import { choice } from '../../../platform/http/schema.ts'

/** The uses of a medium. All but the last two are for images (interface, `creative_types`). */
export const CREATIVE_TYPES = [
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

export const creativeType = choice([...CREATIVE_TYPES], 'Type of creative.', 'CreativeType')

export const fields = {
  creative_type: { schema: creativeType },
  media_url: { schema: Type.String({ description: 'Property of an image.' }), null: true },
  video_id: { schema: Type.String({ description: 'The key of a video.' }), null: true },
  media_key: { schema: Type.String({ description: 'The key of either.' }), null: true, unshown: true },
} as const
