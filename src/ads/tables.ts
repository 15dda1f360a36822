import { queriesOver } from '../storage/query.ts'
import type { Tables } from '../storage/tables.ts'
import type { fields as accountMedia } from './account-media/account-media.ts'
import type { fields as accountApps } from './accounts/apps.ts'
import type { fields as customAudiences } from './audiences/custom-audiences.ts'
import type { fields as doNotReachLists } from './audiences/do-not-reach-lists.ts'
import type { fields as campaigns } from './campaigns/campaigns.ts'
import type { ofImage, ofVideo } from './cards/conversations.ts'
import type { fields as pollCards } from './cards/polls.ts'
import type { fields as lineItemCuratedCategories } from './categories/line-item-curated-categories.ts'
import type { EntityRow, NamedEntityRow } from './entity/table.ts'
import type { fields as fundingInstruments } from './funding-instruments/funding-instruments.ts'
import type { fields as lineItems } from './line-items/fields.ts'
import type { fields as mediaCreatives } from './media-creatives/media-creatives.ts'
import type { fields as prerollCallToActions } from './preroll-call-to-actions/preroll-call-to-actions.ts'
import type { fields as promotableUsers } from './promotable-users/promotable-users.ts'
import type { fields as promotedAccounts } from './promoted-accounts/promoted-accounts.ts'
import type { fields as promotedPosts } from './promoted-posts/promoted-posts.ts'
import type { fields as scheduledPromotedPosts } from './scheduled-promoted-posts/scheduled-promoted-posts.ts'
import type { fields as targetingCriteria } from './targeting/criteria.ts'
import type { fields as trackingTags } from './tracking-tags/tracking-tags.ts'
import type { fields as webEventTags } from './web-event-tags/web-event-tags.ts'

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
