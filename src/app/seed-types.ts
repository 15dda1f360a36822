import type { Int64 } from '../platform/common/int64.ts'

export interface Seed {
  /** URL or path of the JSON schema of seed files, for editors. */
  $schema?: string
  users: SeedUser[]
  apps?: SeedApp[]
  accounts?: SeedAccount[]
  /** Previews of web pages, for every link to them. Plaza reads no pages. */
  link_previews?: { url: string; title?: string; description?: string; unwound_url?: string; status?: number; images?: { url: string; width?: number; height?: number }[] }[]
  posts?: SeedPost[]
  direct_messages?: SeedMessage[]
  spaces?: SeedSpace[]
  lists?: SeedList[]
  communities?: SeedCommunity[]
  broadcast_sources?: SeedBroadcastSource[]
  broadcasts?: SeedBroadcast[]
  /**
   * Synthetic users, with profiles and posts, for audience estimates. --seed-population overrides
   * it.
   */
  population?: number
}

export interface SeedAccess {
  /** Screen name. */
  user: string
  /** Permissions of the user in the account. */
  roles: ('ACCOUNT_ADMIN' | 'AD_MANAGER' | 'CREATIVE_MANAGER' | 'CAMPAIGN_ANALYST' | 'ANALYST' | 'PARTNER_AUDIENCE_MANAGER' | 'POST_COMPOSER')[]
}

export interface SeedAccount {
  /** Human-readable name. */
  name: string
  /** Screen name of the advertiser: its administrator, and whom it promotes. */
  owner: string
  /** Where it is. */
  environment: 'production' | 'sandbox'
  /** IANA name. */
  timezone?: string
  /** ACCEPTED when absent. */
  approval_status?: 'ACCEPTED' | 'REJECTED' | 'UNDER_REVIEW'
  /** Name of the business that it belongs to. */
  business_name?: string
  /** Of that business. */
  business_id?: string
  users?: SeedAccess[]
  /** In addition to those that every account has. */
  features?: ('AGE_TARGETING' | 'ALLOW_SKIPPABLE_VIDEOS_FOR_PREROLL_VIEWS_OBJECTIVE' | 'AWARENESS_OBJECTIVE' | 'BRAND_TPN' | 'CHARGE_FOR_GOOD_CLICK' | 'CITY_TARGETING' | 'CONVERSATION_CARD' | 'CONVERSATION_CARD_FOUR_OPTIONS' | 'CONVERSATION_CARD_UNLOCK' | 'CPI_CHARGING' | 'DIRECT_MESSAGE_CARD' | 'DR_TAP' | 'ENGAGER_RETARGETING' | 'EVENT_TARGETING' | 'INSTALLED_APP_CATEGORY_TARGETING' | 'MOBILE_CONVERSION_TRANSACTION_VALUE' | 'OPTIMIZED_ACTION_BIDDING' | 'PREROLL_VIEWS_OBJECTIVE' | 'PROMOTED_MEDIA_POLLS' | 'REACH_AND_FREQUENCY_ANALYTICS' | 'REACH_FREQUENCY_CAP' | 'SHARE_AUDIENCE_OUTSIDE_BUSINESS' | 'UNIVERSAL_LOOKALIKE' | 'VALIDATED_AGE_TARGETING' | 'VIDEO_APP_DOWNLOAD_CARD' | 'VIDEO_VIEWS_MIDROLL_OBJECTIVE' | 'WEBSITE_CLICKS_CPM_BILLING')[]
  funding?: SeedFunding[]
  /** Custom audiences, which have no members yet. */
  audiences?: SeedAudience[]
  campaigns?: SeedCampaign[]
}

