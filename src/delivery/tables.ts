import type { Kysely } from 'kysely'
import type { DomainTables } from '../domain/tables.ts'
import { postgresQueriesOver, queriesOver } from '../platform/storage/query.ts'
import type { Table, TablesOf } from '../platform/storage/table.ts'
import * as activities from './activities/tables.ts'
import * as streams from './streams/tables.ts'
import * as webhooks from './webhooks/tables.ts'

const areas = [activities, streams, webhooks] as const

/** The tables of streams, activities and webhooks. */
export const deliveryTables: readonly Table[] = areas.flatMap((area) => Object.values<Table>(area))

/** The tables that queries of this part read: its own and those of the parts below. */
export interface DeliveryTables extends DomainTables, TablesOf<(typeof areas)[number]> {}

export type Database = Kysely<DeliveryTables>

export const query = queriesOver<DeliveryTables>()
export const postgresQuery = postgresQueriesOver<DeliveryTables>()
