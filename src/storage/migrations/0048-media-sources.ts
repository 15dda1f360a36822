import type { Migration } from './migration.ts'

/**
 * Media that were posted before the first post was noted get the oldest public post that shows them. Whose posts are all
 * deleted or not public stay without one.
 */
export const mediaSources: Migration = {
  name: '0048-media-sources',
  statements: (dialect) => [
    `update "media" set "source_post_id" = "shown"."post_id" from (
      select "keys"."value" as "media_key", min("posts"."id") as "post_id"
      from "posts" join "users" on "users"."id" = "posts"."author_id"
      cross join ${dialect === 'sqlite' ? SQLITE : POSTGRES}
      where "posts"."media_keys" <> '[]' and "posts"."environment" = 'production' and "posts"."deleted" = 0
        and "posts"."super_followers_only" = 0
        and ("posts"."community_id" is null or "posts"."share_with_followers" = 1)
        and "users"."protected" = 0 and "users"."suspended" = 0
      group by "keys"."value") as "shown"
    where "shown"."media_key" = "media"."media_key" and "media"."posted" = 1 and "media"."source_post_id" is null`,
  ],
}

const SQLITE = `json_each("posts"."media_keys") as "keys"`
const POSTGRES = `jsonb_array_elements_text("posts"."media_keys"::jsonb) as "keys"("value")`
