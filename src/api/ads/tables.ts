import { queriesOver } from '../../platform/storage/query.ts'
import type { Tables } from '../../platform/storage/tables.ts'
import type { fields as accountMedia } from './account-media/fields.ts'
import type { fields as accountApps } from './accounts/app-fields.ts'
import type { fields as customAudiences } from './audiences/custom-audience-fields.ts'
import type { fields as doNotReachLists } from './audiences/do-not-reach-list-fields.ts'
import type { fields as campaigns } from './campaigns/fields.ts'
import type { ofImage, ofVideo } from './cards/conversation-fields.ts'
import type { fields as pollCards } from './cards/poll-fields.ts'
import type { fields as lineItemCuratedCategories } from './categories/line-item-curated-category-fields.ts'
import type { EntityRow, NamedEntityRow } from './entity/table.ts'
import type { fields as fundingInstruments } from './funding-instruments/fields.ts'
import type { fields as lineItems } from './line-items/fields.ts'
import type { fields as mediaCreatives } from './media-creatives/fields.ts'
import type { fields as prerollCallToActions } from './preroll-call-to-actions/fields.ts'
import type { fields as promotableUsers } from './promotable-users/fields.ts'
import type { fields as promotedAccounts } from './promoted-accounts/fields.ts'
import type { fields as promotedPosts } from './promoted-posts/fields.ts'
import type { fields as scheduledPromotedPosts } from './scheduled-promoted-posts/fields.ts'
import type { fields as targetingCriteria } from './targeting/fields.ts'
import type { fields as trackingTags } from './tracking-tags/fields.ts'
import type { fields as webEventTags } from './web-event-tags/fields.ts'

/** Every table that advertising reads. Those of its entities are derived from their fields. */
export interface AdsTables extends Tables {
  account_apps: EntityRow<typeof accountApps>
  account_media: EntityRow<typeof accountMedia>
  campaigns: NamedEntityRow<typeof campaigns>
  custom_audiences: NamedEntityRow<typeof customAudiences>
  do_not_reach_lists: EntityRow<typeof doNotReachLists>
  funding_instruments: EntityRow<typeof fundingInstruments>
  image_conversation_cards: NamedEntityRow<typeof ofImage>
  line_item_curated_categories: EntityRow<typeof lineItemCuratedCategories>
  line_items: NamedEntityRow<typeof lineItems>
  media_creatives: EntityRow<typeof mediaCreatives>
  poll_cards: NamedEntityRow<typeof pollCards>
  preroll_call_to_actions: EntityRow<typeof prerollCallToActions>
  promotable_users: EntityRow<typeof promotableUsers>
  promoted_accounts: EntityRow<typeof promotedAccounts>
  promoted_posts: EntityRow<typeof promotedPosts>
  scheduled_promoted_posts: EntityRow<typeof scheduledPromotedPosts>
  targeting_criteria: EntityRow<typeof targetingCriteria>
  tracking_tags: EntityRow<typeof trackingTags>
  video_conversation_cards: NamedEntityRow<typeof ofVideo>
  web_event_tags: EntityRow<typeof webEventTags>
}

/** Declares a query over any of these tables. */
export const query = queriesOver<AdsTables>()