export interface SeedApp {
  /** Shown on the consent page. */
  name: string
  /** Shown on the consent page. */
  website: string
  /** Screen name of the developer. */
  owner: string
  callbacks: string[]
  /** What the app may ask for. */
  permission: 'read' | 'read-write' | 'read-write-directmessages'
  /** Desktop apps use a PIN. */
  kind: 'web' | 'desktop'
  /** Whether a user who granted the app before is not asked again. */
  sign_in: boolean
  /** Whether the app may use the endpoints under `/2/`; true by default. */
  enrolled?: boolean
  /** Whether the app may open the streams of enterprise plans; false by default. */
  enterprise?: boolean
  /** Generated if absent. */
  consumer_key?: string
  /** Generated if absent. */
  consumer_secret?: string
  /**
   * OAuth 2.0: a confidential client has a secret. `native` for a desktop app, otherwise
   * `confidential`, by default.
   */
  client_type?: 'confidential' | 'public' | 'native'
  /** OAuth 2.0. Generated when absent. */
  client_id?: string
  /** OAuth 2.0, of a confidential client. Generated when absent. */
  client_secret?: string
  /** OAuth 1.0a tokens: one for each user. */
  grants?: SeedGrant[]
  /** OAuth 2.0 tokens of users. */
  user_tokens?: SeedUserToken[]
  webhooks?: SeedWebhook[]
  subscriptions?: SeedSubscription[]
  /** Rules of streams. */
  rules?: SeedRule[]
}

export interface SeedAudience {
  /** Human-readable name, unique in the account in any case. */
  name: string
  /** Description. */
  description?: string
  /**
   * When it was created: RFC 3339, or a distance from the first start such as `-2h`. The first
   * start by default; never later.
   */
  created_at?: string
  /** `CRM` when absent. */
  audience_type?: 'CRM' | 'FLEXIBLE' | 'MOBILE_AUDIENCE'
  /**
   * What an audience of another type combines, as in the advertising API. `custom_audience_id` is
   * the name of an audience before it in the account.
   */
  segments?: Record<string, unknown>
}

export interface SeedBroadcast {
  /** Screen name. */
  owner: string
  /** Title. */
  title: string
  /** Description. */
  description?: string
  /** The `id` of a source of the owner. */
  source?: string
  /**
   * RFC 3339, or a distance from the first start such as `-20m` or `+2d`; up to 366 days later. The
   * first start by default.
   */
  starts_at?: string
  /** By default until it is ended; 60 if it starts later. */
  duration_minutes?: number
  /** Locale, such as `en_US`. */
  locale?: string
  /** Whether one that starts later waits for the call that starts it. */
  manual_publish?: boolean
  /** Whether it can be watched after its end. */
  available_for_replay?: boolean
  /** Whether only its owner knows of it. */
  locked?: boolean
  chat?: SeedBroadcastMessage[]
}

export interface SeedBroadcastMessage {
  /** Screen name. */
  author: string
  /** What it says. */
  text: string
  /**
   * When it was sent: RFC 3339, or a distance from the first start such as `-2h` or `-1d12h`. The
   * first start by default; never later.
   */
  sent_at?: string
}

export interface SeedBroadcastSource {
  /** Screen name. */
  owner: string
  /** Its id. */
  id: string
  /** Name. */
  name?: string
  /** Whether video arrives; false by default. */
  receiving?: boolean
  /** Width of the video, in pixels. */
  width?: number
  /** Height of the video, in pixels. */
  height?: number
  /** Whether the video is late; false by default. */
  high_latency?: boolean
}

export interface SeedCampaign {
  /** Human-readable name. */
  name: string
  /** Level at which budgets are set. */
  budget_optimization?: 'LINE_ITEM' | 'CAMPAIGN'
  /** Daily budget; at most the total budget. */
  daily_budget_amount_local_micro?: Int64
  /** Budget for the whole duration. */
  total_budget_amount_local_micro?: Int64
  /** Status. Lists omit drafts unless `with_draft` is true. */
  entity_status?: 'ACTIVE' | 'PAUSED' | 'DRAFT'
  /** Number for invoices. */
  purchase_order_number?: string
  /** Moved to line items: accepted, and always null. */
  standard_delivery?: boolean
  /**
   * When it was created: RFC 3339, or a distance from the first start such as `-2h`. The first
   * start by default; never later.
   */
  created_at?: string
  /** The `id` of a funding instrument of the account; its first one by default. */
  funding?: string
  line_items?: SeedLineItem[]
}

