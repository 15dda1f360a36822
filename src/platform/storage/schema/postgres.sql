create table "event_consumers" (
  "name" text primary key,
  "position" bigint not null,
  "gap_to" bigint,
  "holder" text not null,
  "lease_until" bigint not null
);
create table "events" (
  "seq" bigserial primary key,
  "position" bigint,
  "items" bigint not null,
  "kind" text not null,
  "subject" text not null,
  "data" text not null,
  "at" bigint not null
);
create unique index "events_by_position" on "events" ("position");
create index "events_without_position" on "events" ("seq") where position is null;
create index "events_by_age" on "events" ("at", "position");
create table "tasks" (
  "id" bigserial primary key,
  "kind" text collate "C" not null,
  "subject" text collate "C",
  "owner" text collate "C" default '' not null,
  "concurrency_key" text collate "C",
  "payload" text not null,
  "state" text not null,
  "due_at" bigint not null,
  "turn" bigint,
  "leased" integer not null,
  "holder" text collate "C",
  "fence" bigint not null,
  "attempts" integer not null,
  "again_at" bigint,
  "reason" text,
  "created_at" bigint not null
);
create index "tasks_due" on "tasks" ("kind", "due_at", "id") where state = 'waiting' and turn is null;
create index "tasks_ready" on "tasks" ("kind", "turn", "due_at", "id") where turn is not null;
create index "tasks_ready_of_owner" on "tasks" ("kind", "owner", "turn") where turn is not null;
create unique index "tasks_subject" on "tasks" ("kind", "subject") where state = 'waiting';
create unique index "tasks_running_key" on "tasks" ("kind", "concurrency_key") where leased = 1;
create index "tasks_dead" on "tasks" ("id") where state = 'dead';
create table "nodes" (
  "node" integer primary key,
  "holder" text not null,
  "place" text not null,
  "host" text not null,
  "pid" integer not null,
  "redis" integer not null,
  "renewed_at" bigint not null,
  "expires_at" bigint not null
);
create table "settings" (
  "name" text primary key,
  "value" text not null
);
insert into "settings" ("name", "value") values ('credential_epoch', '1');
insert into "settings" ("name", "value") values ('event_positions', '0');
insert into "settings" ("name", "value") values ('news_generation', '0');
create table "apps" (
  "id" text primary key,
  "owner_user_id" text not null,
  "name" text not null,
  "website" text not null,
  "consumer_key" text not null unique,
  "consumer_secret_sealed" text not null,
  "permission" text not null,
  "kind" text not null,
  "sign_in" integer not null,
  "suspended" integer not null,
  "bearer_generation" bigint not null,
  "bearer_hash" text unique,
  "created_at" bigint not null,
  "client_id" text,
  "client_type" text,
  "client_secret_sealed" text,
  "enrolled" integer default 1 not null,
  "enterprise" integer not null
);
create index "apps_by_owner" on "apps" ("owner_user_id", "id");
create unique index "apps_by_client" on "apps" ("client_id");
create table "app_callbacks" (
  "app_id" text not null references "apps" ("id") on delete cascade,
  "url" text not null,
  constraint "app_callbacks_key" primary key ("app_id", "url")
);
create table "users" (
  "id" text primary key,
  "screen_name" text not null,
  "screen_name_key" text collate "C" not null unique,
  "name" text not null,
  "password_hash" text not null,
  "suspended" integer not null,
  "deleted_at" bigint,
  "created_at" bigint not null,
  "description" text default '' not null,
  "description_entities" text,
  "location" text default '' not null,
  "url" text,
  "protected" integer default 0 not null,
  "verified" integer default 0 not null,
  "verified_type" text default 'none' not null,
  "subscription_type" text default 'None' not null,
  "direct_messages_from" text default 'everyone' not null,
  "profile_image_url" text,
  "profile_banner_url" text,
  "parody" integer default 0 not null,
  "identity_verified" integer default 0 not null,
  "withheld_in" text,
  "pinned_post_id" numeric,
  "affiliation_user_id" text,
  "followers_count" bigint default 0 not null,
  "following_count" bigint default 0 not null,
  "post_count" bigint default 0 not null,
  "listed_count" bigint default 0 not null,
  "like_count" bigint default 0 not null
);
create index "users_by_lot" on "users" ((((cast(id as bigint) % 2147483647) * 1327217885) % 2147483647));
create index "users_by_affiliation" on "users" ("affiliation_user_id", "created_at", "id") where affiliation_user_id is not null;
create table "relations" (
  "source_id" text not null references "users" ("id") on delete cascade,
  "target_id" text not null references "users" ("id") on delete cascade,
  "kind" text not null,
  "created_at" bigint not null,
  constraint "relations_key" primary key ("source_id", "target_id", "kind")
);
create index "relations_by_source" on "relations" ("source_id", "kind", "created_at", "target_id");
create index "relations_by_target" on "relations" ("target_id", "kind", "created_at", "source_id");
create table "access_tokens" (
  "token_hash" text primary key,
  "token_sealed" text not null,
  "secret_sealed" text not null,
  "app_id" text not null references "apps" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "access" text not null,
  "created_at" bigint not null
);
create unique index "access_tokens_grant" on "access_tokens" ("user_id", "app_id");
create table "app_access" (
  "user_id" text not null references "users" ("id") on delete cascade,
  "app_id" text not null references "apps" ("id") on delete cascade,
  "created_at" bigint not null,
  constraint "app_access_key" primary key ("user_id", "app_id")
);
create table "browser_sessions" (
  "session_hash" text primary key,
  "user_id" text not null references "users" ("id") on delete cascade,
  "created_at" bigint not null,
  "expires_at" bigint not null
);
create index "browser_sessions_user" on "browser_sessions" ("user_id");
create index "browser_sessions_expiry" on "browser_sessions" ("expires_at");
create table "oauth2_grants" (
  "id" text primary key,
  "handle_hash" text not null unique,
  "app_id" text not null references "apps" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "scopes" text not null,
  "redirect_uri" text not null,
  "code_challenge" text not null,
  "challenge_method" text not null,
  "code_hash" text not null,
  "code_used" integer not null,
  "refresh_hash" text,
  "created_at" bigint not null,
  "expires_at" bigint
);
create index "oauth2_grants_user" on "oauth2_grants" ("user_id", "app_id", "created_at");
create index "oauth2_grants_expiry" on "oauth2_grants" ("expires_at");
create table "oauth2_access_tokens" (
  "token_hash" text primary key,
  "grant_id" text not null references "oauth2_grants" ("id") on delete cascade,
  "expires_at" bigint not null
);
create index "oauth2_access_tokens_grant" on "oauth2_access_tokens" ("grant_id", "expires_at");
create index "oauth2_access_tokens_expiry" on "oauth2_access_tokens" ("expires_at");
create table "request_tokens" (
  "token_hash" text primary key,
  "secret_sealed" text not null,
  "app_id" text not null references "apps" ("id") on delete cascade,
  "callback" text not null,
  "access" text not null,
  "state" text not null,
  "user_id" text,
  "verifier_hash" text,
  "verifier_misses" integer not null,
  "created_at" bigint not null,
  "expires_at" bigint not null
);
create index "request_tokens_expiry" on "request_tokens" ("expires_at");
create index "request_tokens_user" on "request_tokens" ("user_id", "app_id");
create table "imported_user_counts" (
  "user_id" text primary key references "users" ("id") on delete cascade,
  "followers_count" bigint not null,
  "following_count" bigint not null,
  "listed_count" bigint not null,
  "like_count" bigint not null
);
create table "user_search_terms" (
  "user_id" text not null references "users" ("id") on delete cascade,
  "term" text collate "C" not null,
  "rank" bigint not null,
  constraint "user_search_terms_key" primary key ("term", "rank", "user_id")
);
create index "user_search_terms_by_user" on "user_search_terms" ("user_id");
create table "media" (
  "id" numeric primary key,
  "media_key" text not null,
  "owner_id" text not null,
  "additional_owners" text not null,
  "shared" integer default 0 not null,
  "category" text not null,
  "made_for" text,
  "state" text not null,
  "bytes" bigint not null,
  "hash" text,
  "content_type" text,
  "width" integer,
  "height" integer,
  "duration_ms" bigint,
  "poster_hash" text,
  "poster_type" text,
  "posted" integer not null,
  "alt_text" text,
  "source_post_id" numeric,
  "finishing_until" bigint not null,
  "expires_at" bigint,
  "created_at" bigint not null
);
create index "media_by_owner" on "media" ("owner_id", "expires_at", "bytes");
create index "media_by_expiry" on "media" ("expires_at");
create index "media_by_hash" on "media" ("hash");
create index "media_by_poster" on "media" ("poster_hash");
create table "media_hours" (
  "media_id" numeric not null references "media" ("id") on delete cascade,
  "hour" bigint not null,
  "metric" text collate "C" not null,
  "amount" bigint not null,
  constraint "media_hours_key" primary key ("media_id", "hour", "metric")
);
create table "media_totals" (
  "media_id" numeric not null references "media" ("id") on delete cascade,
  "metric" text collate "C" not null,
  "amount" bigint not null,
  constraint "media_totals_key" primary key ("media_id", "metric")
);
create table "posts" (
  "id" numeric primary key,
  "environment" text not null,
  "author_id" text not null references "users" ("id") on delete cascade,
  "visibility" integer not null,
  "text" text not null,
  "fingerprint" text not null,
  "lang" text not null,
  "entities" text not null,
  "context_annotations" text,
  "conversation_id" numeric not null,
  "in_reply_to_post_id" numeric,
  "in_reply_to_user_id" text,
  "quoted_post_id" numeric,
  "reposted_post_id" numeric,
  "reposted_user_id" text,
  "first_version_id" numeric not null,
  "edits_remaining" integer not null,
  "editable_until" bigint not null,
  "nullcast" integer not null,
  "reply_settings" text not null,
  "possibly_sensitive" integer not null,
  "card_uri" text,
  "media_keys" text not null,
  "app_id" text not null,
  "contributor_id" text,
  "version_ids" text,
  "community_id" numeric,
  "share_with_followers" integer default 0 not null,
  "paid_partnership" integer default 0 not null,
  "made_with_ai" integer default 0 not null,
  "super_followers_only" integer default 0 not null,
  "direct_message_deep_link" text,
  "place_id" text,
  "longitude" double precision,
  "latitude" double precision,
  "poll_id" numeric,
  "article" text,
  "tagged_user_ids" text default '[]' not null,
  "repost_count" bigint not null,
  "reply_count" bigint not null,
  "like_count" bigint not null,
  "quote_count" bigint not null,
  "bookmark_count" bigint not null,
  "impression_count" bigint not null,
  "created_at" bigint not null,
  "deleted" integer not null,
  "hidden" integer default 0 not null,
  "withheld" text,
  "dropped" integer default 0 not null
);
create index "posts_by_author" on "posts" ("author_id", "environment", "visibility", "id");
create index "posts_by_author_kind" on "posts" ("author_id", "visibility", (case when reposted_post_id is not null then 2 when in_reply_to_post_id is not null then 1 else 0 end), "id") where environment = 'production';
create index "posts_by_age" on "posts" ("environment", "visibility", "id");
create index "posts_by_fingerprint" on "posts" ("author_id", "environment", "fingerprint", "id");
create index "posts_by_conversation" on "posts" ("conversation_id", "id");
create index "posts_by_version" on "posts" ("first_version_id", "id");
create index "posts_by_reposted" on "posts" ("reposted_post_id", "author_id", "id");
create index "posts_by_repost" on "posts" ("reposted_post_id", "visibility", "id") where reposted_post_id is not null;
create index "posts_by_reposted_user" on "posts" ("reposted_user_id", "visibility", "id") where reposted_user_id is not null;
create index "posts_by_quoted" on "posts" ("quoted_post_id", "visibility", "id") where quoted_post_id is not null;
create index "posts_by_reply" on "posts" ("in_reply_to_post_id", "visibility") where in_reply_to_post_id is not null;
create index "posts_by_community" on "posts" ("community_id", "id") where community_id is not null and visibility < 4;
create index "posts_by_card" on "posts" ("card_uri") where card_uri is not null;
create table "post_hours" (
  "post_id" numeric not null references "posts" ("id") on delete cascade,
  "hour" bigint not null,
  "metric" text collate "C" not null,
  "amount" bigint not null,
  constraint "post_hours_key" primary key ("post_id", "hour", "metric")
);
create table "post_totals" (
  "post_id" numeric not null references "posts" ("id") on delete cascade,
  "metric" text collate "C" not null,
  "amount" bigint not null,
  constraint "post_totals_key" primary key ("post_id", "metric")
);
create table "articles" (
  "id" numeric primary key,
  "author_id" text not null references "users" ("id") on delete cascade,
  "title" text not null,
  "content" text not null,
  "cover_media_key" text,
  "media_keys" text not null,
  "plain_text" text not null,
  "entities" text not null,
  "created_at" bigint not null,
  "post_id" numeric
);
create index "articles_drafts" on "articles" ("author_id") where post_id is null;
create index "articles_by_author" on "articles" ("author_id", "id");
create table "ad_deliveries" (
  "account_id" text collate "C" not null,
  "promotion_id" text collate "C" not null,
  "from_time" bigint not null,
  "until_time" bigint not null,
  "line_item_id" text collate "C" not null,
  "campaign_id" text collate "C" not null,
  "funding_instrument_id" text collate "C" not null,
  "post_id" numeric,
  "about" text not null,
  "impressions" bigint not null,
  "engagements" bigint not null,
  "charged" bigint not null,
  "cells" text not null,
  "last_cell" text not null,
  constraint "ad_deliveries_key" primary key ("account_id", "promotion_id", "from_time")
);
create index "ad_deliveries_by_account" on "ad_deliveries" ("account_id", "from_time");
create index "ad_deliveries_by_line_item" on "ad_deliveries" ("account_id", "line_item_id", "from_time");
create index "ad_deliveries_by_campaign" on "ad_deliveries" ("account_id", "campaign_id", "from_time");
create index "ad_deliveries_by_funding" on "ad_deliveries" ("account_id", "funding_instrument_id", "from_time");
create index "ad_deliveries_by_post" on "ad_deliveries" ("post_id", "from_time");
create table "ad_delivery_accounts" (
  "account_id" text collate "C" primary key,
  "delivered_until" bigint not null,
  "due_at" bigint,
  "promotions" integer not null
);
create index "ad_delivery_accounts_due" on "ad_delivery_accounts" ("due_at", "account_id");
create table "ad_spending" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "spent" bigint not null,
  "unit" bigint not null,
  "state" text not null,
  constraint "ad_spending_key" primary key ("account_id", "id")
);
create table "membership_audiences" (
  "audience" text collate "C" primary key,
  "size" bigint not null,
  "counted_at" bigint not null,
  "people" bigint not null,
  "ended_at" bigint not null,
  "sweep_at" bigint,
  "sweep_before" bigint,
  "swept_people" bigint,
  "swept_until" bytea,
  "forgotten" integer not null
);
create index "membership_audiences_forgotten" on "membership_audiences" ("audience") where forgotten = 1;
create index "membership_audiences_to_sweep" on "membership_audiences" ("sweep_at") where sweep_at is not null;
create table "membership_changes" (
  "audience" text collate "C" not null,
  "at" bigint not null,
  "delta" bigint not null,
  constraint "membership_changes_key" primary key ("audience", "at")
);
create index "membership_changes_by_time" on "membership_changes" ("at", "audience");
create table "membership_keys" (
  "audience" text collate "C" not null,
  "key" bytea not null,
  "effective" bigint not null,
  "expires" bigint not null,
  constraint "membership_keys_key" primary key ("audience", "key")
);
create table "membership_log" (
  "seq" bigserial primary key,
  "account" text collate "C" not null,
  "audience" text collate "C" not null,
  "accepted_at" bigint not null,
  "keys" integer not null,
  "bytes" integer not null,
  "data" bytea
);
create index "membership_log_by_account" on "membership_log" ("account", "bytes");
create index "membership_log_by_audience" on "membership_log" ("audience", "seq");
create table "membership_people" (
  "audience" text collate "C" not null,
  "id" bigint not null,
  "effective" bigint not null,
  "expires" bigint not null,
  "keys" bytea not null,
  constraint "membership_people_key" primary key ("audience", "id")
);
create table "membership_set_aside" (
  "audience" text collate "C" not null,
  "seq" bigint not null,
  "accepted_at" bigint not null,
  "reason" text not null,
  "data" bytea not null,
  constraint "membership_set_aside_key" primary key ("audience", "seq")
);
create table "bookmark_folders" (
  "id" numeric primary key,
  "user_id" text not null references "users" ("id") on delete cascade,
  "name" text not null
);
create index "bookmark_folders_by_user" on "bookmark_folders" ("user_id", "id");
create table "folder_bookmarks" (
  "folder_id" numeric not null references "bookmark_folders" ("id") on delete cascade,
  "post_id" numeric not null,
  "user_id" text not null references "users" ("id") on delete cascade,
  "id" numeric not null,
  constraint "folder_bookmarks_key" primary key ("folder_id", "post_id")
);
create index "folder_bookmarks_by_folder" on "folder_bookmarks" ("folder_id", "id");
create index "folder_bookmarks_by_user" on "folder_bookmarks" ("user_id", "post_id");
create index "folder_bookmarks_by_post" on "folder_bookmarks" ("post_id", "user_id");
create table "broadcasts" (
  "id" text collate "C" primary key,
  "user_id" text not null references "users" ("id") on delete cascade,
  "title" text not null,
  "description" text,
  "source_id" text,
  "scheduled_id" numeric,
  "scheduled_start" bigint,
  "scheduled_end" bigint,
  "starts_at" bigint,
  "ends_at" bigint,
  "failed" integer default 0 not null,
  "manual_publish" integer default 0 not null,
  "available_for_replay" integer default 0 not null,
  "locked" integer default 0 not null,
  "chat_option" text,
  "locale" text,
  "telecast_id" text,
  "thumbnail_media_id" numeric,
  "series_id" numeric,
  "announced" integer default 0 not null,
  "over" integer default 0 not null,
  "created_at" bigint not null,
  "updated_at" bigint not null
);
create index "broadcasts_of_user" on "broadcasts" ("user_id", "id");
create index "broadcasts_by_start" on "broadcasts" ("user_id", "scheduled_start", "scheduled_id") where scheduled_id is not null;
create index "broadcasts_by_scheduled_id" on "broadcasts" ("scheduled_id") where scheduled_id is not null;
create index "broadcasts_current" on "broadcasts" ("user_id", "id") where over = 0;
create table "broadcast_messages" (
  "id" numeric primary key,
  "broadcast_id" text collate "C" not null references "broadcasts" ("id") on delete cascade,
  "sent_ns" numeric not null,
  "author_id" text not null references "users" ("id") on delete cascade,
  "text" text not null,
  "reply_to" numeric,
  "created_at" bigint not null
);
create index "broadcast_messages_in_order" on "broadcast_messages" ("broadcast_id", "id");
create unique index "broadcast_messages_by_time" on "broadcast_messages" ("broadcast_id", "sent_ns");
create index "broadcast_messages_by_author" on "broadcast_messages" ("author_id", "id");
create table "broadcast_mutes" (
  "owner_id" text not null references "users" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "ends_at" bigint,
  constraint "broadcast_mutes_key" primary key ("owner_id", "user_id")
);
create index "broadcast_mutes_by_user" on "broadcast_mutes" ("user_id", "owner_id");
create table "broadcast_series" (
  "id" numeric primary key,
  "user_id" text not null references "users" ("id") on delete cascade,
  "head_id" text not null,
  "every_ms" bigint not null,
  "remaining" bigint not null,
  "next_start" bigint not null,
  "next_end" bigint not null,
  "settings" text not null
);
create index "broadcast_series_by_user" on "broadcast_series" ("user_id");
create table "broadcast_sources" (
  "id" text collate "C" primary key,
  "user_id" text not null references "users" ("id") on delete cascade,
  "name" text not null,
  "receiving" integer default 0 not null,
  "width" integer not null,
  "height" integer not null,
  "high_latency" integer default 0 not null,
  "created_at" bigint not null
);
create index "broadcast_sources_by_user" on "broadcast_sources" ("user_id", "id");
create table "broadcast_watchers" (
  "broadcast_id" text collate "C" not null references "broadcasts" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "gone" integer default 0 not null,
  constraint "broadcast_watchers_key" primary key ("broadcast_id", "user_id")
);
create index "broadcast_watchers_by_user" on "broadcast_watchers" ("user_id", "broadcast_id");
create table "chat_conversations" (
  "id" text collate "C" primary key,
  "creator_id" text not null,
  "is_group" integer not null,
  "name" text,
  "description" text,
  "avatar_url" text,
  "ttl_msec" bigint,
  "key_version" numeric not null,
  "key_event_id" numeric not null,
  "last_event_id" numeric not null,
  "created_at" bigint not null,
  "updated_at" bigint not null
);
create table "chat_events" (
  "id" numeric primary key,
  "conversation_id" text collate "C" not null references "chat_conversations" ("id") on delete cascade,
  "kind" text not null,
  "message_id" text collate "C" not null,
  "sender_id" text not null,
  "key_version" numeric,
  "previous_id" numeric,
  "conversation_token" text not null,
  "encoded_event" text not null,
  "signature" text,
  "expires_at" bigint,
  "created_at" bigint not null
);
create index "chat_events_by_message" on "chat_events" ("conversation_id", "message_id", "sender_id");
create index "chat_events_by_key" on "chat_events" ("conversation_id", "kind", "key_version");
create index "chat_events_by_expiry" on "chat_events" ("expires_at");
create table "chat_group_ids" (
  "id" text collate "C" primary key,
  "user_id" text not null references "users" ("id") on delete cascade,
  "expires_at" bigint not null
);
create index "chat_group_ids_by_user" on "chat_group_ids" ("user_id", "id");
create index "chat_group_ids_by_expiry" on "chat_group_ids" ("expires_at");
create table "chat_inbox" (
  "event_id" numeric not null references "chat_events" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "conversation_id" text collate "C" not null,
  "is_listed" integer not null,
  constraint "chat_inbox_key" primary key ("event_id", "user_id")
);
create index "chat_inbox_by_conversation" on "chat_inbox" ("user_id", "conversation_id", "is_listed", "event_id");
create table "chat_media" (
  "id" numeric primary key,
  "conversation_id" text collate "C" not null references "chat_conversations" ("id") on delete cascade,
  "hash_key" text collate "C" not null,
  "owner_id" text not null,
  "total_bytes" bigint,
  "bytes" bigint not null,
  "hash" text,
  "message_id" text,
  "expires_at" bigint,
  "created_at" bigint not null
);
create index "chat_media_by_conversation" on "chat_media" ("conversation_id", "hash_key");
create index "chat_media_by_owner" on "chat_media" ("owner_id", "expires_at", "bytes");
create index "chat_media_by_expiry" on "chat_media" ("expires_at");
create index "chat_media_by_hash" on "chat_media" ("hash");
create table "chat_media_segments" (
  "media_id" numeric not null references "chat_media" ("id") on delete cascade,
  "segment_index" integer not null,
  "hash" text not null,
  "bytes" bigint not null,
  constraint "chat_media_segments_key" primary key ("media_id", "segment_index")
);
create index "chat_media_segments_by_hash" on "chat_media_segments" ("hash");
create table "chat_members" (
  "conversation_id" text collate "C" not null references "chat_conversations" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "position" numeric not null,
  "is_admin" integer not null,
  "wrote" integer default 0 not null,
  "read_until" numeric,
  constraint "chat_members_key" primary key ("conversation_id", "user_id")
);
create index "chat_members_by_user" on "chat_members" ("user_id", "position");
create table "chat_public_keys" (
  "user_id" text not null references "users" ("id") on delete cascade,
  "version" numeric not null,
  "public_key" text,
  "signing_public_key" text,
  "identity_public_key_signature" text,
  "signing_public_key_signature" text,
  "public_key_fingerprint" text,
  "registration_method" text,
  "created_at" bigint not null,
  constraint "chat_public_keys_key" primary key ("user_id", "version")
);
create table "communities" (
  "id" numeric primary key,
  "name" text not null,
  "description" text default '' not null,
  "access" text not null,
  "join_policy" text not null,
  "member_count" bigint default 0 not null,
  "created_at" bigint not null
);
create table "community_members" (
  "community_id" numeric not null,
  "user_id" text not null references "users" ("id") on delete cascade,
  "id" numeric not null,
  constraint "community_members_key" primary key ("community_id", "user_id")
);
create index "community_members_by_community" on "community_members" ("community_id", "id");
create index "community_members_by_user" on "community_members" ("user_id", "id");
create table "community_search_terms" (
  "community_id" numeric not null references "communities" ("id") on delete cascade,
  "term" text collate "C" not null,
  "rank" bigint not null,
  constraint "community_search_terms_key" primary key ("term", "rank", "community_id")
);
create index "community_search_terms_by_community" on "community_search_terms" ("community_id");
create table "compliance_jobs" (
  "id" numeric primary key,
  "app_id" text not null,
  "type" text not null,
  "name" text,
  "resumable" integer not null,
  "status" text not null,
  "error" text,
  "created_at" bigint not null,
  "upload_expires_at" bigint not null,
  "download_expires_at" bigint not null,
  "upload_id" numeric,
  "uploaded_bytes" bigint default 0 not null,
  "next_part" integer default 0 not null,
  "rest" text default '' not null,
  "ids" bigint default 0 not null
);
create index "compliance_jobs_by_app" on "compliance_jobs" ("app_id", "type", "id");
create index "compliance_jobs_by_expiry" on "compliance_jobs" ("download_expires_at");
create index "compliance_jobs_by_upload" on "compliance_jobs" ("upload_expires_at") where status = 'created';
create table "compliance_files" (
  "job_id" numeric not null references "compliance_jobs" ("id") on delete cascade,
  "kind" text not null,
  "part" integer not null,
  "hash" text not null,
  "bytes" bigint not null,
  constraint "compliance_files_key" primary key ("job_id", "kind", "part")
);
create index "compliance_files_by_hash" on "compliance_files" ("hash");
create table "compliance_records" (
  "kind" text not null,
  "id" text collate "C" not null,
  "at" bigint not null,
  constraint "compliance_records_key" primary key ("kind", "id")
);
create index "compliance_records_by_age" on "compliance_records" ("at");
create table "dm_conversations" (
  "id" text collate "C" primary key,
  "creator_id" text not null,
  "is_group" integer not null,
  "created_at" bigint not null
);
create table "dm_events" (
  "id" numeric primary key,
  "conversation_id" text collate "C" not null references "dm_conversations" ("id") on delete cascade,
  "event_type" text not null,
  "sender_id" text not null,
  "text" text not null,
  "entities" text not null,
  "media_keys" text not null,
  "post_ids" text not null,
  "participant_ids" text not null,
  "app_id" text not null,
  "created_at" bigint not null
);
create index "dm_events_by_conversation" on "dm_events" ("conversation_id", "id");
create table "dm_inbox" (
  "event_id" numeric not null references "dm_events" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "conversation_id" text collate "C" not null,
  "event_type" text not null,
  constraint "dm_inbox_key" primary key ("event_id", "user_id")
);
create index "dm_inbox_by_user" on "dm_inbox" ("user_id", "event_type", "event_id");
create index "dm_inbox_by_conversation" on "dm_inbox" ("user_id", "conversation_id", "event_type", "event_id");
create table "dm_participants" (
  "conversation_id" text collate "C" not null references "dm_conversations" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "wrote" integer default 0 not null,
  "last_read_event_id" numeric,
  "joined_at" bigint not null,
  constraint "dm_participants_key" primary key ("conversation_id", "user_id")
);
create index "dm_participants_by_user" on "dm_participants" ("user_id", "conversation_id");
create table "link_previews" (
  "url" text collate "C" primary key,
  "preview" text not null
);
create table "lists" (
  "id" numeric primary key,
  "owner_id" text not null references "users" ("id") on delete cascade,
  "name" text not null,
  "description" text default '' not null,
  "private" integer default 0 not null,
  "member_count" bigint default 0 not null,
  "follower_count" bigint default 0 not null,
  "created_at" bigint not null
);
create index "lists_by_owner" on "lists" ("owner_id", "id");
create table "list_relations" (
  "list_id" numeric not null references "lists" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "kind" text not null,
  "id" numeric not null,
  constraint "list_relations_key" primary key ("list_id", "kind", "user_id")
);
create index "list_relations_by_list" on "list_relations" ("list_id", "kind", "id");
create index "list_relations_by_user" on "list_relations" ("user_id", "kind", "id");
create table "media_files" (
  "hash" text primary key,
  "bytes" bigint not null,
  "suspect_at" bigint,
  "going" integer not null
);
create index "media_files_by_suspicion" on "media_files" ("going", "suspect_at");
create table "media_segments" (
  "media_id" numeric not null references "media" ("id") on delete cascade,
  "segment_index" integer not null,
  "hash" text not null,
  "bytes" bigint not null,
  constraint "media_segments_key" primary key ("media_id", "segment_index")
);
create index "media_segments_by_hash" on "media_segments" ("hash");
create table "media_subtitles" (
  "media_id" numeric not null references "media" ("id") on delete cascade,
  "language_key" text collate "C" not null,
  "language_code" text not null,
  "display_name" text not null,
  "subtitles_id" numeric not null references "media" ("id") on delete cascade,
  constraint "media_subtitles_key" primary key ("media_id", "language_key")
);
create index "media_subtitles_by_file" on "media_subtitles" ("subtitles_id", "media_id");
create table "media_uses" (
  "account_id" text collate "C" not null,
  "holder" text not null,
  "holder_id" text collate "C" not null,
  "media_id" numeric not null references "media" ("id") on delete cascade,
  constraint "media_uses_key" primary key ("account_id", "holder", "holder_id", "media_id")
);
create index "media_uses_by_medium" on "media_uses" ("media_id", "account_id");
create index "media_uses_by_holder" on "media_uses" ("holder", "holder_id");
create table "news_posts" (
  "post_id" numeric primary key,
  "author_id" text not null,
  "terms" text not null,
  "story_id" numeric
);
create table "news_stories" (
  "id" numeric primary key,
  "category" text not null,
  "keywords" text not null,
  "contexts" text not null,
  "started_at" bigint not null,
  "updated_at" bigint not null
);
create index "news_stories_by_update" on "news_stories" ("updated_at", "id");
create table "news_story_posts" (
  "story_id" numeric not null references "news_stories" ("id") on delete cascade,
  "place" integer not null,
  "post_id" numeric not null,
  constraint "news_story_posts_key" primary key ("story_id", "place")
);
create table "news_story_words" (
  "word" text collate "C" not null,
  "story_id" numeric not null references "news_stories" ("id") on delete cascade,
  constraint "news_story_words_key" primary key ("word", "story_id")
);
create index "news_story_words_by_story" on "news_story_words" ("story_id");
create table "note_candidates" (
  "post_id" numeric primary key,
  "lang" text not null,
  "requests" bigint not null,
  "demand" bigint not null,
  "created_at" bigint not null
);
create index "note_candidates_by_demand" on "note_candidates" ("demand", "post_id");
create index "note_candidates_by_lang" on "note_candidates" ("lang", "demand", "post_id");
create index "note_candidates_by_age" on "note_candidates" ("created_at", "post_id");
create table "notes" (
  "id" numeric primary key,
  "user_id" text not null references "users" ("id") on delete cascade,
  "post_id" numeric not null,
  "test_mode" integer not null,
  "text" text not null,
  "classification" text not null,
  "misleading_tags" text not null,
  "trustworthy_sources" integer not null,
  "is_media_note" integer not null,
  "status" text not null,
  "evaluation" text not null,
  "ratings" text not null,
  "created_at" bigint not null
);
create index "notes_by_writer" on "notes" ("user_id", "test_mode", "id");
create unique index "notes_by_post" on "notes" ("user_id", "test_mode", "post_id");
create table "note_ratings" (
  "note_id" numeric not null references "notes" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "helpfulness" text not null,
  "viewpoint" text not null,
  "tags" text not null,
  "rated_at" bigint not null,
  constraint "note_ratings_key" primary key ("note_id", "user_id")
);
create index "note_ratings_by_user" on "note_ratings" ("user_id", "note_id");
create table "note_requests" (
  "post_id" numeric not null references "note_candidates" ("post_id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "requested_at" bigint not null,
  "suggestion_id" numeric,
  "suggestion" text,
  "source_link" text,
  constraint "note_requests_key" primary key ("post_id", "user_id")
);
create index "note_requests_by_user" on "note_requests" ("user_id", "post_id");
create table "note_writers" (
  "user_id" text primary key references "users" ("id") on delete cascade,
  "is_top" integer not null,
  "enrolled_at" bigint not null
);
create table "bookmarks" (
  "user_id" text not null references "users" ("id") on delete cascade,
  "post_id" numeric not null,
  "created_at" bigint not null,
  constraint "bookmarks_key" primary key ("user_id", "post_id")
);
create index "bookmarks_by_user" on "bookmarks" ("user_id", "created_at", "post_id");
create index "bookmarks_by_post" on "bookmarks" ("post_id", "user_id");
create table "likes" (
  "user_id" text not null references "users" ("id") on delete cascade,
  "post_id" numeric not null,
  "created_at" bigint not null,
  constraint "likes_key" primary key ("user_id", "post_id")
);
create index "likes_by_user" on "likes" ("user_id", "created_at", "post_id");
create index "likes_by_post" on "likes" ("post_id", "created_at", "user_id");
create index "likes_by_time" on "likes" ("created_at", "user_id", "post_id");
create table "imported_post_counts" (
  "post_id" numeric primary key references "posts" ("id") on delete cascade,
  "repost_count" bigint not null,
  "reply_count" bigint not null,
  "like_count" bigint not null,
  "quote_count" bigint not null,
  "bookmark_count" bigint not null
);
create table "post_imports" (
  "id" text primary key,
  "name" text not null,
  "holder" text not null,
  "host" text not null,
  "pid" integer not null,
  "expires_at" bigint not null,
  "pass" text not null,
  "line" bigint not null,
  "byte" bigint not null,
  "added" bigint not null,
  "known" bigint not null,
  "rejected" bigint not null,
  "started_at" bigint not null
);
create table "polls" (
  "id" numeric primary key,
  "duration_minutes" integer not null,
  "ends_at" bigint not null
);
create table "poll_options" (
  "poll_id" numeric not null references "polls" ("id") on delete cascade,
  "position" integer not null,
  "label" text not null,
  "votes" bigint default 0 not null,
  constraint "poll_options_key" primary key ("poll_id", "position")
);
create table "poll_votes" (
  "poll_id" numeric not null references "polls" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "position" integer not null,
  constraint "poll_votes_key" primary key ("poll_id", "user_id")
);
create index "poll_votes_by_user" on "poll_votes" ("user_id", "poll_id");
create table "post_mentions" (
  "user_id" text not null,
  "post_id" numeric not null,
  constraint "post_mentions_key" primary key ("user_id", "post_id")
);
create index "post_mentions_by_post" on "post_mentions" ("post_id");
create table "post_videos" (
  "post_id" numeric primary key references "posts" ("id") on delete cascade,
  "title" text,
  "description" text,
  "embeddable" integer,
  "call_to_actions" text
);
create table "search_built" (
  "version" integer primary key
);
create table "search_documents" (
  "id" bigint primary key,
  "words" tsvector not null,
  "likes" bigint not null,
  "replies" bigint not null,
  "reposts" bigint not null,
  "west" double precision,
  "south" double precision,
  "east" double precision,
  "north" double precision
);
create index "search_documents_by_words" on "search_documents" using gin ("words") with (fastupdate = off);
create table "spaces" (
  "id" text collate "C" primary key,
  "creator_id" text not null references "users" ("id") on delete cascade,
  "title" text not null,
  "lang" text,
  "host_ids" text not null,
  "speaker_ids" text not null,
  "invited_user_ids" text not null,
  "topic_ids" text default '[]' not null,
  "subscriber_count" bigint default 0 not null,
  "ticketed" integer default 0 not null,
  "scheduled_start" bigint,
  "starts_at" bigint not null,
  "ends_at" bigint,
  "announced" integer default 0 not null,
  "over" integer default 0 not null,
  "created_at" bigint not null,
  "updated_at" bigint not null
);
create index "spaces_by_creator" on "spaces" ("creator_id", "id") where over = 0;
create index "spaces_of_creator" on "spaces" ("creator_id", "id");
create table "space_buyers" (
  "space_id" text collate "C" not null references "spaces" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "id" numeric not null,
  constraint "space_buyers_key" primary key ("space_id", "user_id")
);
create index "space_buyers_by_space" on "space_buyers" ("space_id", "id");
create index "space_buyers_by_user" on "space_buyers" ("user_id");
create table "space_posts" (
  "space_id" text collate "C" not null references "spaces" ("id") on delete cascade,
  "post_id" numeric not null references "posts" ("id") on delete cascade,
  constraint "space_posts_key" primary key ("space_id", "post_id")
);
create index "space_posts_by_post" on "space_posts" ("post_id");
create table "space_words" (
  "word" text collate "C" not null,
  "space_id" text collate "C" not null references "spaces" ("id") on delete cascade,
  constraint "space_words_key" primary key ("word", "space_id")
);
create index "space_words_by_space" on "space_words" ("space_id");
create table "topics" (
  "id" numeric primary key,
  "name" text not null,
  "description" text
);
create table "trend_changes" (
  "woeid" bigint not null,
  "term" text collate "C" not null,
  constraint "trend_changes_key" primary key ("woeid", "term")
);
create table "trend_uses" (
  "woeid" bigint not null,
  "term" text collate "C" not null,
  "hour" bigint not null,
  "author_id" text not null references "users" ("id") on delete cascade,
  "post_id" numeric not null,
  "name" text not null,
  "fingerprint" text not null,
  constraint "trend_uses_key" primary key ("woeid", "term", "hour", "author_id")
);
create index "trend_uses_by_post" on "trend_uses" ("post_id");
create index "trend_uses_by_author" on "trend_uses" ("author_id", "hour");
create index "trend_uses_by_hour" on "trend_uses" ("hour");
create table "trends" (
  "woeid" bigint not null,
  "term" text collate "C" not null,
  "name" text not null,
  "score" double precision not null,
  "post_count" bigint not null,
  "started_at" bigint not null,
  constraint "trends_key" primary key ("woeid", "term")
);
create index "trends_by_score" on "trends" ("woeid", "score", "term");
create table "app_usage" (
  "app_id" text not null references "apps" ("id") on delete cascade,
  "day" integer not null,
  "posts" bigint not null,
  constraint "app_usage_key" primary key ("app_id", "day")
);
create index "app_usage_by_day" on "app_usage" ("day", "app_id");
create table "counted_posts" (
  "day" integer not null,
  "app_id" text not null,
  "post_id" numeric not null,
  constraint "counted_posts_key" primary key ("day", "app_id", "post_id")
);
create table "project_usage" (
  "project_id" text not null,
  "day" integer not null,
  "posts" bigint not null,
  constraint "project_usage_key" primary key ("project_id", "day")
);
create index "project_usage_by_day" on "project_usage" ("day", "project_id");
create table "usage_projects" (
  "id" text primary key
);
create table "webhooks" (
  "id" text primary key,
  "app_id" text not null references "apps" ("id") on delete cascade,
  "url" text not null,
  "valid" integer not null,
  "created_at" bigint not null,
  "last_success_at" bigint not null
);
create unique index "webhooks_url" on "webhooks" ("app_id", "url");
create index "webhooks_list" on "webhooks" ("app_id", "id");
create table "account_subscriptions" (
  "webhook_id" text not null references "webhooks" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "app_id" text not null references "apps" ("id") on delete cascade,
  "created_at" bigint not null,
  constraint "account_subscriptions_key" primary key ("webhook_id", "user_id")
);
create index "account_subscriptions_by_user" on "account_subscriptions" ("user_id", "webhook_id");
create index "account_subscriptions_by_app" on "account_subscriptions" ("app_id", "user_id");
create table "activity_events" (
  "app_id" text not null references "apps" ("id") on delete cascade,
  "position" bigint not null,
  "number" bigint not null,
  "body" text not null,
  "at" bigint not null,
  "post_id" numeric,
  "user_id" text,
  "scope" text,
  constraint "activity_events_key" primary key ("app_id", "position", "number")
);
create index "activity_events_by_age" on "activity_events" ("at");
create index "activity_events_by_position" on "activity_events" ("position", "app_id");
create table "activity_subscriptions" (
  "id" numeric primary key,
  "app_id" text not null references "apps" ("id") on delete cascade,
  "kind" text not null,
  "event_type" text not null,
  "subject" text collate "C" not null,
  "user_id" text,
  "keyword" text,
  "direction" text,
  "filter_key" text collate "C" not null,
  "tag" text,
  "webhook_id" text,
  "created_at" bigint not null,
  "updated_at" bigint not null
);
create index "activity_subscriptions_by_app" on "activity_subscriptions" ("app_id", "id");
create index "activity_subscriptions_by_user" on "activity_subscriptions" ("app_id", "user_id", "id");
create index "activity_subscriptions_of_user" on "activity_subscriptions" ("user_id", "id") where user_id is not null;
create index "activity_subscriptions_by_subject" on "activity_subscriptions" ("kind", "subject", "id");
create index "activity_subscriptions_by_webhook" on "activity_subscriptions" ("webhook_id", "filter_key");
create table "stream_connections" (
  "id" text collate "C" primary key,
  "app_id" text not null references "apps" ("id") on delete cascade,
  "endpoint_name" text not null,
  "partition" bigint not null,
  "purpose" text not null,
  "holder" text not null,
  "client_ip" text not null,
  "connected_at" bigint not null,
  "disconnected_at" bigint,
  "disconnect_reason" text
);
create index "stream_connections_by_app" on "stream_connections" ("app_id", "connected_at", "id");
create index "stream_connections_open" on "stream_connections" ("app_id", "endpoint_name", "partition", "purpose") where disconnected_at is null;
create index "stream_connections_by_holder" on "stream_connections" ("holder") where disconnected_at is null;
create index "stream_connections_by_age" on "stream_connections" ("disconnected_at") where disconnected_at is not null;
create table "stream_links" (
  "webhook_id" text primary key references "webhooks" ("id") on delete cascade,
  "app_id" text not null references "apps" ("id") on delete cascade,
  "selection" text not null,
  "created_at" bigint not null
);
create index "stream_links_by_app" on "stream_links" ("app_id", "webhook_id");
create table "stream_rules" (
  "id" numeric primary key,
  "app_id" text not null references "apps" ("id") on delete cascade,
  "stream" text not null,
  "value" text not null,
  "tag" text,
  "fingerprint" text not null,
  "created_at" bigint not null
);
create index "stream_rules_by_app" on "stream_rules" ("app_id", "stream", "id");
create unique index "stream_rules_by_value" on "stream_rules" ("app_id", "stream", "fingerprint");
create table "deliveries" (
  "seq" bigserial primary key,
  "webhook_id" text collate "C" not null,
  "share" integer not null,
  "event_id" text not null,
  "subject" text collate "C",
  "body" text not null,
  "state" text not null,
  "notice" integer default 0 not null,
  "attempts" integer default 0 not null,
  "due_at" bigint not null,
  "created_at" bigint not null,
  "resent_at" bigint,
  "ended_at" bigint,
  "log" text default '[]' not null,
  "post_id" numeric,
  "user_id" text,
  "scope" text,
  "subscription" text,
  "filter_key" text collate "C"
);
create index "deliveries_due" on "deliveries" ("share", "webhook_id", "due_at", "seq") where ended_at is null;
create index "deliveries_by_subject" on "deliveries" ("webhook_id", "subject", "seq") where ended_at is null and subject is not null;
create index "deliveries_of_webhook" on "deliveries" ("webhook_id", "created_at", "seq");
create index "deliveries_ended" on "deliveries" ("ended_at") where ended_at is not null;
create table "delivery_shares" (
  "share" integer primary key,
  "holder" text not null,
  "lease_until" bigint not null
);
create table "webhook_replays" (
  "id" text collate "C" primary key,
  "webhook_id" text not null references "webhooks" ("id") on delete cascade,
  "from_at" bigint not null,
  "to_at" bigint not null,
  "at_created" bigint not null,
  "at_seq" bigint not null,
  "failed" integer default 0 not null,
  "failures_in_a_row" integer default 0 not null,
  "created_at" bigint not null,
  "ended_at" bigint
);
create unique index "webhook_replays_running" on "webhook_replays" ("webhook_id") where ended_at is null;
create index "webhook_replays_of_webhook" on "webhook_replays" ("webhook_id");
create index "webhook_replays_ended" on "webhook_replays" ("ended_at") where ended_at is not null;
create table "ab_test_entities" (
  "account_id" text collate "C" not null,
  "entity_id" text collate "C" not null,
  "ab_test_id" text collate "C" not null,
  constraint "ab_test_entities_key" primary key ("account_id", "entity_id")
);
create index "ab_test_entities_by_test" on "ab_test_entities" ("account_id", "ab_test_id");
create table "accounts" (
  "id" text collate "C" primary key,
  "environment" text not null,
  "name" text not null,
  "name_key" text collate "C" not null,
  "business_name" text,
  "business_id" text,
  "timezone" text not null,
  "timezone_switch_at" bigint,
  "approval_status" text not null,
  "industry_type" text,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null
);
create table "account_access" (
  "user_id" text not null references "users" ("id") on delete cascade,
  "account_id" text collate "C" not null references "accounts" ("id") on delete cascade,
  "roles" text not null,
  "created_at" bigint not null,
  constraint "account_access_key" primary key ("user_id", "account_id")
);
create index "account_access_account" on "account_access" ("account_id");
create table "account_features" (
  "account_id" text collate "C" not null references "accounts" ("id") on delete cascade,
  "feature_key" text not null,
  constraint "account_features_key" primary key ("account_id", "feature_key")
);
create table "account_history" (
  "account_id" text collate "C" not null,
  "entity" text not null,
  "entity_id" text collate "C" not null,
  "id" text collate "C" not null,
  "change_time" bigint not null,
  "change_type" text not null,
  "user_id" text not null,
  "app_id" text not null,
  "item" text not null,
  "before" text not null,
  constraint "account_history_key" primary key ("account_id", "entity", "entity_id", "change_time", "id")
);
create table "account_tax_settings" (
  "account_id" text collate "C" primary key references "accounts" ("id") on delete cascade,
  "settings" text not null
);
create table "account_user_settings" (
  "account_id" text collate "C" not null references "accounts" ("id") on delete cascade,
  "user_id" text not null references "users" ("id") on delete cascade,
  "notification_email" text,
  "contact_phone" text not null,
  "contact_phone_extension" text not null,
  "subscribed_email_types" text not null,
  constraint "account_user_settings_key" primary key ("account_id", "user_id")
);
create index "account_user_settings_user" on "account_user_settings" ("user_id");
create table "audience_permissions" (
  "audience_id" text collate "C" not null,
  "id" text collate "C" not null,
  "account_id" text collate "C" not null,
  "granted_account_id" text collate "C" not null,
  "permission_level" text not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  constraint "audience_permissions_key" primary key ("audience_id", "id")
);
create index "audience_permissions_by_age" on "audience_permissions" ("audience_id", "visibility", "id");
create index "audience_permissions_by_update" on "audience_permissions" ("audience_id", "visibility", "updated_at", "id");
create index "audience_permissions_by_grant" on "audience_permissions" ("granted_account_id", "visibility", "audience_id");
create unique index "audience_permissions_only" on "audience_permissions" ("audience_id", "granted_account_id") where deleted = 0;
create table "flexible_audience_parts" (
  "audience_id" text collate "C" not null,
  "part_id" text collate "C" not null,
  constraint "flexible_audience_parts_key" primary key ("audience_id", "part_id")
);
create index "flexible_audience_parts_by_part" on "flexible_audience_parts" ("part_id", "audience_id");
create table "flexible_audiences" (
  "audience_id" text collate "C" primary key,
  "revision" bigint not null,
  "counted_revision" bigint not null,
  "size" bigint not null,
  "counted_at" bigint not null,
  "progress" text
);
create table "product_catalogs" (
  "id" text collate "C" primary key,
  "environment" text not null,
  "user_id" text collate "C" not null,
  "name" text not null,
  "revision" bigint not null,
  "sets" integer not null,
  "filtered_sets" integer not null,
  "created_at" bigint not null
);
create unique index "product_catalogs_by_user" on "product_catalogs" ("user_id", "environment");
create table "product_feeds" (
  "id" text collate "C" primary key,
  "catalog_id" text collate "C" not null references "product_catalogs" ("id") on delete cascade,
  "feed_url" text not null,
  "feed_format" text not null,
  "frequency" text not null,
  "repeat" text,
  "start_time" text not null,
  "time_zone" text not null,
  "created_at" bigint not null,
  "updated_at" bigint not null
);
create unique index "product_feeds_by_catalog" on "product_feeds" ("catalog_id");
create table "product_images" (
  "catalog_id" text collate "C" not null,
  "product_key" text collate "C" not null,
  "url" text collate "C" not null,
  "problem" text,
  constraint "product_images_key" primary key ("catalog_id", "product_key", "url")
);
create table "product_set_members" (
  "set_id" text collate "C" not null,
  "product_key" text collate "C" not null,
  constraint "product_set_members_key" primary key ("set_id", "product_key")
);
create index "product_set_members_by_product" on "product_set_members" ("product_key", "set_id");
create table "product_sets" (
  "id" text collate "C" primary key,
  "catalog_id" text collate "C" not null,
  "name" text not null,
  "description" text,
  "type" text not null,
  "filters" text not null,
  "processing_status" text not null,
  "made_revision" bigint not null,
  "position_revision" bigint not null,
  "position_key" text collate "C" not null
);
create index "product_sets_by_catalog" on "product_sets" ("catalog_id", "id");
create table "products" (
  "catalog_id" text collate "C" not null,
  "product_key" text collate "C" not null,
  "id" text collate "C" not null,
  "revision" bigint not null,
  "item_group_key" text collate "C",
  "shown" integer not null,
  "item" text not null,
  "price_currency" text not null,
  "price_amount" bigint not null,
  "sale_price_amount" bigint,
  "inventory" bigint,
  "product_type_key" text,
  "google_product_category_key" text,
  "custom_label_0_key" text,
  "custom_label_1_key" text,
  "custom_label_2_key" text,
  "custom_label_3_key" text,
  "custom_label_4_key" text,
  constraint "products_key" primary key ("catalog_id", "product_key")
);
create unique index "products_by_id" on "products" ("catalog_id", "id");
create index "products_shown" on "products" ("catalog_id", "shown", "product_key");
create index "products_by_revision" on "products" ("catalog_id", "revision", "product_key");
create index "products_by_group" on "products" ("catalog_id", "item_group_key", "product_key") where item_group_key is not null;
create table "conversions" (
  "id" text collate "C" primary key,
  "account_id" text collate "C" not null references "accounts" ("id") on delete cascade,
  "kind" text not null,
  "web_event_tag_id" text collate "C",
  "conversion_id" text,
  "converted_at" bigint not null,
  "received_at" bigint not null,
  "value_micro" bigint not null,
  "price_currency" text not null,
  "number_items" integer not null,
  "click_id" text,
  "hashed_email" text,
  "hashed_phone_number" text,
  "app_id" text,
  "hashed_device_id" text,
  "type" text not null,
  "way" text,
  "promotion_id" text collate "C",
  "line_item_id" text collate "C",
  "campaign_id" text collate "C",
  "funding_instrument_id" text collate "C",
  "platform" text,
  "person" integer,
  "about" text
);
create index "conversions_by_name" on "conversions" ("web_event_tag_id", "conversion_id", "received_at") where conversion_id is not null;
create index "conversions_by_device" on "conversions" ("hashed_device_id", "app_id", "account_id", "converted_at", "id") where type = 'INSTALL';
create index "conversions_by_promotion_id" on "conversions" ("account_id", "promotion_id", "converted_at") where promotion_id is not null;
create index "conversions_by_line_item_id" on "conversions" ("account_id", "line_item_id", "converted_at") where line_item_id is not null;
create index "conversions_by_campaign_id" on "conversions" ("account_id", "campaign_id", "converted_at") where campaign_id is not null;
create index "conversions_by_receipt" on "conversions" ("account_id", "received_at") where campaign_id is not null;
create table "event_sources" (
  "id" text collate "C" primary key,
  "account_id" text collate "C" not null references "accounts" ("id") on delete cascade
);
create unique index "event_sources_by_account" on "event_sources" ("account_id");
create table "media_library" (
  "account_id" text collate "C" not null references "accounts" ("id") on delete cascade,
  "media_id" numeric not null references "media" ("id") on delete cascade,
  "entry_id" numeric not null,
  "media_type" text not null,
  "name" text,
  "file_name" text,
  "title" text,
  "description" text,
  "poster_media_key" text,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  constraint "media_library_key" primary key ("account_id", "media_id")
);
create index "media_library_by_age" on "media_library" ("account_id", "deleted", "entry_id");
create index "media_library_by_type" on "media_library" ("account_id", "deleted", "media_type", "entry_id");
create index "media_library_by_medium" on "media_library" ("media_id", "deleted");
create table "media_library_terms" (
  "account_id" text collate "C" not null,
  "term" text collate "C" not null,
  "entry_id" numeric not null,
  "media_id" numeric not null,
  "media_type" text not null,
  constraint "media_library_terms_key" primary key ("account_id", "term", "entry_id"),
  constraint "media_library_terms_entry" foreign key ("account_id", "media_id") references "media_library" ("account_id", "media_id") on delete cascade
);
create index "media_library_terms_by_medium" on "media_library_terms" ("account_id", "media_id");
create table "post_names" (
  "account_id" text collate "C" not null references "accounts" ("id") on delete cascade,
  "post_id" numeric not null,
  "author_id" text not null,
  "name" text not null,
  "name_key" text collate "C" not null,
  constraint "post_names_key" primary key ("account_id", "post_id")
);
create index "post_names_by_name" on "post_names" ("account_id", "author_id", "name_key", "post_id");
create table "stats_jobs" (
  "id" numeric primary key,
  "account_id" text collate "C" not null references "accounts" ("id") on delete cascade,
  "status" text not null,
  "query" text not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "expires_at" bigint
);
create index "stats_jobs_by_account" on "stats_jobs" ("account_id", "id");
create index "stats_jobs_processing" on "stats_jobs" ("account_id", "status") where status = 'PROCESSING';
create table "stats_job_files" (
  "job_id" numeric primary key references "stats_jobs" ("id") on delete cascade,
  "data" bytea not null
);
create table "ab_tests" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "name" text,
  "description" text,
  "entity_type" text not null,
  "start_time" bigint not null,
  "end_time" bigint not null,
  "user_groups" text not null,
  "creator_id" text,
  "updater_id" text,
  "name_key" text collate "C",
  constraint "ab_tests_key" primary key ("account_id", "id")
);
create index "ab_tests_by_age" on "ab_tests" ("account_id", "visibility", "id");
create index "ab_tests_by_update" on "ab_tests" ("account_id", "visibility", "updated_at", "id");
create index "ab_tests_by_start_time" on "ab_tests" ("account_id", "visibility", "start_time", "id");
create index "ab_tests_by_end_time" on "ab_tests" ("account_id", "visibility", "end_time", "id");
create index "ab_tests_by_creator_id" on "ab_tests" ("account_id", "creator_id", "visibility", "id");
create index "ab_tests_by_name" on "ab_tests" ("account_id", "visibility", "name_key", "id");
create index "ab_tests_created" on "ab_tests" ("creator_id");
create index "ab_tests_updated" on "ab_tests" ("updater_id");
create table "account_media" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "creative_type" text not null,
  "media_url" text,
  "video_id" text,
  "media_key" text,
  constraint "account_media_key" primary key ("account_id", "id")
);
create index "account_media_by_age" on "account_media" ("account_id", "visibility", "id");
create index "account_media_by_update" on "account_media" ("account_id", "visibility", "updated_at", "id");
create index "account_media_by_creative_type" on "account_media" ("account_id", "creative_type", "visibility", "id");
create index "account_media_by_key" on "account_media" ("account_id", "media_key", "visibility");
create table "account_apps" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "app_store_identifier" text not null,
  "conversion_tracking_enabled" integer not null,
  "deep_link_pattern" text,
  "os_type" text not null,
  constraint "account_apps_key" primary key ("account_id", "id")
);
create index "account_apps_by_age" on "account_apps" ("account_id", "visibility", "id");
create index "account_apps_by_update" on "account_apps" ("account_id", "visibility", "updated_at", "id");
create index "account_apps_by_app" on "account_apps" ("app_store_identifier", "os_type", "visibility", "account_id");
create table "promotable_users" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "user_id" text not null,
  "promotable_user_type" text not null,
  constraint "promotable_users_key" primary key ("account_id", "id")
);
create index "promotable_users_by_age" on "promotable_users" ("account_id", "visibility", "id");
create index "promotable_users_by_update" on "promotable_users" ("account_id", "visibility", "updated_at", "id");
create index "promotable_users_by_user_id" on "promotable_users" ("account_id", "user_id", "visibility", "id");
create table "app_event_provider_configurations" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "provider_advertiser_id" text not null,
  "provider_name" text not null,
  "provider_app_id" text not null,
  constraint "app_event_provider_configurations_key" primary key ("account_id", "id")
);
create index "app_event_provider_configurations_by_age" on "app_event_provider_configurations" ("account_id", "visibility", "id");
create index "app_event_provider_configurations_by_update" on "app_event_provider_configurations" ("account_id", "visibility", "updated_at", "id");
create table "app_event_tags" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "app_store_identifier" text not null,
  "os_type" text not null,
  "conversion_type" text not null,
  "provider_app_event_id" text not null,
  "provider_app_event_name" text not null,
  "deep_link_scheme" text,
  "post_engagement_attribution_window" integer not null,
  "post_view_attribution_window" integer not null,
  "retargeting_enabled" integer not null,
  "status" text not null,
  "last_tracked_at" bigint,
  constraint "app_event_tags_key" primary key ("account_id", "id")
);
create index "app_event_tags_by_age" on "app_event_tags" ("account_id", "visibility", "id");
create index "app_event_tags_by_update" on "app_event_tags" ("account_id", "visibility", "updated_at", "id");
create index "app_event_tags_by_app" on "app_event_tags" ("app_store_identifier", "os_type", "visibility", "conversion_type", "account_id");
create table "app_lists" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "name" text not null,
  "app_store_identifiers" text not null,
  constraint "app_lists_key" primary key ("account_id", "id")
);
create index "app_lists_by_age" on "app_lists" ("account_id", "visibility", "id");
create index "app_lists_by_update" on "app_lists" ("account_id", "visibility", "updated_at", "id");
create table "funding_instruments" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "type" text not null,
  "currency" text not null,
  "description" text not null,
  "start_time" bigint not null,
  "end_time" bigint,
  "entity_status" text not null,
  "credit_limit_local_micro" bigint,
  "funded_amount_local_micro" bigint,
  "io_header" text,
  constraint "funding_instruments_key" primary key ("account_id", "id")
);
create index "funding_instruments_by_age" on "funding_instruments" ("account_id", "visibility", "id");
create index "funding_instruments_by_update" on "funding_instruments" ("account_id", "visibility", "updated_at", "id");
create index "funding_instruments_by_start_time" on "funding_instruments" ("account_id", "visibility", "start_time", "id");
create index "funding_instruments_by_end_time" on "funding_instruments" ("account_id", "visibility", coalesce(end_time, -1), "id");
create index "funding_instruments_by_funded_amount_local_micro" on "funding_instruments" ("account_id", "visibility", coalesce(funded_amount_local_micro, -1), "id");
create table "campaigns" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "name" text not null,
  "funding_instrument_id" text collate "C" not null,
  "currency" text not null,
  "budget_optimization" text not null,
  "daily_budget_amount_local_micro" bigint,
  "total_budget_amount_local_micro" bigint,
  "entity_status" text not null,
  "purchase_order_number" text,
  "standard_delivery" integer,
  "name_key" text collate "C" not null,
  constraint "campaigns_key" primary key ("account_id", "id")
);
create index "campaigns_by_age" on "campaigns" ("account_id", "visibility", "id");
create index "campaigns_by_update" on "campaigns" ("account_id", "visibility", "updated_at", "id");
create index "campaigns_by_name_key" on "campaigns" ("account_id", "visibility", "name_key", "id");
create index "campaigns_by_daily_budget_amount_local_micro" on "campaigns" ("account_id", "visibility", coalesce(daily_budget_amount_local_micro, -1), "id");
create index "campaigns_by_total_budget_amount_local_micro" on "campaigns" ("account_id", "visibility", coalesce(total_budget_amount_local_micro, -1), "id");
create index "campaigns_by_funding_instrument_id" on "campaigns" ("account_id", "funding_instrument_id", "visibility", "id");
create table "targeting_criteria" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "line_item_id" text collate "C" not null,
  "name" text not null,
  "operator_type" text not null,
  "targeting_type" text not null,
  "targeting_value" text not null,
  "location_type" text,
  constraint "targeting_criteria_key" primary key ("account_id", "id")
);
create index "targeting_criteria_by_age" on "targeting_criteria" ("account_id", "visibility", "id");
create index "targeting_criteria_by_update" on "targeting_criteria" ("account_id", "visibility", "updated_at", "id");
create index "targeting_criteria_by_line_item_id" on "targeting_criteria" ("account_id", "line_item_id", "visibility", "id");
create index "targeting_criteria_by_value" on "targeting_criteria" ("account_id", "line_item_id", "targeting_type", "targeting_value");
create index "targeting_criteria_by_target" on "targeting_criteria" ("account_id", "targeting_type", "targeting_value", "visibility", "line_item_id");
create table "web_event_tags" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "name" text not null,
  "type" text not null,
  "click_window" integer not null,
  "view_through_window" integer not null,
  "retargeting_enabled" integer not null,
  "status" text not null,
  "last_tracked_at" bigint,
  "website_tag_id" text collate "C" not null,
  constraint "web_event_tags_key" primary key ("account_id", "id")
);
create index "web_event_tags_by_age" on "web_event_tags" ("account_id", "visibility", "id");
create index "web_event_tags_by_update" on "web_event_tags" ("account_id", "visibility", "updated_at", "id");
create table "line_items" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "campaign_id" text collate "C" not null,
  "funding_instrument_id" text collate "C" not null,
  "currency" text not null,
  "name" text,
  "objective" text not null,
  "product_type" text not null,
  "placements" text not null,
  "start_time" bigint,
  "end_time" bigint,
  "goal" text not null,
  "bid_strategy" text not null,
  "bid_amount_local_micro" bigint,
  "pay_by" text not null,
  "daily_budget_amount_local_micro" bigint,
  "total_budget_amount_local_micro" bigint,
  "standard_delivery" integer,
  "entity_status" text not null,
  "frequency_cap" integer,
  "duration_in_days" integer,
  "categories" text not null,
  "advertiser_domain" text,
  "advertiser_user_id" text,
  "android_app_store_identifier" text,
  "ios_app_store_identifier" text,
  "primary_web_event_tag" text,
  "audience_expansion" text,
  "target_cpa_local_micro" bigint,
  "automatic_post_promotion" integer,
  "creative_source" text not null,
  "catalog_id" text,
  "product_set_id" text,
  "name_key" text collate "C",
  constraint "line_items_key" primary key ("account_id", "id")
);
create index "line_items_by_age" on "line_items" ("account_id", "visibility", "id");
create index "line_items_by_update" on "line_items" ("account_id", "visibility", "updated_at", "id");
create index "line_items_by_bid_amount_local_micro" on "line_items" ("account_id", "visibility", coalesce(bid_amount_local_micro, -1), "id");
create index "line_items_by_campaign_id" on "line_items" ("account_id", "campaign_id", "visibility", "id");
create index "line_items_by_funding_instrument_id" on "line_items" ("account_id", "funding_instrument_id", "visibility", "id");
create index "line_items_by_name" on "line_items" ("account_id", "visibility", "name_key", "id");
create table "line_item_apps" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "line_item_id" text collate "C" not null,
  "app_store_identifier" text not null,
  "os_type" text not null,
  constraint "line_item_apps_key" primary key ("account_id", "id")
);
create index "line_item_apps_by_age" on "line_item_apps" ("account_id", "visibility", "id");
create index "line_item_apps_by_update" on "line_item_apps" ("account_id", "visibility", "updated_at", "id");
create index "line_item_apps_by_line_item_id" on "line_item_apps" ("account_id", "line_item_id", "visibility", "id");
create table "custom_audiences" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "name" text not null,
  "description" text,
  "audience_type" text not null,
  "segments" text,
  "name_key" text collate "C" not null,
  constraint "custom_audiences_key" primary key ("account_id", "id")
);
create index "custom_audiences_by_age" on "custom_audiences" ("account_id", "visibility", "id");
create index "custom_audiences_by_update" on "custom_audiences" ("account_id", "visibility", "updated_at", "id");
create index "custom_audiences_by_name_key" on "custom_audiences" ("account_id", "visibility", "name_key", "id");
create unique index "custom_audiences_by_id" on "custom_audiences" ("id");
create unique index "custom_audiences_only" on "custom_audiences" ("account_id", "name_key") where deleted = 0;
create table "do_not_reach_lists" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "description" text,
  constraint "do_not_reach_lists_key" primary key ("account_id", "id")
);
create index "do_not_reach_lists_by_age" on "do_not_reach_lists" ("account_id", "visibility", "id");
create index "do_not_reach_lists_by_update" on "do_not_reach_lists" ("account_id", "visibility", "updated_at", "id");
create unique index "do_not_reach_lists_only" on "do_not_reach_lists" ("account_id") where deleted = 0;
create table "cards" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "name" text not null,
  "components" text,
  "slides" text,
  "card_type" text not null,
  "name_key" text collate "C" not null,
  constraint "cards_key" primary key ("account_id", "id")
);
create index "cards_by_age" on "cards" ("account_id", "visibility", "id");
create index "cards_by_update" on "cards" ("account_id", "visibility", "updated_at", "id");
create index "cards_by_name_key" on "cards" ("account_id", "visibility", "name_key", "id");
create index "cards_by_card_type" on "cards" ("account_id", "card_type", "visibility", "id");
create table "video_conversation_cards" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "name" text not null,
  "title" text,
  "first_cta" text,
  "first_cta_post" text,
  "second_cta" text,
  "second_cta_post" text,
  "third_cta" text,
  "third_cta_post" text,
  "fourth_cta" text,
  "fourth_cta_post" text,
  "thank_you_text" text,
  "thank_you_url" text,
  "unlocked_image_media_key" text,
  "media_key" text,
  "poster_media_key" text,
  "unlocked_video_media_key" text,
  "card_type" text not null,
  "name_key" text collate "C" not null,
  constraint "video_conversation_cards_key" primary key ("account_id", "id")
);
create index "video_conversation_cards_by_age" on "video_conversation_cards" ("account_id", "visibility", "id");
create index "video_conversation_cards_by_update" on "video_conversation_cards" ("account_id", "visibility", "updated_at", "id");
create index "video_conversation_cards_by_name_key" on "video_conversation_cards" ("account_id", "visibility", "name_key", "id");
create table "image_conversation_cards" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "name" text not null,
  "title" text,
  "first_cta" text,
  "first_cta_post" text,
  "second_cta" text,
  "second_cta_post" text,
  "third_cta" text,
  "third_cta_post" text,
  "fourth_cta" text,
  "fourth_cta_post" text,
  "thank_you_text" text,
  "thank_you_url" text,
  "unlocked_image_media_key" text,
  "media_key" text,
  "card_type" text not null,
  "name_key" text collate "C" not null,
  constraint "image_conversation_cards_key" primary key ("account_id", "id")
);
create index "image_conversation_cards_by_age" on "image_conversation_cards" ("account_id", "visibility", "id");
create index "image_conversation_cards_by_update" on "image_conversation_cards" ("account_id", "visibility", "updated_at", "id");
create index "image_conversation_cards_by_name_key" on "image_conversation_cards" ("account_id", "visibility", "name_key", "id");
create table "dynamic_product_cards" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "url" text not null,
  "creative_type" text not null,
  constraint "dynamic_product_cards_key" primary key ("account_id", "id")
);
create index "dynamic_product_cards_by_age" on "dynamic_product_cards" ("account_id", "visibility", "id");
create index "dynamic_product_cards_by_update" on "dynamic_product_cards" ("account_id", "visibility", "updated_at", "id");
create table "poll_cards" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "name" text not null,
  "first_choice" text not null,
  "second_choice" text not null,
  "third_choice" text,
  "fourth_choice" text,
  "start_time" bigint not null,
  "end_time" bigint not null,
  "duration_in_minutes" text not null,
  "media_key" text,
  "card_type" text not null,
  "name_key" text collate "C" not null,
  constraint "poll_cards_key" primary key ("account_id", "id")
);
create index "poll_cards_by_age" on "poll_cards" ("account_id", "visibility", "id");
create index "poll_cards_by_update" on "poll_cards" ("account_id", "visibility", "updated_at", "id");
create index "poll_cards_by_name_key" on "poll_cards" ("account_id", "visibility", "name_key", "id");
create table "line_item_curated_categories" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "line_item_id" text collate "C" not null,
  "curated_category_id" text not null,
  constraint "line_item_curated_categories_key" primary key ("account_id", "id")
);
create index "line_item_curated_categories_by_age" on "line_item_curated_categories" ("account_id", "visibility", "id");
create index "line_item_curated_categories_by_update" on "line_item_curated_categories" ("account_id", "visibility", "updated_at", "id");
create index "line_item_curated_categories_by_line_item_id" on "line_item_curated_categories" ("account_id", "line_item_id", "visibility", "id");
create table "draft_posts" (
  "account_id" text collate "C" not null,
  "id" numeric not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "name" text,
  "text" text not null,
  "user_id" text not null,
  "nullcast" integer not null,
  "media_keys" text not null,
  "card_uri" text,
  "app_id" text not null,
  "contributor_id" text,
  "name_key" text collate "C",
  constraint "draft_posts_key" primary key ("account_id", "id")
);
create index "draft_posts_by_user_id" on "draft_posts" ("account_id", "user_id", "visibility", "id");
create table "media_creatives" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "line_item_id" text collate "C" not null,
  "account_media_id" text collate "C" not null,
  "landing_url" text,
  "creative_type" text not null,
  "entity_status" text not null,
  "approval_status" text not null,
  "campaign_id" text collate "C" not null,
  constraint "media_creatives_key" primary key ("account_id", "id")
);
create index "media_creatives_by_age" on "media_creatives" ("account_id", "visibility", "id");
create index "media_creatives_by_update" on "media_creatives" ("account_id", "visibility", "updated_at", "id");
create index "media_creatives_by_campaign_id" on "media_creatives" ("account_id", "campaign_id", "visibility", "id");
create index "media_creatives_by_line_item_id" on "media_creatives" ("account_id", "line_item_id", "visibility", "id");
create table "preroll_call_to_actions" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "line_item_id" text collate "C" not null,
  "call_to_action" text not null,
  "call_to_action_url" text not null,
  constraint "preroll_call_to_actions_key" primary key ("account_id", "id")
);
create index "preroll_call_to_actions_by_age" on "preroll_call_to_actions" ("account_id", "visibility", "id");
create index "preroll_call_to_actions_by_update" on "preroll_call_to_actions" ("account_id", "visibility", "updated_at", "id");
create index "preroll_call_to_actions_by_line_item_id" on "preroll_call_to_actions" ("account_id", "line_item_id", "visibility", "id");
create table "scheduled_posts" (
  "account_id" text collate "C" not null,
  "id" numeric not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "name" text,
  "text" text not null,
  "user_id" text not null,
  "nullcast" integer not null,
  "media_keys" text not null,
  "card_uri" text,
  "app_id" text not null,
  "contributor_id" text,
  "scheduled_at" bigint not null,
  "scheduled_status" text not null,
  "completed_at" bigint,
  "post_id" numeric,
  "name_key" text collate "C",
  constraint "scheduled_posts_key" primary key ("account_id", "id")
);
create index "scheduled_posts_by_user_id" on "scheduled_posts" ("account_id", "user_id", "visibility", "id");
create index "scheduled_posts_by_time" on "scheduled_posts" ("user_id", "scheduled_at");
create table "promoted_accounts" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "line_item_id" text collate "C" not null,
  "user_id" text not null,
  "entity_status" text not null,
  "approval_status" text not null,
  constraint "promoted_accounts_key" primary key ("account_id", "id")
);
create index "promoted_accounts_by_age" on "promoted_accounts" ("account_id", "visibility", "id");
create index "promoted_accounts_by_update" on "promoted_accounts" ("account_id", "visibility", "updated_at", "id");
create index "promoted_accounts_by_line_item_id" on "promoted_accounts" ("account_id", "line_item_id", "visibility", "id");
create table "promoted_posts" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "line_item_id" text collate "C" not null,
  "post_id" numeric not null,
  "entity_status" text not null,
  "approval_status" text not null,
  constraint "promoted_posts_key" primary key ("account_id", "id")
);
create index "promoted_posts_by_age" on "promoted_posts" ("account_id", "visibility", "id");
create index "promoted_posts_by_update" on "promoted_posts" ("account_id", "visibility", "updated_at", "id");
create index "promoted_posts_by_line_item_id" on "promoted_posts" ("account_id", "line_item_id", "visibility", "id");
create index "promoted_posts_by_post" on "promoted_posts" ("account_id", "line_item_id", "post_id", "visibility");
create table "scheduled_promoted_posts" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "line_item_id" text collate "C" not null,
  "scheduled_post_id" numeric not null,
  "post_id" numeric,
  constraint "scheduled_promoted_posts_key" primary key ("account_id", "id")
);
create index "scheduled_promoted_posts_by_age" on "scheduled_promoted_posts" ("account_id", "visibility", "id");
create index "scheduled_promoted_posts_by_update" on "scheduled_promoted_posts" ("account_id", "visibility", "updated_at", "id");
create index "scheduled_promoted_posts_by_line_item_id" on "scheduled_promoted_posts" ("account_id", "line_item_id", "visibility", "id");
create index "scheduled_promoted_posts_by_scheduled_post" on "scheduled_promoted_posts" ("account_id", "scheduled_post_id", "visibility");
create table "tracking_tags" (
  "account_id" text collate "C" not null,
  "id" text collate "C" not null,
  "visibility" integer not null,
  "created_at" bigint not null,
  "updated_at" bigint not null,
  "deleted" integer not null,
  "line_item_id" text collate "C" not null,
  "tracking_tag_type" text not null,
  "tracking_tag_url" text not null,
  constraint "tracking_tags_key" primary key ("account_id", "id")
);
create index "tracking_tags_by_age" on "tracking_tags" ("account_id", "visibility", "id");
create index "tracking_tags_by_update" on "tracking_tags" ("account_id", "visibility", "updated_at", "id");
create index "tracking_tags_by_line_item_id" on "tracking_tags" ("account_id", "line_item_id", "visibility", "id");
create view "accounts_of_users" as
select account_access.user_id, account_access.account_id as id, accounts.environment, accounts.name, accounts.name_key,
  accounts.business_name, accounts.business_id, accounts.timezone, accounts.timezone_switch_at, accounts.approval_status,
  accounts.industry_type, accounts.created_at, accounts.updated_at, accounts.deleted,
  case accounts.deleted when 1 then 3 else 0 end as visibility
from account_access
inner join accounts on accounts.id = account_access.account_id;
create view "shared_audiences" as
select permission.granted_account_id, permission.permission_level, permission.audience_id as id, audience.account_id,
  audience.name, audience.name_key, audience.description, audience.audience_type, audience.segments, audience.created_at, audience.updated_at, audience.deleted,
  permission.visibility
from audience_permissions as permission
inner join custom_audiences as audience on audience.id = permission.audience_id
inner join accounts as owner on owner.id = audience.account_id and owner.deleted = 0
where permission.deleted = 0 and audience.deleted = 0;
