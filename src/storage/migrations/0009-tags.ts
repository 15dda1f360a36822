import type { Migration } from './migrate.ts'
import { bytewise, entityTable } from './entity-table.ts'

/** Tags of websites, which line items aim at, and tags that track line items. */
export const tags: Migration = {
  name: '0009-tags',
  up: (db, dialect) => [
    ...entityTable(db, dialect, 'web_event_tags', (table) =>
      table
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('click_window', 'integer', (c) => c.notNull())
        .addColumn('view_through_window', 'integer', (c) => c.notNull())
        .addColumn('retargeting_enabled', 'integer', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('embed_code', 'text')
        .addColumn('website_tag_id', 'text'),
    ),
    ...entityTable(
      db,
      dialect,
      'tracking_tags',
      (table) =>
        table
          .addColumn('line_item_id', bytewise(dialect), (c) => c.notNull())
          .addColumn('tracking_tag_type', 'text', (c) => c.notNull())
          .addColumn('tracking_tag_url', 'text', (c) => c.notNull()),
      { along: ['line_item_id'] },
    ),
  ],
}