export interface SeedCommunity {
  /** A name for this file, by which posts refer to the community. */
  id?: string
  /** Name. */
  name: string
  /** Description. */
  description?: string
  /** Who sees its posts: everyone, or its members if it is `Closed`. `Public` by default. */
  access?: 'Public' | 'Closed'
  /** What is shown about joining; `Open` by default. Members are added here, whatever it says. */
  join_policy?: 'Open' | 'RestrictedJoinRequestsDisabled' | 'RestrictedJoinRequestsRequireAdminApproval' | 'RestrictedJoinRequestsRequireModeratorApproval' | 'SuperFollowRequired'
  /**
   * When it was created: RFC 3339, or a distance from the first start such as `-2h` or `-1d12h`.
   * The first start by default; never later.
   */
  created_at?: string
  /** Members, in the order in which they joined. */
  members?: string[]
}

export interface SeedCriterion {
  /** Operator; `EQ` by default. Each type accepts some of them. */
  operator_type?: 'EQ' | 'NE' | 'GTE' | 'LT'
  /** Type of targeting. */
  targeting_type: 'AGE' | 'GENDER' | 'LANGUAGE' | 'LOCATION' | 'INTEREST' | 'SIMILAR_TO_FOLLOWERS_OF_USER' | 'FOLLOWERS_OF_USER' | 'BROAD_KEYWORD' | 'EXACT_KEYWORD' | 'PHRASE_KEYWORD' | 'UNORDERED_KEYWORD' | 'EVENT' | 'CONVERSATION' | 'TV_SHOW' | 'LIVE_TV_EVENT' | 'DEVICE' | 'PLATFORM' | 'PLATFORM_VERSION' | 'NETWORK_OPERATOR' | 'NETWORK_ACTIVATION_DURATION' | 'WIFI_ONLY' | 'CUSTOM_AUDIENCE' | 'CUSTOM_AUDIENCE_EXPANDED' | 'CAMPAIGN_ENGAGEMENT' | 'CAMPAIGN_ENGAGEMENT_LOOKALIKE' | 'USER_ENGAGEMENT' | 'USER_ENGAGEMENT_LOOKALIKE' | 'ENGAGEMENT_TYPE' | 'APP_STORE_CATEGORY' | 'APP_STORE_CATEGORY_LOOKALIKE' | 'APP_LIST' | 'IAB_CATEGORY' | 'CONTENT_PUBLISHER_USER'
  /**
   * The id of a targeting option, or a keyword. For types that target users, `@` and a screen name.
   */
  targeting_value: string
}

export interface SeedFunding {
  /** A name for this account, by which campaigns refer to it. */
  id?: string
  /** ISO 4217 code. */
  currency: string
  /** Type of funding. */
  type: 'AGENCY_CREDIT_LINE' | 'CREDIT_CARD' | 'CREDIT_LINE' | 'INSERTION_ORDER' | 'PARTNER_MANAGED'
  /** Limit of a credit line or card. */
  credit_limit_local_micro?: Int64
  /** Funded amount of an insertion order. */
  funded_amount_local_micro?: Int64
  /**
   * When it becomes valid; the first start by default: RFC 3339, or a distance from the first start
   * such as `-2h` or `+30d`. Seconds are the smallest unit.
   */
  start_time?: string
  /**
   * When it expires; never by default: RFC 3339, or a distance from the first start such as `-2h`
   * or `+30d`. Seconds are the smallest unit.
   */
  end_time?: string
}

export interface SeedGrant {
  /** Screen name of the user who grants. */
  user: string
  /** What the app may do for the user. */
  access: 'read' | 'read-write' | 'read-write-directmessages'
  /** Generated if absent. */
  token?: string
  /** Generated if absent. */
  secret?: string
}

