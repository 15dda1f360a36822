import type { DialectName } from '../query.ts'
import { foundation } from './0001-foundation.ts'
import { advertising } from './0002-advertising.ts'
import { accounts } from './0003-accounts.ts'
import { posts } from './0004-posts.ts'
import { userLots } from './0005-user-lots.ts'
import { catalogs } from './0006-catalogs.ts'
import { audiences } from './0007-audiences.ts'
import { creatives } from './0008-creatives.ts'
import { tags } from './0009-tags.ts'
import { nodes } from './0010-nodes.ts'
import { oneToken } from './0011-one-token.ts'
import { deletedDrafts } from './0012-deleted-drafts.ts'
import { tasks } from './0013-tasks.ts'
import { imageConversations } from './0014-image-conversations.ts'
import { events } from './0015-events.ts'
import { corePosts } from './0016-core-posts.ts'
import { search } from './0017-search.ts'
import { streamRules } from './0018-stream-rules.ts'
import { usage } from './0019-usage.ts'
import { relations } from './0020-relations.ts'
import { communityNotes } from './0021-community-notes.ts'
import { directMessages } from './0022-direct-messages.ts'
import { deliveries } from './0023-deliveries.ts'
import { news } from './0024-news.ts'
import { engagement } from './0025-engagement.ts'
import { userTokens } from './0026-user-tokens.ts'
import { streamConnections } from './0027-stream-connections.ts'
import { postImports } from './0028-post-imports.ts'
import { searchPending } from './0029-search-pending.ts'
import { spaces } from './0030-spaces.ts'
import { webhookReplays } from './0031-webhook-replays.ts'
import { activity } from './0032-activity.ts'
import { keywordInsights } from './0033-keyword-insights.ts'
import { timelines } from './0034-timelines.ts'
import { profiles } from './0035-profiles.ts'
import { accountSubscriptions } from './0036-account-subscriptions.ts'
import { streamLinks } from './0037-stream-links.ts'
import { resentDeliveries } from './0038-resent-deliveries.ts'
import { activityEventsAbout } from './0039-activity-events-about.ts'
import { deliveryConditions } from './0040-delivery-conditions.ts'
import { postCoordinates } from './0041-post-coordinates.ts'
import { appEnrollment } from './0042-app-enrollment.ts'
import { searchInOrder } from './0043-search-in-order.ts'
import { mediaUploads } from './0044-media-uploads.ts'
import { insightBytes } from './0045-insight-bytes.ts'
import { historyKey } from './0046-history-key.ts'
import { postVideoCalls } from './0047-post-videos.ts'
import { mediaSources } from './0048-media-sources.ts'
import type { Migration } from './migration.ts'

/** Migrations in order. New ones are appended; released ones never change. */
export const migrations: readonly Migration[] = [
  foundation,
  advertising,
  accounts,
  posts,
  userLots,
  catalogs,
  audiences,
  creatives,
  tags,
  nodes,
  oneToken,
  deletedDrafts,
  tasks,
  imageConversations,
  events,
  corePosts,
  search,
  streamRules,
  usage,
  relations,
  communityNotes,
  directMessages,
  deliveries,
  news,
  engagement,
  userTokens,
  streamConnections,
  postImports,
  searchPending,
  spaces,
  webhookReplays,
  activity,
  keywordInsights,
  timelines,
  profiles,
  accountSubscriptions,
  streamLinks,
  resentDeliveries,
  activityEventsAbout,
  deliveryConditions,
  postCoordinates,
  appEnrollment,
  searchInOrder,
  mediaUploads,
  insightBytes,
  historyKey,
  postVideoCalls,
  mediaSources,
]

/** A newer Plaza has changed the schema; it cannot be changed back. */
export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew'
  constructor(done: number) {
    super(
      `The database was made by a newer version of Plaza: it has ${done} migrations, this version knows ${migrations.length}. Start the newer version, or restore a backup from before it.`,
    )
  }
}

/** The operations of a dialect that migrations need. */
export interface Migratable {
  readonly dialect: DialectName
  /** The number of applied migrations. Locks out other nodes until `finish`. */
  begin(): Promise<number>
  execute(statement: string): Promise<void>
  /** Records that `done` migrations were applied, commits and releases the lock. */
  finish(done: number): Promise<void>
  /** Rolls back everything since `begin`. */
  abandon(): Promise<void>
}

/** Migrates the schema to the newest version, in one transaction; rejects a schema from a newer Plaza. */
export async function migrate(target: Migratable): Promise<void> {
  const done = await target.begin()
  try {
    if (done > migrations.length) {
      throw new SchemaTooNew(done)
    }
    for (const migration of migrations.slice(done)) {
      for (const statement of migration.statements(target.dialect)) await target.execute(statement)
    }
    await target.finish(migrations.length)
  } catch (error) {
    await target.abandon()
    throw error
  }
}
