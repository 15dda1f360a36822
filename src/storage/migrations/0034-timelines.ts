import type { Migration } from './migration.ts'

/** Posts of authors by their kind, and whom posts mention: those that are there are read once. */
export const timelines: Migration = {
  name: '0034-timelines',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "post_mentions" ("user_id" text not null references "users" ("id") on delete cascade, "post_id" text not null, constraint "post_mentions_key" primary key ("user_id", "post_id"))',
  'create index "post_mentions_by_post" on "post_mentions" ("post_id")',
  'create index "posts_by_author_kind" on "posts" ("author_id", "visibility", (case when reposted_post_id is not null then 2 when in_reply_to_post_id is not null then 1 else 0 end), "id") where environment = \'production\'',
  `insert or ignore into post_mentions (user_id, post_id)
    select users.id, posts.id from posts, json_each(posts.entities, '$.mentions') as mentions
      inner join users on users.id = json_extract(mentions.value, '$.id')
      where environment = 'production' and visibility <= 1 and reposted_post_id is null and users.id <> author_id`,
  `insert or ignore into post_mentions (user_id, post_id)
    select users.id, posts.id from posts inner join users on users.id = posts.in_reply_to_user_id
      where environment = 'production' and visibility <= 1 and users.id <> author_id`,
]

const POSTGRES = [
  'create table "post_mentions" ("user_id" text not null references "users" ("id") on delete cascade, "post_id" text collate "C" not null, constraint "post_mentions_key" primary key ("user_id", "post_id"))',
  'create index "post_mentions_by_post" on "post_mentions" ("post_id")',
  'create index "posts_by_author_kind" on "posts" ("author_id", "visibility", (case when reposted_post_id is not null then 2 when in_reply_to_post_id is not null then 1 else 0 end), "id") where environment = \'production\'',
  `insert into post_mentions (user_id, post_id)
    select distinct users.id, posts.id from posts
      cross join lateral jsonb_array_elements(posts.entities::jsonb -> 'mentions') as mentions
      inner join users on users.id = mentions.value ->> 'id'
      where environment = 'production' and visibility <= 1 and reposted_post_id is null and users.id <> author_id`,
  `insert into post_mentions (user_id, post_id)
    select users.id, posts.id from posts inner join users on users.id = posts.in_reply_to_user_id
      where environment = 'production' and visibility <= 1 and users.id <> author_id
      on conflict do nothing`,
]
