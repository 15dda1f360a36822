import { type RawBuilder, sql } from 'kysely'
import { FIRST_ID, LAST_ID } from '../../../platform/common/ids.ts'
import { postgres, type Query } from '../../../platform/storage/query.ts'
import { type Database, query } from '../../tables.ts'
import type { PostRow } from '../tables.ts'
import { ORGANIC, ORGANIC_TO_SOMEBODY, POST_KIND } from '../visibility.ts'

// Timelines scan indexes: each scan reads the posts of one author, visibility class and kind,
// ordered by id and limited to the page. It reads nothing that the page does not show.

/** What a timeline omits. */
export type OmittedKind = 'replies' | 'reposts'

/** A page of a timeline. */
export interface TimelineArgs {
  /** The user. */
  of: string
  /** Posts after this id, in the direction of the page. */
  id: string
  /**
   * The end of the window in that direction: for older posts, the smallest id; for newer posts, an
   * exclusive upper bound.
   */
  edge: string
  limit: number
}

/** A post of a timeline. */
export interface TimelineRow extends Pick<PostRow, 'id' | 'created_at'> {
  /**
   * 1 if the reading user has muted or blocked one of its authors, or if it is only in a community
   * of which the user is no member.
   */
  unwanted: number
}

export type Direction = 'older' | 'newer'

/** A timeline in both directions, for each set of omitted kinds. */
type TimelineQueries<Args, Row> = (direction: Direction, exclude: ReadonlySet<string>) => Query<Args, Row>

const PLAIN = 0
const REPLY = 1
const REPOST = 2

/** Posts that one index scan can read in order. */
interface PostClass {
  visibility: number
  /** Undefined: all kinds. */
  kind?: number
}

/** Reposts have the visibility ORGANIC, replies ORGANIC_TO_SOMEBODY. */
function classesWithout(exclude: ReadonlySet<string>): readonly PostClass[] {
  if (exclude.size === 0) return [{ visibility: ORGANIC }, { visibility: ORGANIC_TO_SOMEBODY }]
  return [
    { visibility: ORGANIC, kind: PLAIN },
    { visibility: ORGANIC_TO_SOMEBODY, kind: PLAIN },
    ...(exclude.has('replies') ? [] : [{ visibility: ORGANIC_TO_SOMEBODY, kind: REPLY }]),
    ...(exclude.has('reposts') ? [] : [{ visibility: ORGANIC, kind: REPOST }]),
  ]
}

/** Whether a post of an author is in a class, within the window and after the previous page. */
const isInClass = (
  author: RawBuilder<unknown>,
  { visibility, kind }: PostClass,
  at: TimelineArgs,
  direction: Direction,
) => sql`
  author_id = ${author} and environment = 'production' and visibility = ${sql.lit(visibility)}
  ${kind === undefined ? sql`` : sql`and (${sql.raw(POST_KIND)}) = ${sql.lit(kind)}`}
  and ${direction === 'older' ? sql`id < ${at.id} and id >= ${at.edge}` : sql`id > ${at.id} and id < ${at.edge}`}`

const orderOf = (direction: Direction) => sql.raw(direction === 'older' ? 'desc' : 'asc')

/** The scans of one author, merged. */
function postsOfAuthorSql(classes: readonly PostClass[], at: TimelineArgs, direction: Direction) {
  const order = orderOf(direction)
  const scans = classes.map(
    (postClass, index) => sql`select * from (select id, created_at from posts
      where ${isInClass(sql`${at.of}`, postClass, at, direction)} order by id ${order} limit ${at.limit}
    ) as ${sql.raw(`scan_${index}`)}`,
  )
  return sql`select id, created_at, 0 as unwanted from (${sql.join(scans, sql` union all `)}) as scans
    order by id ${order} limit ${at.limit}`
}

/** The arguments of one part of the authors. */
export interface HeadArgs extends TimelineArgs {
  /** Authors after this id. */
  after: string
}

