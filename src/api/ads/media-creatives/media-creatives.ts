import { msg } from '../../../platform/http/message.ts'
import { base36 } from '../../../platform/http/schema.ts'
import { type AdsError, missingParameter, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { accountMedia, isVideo } from '../account-media/account-media.ts'
import { entity } from '../entity/entity.ts'
import type { EntityItem } from '../entity/fields.ts'
import { byIds, byParents } from '../entity/filters.ts'
import type { WriteContext } from '../entity/types.ts'
import { lineItems, parentLineItem } from '../line-items/line-items.ts'
import { releaseMedia, useByKeys } from '../media/uses.ts'
import { fields } from './fields.ts'

/**
 * An image or video that a line item shows outside of posts. It can be created and deleted, but not
 * changed.
 */
export const mediaCreatives = entity({
  one: 'media creative',
  source: 'Campaign management (reference: media creatives)',
  notFound: 'MEDIA_CREATIVE_NOT_FOUND',
  verbs: ['list', 'get', 'create', 'delete'],
  limits: 'entity',
  filters: {
    campaign_id: { column: 'campaign_id', schema: base36('Returns only items of this campaign.') },
    line_item_ids: byParents('line item'),
    media_creative_ids: byIds('media creative'),
  },
  hiddenWithParent: true,
  codes: ['ACCOUNT_MEDIA_NOT_FOUND', 'INCOMPATIBLE_LINE_ITEM', 'LINE_ITEM_NOT_FOUND'],
  delivered: true,
  fields,
  async complete({ line_item_id, account_media_id, landing_url = null }, work) {
    const lineItem = await parentLineItem(work, line_item_id, ['MEDIA'])
    const medium = await accountMedia.require(work, account_media_id)
    return {
      line_item_id,
      account_media_id,
      landing_url: isVideo(medium.creative_type) ? null : landing_url,
      creative_type: medium.creative_type,
      campaign_id: lineItem.campaign_id,
      entity_status: 'ACTIVE',
      approval_status: 'ACCEPTED',
    }
  },
  check: (item, work) => (isVideo(item.creative_type) ? [] : wrongImage(item, work)),
  // Deleting the account media does not affect it.
  async after({ id, account_media_id }, work) {
    const medium = await accountMedia.find(work, account_media_id)
    await useByKeys({ table: 'media_creatives', id }, [medium?.media_key ?? null], work)
  },
  afterDelete: ({ id }, work) => releaseMedia({ table: 'media_creatives', id }, work),
})

/**
 * Images are shown on the publisher network, and must link somewhere if website clicks are the
 * goal.
 */
async function wrongImage(
  { line_item_id, landing_url }: EntityItem<typeof fields>,
  work: WriteContext,
): Promise<readonly AdsError[]> {
  const { placements, objective } = await lineItems.require(work, line_item_id)
  const onNetwork = placements.some(
    (placement) => placement === 'PUBLISHER_NETWORK' || placement.startsWith('TAP_'),
  )
  return [
    ...(onNetwork
      ? []
      : [
          wrongParameter(
            'line_item_id',
            msg`Line Item ${line_item_id} needs the placement PUBLISHER_NETWORK, where images are shown`,
            'INCOMPATIBLE_LINE_ITEM',
          ),
        ]),
    ...(objective === 'WEBSITE_CLICKS' && landing_url === null ? [missingParameter('landing_url')] : []),
  ]
}
