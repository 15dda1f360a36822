import type { Migration } from './migrate.ts'

/** Which process has which node number, and until when. */
export const nodes: Migration = {
  name: '0010-nodes',
  up: (db) => [
    db.schema
      .createTable('nodes')
      .addColumn('node', 'integer', (column) => column.primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('pid', 'integer', (column) => column.notNull())
      .addColumn('redis', 'integer', (column) => column.notNull())
      .addColumn('renewed_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull()),
  ],
}
