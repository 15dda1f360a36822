/**
 * Every table with a fixed form, as its rows look to a query. Times are epoch milliseconds, booleans 0 or 1,
 * ids decimal text: the same on SQLite and PostgreSQL.
 */
export interface Tables {
  apps: AppRow
  app_callbacks: AppCallbackRow
  users: UserRow
  request_tokens: RequestTokenRow
  access_tokens: AccessTokenRow
  browser_sessions: BrowserSessionRow
  settings: SettingRow
  webhooks: WebhookRow
  accounts: AccountRow
  account_access: AccountAccessRow
  account_features: AccountFeatureRow
  account_history: AccountHistoryRow
  account_user_settings: AccountUserSettingsRow
  account_tax_settings: AccountTaxSettingsRow
}

export interface AppRow {
  id: string
  owner_user_id: string
  name: string
  website: string
  consumer_key: string
  consumer_secret_sealed: string
  permission: string
  kind: string
  sign_in: number
  suspended: number
  /** Moves on each invalidation: the app's bearer is derived from it, so an old one cannot come back. */
  bearer_generation: number
  /** Of the outstanding bearer; null while there is none. */
  bearer_hash: string | null
  created_at: number
}

export interface AppCallbackRow {
  app_id: string
  url: string
}

export interface UserRow {
  id: string
  screen_name: string
  /** The screen name in lower case: names are compared without case. */
  screen_name_key: string
  name: string
  password_hash: string
  suspended: number
  created_at: number
}

export interface RequestTokenRow {
  token_hash: string
  secret_sealed: string
  app_id: string
  callback: string
  access: string
  /** `pending`, then `approved` or `denied`; an approved one is `used` once. */
  state: string
  user_id: string | null
  verifier_hash: string | null
  verifier_misses: number
  created_at: number
  expires_at: number
}

export interface AccessTokenRow {
  token_hash: string
  token_sealed: string
  secret_sealed: string
  app_id: string
  user_id: string
  access: string
  created_at: number
}

export interface BrowserSessionRow {
  session_hash: string
  user_id: string
  created_at: number
  expires_at: number
}

/** Few, small, read often: the credential epoch and the check of the master key. */
export interface SettingRow {
  name: string
  value: string
}

export interface WebhookRow {
  id: string
  app_id: string
  url: string
  valid: number
  created_at: number
  last_success_at: number
  /** When the periodic check is due. */
  next_check_at: number
  /** Until when one node holds the right to check this webhook. 0: nobody does. */
  check_lease_until: number
}

/** An advertising account, of production or of the sandbox. */
export interface AccountRow {
  id: string
  environment: string
  name: string
  /** The name in lower case, for searches. */
  name_key: string
  business_name: string | null
  business_id: string | null
  timezone: string
  timezone_switch_at: number | null
  approval_status: string
  industry_type: string | null
  created_at: number
  updated_at: number
  deleted: number
}

/** Who may use an account, and how: the roles with commas between. */
export interface AccountAccessRow {
  user_id: string
  account_id: string
  roles: string
  created_at: number
}

export interface AccountFeatureRow {
  account_id: string
  feature_key: string
}

/** A change of an advertising entity. `item` and `before` are JSON in neutral words. */
export interface AccountHistoryRow {
  account_id: string
  entity: string
  entity_id: string
  id: string
  change_time: number
  change_type: string
  user_id: string
  app_id: string
  item: string
  before: string
}

/** How a user is told about an account. `subscribed_email_types` is a JSON list. */
export interface AccountUserSettingsRow {
  account_id: string
  user_id: string
  notification_email: string | null
  contact_phone: string
  contact_phone_extension: string
  subscribed_email_types: string
}

/** What an account is billed by: JSON in neutral words, of what was set. */
export interface AccountTaxSettingsRow {
  account_id: string
  settings: string
}
