import { bytewise, entityTable } from './entity-table.ts'
import type { Migration } from './migrate.ts'

/** Advertising accounts, who may use them, and their campaigns. */
export const advertising: Migration = {
  name: '0002-advertising',
  up: (db, dialect) => [
    db.schema
      .createTable('accounts')
      .addColumn('id', bytewise(dialect), (c) => c.primaryKey())
      .addColumn('environment', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_key', bytewise(dialect), (c) => c.notNull())
      .addColumn('business_name', 'text')
      .addColumn('business_id', 'text')
      .addColumn('timezone', 'text', (c) => c.notNull())
      .addColumn('timezone_switch_at', 'bigint')
      .addColumn('approval_status', 'text', (c) => c.notNull())
      .addColumn('industry_type', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('deleted', 'integer', (c) => c.notNull()),
    db.schema
      .createTable('account_access')
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('account_id', bytewise(dialect), (c) =>
        c.notNull().references('accounts.id').onDelete('cascade'),
      )
      .addColumn('roles', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('account_access_key', ['user_id', 'account_id']),
    db.schema.createIndex('account_access_account').on('account_access').column('account_id'),
    db.schema
      .createTable('account_features')
      .addColumn('account_id', bytewise(dialect), (c) =>
        c.notNull().references('accounts.id').onDelete('cascade'),
      )
      .addColumn('feature_key', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('account_features_key', ['account_id', 'feature_key']),
    db.schema
      .createTable('account_history')
      .addColumn('account_id', bytewise(dialect), (c) => c.notNull())
      .addColumn('entity', 'text', (c) => c.notNull())
      .addColumn('entity_id', bytewise(dialect), (c) => c.notNull())
      .addColumn('id', bytewise(dialect), (c) => c.notNull())
      .addColumn('change_time', 'bigint', (c) => c.notNull())
      .addColumn('change_type', 'text', (c) => c.notNull())
      .addColumn('user_id', 'text', (c) => c.notNull())
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('item', 'text', (c) => c.notNull())
      .addColumn('before', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('account_history_key', ['account_id', 'entity', 'entity_id', 'id']),
    ...entityTable(
      db,
      dialect,
      'funding_instruments',
      (table) =>
        table
          .addColumn('type', 'text', (c) => c.notNull())
          .addColumn('currency', 'text', (c) => c.notNull())
          .addColumn('description', 'text', (c) => c.notNull())
          .addColumn('start_time', 'bigint', (c) => c.notNull())
          .addColumn('end_time', 'bigint')
          .addColumn('entity_status', 'text', (c) => c.notNull())
          .addColumn('credit_limit_local_micro', 'bigint')
          .addColumn('funded_amount_local_micro', 'bigint')
          .addColumn('io_header', 'text'),
      { sort: ['start_time', 'end_time', 'funded_amount_local_micro'] },
    ),
    ...entityTable(
      db,
      dialect,
      'promotable_users',
      (table) =>
        table
          .addColumn('user_id', 'text', (c) => c.notNull())
          .addColumn('promotable_user_type', 'text', (c) => c.notNull()),
      { along: ['user_id'] },
    ),
    ...entityTable(
      db,
      dialect,
      'campaigns',
      (table) =>
        table
          .addColumn('name', 'text', (c) => c.notNull())
          .addColumn('name_key', bytewise(dialect), (c) => c.notNull())
          .addColumn('funding_instrument_id', bytewise(dialect), (c) => c.notNull())
          .addColumn('currency', 'text', (c) => c.notNull())
          .addColumn('budget_optimization', 'text', (c) => c.notNull())
          .addColumn('entity_status', 'text', (c) => c.notNull())
          .addColumn('daily_budget_amount_local_micro', 'bigint')
          .addColumn('total_budget_amount_local_micro', 'bigint')
          .addColumn('purchase_order_number', 'text')
          .addColumn('standard_delivery', 'integer'),
      {
        sort: ['name_key', 'daily_budget_amount_local_micro', 'total_budget_amount_local_micro'],
        along: ['funding_instrument_id'],
      },
    ),
    ...entityTable(
      db,
      dialect,
      'line_items',
      (table) =>
        table
          .addColumn('campaign_id', bytewise(dialect), (c) => c.notNull())
          .addColumn('funding_instrument_id', bytewise(dialect), (c) => c.notNull())
          .addColumn('name', 'text')
          .addColumn('name_key', bytewise(dialect))
          .addColumn('objective', 'text', (c) => c.notNull())
          .addColumn('product_type', 'text', (c) => c.notNull())
          .addColumn('placements', 'text', (c) => c.notNull())
          .addColumn('goal', 'text', (c) => c.notNull())
          .addColumn('bid_strategy', 'text', (c) => c.notNull())
          .addColumn('bid_amount_local_micro', 'bigint')
          .addColumn('pay_by', 'text', (c) => c.notNull())
          .addColumn('categories', 'text', (c) => c.notNull())
          .addColumn('currency', 'text', (c) => c.notNull())
          .addColumn('entity_status', 'text', (c) => c.notNull())
          .addColumn('start_time', 'bigint')
          .addColumn('end_time', 'bigint')
          .addColumn('duration_in_days', 'integer')
          .addColumn('frequency_cap', 'integer')
          .addColumn('standard_delivery', 'integer')
          .addColumn('total_budget_amount_local_micro', 'bigint')
          .addColumn('daily_budget_amount_local_micro', 'bigint')
          .addColumn('advertiser_user_id', 'text')
          .addColumn('advertiser_domain', 'text')
          .addColumn('android_app_store_identifier', 'text')
          .addColumn('ios_app_store_identifier', 'text')
          .addColumn('target_cpa_local_micro', 'bigint')
          .addColumn('primary_web_event_tag', 'text')
          .addColumn('automatic_post_promotion', 'integer')
          .addColumn('creative_source', 'text', (c) => c.notNull())
          .addColumn('audience_expansion', 'text'),
      {
        sort: ['bid_amount_local_micro'],
        along: ['campaign_id', 'funding_instrument_id'],
      },
    ),
    ...entityTable(
      db,
      dialect,
      'targeting_criteria',
      (table) =>
        table
          .addColumn('line_item_id', bytewise(dialect), (c) => c.notNull())
          .addColumn('targeting_type', 'text', (c) => c.notNull())
          .addColumn('targeting_value', 'text', (c) => c.notNull())
          .addColumn('operator_type', 'text', (c) => c.notNull())
          .addColumn('name', 'text', (c) => c.notNull())
          .addColumn('location_type', 'text'),
      { along: ['line_item_id'] },
    ),
    db.schema
      .createIndex('targeting_criteria_by_value')
      .on('targeting_criteria')
      .columns(['account_id', 'line_item_id', 'targeting_type', 'targeting_value']),
    ...entityTable(
      db,
      dialect,
      'promoted_posts',
      (table) =>
        table
          .addColumn('line_item_id', bytewise(dialect), (c) => c.notNull())
          .addColumn('post_id', 'text', (c) => c.notNull())
          .addColumn('entity_status', 'text', (c) => c.notNull())
          .addColumn('approval_status', 'text', (c) => c.notNull()),
      { along: ['line_item_id'] },
    ),
    ...entityTable(
      db,
      dialect,
      'promoted_accounts',
      (table) =>
        table
          .addColumn('line_item_id', bytewise(dialect), (c) => c.notNull())
          .addColumn('user_id', 'text', (c) => c.notNull())
          .addColumn('entity_status', 'text', (c) => c.notNull())
          .addColumn('approval_status', 'text', (c) => c.notNull()),
      { along: ['line_item_id'] },
    ),
    ...entityTable(
      db,
      dialect,
      'media_creatives',
      (table) =>
        table
          .addColumn('line_item_id', bytewise(dialect), (c) => c.notNull())
          .addColumn('campaign_id', bytewise(dialect), (c) => c.notNull())
          .addColumn('account_media_id', bytewise(dialect), (c) => c.notNull())
          .addColumn('creative_type', 'text', (c) => c.notNull())
          .addColumn('landing_url', 'text')
          .addColumn('entity_status', 'text', (c) => c.notNull())
          .addColumn('approval_status', 'text', (c) => c.notNull()),
      { along: ['line_item_id', 'campaign_id'] },
    ),
    ...entityTable(
      db,
      dialect,
      'scheduled_promoted_posts',
      (table) =>
        table
          .addColumn('line_item_id', bytewise(dialect), (c) => c.notNull())
          .addColumn('scheduled_post_id', 'text', (c) => c.notNull())
          .addColumn('post_id', 'text'),
      { along: ['line_item_id'] },
    ),
    ...entityTable(
      db,
      dialect,
      'line_item_curated_categories',
      (table) =>
        table
          .addColumn('line_item_id', bytewise(dialect), (c) => c.notNull())
          .addColumn('curated_category_id', 'text', (c) => c.notNull()),
      { along: ['line_item_id'] },
    ),
    ...entityTable(db, dialect, 'account_apps', (table) =>
      table
        .addColumn('app_store_identifier', 'text', (c) => c.notNull())
        .addColumn('conversion_tracking_enabled', 'integer', (c) => c.notNull())
        .addColumn('deep_link_pattern', 'text')
        .addColumn('os_type', 'text', (c) => c.notNull()),
    ),
    db.schema
      .createIndex('line_items_by_name')
      .on('line_items')
      .columns(['account_id', 'visibility', 'name_key', 'id']),
  ],
}
