import type { Migration } from './migration.ts'

/** The task queue. */
export const tasks: Migration = {
  name: '0013-tasks',
  statements: (dialect) => {
    const bytewise = dialect === 'postgres' ? 'text collate "C"' : 'text'
    // SQLite gives an id that is free again to a new row, unless it counts up.
    const id = dialect === 'postgres' ? 'bigserial primary key' : 'integer primary key autoincrement'
    return [
      `create table tasks (
        id ${id},
        kind ${bytewise} not null,
        subject ${bytewise},
        concurrency_key ${bytewise},
        payload text not null,
        state text not null,
        due_at bigint not null,
        leased integer not null,
        fence bigint not null,
        attempts integer not null,
        again_at bigint,
        reason text,
        created_at bigint not null)`,
      "create index tasks_due on tasks (kind, due_at, id) where state = 'waiting'",
      "create unique index tasks_subject on tasks (kind, subject) where state = 'waiting'",
      'create unique index tasks_running_key on tasks (kind, concurrency_key) where leased = 1',
      "create index tasks_dead on tasks (id) where state = 'dead'",
      ...webhooks,
      ...scheduledPosts,
      ...media,
      ...audiences,
      ...catalogs(dialect),
    ]
  },
}

/** What follows `insert into tasks`: one that waits. */
const WAITING = '(kind, subject, payload, state, due_at, leased, fence, attempts, created_at)'

/** The periodic check of each webhook. */
const webhooks = [
  `insert into tasks ${WAITING}
    select 'check webhook', id, '{"webhook":"' || id || '"}', 'waiting', next_check_at, 0, 0, 0, created_at
    from webhooks order by next_check_at`,
  'drop index webhooks_due',
  'alter table webhooks drop column next_check_at',
  'alter table webhooks drop column check_lease_until',
]

/** Posts that are still to be published. */
const scheduledPosts = [
  `insert into tasks ${WAITING}
    select 'publish scheduled post', account_id || ' ' || id,
      '{"account":"' || account_id || '","id":"' || id || '"}', 'waiting', scheduled_at, 0, 0, 0, created_at
    from scheduled_posts where scheduled_status = 'SCHEDULED' order by scheduled_at, id`,
  'drop index scheduled_posts_due',
]

/** Media without posters, media of deleted accounts, and files that are to be deleted. */
const media = [
  `insert into tasks ${WAITING}
    select 'process medium', id, '{"medium":"' || id || '"}', 'waiting', lease_until, 0, 0, 0, created_at
    from media where state = 'PENDING' order by lease_until`,
  `insert into tasks ${WAITING}
    select 'release media of account', account_id, '{"account":"' || account_id || '"}', 'waiting', due_at, 0, 0, 0,
      due_at
    from media_releases order by due_at`,
  `insert into tasks ${WAITING}
    select 'delete file', hash, '{"hash":"' || hash || '"}', 'waiting', coalesce(suspect_at, 0), 0, 0, 0,
      coalesce(suspect_at, 0)
    from media_files where going = 1 order by suspect_at`,
  'drop table media_releases',
  'drop index media_by_state',
  'alter table media rename column lease_until to finishing_until',
]

/** Members of deleted audiences. */
const audiences = [
  `insert into tasks ${WAITING}
    select 'forget members of audience', audience_id, '{"audience":"' || audience_id || '"}', 'waiting', due_at,
      0, 0, 0, due_at
    from audience_removals order by due_at`,
  'drop table audience_removals',
]

/** Sets that are processed, rows of catalogs and sets that were deleted, images that are to be fetched. */
function catalogs(dialect: 'sqlite' | 'postgres'): string[] {
  const isPostgres = dialect === 'postgres'
  const image = `'catalog', catalog_id, 'product', product_key, 'url', url`
  const host = isPostgres
    ? "split_part(split_part(url, '//', 2), '/', 1)"
    : "substr(substr(url, instr(url, '//') + 2), 1, instr(substr(url, instr(url, '//') + 2) || '/', '/') - 1)"
  return [
    `insert into tasks ${WAITING}
      select 'process product set', id, '{"catalog":"' || catalog_id || '","set":"' || id || '"}', 'waiting',
        lease_until, 0, 0, 0, lease_until
      from product_sets where processing_status = 'PROCESSING' order by lease_until, id`,
    `insert into tasks ${WAITING}
      select 'remove catalog rows', kind || ' ' || id, '{"of":"' || kind || '","id":"' || id || '"}', 'waiting',
        lease_until, 0, 0, 0, lease_until
      from catalog_removals order by lease_until, id`,
    `insert into tasks
      (kind, subject, concurrency_key, payload, state, due_at, leased, fence, attempts, created_at)
      select 'check product image', catalog_id || ' ' || product_key || ' ' || url, ${host},
        ${isPostgres ? `json_build_object(${image})::text` : `json_object(${image})`}, 'waiting',
        due_at, 0, 0, tries, due_at
      from product_images where due_at is not null order by due_at`,
    'drop index product_sets_to_process',
    'alter table product_sets drop column failures',
    'alter table product_sets drop column lease_until',
    'drop index product_images_due',
    'alter table product_images drop column tries',
    'alter table product_images drop column due_at',
    'drop table catalog_removals',
  ]
}