export interface SeedLineItem {
  /** Human-readable name. */
  name?: string
  /** Objective. */
  objective: 'APP_ENGAGEMENTS' | 'APP_INSTALLS' | 'REACH' | 'FOLLOWERS' | 'ENGAGEMENTS' | 'VIDEO_VIEWS' | 'PREROLL_VIEWS' | 'WEBSITE_CLICKS'
  /** Type of product that it promotes. */
  product_type: 'MEDIA' | 'PROMOTED_ACCOUNT' | 'PROMOTED_POSTS'
  /** Placements where it is shown. */
  placements: ('ALL_ON_SERVICE' | 'PUBLISHER_NETWORK' | 'TAP_BANNER' | 'TAP_FULL' | 'TAP_FULL_LANDSCAPE' | 'TAP_NATIVE' | 'TAP_MRECT' | 'SERVICE_PROFILE' | 'SERVICE_REPLIES' | 'SERVICE_SEARCH' | 'SERVICE_TIMELINE')[]
  /**
   * When it begins; immediately by default: RFC 3339, or a distance from the first start such as
   * `-2h` or `+30d`. Seconds are the smallest unit.
   */
  start_time?: string
  /**
   * When it ends; never by default: RFC 3339, or a distance from the first start such as `-2h` or
   * `+30d`. Seconds are the smallest unit.
   */
  end_time?: string
  /** Goal that bids are optimized for. */
  goal?: 'APP_CLICKS' | 'APP_INSTALLS' | 'APP_PURCHASES' | 'ENGAGEMENT' | 'FOLLOWERS' | 'LINK_CLICKS' | 'MAX_REACH' | 'PREROLL' | 'PREROLL_STARTS' | 'REACH_WITH_ENGAGEMENT' | 'SITE_VISITS' | 'VIDEO_VIEW' | 'VIEW_3S_100PCT' | 'VIEW_6S' | 'VIEW_15S' | 'WEBSITE_CONVERSIONS'
  /** Bidding strategy. */
  bid_strategy?: 'AUTO' | 'MAX' | 'TARGET'
  /** Amount of the bid. Not allowed with AUTO. */
  bid_amount_local_micro?: Int64
  /** Event that is charged for. */
  pay_by?: 'APP_CLICK' | 'IMPRESSION' | 'LINK_CLICK'
  /** Daily budget; at most the total budget. */
  daily_budget_amount_local_micro?: Int64
  /** Budget for the whole duration. */
  total_budget_amount_local_micro?: Int64
  /** `true` delivers evenly over the day, `false` as fast as possible. */
  standard_delivery?: boolean
  /** Status. Lists omit drafts unless `with_draft` is true. */
  entity_status?: 'ACTIVE' | 'PAUSED' | 'DRAFT'
  /** Maximum number of times that one person sees it. */
  frequency_cap?: number
  /** Window of the frequency cap, in days. */
  duration_in_days?: 1 | 7 | 30
  /** IAB categories of the advertiser. */
  categories?: string[]
  /** Domain of the advertiser, without protocol. */
  advertiser_domain?: string
  /** Package name of the app. */
  android_app_store_identifier?: string
  /** Numeric part of the store identifier. */
  ios_app_store_identifier?: string
  /** How far delivery may expand beyond the targeting. */
  audience_expansion?: 'BROAD' | 'DEFINED' | 'EXPANDED'
  /**
   * When it was created: RFC 3339, or a distance from the first start such as `-2h`. The first
   * start by default; never later.
   */
  created_at?: string
  /** Who sees it. */
  targeting?: SeedCriterion[]
  promoted_posts?: string[]
}

export interface SeedList {
  /** Screen name. */
  owner: string
  /** Name. */
  name: string
  /** Description. */
  description?: string
  /** Whether only the owner sees it; false by default. */
  private?: boolean
  /**
   * When it was created: RFC 3339, or a distance from the first start such as `-2h` or `-1d12h`.
   * The first start by default; never later.
   */
  created_at?: string
  /** Members, in the order in which they were added. */
  members?: string[]
  /** Followers, in the order in which they followed. */
  followers?: string[]
  /** Who has pinned it: the owner, or followers. */
  pinned_by?: string[]
}

export interface SeedMedium {
  /** Path of an image, GIF or video of up to 15 MB, from the folder of the seed file. */
  file?: string
  /** Instead of `file`, its content as base64. */
  data?: string
  /** Alternative text. */
  alt_text?: string
}

export interface SeedMessage {
  /** Screen name of the sender. */
  from: string
  /** With several users, it is a group: all messages among the same users are in one. */
  to: string[]
  /** Up to 10,000 characters. */
  text: string
  /**
   * When it was sent: RFC 3339, or a distance from the first start such as `-2h` or `-1d12h`. The
   * first start by default; never later.
   */
  created_at?: string
}

export interface SeedPoll {
  options: { label: string; votes?: number }[]
  duration_minutes: number
}

