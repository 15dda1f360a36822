import type { RowOf, Table, TablesOf } from './table.ts'
import * as accounts from './tables/accounts.ts'
import * as activity from './tables/activity.ts'
import * as audiences from './tables/audiences.ts'
import * as cards from './tables/cards.ts'
import * as catalogs from './tables/catalogs.ts'
import * as deliveries from './tables/deliveries.ts'
import * as directMessages from './tables/direct-messages.ts'
import * as engagement from './tables/engagement.ts'
import * as events from './tables/events.ts'
import * as identity from './tables/identity.ts'
import * as imports from './tables/imports.ts'
import * as insights from './tables/insights.ts'
import * as media from './tables/media.ts'
import * as news from './tables/news.ts'
import * as notes from './tables/notes.ts'
import * as posts from './tables/posts.ts'
import * as relations from './tables/relations.ts'
import * as search from './tables/search.ts'
import * as spaces from './tables/spaces.ts'
import * as streams from './tables/streams.ts'
import * as system from './tables/system.ts'
import * as tasks from './tables/tasks.ts'
import * as usage from './tables/usage.ts'
import * as webhooks from './tables/webhooks.ts'

/**
 * Every table with fixed columns, by area. Times are epoch milliseconds, booleans 0 or 1, ids text, the same on
 * SQLite and PostgreSQL. Tables of advertising entities are derived from the fields of the entities.
 */
const areas = [
  accounts,
  activity,
  audiences,
  cards,
  catalogs,
  directMessages,
  deliveries,
  engagement,
  events,
  identity,
  imports,
  insights,
  media,
  news,
  notes,
  posts,
  relations,
  search,
  spaces,
  streams,
  system,
  tasks,
  usage,
  webhooks,
] as const

export const fixedTables: readonly Table[] = areas.flatMap((area) => Object.values<Table>(area))

/** The tables with fixed columns, as queries see them. */
export interface Tables extends TablesOf<(typeof areas)[number]> {}

export type DmConversationRow = RowOf<typeof directMessages.dmConversations>
export type DmParticipantRow = RowOf<typeof directMessages.dmParticipants>
export type DmEventRow = RowOf<typeof directMessages.dmEvents>
export type ReactionRow = RowOf<typeof engagement.likes>
export type SpaceRow = RowOf<typeof spaces.spaces>
export type EventConsumerRow = RowOf<typeof events.eventConsumers>
export type DeliveryRow = RowOf<typeof deliveries.deliveries>
export type PostImportRow = RowOf<typeof imports.postImports>
export type ImportedPostCountRow = RowOf<typeof imports.importedPostCounts>
export type WebhookReplayRow = RowOf<typeof deliveries.webhookReplays>
export type ActivityEventRow = RowOf<typeof activity.activityEvents>
export type AccountSubscriptionRow = RowOf<typeof activity.accountSubscriptions>
export type ActivitySubscriptionRow = RowOf<typeof activity.activitySubscriptions>
export type AppRow = RowOf<typeof identity.apps>
/** A user, with the profile. */
export type ProfileRow = RowOf<typeof identity.users>
export type UserRow = Pick<
  ProfileRow,
  'id' | 'screen_name' | 'screen_name_key' | 'name' | 'password_hash' | 'suspended' | 'created_at'
>
export type RequestTokenRow = RowOf<typeof identity.requestTokens>
export type AccessTokenRow = RowOf<typeof identity.accessTokens>
export type Oauth2GrantRow = RowOf<typeof identity.oauth2Grants>
export type Oauth2AccessTokenRow = RowOf<typeof identity.oauth2AccessTokens>
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
export type RelationRow = RowOf<typeof relations.relations>
export type MentionRow = RowOf<typeof posts.postMentions>
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
export type MediaSubtitlesRow = RowOf<typeof media.mediaSubtitles>
export type MediaUseRow = RowOf<typeof media.mediaUses>
export type MediaLibraryRow = RowOf<typeof media.mediaLibrary>
export type MediaLibraryTermRow = RowOf<typeof media.mediaLibraryTerms>
export type NewsPostRow = RowOf<typeof news.newsPosts>
export type NewsStoryRow = RowOf<typeof news.newsStories>
export type NoteRow = RowOf<typeof notes.notes>
export type NoteRatingRow = RowOf<typeof notes.noteRatings>
export type NoteCandidateRow = RowOf<typeof notes.noteCandidates>
export type NoteWriterRow = RowOf<typeof notes.noteWriters>
export type StreamLinkRow = RowOf<typeof streams.streamLinks>
export type StreamRuleRow = RowOf<typeof streams.streamRules>
export type StreamConnectionRow = RowOf<typeof streams.streamConnections>
export type ProductCatalogRow = RowOf<typeof catalogs.productCatalogs>
export type ProductRow = RowOf<typeof catalogs.products>
export type ProductSetRow = RowOf<typeof catalogs.productSets>
export type ProductImageRow = RowOf<typeof catalogs.productImages>
