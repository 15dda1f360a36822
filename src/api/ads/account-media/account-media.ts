import { urlOf } from '../../../domain/media/media.ts'
import { choices } from '../../../platform/http/schema.ts'
import { entity } from '../entity/entity.ts'
import { byIds } from '../entity/filters.ts'
import { releaseMedia, useByKeys } from '../media/uses.ts'
import { CREATIVE_TYPES, fields } from './fields.ts'

export type CreativeType = (typeof CREATIVE_TYPES)[number]

export const isVideo = (type: CreativeType) => type === 'PREROLL' || type === 'VAST_PREROLL'

/** Images that are shown outside of posts, by exact size (reference: account media). */
const BY_SIZE: Readonly<Record<string, CreativeType>> = {
  '320x50': 'BANNER',
  '728x90': 'BANNER_TABLET',
  '300x250': 'MEDIUM_RECTANGLE',
  '320x480': 'INTERSTITIAL',
  '480x320': 'INTERSTITIAL_LANDSCAPE',
  '768x1024': 'INTERSTITIAL_TABLET',
  '1024x768': 'INTERSTITIAL_LANDSCAPE_TABLET',
}

/** The use of an image of this size; undefined if it can only be shown in posts and cards. */
export const creativeTypeOf = (width: number, height: number): CreativeType | undefined =>
  BY_SIZE[`${width}x${height}`]

/** An image or a video of an account that line items can show outside of posts. */
export const accountMedia = entity({
  one: 'account media',
  many: 'account media',
  source: 'Creatives',
  notFound: 'ACCOUNT_MEDIA_NOT_FOUND',
  right: 'creatives',
  // They are created with the media library.
  verbs: ['list', 'get', 'delete'],
  filters: {
    account_media_ids: byIds('account media'),
    creative_types: {
      column: 'creative_type',
      schema: choices(
        [...CREATIVE_TYPES],
        'Returns only media with one of these creative types.',
        'CreativeType',
      ),
    },
  },
  indexes: {
    account_media_by_key: ['account_id', 'media_key', 'visibility'],
  },
  fields,
  same: ['media_key'],
  after: ({ id, media_key }, work) => useByKeys({ table: 'account_media', id }, [media_key], work),
  afterDelete: ({ id }, work) => releaseMedia({ table: 'account_media', id }, work),
  async derive(items, { context }) {
    for (const item of items)
      if (item.media_url?.startsWith('/')) item.media_url = urlOf(item.media_url, context)
  },
})