export interface SeedPost {
  /** A name for this file, by which others refer to the post. */
  id?: string
  /** Text; optional for a post with a quote, a poll or media. */
  text?: string
  /** Language; found in the text by default, which takes longer. */
  lang?: string
  /** The `id` of the post that it quotes. */
  quotes?: string
  poll?: { options: { label: string; votes?: number }[]; duration_minutes: number }
  /** Up to 4 images, or 1 GIF, or 1 video. Not with a quote or a poll. */
  media?: SeedMedium[]
  /** Whether media or links may be sensitive; false by default. */
  possibly_sensitive?: boolean
  /** Where it is withheld. It is still shown: who receives it decides. */
  withheld?: { country_codes: string[]; copyright?: boolean; scope?: 'post' | 'user' }
  /** Whether it is out of public view: only its author sees it then. */
  dropped?: boolean
  /** What it is about, instead of what the dictionary finds. */
  context_annotations?: { domain: { id: string; name?: string; description?: string }; entity: { id: string; name?: string; description?: string } }[]
  /** What is known of the text. */
  entities?: { annotations?: { start?: number; end?: number; probability?: number; type?: string; normalized_text?: string }[]; urls?: { url?: string; expanded_url?: string; title?: string; description?: string; unwound_url?: string; status?: number; images?: { url: string; width?: number; height?: number }[] }[] }
  /** Who likes it. */
  likes?: string[]
  /** Who reposts it. */
  reposts?: string[]
  /** Who bookmarks it. */
  bookmarks?: string[]
  /** Screen name. */
  author: string
  /**
   * When it was published: RFC 3339, or a distance from the first start such as `-2h` or `-1d12h`.
   * The first start by default; never later.
   */
  created_at?: string
  /** The `id` of the post that it replies to. */
  reply_to?: string
  /** The `id` of the community that it is in. A reply is in the community of its post. */
  community?: string
  /** Whether followers see a post of a community too; false by default. */
  share_with_followers?: boolean
  /** Who may reply; everyone by default. */
  reply_settings?: 'everyone' | 'following' | 'mentionedUsers' | 'subscribers' | 'verified'
  /** More posts of the author: each replies to the one before it, a minute later. */
  thread?: { id?: string; text?: string; lang?: string; quotes?: string; poll?: { options: { label: string; votes?: number }[]; duration_minutes: number }; media?: SeedMedium[]; possibly_sensitive?: boolean; withheld?: { country_codes: string[]; copyright?: boolean; scope?: 'post' | 'user' }; dropped?: boolean; context_annotations?: { domain: { id: string; name?: string; description?: string }; entity: { id: string; name?: string; description?: string } }[]; entities?: { annotations?: { start?: number; end?: number; probability?: number; type?: string; normalized_text?: string }[]; urls?: { url?: string; expanded_url?: string; title?: string; description?: string; unwound_url?: string; status?: number; images?: { url: string; width?: number; height?: number }[] }[] }; likes?: string[]; reposts?: string[]; bookmarks?: string[] }[]
}

export interface SeedRule {
  /** A query: which posts the rule matches. */
  value: string
  /** A name, which is returned with each match. */
  tag?: string
  /** The stream that it filters; `filtered` by default. */
  stream?: 'filtered' | 'powerstream'
}

export interface SeedSpace {
  /** Screen name of the first host. */
  creator: string
  /** Title. */
  title: string
  /** Language. */
  lang?: string
  /** Hosts besides the creator. */
  hosts?: string[]
  /** Speakers. */
  speakers?: string[]
  /** Users who were invited. */
  invited?: string[]
  /**
   * RFC 3339, or a distance from the first start such as `-20m` or `+2d`; up to 30 days later. The
   * first start by default.
   */
  starts_at?: string
  /** Until it is ended by default. */
  duration_minutes?: number
  posts?: string[]
  /** What it is about. */
  topics?: { name: string; description?: string }[]
  /** Users who want to be told of its start; 0 by default. */
  subscriber_count?: number
  /** Who bought tickets. With this list, even an empty one, tickets are sold. */
  buyers?: string[]
}

