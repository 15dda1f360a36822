import { isBlank } from '../../../platform/common/visible.ts'
import { entity } from '../entity/entity.ts'
import { byIds } from '../entity/filters.ts'
import { blankName } from '../messages.ts'
import { fields } from './fields.ts'

/**
 * A conversion on the website of an advertiser, for line items with the goal WEBSITE_CONVERSIONS.
 */
export const webEventTags = entity({
  one: 'web event tag',
  source: 'Line item update parameters (reference: WEB_EVENT_TAG_NOT_FOUND)',
  notFound: 'WEB_EVENT_TAG_NOT_FOUND',
  filters: {
    web_event_tag_ids: byIds('web event tag'),
  },
  codes: ['INVALID'],
  fields,
  complete: async (supplied) => ({
    ...supplied,
    status: 'UNVERIFIED',
    embed_code: null,
    website_tag_id: null,
  }),
  check: ({ name }) => (isBlank(name) ? [blankName(name)] : []),
})
