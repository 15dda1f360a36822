import type { Kysely } from 'kysely'
import type { IdentityTables } from '../identity/tables.ts'
import { adHocQueriesOver, postgresQueriesOver, queriesOver } from '../platform/storage/query.ts'
import type { Table, TablesOf } from '../platform/storage/table.ts'
import * as analytics from './analytics/tables.ts'
import * as adDelivery from './ad-delivery/tables.ts'
import * as articles from './articles/tables.ts'
import * as audienceMembers from './audience-members/tables.ts'
import * as bookmarkFolders from './bookmark-folders/tables.ts'
import * as broadcasts from './broadcasts/tables.ts'
import * as chat from './chat/tables.ts'
import * as communities from './communities/tables.ts'
import * as compliance from './compliance/tables.ts'
import * as directMessages from './direct-messages/tables.ts'
import * as linkPreviews from './link-previews/tables.ts'
import * as lists from './lists/tables.ts'
import * as media from './media/tables.ts'
import * as news from './news/tables.ts'
import * as notes from './notes/tables.ts'
import * as engagement from './posts/engagement-tables.ts'
import * as imports from './posts/import/tables.ts'
import * as posts from './posts/tables.ts'
import * as search from './search/index/tables.ts'
import * as spaces from './spaces/tables.ts'
import * as trends from './trends/tables.ts'
import * as usage from './usage/tables.ts'

const areas = [
  analytics,
  articles,
  adDelivery,
  audienceMembers,
  bookmarkFolders,
  broadcasts,
  chat,
  communities,
  compliance,
  directMessages,
  linkPreviews,
  lists,
  media,
  news,
  notes,
  engagement,
  imports,
  posts,
  search,
  spaces,
  trends,
  usage,
] as const

/** The tables of resources. */
export const domainTables: readonly Table[] = areas.flatMap((area) => Object.values<Table>(area))

/** The tables that queries of this part read: its own and those of the parts below. */
export interface DomainTables extends IdentityTables, TablesOf<(typeof areas)[number]> {}

export type Database = Kysely<DomainTables>

export const query = queriesOver<DomainTables>()
export const adHocQuery = adHocQueriesOver<DomainTables>()
export const postgresQuery = postgresQueriesOver<DomainTables>()