/** An author of a merged timeline. */
export interface HeadRow {
  author_id: string
  /** The id of their first post after the previous page; null if there is none. */
  head: string | null
}

/** How many authors a part has. Each of them takes one index lookup per class. */
export const AUTHORS_OF_PART = 250

/** Followed users who are not muted. */
const followed = (at: HeadArgs) => sql`select target_id as author_id from relations
  where source_id = ${at.of} and kind = 'follow' and target_id > ${at.after} and not exists (
    select 1 from relations as mutes where mutes.source_id = ${at.of}
      and mutes.target_id = relations.target_id and mutes.kind = 'mute')
  order by target_id limit ${at.limit}`

/** The arguments of one part of the members of a list, which `of` names. */
export interface MemberHeadArgs extends HeadArgs {
  /** A user, or empty for an app that calls for itself. */
  viewer: string
}

/** Members of a list whose posts the viewer may see. */
const members = (at: MemberHeadArgs) => sql`select user_id as author_id from list_relations
  where list_id = ${at.of} and kind = 'member' and user_id > ${at.after} and exists (
    select 1 from users where users.id = list_relations.user_id and users.suspended = 0
      and (users.protected = 0 or users.id = ${at.viewer} or exists (
        select 1 from relations where source_id = ${at.viewer} and target_id = users.id and kind = 'follow')))
  order by user_id limit ${at.limit}`

/** Some authors after `after`, in the order of their ids, with their first posts. */
const headsOf =
  <Args extends HeadArgs>(authors: (at: Args) => RawBuilder<unknown>) =>
  (db: Database, classes: readonly PostClass[], at: Args, direction: Direction) => {
    const [pick, first, none] =
      direction === 'older' ? ['greatest', 'max', FIRST_ID] : ['least', 'min', LAST_ID]
    const author = sql.ref('authors.author_id')
    const firsts = classes.map(
      (postClass) =>
        sql`coalesce((select ${sql.raw(first)}(id) from posts where ${isInClass(author, postClass, at, direction)}), ${sql.raw(none)})`,
    )
    const head = sql`${sql.raw(postgres(db) ? pick : first)}(${sql.join(firsts)})`
    return sql`with authors as materialized (${authors(at)})
      select author_id, nullif(cast(${head} as text), ${sql.lit(none)}) as head from authors order by author_id`
  }

/** The arguments of a page of several authors. */
export interface AuthorsArgs extends TimelineArgs {
  /** JSON list of the ids of users. */
  authors: string
}

/** The posts of some authors, merged. */
function postsOfAuthorsSql(
  db: Database,
  classes: readonly PostClass[],
  at: AuthorsArgs,
  direction: Direction,
) {
  const order = orderOf(direction)
  const scans = classes.map((postClass, index) => scanOfAuthors(db, { postClass, index, at, direction }))
  const list = postgres(db)
    ? sql`select jsonb_array_elements_text(${at.authors}::jsonb) as author_id`
    : sql`select value as author_id from json_each(${at.authors})`
  return sql`with authors as materialized (${list}),
    page as materialized (select * from (${sql.join(scans, sql` union all `)}) as scans order by id ${order} limit ${at.limit})
    select page.id, page.created_at, case when originals.id is not null or ${isElsewhere(at)} then 1 else 0 end as unwanted
      from page left join posts as originals on originals.id = page.reposted_post_id and exists (
        select 1 from relations where source_id = ${at.of} and target_id = originals.author_id and kind in ('mute', 'block'))
      order by page.id ${order}`
}

/**
 * Whether a post of a page is only in a community of which the reader is no member. Others may read
 * the posts of a public community there; timelines have those that were shared with followers.
 */
const isElsewhere = (at: TimelineArgs) => sql`(page.community_id is not null
  and page.share_with_followers = 0 and page.author_id <> ${at.of} and not exists (
    select 1 from community_members where community_members.community_id = page.community_id
      and community_members.user_id = ${at.of}))`

