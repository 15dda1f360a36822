import type { Migration } from './migration.ts'

/**
 * PostgreSQL no longer compresses the bytes of keyword insights, which are read and written more often than they would get
 * smaller. The rollups are built again by their version.
 */
export const insightBytes: Migration = {
  name: '0045-insight-bytes',
  statements: (dialect) =>
    dialect === 'sqlite'
      ? []
      : [
          'alter table "insight_blocks" alter column "posts" set storage external',
          'alter table "insight_terms" alter column "places" set storage external',
        ],
}
