import { users } from '../../../identity/users/tables.ts'
import { bigint, bytewise, flag, json, type RowOf, table, text } from '../../../platform/storage/table.ts'

/** An advertising account, of production or of the sandbox. */
export const accounts = table(
  'accounts',
  {
    id: bytewise(),
    environment: text(),
    name: text(),
    /** The name in lower case, for searches. */
    name_key: bytewise(),
    business_name: text({ null: true }),
    business_id: text({ null: true }),
    timezone: text(),
    timezone_switch_at: bigint({ null: true }),
    approval_status: text(),
    industry_type: text({ null: true }),
    created_at: bigint(),
    updated_at: bigint(),
    deleted: flag(),
  },
  {
    key: ['id'],
  },
)

/** The users of an account, with their roles separated by commas. */
export const accountAccess = table(
  'account_access',
  {
    user_id: text({ belongsTo: users }),
    account_id: bytewise({ belongsTo: accounts }),
    roles: text(),
    created_at: bigint(),
  },
  {
    key: ['user_id', 'account_id'],
    indexes: {
      account_access_account: ['account_id'],
    },
  },
)

export const accountFeatures = table(
  'account_features',
  {
    account_id: bytewise({ belongsTo: accounts }),
    feature_key: text(),
  },
  {
    key: ['account_id', 'feature_key'],
  },
)

/** A change of an advertising entity. `item` and `before` are JSON with neutral names. */
export const accountHistory = table(
  'account_history',
  {
    account_id: bytewise(),
    entity: text(),
    entity_id: bytewise(),
    id: bytewise(),
    change_time: bigint(),
    change_type: text(),
    user_id: text(),
    app_id: text(),
    item: text(),
    before: text(),
  },
  { key: ['account_id', 'entity', 'entity_id', 'change_time', 'id'] },
)

/** The notification settings of a user for an account. */
export const accountUserSettings = table(
  'account_user_settings',
  {
    account_id: bytewise({ belongsTo: accounts }),
    user_id: text({ belongsTo: users }),
    notification_email: text({ null: true }),
    contact_phone: text(),
    contact_phone_extension: text(),
    subscribed_email_types: json<('ACCOUNT_PERFORMANCE' | 'PERFORMANCE_IMPROVEMENT')[]>(),
  },
  {
    key: ['account_id', 'user_id'],
    indexes: {
      account_user_settings_user: ['user_id'],
    },
  },
)

/** The tax settings of an account. */
export const accountTaxSettings = table(
  'account_tax_settings',
  {
    account_id: bytewise({ belongsTo: accounts }),
    /** The settings, with neutral names. */
    settings: json<Record<string, string | null>>(),
  },
  {
    key: ['account_id'],
  },
)

export type AccountRow = RowOf<typeof accounts>

export type AccountAccessRow = RowOf<typeof accountAccess>

export type AccountFeatureRow = RowOf<typeof accountFeatures>

export type AccountHistoryRow = RowOf<typeof accountHistory>

export type AccountUserSettingsRow = RowOf<typeof accountUserSettings>

export type AccountTaxSettingsRow = RowOf<typeof accountTaxSettings>
