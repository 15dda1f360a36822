import type { Kysely } from 'kysely'
import type { DeliveryTables } from '../delivery/tables.ts'
import { adHocQueriesOver, queriesOver } from '../platform/storage/query.ts'
import type { Table, TablesOf } from '../platform/storage/table.ts'
import type { fields as abTests } from './ads/ab-tests/fields.ts'
import * as abTestEntities from './ads/ab-tests/tables.ts'
import type { fields as accountMedia } from './ads/account-media/fields.ts'
import type { fields as accountApps } from './ads/accounts/app-fields.ts'
import * as accounts from './ads/accounts/tables.ts'
import type { fields as appEventProviderConfigurations } from './ads/app-event-provider-configurations/fields.ts'
import type { fields as appEventTags } from './ads/app-event-tags/fields.ts'
import type { fields as lineItemApps } from './ads/line-item-apps/fields.ts'
import type { fields as appLists } from './ads/app-lists/fields.ts'
import type { fields as customAudiences } from './ads/audiences/custom-audience-fields.ts'
import type { fields as doNotReachLists } from './ads/audiences/do-not-reach-list-fields.ts'
import * as audiences from './ads/audiences/tables.ts'
import type { fields as campaigns } from './ads/campaigns/fields.ts'
import type { ofImage, ofVideo } from './ads/cards/conversation-fields.ts'
import type { fields as pollCards } from './ads/cards/poll-fields.ts'
import * as catalogs from './ads/catalogs/tables.ts'
import type { fields as lineItemCuratedCategories } from './ads/categories/line-item-curated-category-fields.ts'
import * as conversions from './ads/conversions/tables.ts'
import type { EntityRow, NamedEntityRow, RemovedRow } from './ads/entity/table.ts'
import type { fields as fundingInstruments } from './ads/funding-instruments/fields.ts'
import type { fields as lineItems } from './ads/line-items/fields.ts'
import * as media from './ads/media/tables.ts'
import type { fields as mediaCreatives } from './ads/media-creatives/fields.ts'
import type { draftFields, scheduledFields } from './ads/posts/fields.ts'
import * as posts from './ads/posts/tables.ts'
import type { fields as prerollCallToActions } from './ads/preroll-call-to-actions/fields.ts'
import type { fields as promotableUsers } from './ads/promotable-users/fields.ts'
import type { fields as promotedAccounts } from './ads/promoted-accounts/fields.ts'
import type { fields as promotedPosts } from './ads/promoted-posts/fields.ts'
import type { fields as scheduledPromotedPosts } from './ads/scheduled-promoted-posts/fields.ts'
import * as statsJobs from './ads/stats-jobs/tables.ts'
import type { fields as targetingCriteria } from './ads/targeting/fields.ts'
import type { fields as trackingTags } from './ads/tracking-tags/fields.ts'
import type { fields as webEventTags } from './ads/web-event-tags/fields.ts'
import * as eventSources from './ads/web-event-tags/tables.ts'

const areas = [
  abTestEntities,
  accounts,
  audiences,
  catalogs,
  conversions,
  eventSources,
  media,
  posts,
  statsJobs,
] as const

/** The tables of the APIs. */
export const apiTables: readonly Table[] = areas.flatMap((area) => Object.values<Table>(area))

/**
 * The tables that queries of this part read: its own and those of the parts below. Tables of
 * advertising entities are derived from their fields.
 */
export interface ApiTables extends DeliveryTables, TablesOf<(typeof areas)[number]> {
  ab_tests: NamedEntityRow<typeof abTests>
  account_apps: EntityRow<typeof accountApps>
  account_media: EntityRow<typeof accountMedia>
  app_event_provider_configurations: EntityRow<typeof appEventProviderConfigurations>
  app_event_tags: EntityRow<typeof appEventTags>
  app_lists: EntityRow<typeof appLists>
  line_item_apps: EntityRow<typeof lineItemApps>
  campaigns: NamedEntityRow<typeof campaigns>
  custom_audiences: NamedEntityRow<typeof customAudiences>
  do_not_reach_lists: EntityRow<typeof doNotReachLists>
  draft_posts: RemovedRow<typeof draftFields>
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
  scheduled_posts: RemovedRow<typeof scheduledFields>
  targeting_criteria: EntityRow<typeof targetingCriteria>
  tracking_tags: EntityRow<typeof trackingTags>
  video_conversation_cards: NamedEntityRow<typeof ofVideo>
  web_event_tags: EntityRow<typeof webEventTags>
}

export type Database = Kysely<ApiTables>

export const query = queriesOver<ApiTables>()
export const adHocQuery = adHocQueriesOver<ApiTables>()
