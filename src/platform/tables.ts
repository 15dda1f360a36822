import * as events from './events/tables.ts'
import * as tasks from './queue/tables.ts'
import { postgresQueriesOver, queriesOver } from './storage/query.ts'
import type { Table, TablesOf } from './storage/table.ts'
import * as system from './storage/tables.ts'

const areas = [events, tasks, system] as const

/** The tables of storage, events and the queue. */
export const platformTables: readonly Table[] = areas.flatMap((area) => Object.values<Table>(area))

/** The tables that queries of this part read: its own and those of the parts below. */
export interface PlatformTables extends TablesOf<(typeof areas)[number]> {}

export const query = queriesOver<PlatformTables>()
export const postgresQuery = postgresQueriesOver<PlatformTables>()