export interface SeedSubscription {
  /** What to receive. */
  event_type: 'post.create' | 'post.delete' | 'post.mention.create' | 'post.reply.create' | 'post.quote.create' | 'post.repost.create' | 'like.create' | 'follow.follow' | 'follow.unfollow' | 'mute.mute' | 'mute.unmute' | 'block.block' | 'block.unblock' | 'profile.update.bio' | 'profile.update.geo' | 'profile.update.url' | 'profile.update.profile_picture' | 'profile.update.banner_picture' | 'profile.update.screenname' | 'profile.update.handle' | 'profile.update.verified' | 'profile.update.verified_badge' | 'profile.update.affiliate' | 'profile.update.affiliate_badge' | 'spaces.start' | 'spaces.end' | 'broadcast.start' | 'broadcast.end' | 'broadcast.chat' | 'chat.received' | 'chat.sent' | 'chat.conversation_join' | 'chat.conversation.join' | 'chat.conversation.member_added' | 'dm.received' | 'dm.sent' | 'dm.join' | 'dm.leave' | 'dm.indicate_typing' | 'dm.read' | 'news.new' | 'oauth.revoke'
  /** Screen name of the user whose activities they are. */
  user?: string
  /** A word of the posts. */
  keyword?: string
  /** Sent or received only. */
  direction?: 'sent' | 'received' | 'outbound' | 'inbound'
  /** A name of your choice. */
  tag?: string
  /** The `id` of a webhook of the app. */
  webhook?: string
}

export interface SeedUser {
  /** Letters, digits and underscores. */
  screen_name: string
  /** Display name. */
  name: string
  /** Writes community notes; top writers read the large feeds too. */
  note_writer?: 'regular' | 'top'
  /** Who may send the user direct messages; everyone by default. */
  direct_messages_from?: 'everyone' | 'followed'
  /** Description: up to 160 characters. */
  description?: string
  /** Location: up to 30 characters. */
  location?: string
  /** URL of the profile. */
  url?: string
  /** URL of the picture, which the profile shows unchanged. */
  profile_image_url?: string
  /** URL of the banner, which the profile shows unchanged. */
  profile_banner_url?: string
  /** Whether only followers see the posts of the user. */
  protected?: boolean
  /** The badge. Any but `none` makes the user verified. */
  verified_type?: 'none' | 'blue' | 'government' | 'business'
  /** The subscription that the user pays for. */
  subscription_type?: 'None' | 'Basic' | 'Premium' | 'PremiumPlus'
  /** Screen name of the organization that the user belongs to. */
  affiliation?: string
  /** Whether the user is suspended. Tokens are rejected then. */
  suspended?: boolean
  /** Whether the user says to be a parody. */
  parody?: boolean
  /** Whether the identity of the user was checked. */
  is_identity_verified?: boolean
  /**
   * Countries in which the user is withheld, ISO 3166-1 alpha-2. Plaza shows the user everywhere.
   */
  withheld_in?: string[]
  /**
   * When the user joined: RFC 3339, or a distance from the first start such as `-2h` or `-1d12h`.
   * The first start by default; never later.
   */
  created_at?: string
  /** The `id` of a post of the user, which the profile shows first. */
  pinned_post?: string
  /** Whom the user follows. */
  follows?: string[]
  /** Whom the user blocks. */
  blocks?: string[]
  /** Whom the user mutes. */
  mutes?: string[]
  /** Generated if absent. */
  password?: string
  /** True by default. With false, the user has no password; starting is faster. */
  can_sign_in?: boolean
}

export interface SeedUserToken {
  /** Screen name of the user who grants. */
  user: string
  /** What the tokens allow. With `offline.access` there is a refresh token. */
  scopes: ('post.read' | 'post.write' | 'post.moderate.write' | 'users.read' | 'users.email' | 'follow.read' | 'follow.write' | 'offline.access' | 'space.read' | 'mute.read' | 'mute.write' | 'like.read' | 'like.write' | 'list.read' | 'list.write' | 'block.read' | 'block.write' | 'bookmark.read' | 'bookmark.write' | 'dm.read' | 'dm.write' | 'media.write' | 'timeline.read' | 'broadcast.read' | 'broadcast.write')[]
  /** Generated if absent. */
  access_token?: string
  /**
   * Generated if absent. Its first 22 characters name the grant: no other refresh token begins with
   * them.
   */
  refresh_token?: string
  /**
   * When the access token ends: RFC 3339, or a distance from the first start such as `+2h`, the
   * default, or `-1h` for one that has ended.
   */
  expires_at?: string
}

export interface SeedWebhook {
  /** A name for this file, by which subscriptions refer to it. */
  id?: string
  /** URL that events are sent to. The start does not call it. */
  url: string
}