interface AuthorsScan {
  postClass: PostClass
  index: number
  at: TimelineArgs
  direction: Direction
}

const PAGE_COLUMN_NAMES = [
  ...(['id', 'created_at', 'reposted_post_id'] as const),
  ...(['author_id', 'community_id', 'share_with_followers'] as const),
]
const PAGE_COLUMNS = sql.join(PAGE_COLUMN_NAMES.map((column) => sql.ref(column)))

/** A scan for each author of a page. */
function scanOfAuthors(db: Database, { postClass, index, at, direction }: AuthorsScan): RawBuilder<unknown> {
  const author = sql.ref('authors.author_id')
  const order = orderOf(direction)
  const where = sql`where ${isInClass(author, postClass, at, direction)} order by id ${order} limit ${at.limit}`
  const name = sql.raw(`scan_${index}`)
  return postgres(db)
    ? sql`select ${name}.* from authors cross join lateral (select ${PAGE_COLUMNS} from posts ${where}) as ${name}`
    : sql`select ${sql.join(PAGE_COLUMN_NAMES.map((column) => sql.ref(`scan_${index}.${column}`)))}
        from authors cross join posts as ${name}
        where ${name}.id in (select id from posts ${where})`
}

/** Declares the queries of a timeline, for each direction and set of omitted kinds. */
function timeline<Args extends object = TimelineArgs, Row = TimelineRow>(
  name: string,
  build: (db: Database, classes: readonly PostClass[], at: Args, direction: Direction) => RawBuilder<unknown>,
): TimelineQueries<Args, Row> {
  const sets: readonly (readonly OmittedKind[])[] = [[], ['replies'], ['reposts'], ['replies', 'reposts']]
  const queries = new Map(
    sets.flatMap((set) =>
      (['older', 'newer'] as const).map((direction) => {
        const key = [direction, ...set].join('_')
        const classes = classesWithout(new Set(set))
        const declared = query<Args, Row>(`${name}_${key}`, (db, at) => ({
          compile: () => build(db, classes, at, direction).compile(db),
        }))
        return [key, declared] as const
      }),
    ),
  )
  return (direction, exclude) => {
    const key = [direction, ...(['replies', 'reposts'] as const).filter((kind) => exclude.has(kind))].join(
      '_',
    )
    const found = queries.get(key)
    if (!found) throw new Error(`there is no timeline ${key}`)
    return found
  }
}

/** The posts of a user. */
export const postsOfUser = timeline('postsOfUser', (_db, ...scan) => postsOfAuthorSql(...scan))
export const homeHeads = timeline<HeadArgs, HeadRow>('homeHeads', headsOf(followed))
export const listHeads = timeline<MemberHeadArgs, HeadRow>('listHeads', headsOf(members))
export const postsOfAuthors = timeline<AuthorsArgs>('postsOfAuthors', postsOfAuthorsSql)

/** Posts that mention a user or reply to one. */
const mentions = (direction: Direction) =>
  query<TimelineArgs, TimelineRow>(`mentionsOfUser_${direction}`, (db, at) => {
    const order = orderOf(direction)
    const window =
      direction === 'older'
        ? sql`post_id < ${at.id} and post_id >= ${at.edge}`
        : sql`post_id > ${at.id} and post_id < ${at.edge}`
    return {
      compile: () =>
        sql`select posts.id, posts.created_at, case when blocks.target_id is null then 0 else 1 end as unwanted
          from (select post_id from post_mentions where user_id = ${at.of} and ${window}
            order by post_id ${order} limit ${at.limit}) as mentions
          inner join posts on posts.id = mentions.post_id
          left join relations as blocks on blocks.source_id = ${at.of} and blocks.target_id = posts.author_id
            and blocks.kind = 'block'
          order by posts.id ${order}`.compile(db),
    }
  })

export const mentionsOfUser = { older: mentions('older'), newer: mentions('newer') }
