import { queriesOver } from '../platform/storage/query.ts'
import type { Table, TablesOf } from '../platform/storage/table.ts'
import type { PlatformTables } from '../platform/tables.ts'
import * as apps from './apps/tables.ts'
import * as relations from './relations/tables.ts'
import * as tokens from './tokens/tables.ts'
import * as users from './users/tables.ts'

const areas = [apps, relations, tokens, users] as const

/** The tables of users, apps and tokens. */
export const identityTables: readonly Table[] = areas.flatMap((area) => Object.values<Table>(area))

/** The tables that queries of this part read: its own and those of the parts below. */
export interface IdentityTables extends PlatformTables, TablesOf<(typeof areas)[number]> {}

export const query = queriesOver<IdentityTables>()
