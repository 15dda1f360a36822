import type { Migration } from './migration.ts'

/** One access token for each user and app: of several, the newest stays. */
export const oneToken: Migration = {
  name: '0011-one-token',
  statements: () => [
    'drop index "access_tokens_grant"',
    'delete from "access_tokens" where exists (select 1 as "one" from "access_tokens" as "newer" where "newer"."app_id" = "access_tokens"."app_id" and "newer"."user_id" = "access_tokens"."user_id" and (newer.created_at, newer.token_hash) > (access_tokens.created_at, access_tokens.token_hash))',
    `update "settings" set "value" = cast(cast(value as bigint) + 1 as text) where "name" = 'credential_epoch'`,
    'create unique index "access_tokens_grant" on "access_tokens" ("user_id", "app_id")',
    'create index "request_tokens_user" on "request_tokens" ("user_id", "app_id")',
  ],
}
