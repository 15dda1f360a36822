import type { Generated, Selectable } from 'kysely'

/**
 * Every table with a fixed form, as its rows look to a query. Times are epoch milliseconds, booleans 0 or 1,
 * ids decimal text: the same on SQLite and PostgreSQL.
 */
export interface Tables {
  apps: AppRow
  app_callbacks: AppCallbackRow
  users: UserRow & ProfileColumns
  request_tokens: RequestTokenRow
  access_tokens: AccessTokenRow
  browser_sessions: BrowserSessionRow
  settings: SettingRow
  nodes: NodeRow
  webhooks: WebhookRow
  accounts: AccountRow
  account_access: AccountAccessRow
  account_features: AccountFeatureRow
  account_history: AccountHistoryRow
  account_user_settings: AccountUserSettingsRow
  account_tax_settings: AccountTaxSettingsRow
  posts: PostRow
  post_names: PostNameRow
  scheduled_posts: ScheduledPostRow
  audience_permissions: AudiencePermissionRow
  audience_removals: AudienceRemovalRow
  draft_posts: DraftPostRow
  post_videos: PostVideoRow
  media_files: MediaFileRow
  media: MediaRow
  media_segments: MediaSegmentRow
  media_uses: MediaUseRow
  media_releases: MediaReleaseRow
  media_library: MediaLibraryRow
  media_library_terms: MediaLibraryTermRow
  product_catalogs: ProductCatalogRow
  products: ProductRow
  product_groups: ProductGroupRow
  product_sets: ProductSetRow
  product_set_members: ProductSetMemberRow
  product_images: ProductImageRow
  catalog_removals: CatalogRemovalRow
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

/** What a profile shows beside the names. A new user has an empty one. */
export interface ProfileColumns {
  description: Generated<string>
  location: Generated<string>
  url: string | null
  protected: Generated<number>
  verified: Generated<number>
  /** `none`, `blue`, `government` or `business`. */
  verified_type: Generated<string>
  /** `None`, `Basic`, `Premium` or `PremiumPlus`. */
  subscription_type: Generated<string>
  profile_image_url: string | null
  profile_banner_url: string | null
  pinned_post_id: string | null
  followers_count: Generated<number>
  following_count: Generated<number>
  post_count: Generated<number>
  listed_count: Generated<number>
  like_count: Generated<number>
}

/** A user with what the profile shows. */
export type ProfileRow = UserRow & Selectable<ProfileColumns>

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

export interface NodeRow {
  node: number
  /** Another text for each start of a process. */
  holder: string
  /** The machine and the data folder. */
  place: string
  host: string
  pid: number
  redis: number
  renewed_at: number
  expires_at: number
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

/**
 * One version of a post. Ids have 19 digits since 2018, so their order as text is their order in time; an id that a
 * caller sends is padded to 19 digits before it is compared with them.
 */
export interface PostRow {
  id: string
  /** `production` or `sandbox`: no post is of both. */
  environment: string
  author_id: string
  /** On which shelf it stands, see `src/posts/visibility.ts`. */
  visibility: number
  /** Normalised (NFC), with links as they were written. */
  text: string
  /** The same for two posts that say the same. */
  fingerprint: string
  lang: string
  /** JSON: hashtags, cashtags, mentions and links, with the code points where they stand. */
  entities: string
  /** Of the post that began the conversation, which may be this one. */
  conversation_id: string
  in_reply_to_post_id: string | null
  in_reply_to_user_id: string | null
  quoted_post_id: string | null
  reposted_post_id: string | null
  /** Each edit is a post of its own; all versions name the first. */
  first_version_id: string
  edits_remaining: number
  editable_until: number
  /** Promoted only: in nobody's timeline. */
  nullcast: number
  /** `everyone`, `following`, `mentionedUsers`, `subscribers` or `verified`. */
  reply_settings: string
  possibly_sensitive: number
  card_uri: string | null
  /** A JSON list. */
  media_keys: string
  /** The app that it was sent with. */
  app_id: string
  /** Who wrote it in the author's name; null when the author did. */
  contributor_id: string | null
  repost_count: number
  reply_count: number
  like_count: number
  quote_count: number
  bookmark_count: number
  impression_count: number
  created_at: number
  deleted: number
}

/** What an advertising account calls a post. No other account sees it. */
export interface PostNameRow {
  account_id: string
  post_id: string
  author_id: string
  name: string
  /** The name in lower case, for searches. */
  name_key: string
}

/** A post that is to be published later. */
export interface ScheduledPostRow {
  account_id: string
  id: string
  user_id: string
  app_id: string
  contributor_id: string | null
  name: string | null
  /** The name in lower case, for searches. */
  name_key: string | null
  text: string
  card_uri: string | null
  /** A JSON list. */
  media_keys: string
  nullcast: number
  scheduled_at: number
  /** `SCHEDULED`, then `SUCCESS` or `FAILED`. */
  scheduled_status: string
  completed_at: number | null
  /** The post that it became. */
  post_id: string | null
  created_at: number
  updated_at: number
}

/** A user's catalog, of production or of the sandbox. */
export interface ProductCatalogRow {
  id: string
  environment: string
  user_id: string
  name: string
  /** Moves whenever products change. */
  revision: number
  sets: number
  /** Those of its sets that have filters. */
  filtered_sets: number
  created_at: number
}

export interface ProductRow {
  catalog_id: string
  product_key: string
  id: string
  /** Of the catalog when it was last changed. */
  revision: number
  item_group_key: string | null
  /** 1 unless it is a variant behind the first of its group. */
  shown: number
  /** JSON in neutral words: what was submitted. */
  item: string
  price_currency: string
  /** In the smallest unit of the currency. */
  price_amount: number
  sale_price_amount: number | null
  inventory: number | null
  /** Text that filters compare, in lower case. */
  product_type_key: string | null
  google_product_category_key: string | null
  custom_label_0_key: string | null
  custom_label_1_key: string | null
  custom_label_2_key: string | null
  custom_label_3_key: string | null
  custom_label_4_key: string | null
}

/** What Plaza calls a group of variants. */
export interface ProductGroupRow {
  catalog_id: string
  item_group_id: string
  item_group_key: string
}

/** Some products of a catalog: listed, or found by filters up to a position in the order of their changes. */
export interface ProductSetRow {
  id: string
  catalog_id: string
  name: string
  description: string | null
  /** `MANUAL` or `FILTERED`. */
  type: string
  /** A JSON list. */
  filters: string
  /** `DONE`, `PROCESSING` or `FAILED`. */
  processing_status: string
  /** Of the catalog when the set was made. */
  made_revision: number
  position_revision: number
  position_key: string
  failures: number
  lease_until: number
}

export interface ProductSetMemberRow {
  set_id: string
  product_key: string
}

/** An image of a product that is to be fetched or was. */
export interface ProductImageRow {
  catalog_id: string
  product_key: string
  url: string
  /** What was wrong with it when it was last fetched. */
  problem: string | null
  tries: number
  /** When somebody may fetch it; null when there is nothing to find out. */
  due_at: number | null
}

/** A catalog or a set that is gone, and whose rows are still being removed. */
export interface CatalogRemovalRow {
  id: string
  /** `catalog` or `set`. */
  kind: string
  lease_until: number
}

/** A post that is being written. */
export type DraftPostRow = Omit<
  ScheduledPostRow,
  'scheduled_at' | 'scheduled_status' | 'completed_at' | 'post_id'
>

/** What a post says about its video. */
export interface PostVideoRow {
  post_id: string
  title: string | null
  description: string | null
  cta: string | null
  cta_value: string | null
}

/** A file of the file store that somebody uses, or may be about to. */
export interface MediaFileRow {
  /** SHA-256 in hex. */
  hash: string
  bytes: number
  /** When it is looked at for whether anything uses it; null while that is known. */
  suspect_at: number | null
  /** It is being taken away: nobody may begin to use it. */
  going: number
}

/** An image, GIF or video that a user uploaded, or is uploading. */
export interface MediaRow {
  id: string
  /** The id with a prefix that tells its category. */
  media_key: string
  owner_id: string
  /** Users who may use it too: a JSON list. */
  additional_owners: string
  /** `POST_IMAGE`, `POST_GIF`, `POST_VIDEO` or `AMPLIFY_VIDEO`. */
  category: string
  /** `OPEN` while segments come, `PENDING` while it is worked on, then `READY` or `FAILED`. */
  state: string
  /** As long as it is open, what was announced. */
  bytes: number
  hash: string | null
  content_type: string | null
  width: number | null
  height: number | null
  duration_ms: number | null
  /** The picture that stands for it where it does not move. */
  poster_hash: string | null
  poster_type: string | null
  /** Whether a post showed it. */
  posted: number
  lease_until: number
  /** When it is forgotten; null once it is in use. */
  expires_at: number | null
  created_at: number
}

/** A part of a medium that is being uploaded. */
export interface MediaSegmentRow {
  media_id: string
  segment_index: number
  hash: string
  bytes: number
}

/** A medium that something of an account uses: it is not forgotten meanwhile. */
export interface MediaUseRow {
  account_id: string
  /** The table of what uses it, and the id there. */
  holder: string
  holder_id: string
  media_id: string
}

/** A deleted account, whose media are to be let go of. */
export interface MediaReleaseRow {
  account_id: string
  due_at: number
}

/** A medium in the library of an account. */
export interface MediaLibraryRow {
  account_id: string
  media_id: string
  /** Grows with the time when it came in. */
  entry_id: string
  media_type: string
  name: string | null
  file_name: string | null
  title: string | null
  description: string | null
  poster_media_key: string | null
  created_at: number
  updated_at: number
  deleted: number
}

/** A word by which a medium of a library is found. */
export interface MediaLibraryTermRow {
  account_id: string
  term: string
  entry_id: string
  media_id: string
  media_type: string
}

/** An account that may use the audience of another, the owner. */
export interface AudiencePermissionRow {
  audience_id: string
  id: string
  account_id: string
  granted_account_id: string
  /** `READ_ONLY` or `READ_WRITE`. */
  permission_level: string
  visibility: number
  created_at: number
  updated_at: number
  deleted: number
}

/** A deleted audience, or list of people not to be reached, whose members are to be forgotten. */
export interface AudienceRemovalRow {
  audience_id: string
  due_at: number
}
