import type { RowOf, Table, TablesOf } from './table.ts'
import * as accounts from './tables/accounts.ts'
import * as audiences from './tables/audiences.ts'
import * as cards from './tables/cards.ts'
import * as catalogs from './tables/catalogs.ts'
import * as events from './tables/events.ts'
import * as identity from './tables/identity.ts'
import * as media from './tables/media.ts'
import * as posts from './tables/posts.ts'
import * as search from './tables/search.ts'
import * as streams from './tables/streams.ts'
import * as system from './tables/system.ts'
import * as tasks from './tables/tasks.ts'
import * as webhooks from './tables/webhooks.ts'

/**
 * Every table with fixed columns, by its area. Times are epoch milliseconds, booleans 0 or 1, ids decimal text: the
 * same on SQLite and PostgreSQL. Tables of advertising entities follow from the fields of the entities.
 */
const areas = [
  accounts,
  audiences,
  cards,
  catalogs,
  events,
  identity,
  media,
  posts,
  search,
  streams,
  system,
  tasks,
  webhooks,
] as const

export const fixedTables: readonly Table[] = areas.flatMap((area) => Object.values<Table>(area))

/** The tables with fixed columns, as queries see them. */
export interface Tables extends TablesOf<(typeof areas)[number]> {}

export type EventConsumerRow = RowOf<typeof events.eventConsumers>
export type AppRow = RowOf<typeof identity.apps>
/** A user with what the profile shows. */
export type ProfileRow = RowOf<typeof identity.users>
export type UserRow = Pick<
  ProfileRow,
  'id' | 'screen_name' | 'screen_name_key' | 'name' | 'password_hash' | 'suspended' | 'created_at'
>
export type FollowRow = RowOf<typeof identity.follows>
export type RequestTokenRow = RowOf<typeof identity.requestTokens>
export type AccessTokenRow = RowOf<typeof identity.accessTokens>
export type BrowserSessionRow = RowOf<typeof identity.browserSessions>
export type NodeRow = RowOf<typeof system.nodes>
export type TaskRow = RowOf<typeof tasks.tasks>
export type WebhookRow = RowOf<typeof webhooks.webhooks>
export type AccountRow = RowOf<typeof accounts.accounts>
export type AccountAccessRow = RowOf<typeof accounts.accountAccess>
export type AccountFeatureRow = RowOf<typeof accounts.accountFeatures>
export type AccountHistoryRow = RowOf<typeof accounts.accountHistory>
export type AccountUserSettingsRow = RowOf<typeof accounts.accountUserSettings>
export type AccountTaxSettingsRow = RowOf<typeof accounts.accountTaxSettings>
export type PostRow = RowOf<typeof posts.posts>
export type PollRow = RowOf<typeof posts.polls>
export type PollOptionRow = RowOf<typeof posts.pollOptions>
export type PostNameRow = RowOf<typeof posts.postNames>
export type ScheduledPostRow = RowOf<typeof posts.scheduledPosts>
export type AudiencePermissionRow = RowOf<typeof audiences.audiencePermissions>
export type DraftPostRow = RowOf<typeof posts.draftPosts>
export type PostVideoRow = RowOf<typeof posts.postVideos>
export type MediaFileRow = RowOf<typeof media.mediaFiles>
export type MediaRow = RowOf<typeof media.media>
export type MediaSegmentRow = RowOf<typeof media.mediaSegments>
export type MediaUseRow = RowOf<typeof media.mediaUses>
export type MediaLibraryRow = RowOf<typeof media.mediaLibrary>
export type MediaLibraryTermRow = RowOf<typeof media.mediaLibraryTerms>
export type StreamRuleRow = RowOf<typeof streams.streamRules>
export type ProductCatalogRow = RowOf<typeof catalogs.productCatalogs>
export type ProductRow = RowOf<typeof catalogs.products>
export type ProductGroupRow = RowOf<typeof catalogs.productGroups>
export type ProductSetRow = RowOf<typeof catalogs.productSets>
export type ProductImageRow = RowOf<typeof catalogs.productImages>
