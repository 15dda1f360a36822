import type { Migration } from './migration.ts'

/**
 * Posts say whether their video may be embedded, and may have several calls to action. The one that a post had moves
 * into the JSON object.
 */
export const postVideoCalls: Migration = {
  name: '0047-post-videos',
  statements: (dialect) => [
    `alter table "post_videos" add column "embeddable" integer`,
    `alter table "post_videos" add column "call_to_actions" text`,
    `update "post_videos" set "call_to_actions" = ${dialect === 'sqlite' ? SQLITE : POSTGRES} where "cta" is not null and "cta_value" is not null`,
    `alter table "post_videos" drop column "cta"`,
    `alter table "post_videos" drop column "cta_value"`,
  ],
}

const SQLITE = `json_object(lower("cta"), json_object('url', "cta_value"))`
const POSTGRES = `jsonb_build_object(lower("cta"), jsonb_build_object('url', "cta_value"))::text`
