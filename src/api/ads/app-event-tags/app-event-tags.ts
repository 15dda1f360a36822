import { msg } from '../../../platform/http/message.ts'
import { wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { wrongApp } from '../accounts/app-identifier.ts'
import { entity } from '../entity/entity.ts'
import { byIds } from '../entity/filters.ts'
import { fields } from './fields.ts'

/** A conversion in an app of an advertiser. It can be created and deleted, but not changed. */
export const appEventTags = entity({
  one: 'app event tag',
  source: 'Campaign management (reference: app event tags)',
  notFound: 'APP_EVENT_TAG_NOT_FOUND',
  verbs: ['list', 'get', 'create', 'delete'],
  filters: {
    app_event_tag_ids: byIds('app event tag'),
  },
  indexes: {
    app_event_tags_by_app: ['app_store_identifier', 'os_type', 'visibility', 'conversion_type', 'account_id'],
  },
  codes: ['INVALID_APP_ID'],
  fields,
  complete: async (supplied) => ({
    deep_link_scheme: null,
    post_engagement_attribution_window: 30,
    post_view_attribution_window: 1,
    retargeting_enabled: true,
    ...supplied,
    status: 'UNVERIFIED',
    last_tracked_at: null,
  }),
  check: (tag) => [
    ...wrongApp('app_store_identifier', tag.app_store_identifier, tag.os_type),
    ...wrongWindows(tag),
  ],
})

interface Windows {
  readonly post_engagement_attribution_window: number
  readonly post_view_attribution_window: number
}

function wrongWindows({
  post_engagement_attribution_window: engagement,
  post_view_attribution_window: view,
}: Windows) {
  if (view <= engagement) return []
  return [
    wrongParameter(
      'post_view_attribution_window',
      msg`Expected at most the ${engagement} days of post_engagement_attribution_window, got ${view} for post_view_attribution_window`,
    ),
  ]
}
