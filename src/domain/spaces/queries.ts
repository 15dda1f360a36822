import { sql } from 'kysely'
import { idPages } from '../../platform/storage/id-pages.ts'
import { anyIdIn, anyIn, locked, picked, postgres } from '../../platform/storage/query.ts'
import { removalOf } from '../../platform/storage/removal.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { isPresentUser } from '../posts/public-sql.ts'
import { query } from '../tables.ts'
import { type SpaceBuyerRow, type SpaceRow, spaceBuyers, spaces, type TopicRow, topics } from './tables.ts'

export const addSpace = query<SpaceRow>('addSpace', (db, at) =>
  db.insertInto('spaces').values(picked(at, columnNames(spaces))),
)

export const putTopic = query<TopicRow>('putTopic', (db, at) =>
  db
    .insertInto('topics')
    .values(picked(at, columnNames(topics)))
    .onConflict((on) =>
      on.column('id').doUpdateSet({ description: sql`coalesce(${at.description}, topics.description)` }),
    ),
)

/** `ids` is a JSON list. */
export const topicsByIds = query<{ ids: string }, TopicRow>('topicsByIds', (db, at) =>
  db
    .selectFrom('topics')
    .selectAll()
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

/** Locks a space for a change. */
export const lockSpace = query<{ id: string }, SpaceRow>('lockSpace', (db, at) =>
  locked(db, db.selectFrom('spaces').selectAll().where('id', '=', at.id)),
)

export const changeSpace = query<
  Pick<SpaceRow, 'id' | 'starts_at' | 'ends_at' | 'announced' | 'over' | 'updated_at'>
>('changeSpace', (db, at) =>
  db
    .updateTable('spaces')
    .set({
      starts_at: at.starts_at,
      ends_at: at.ends_at,
      announced: at.announced,
      over: at.over,
      updated_at: at.updated_at,
    })
    .where('id', '=', at.id),
)

export const removeSpace = query<{ id: string }>('removeSpace', (db, at) =>
  db.deleteFrom('spaces').where('id', '=', at.id),
)

/** Some spaces of a deleted user. */
export const someSpacesOf = query<{ creator: string; limit: number }, Pick<SpaceRow, 'id'>>(
  'someSpacesOf',
  (db, at) =>
    db.selectFrom('spaces').select('id').where('creator_id', '=', at.creator).orderBy('id').limit(at.limit),
)

/** Removes the tickets of a user. */
export const removeTickets = removalOf('removeTickets', spaceBuyers, 'user_id', 'user')

export const pageOfSpaces = query<{ after: string; limit: number }, SpaceRow>('pageOfSpaces', (db, at) =>
  db
    .selectFrom('spaces')
    .selectAll()
    .where('id', '>', at.after)
    .where(isPresentUser('spaces.creator_id'))
    .orderBy('id')
    .limit(at.limit),
)

/** Spaces of a user that have not ended. */
export const currentSpaces = query<{ creator: string; limit: number }, { id: string }>(
  'currentSpaces',
  (db, at) =>
    db
      .selectFrom('spaces')
      .select('id')
      .where('creator_id', '=', at.creator)
      .where('over', '=', sql.lit(0))
      .limit(at.limit),
)

/** A space, and whether its creator is suspended. */
export interface SpaceWithCreatorRow extends SpaceRow {
  creator_suspended: number
}

/** `ids` is a JSON list. */
export const spacesByIds = query<{ ids: string }, SpaceWithCreatorRow>('spacesByIds', (db, at) =>
  db
    .selectFrom('spaces')
    .innerJoin('users', 'users.id', 'spaces.creator_id')
    .selectAll('spaces')
    .select('users.suspended as creator_suspended')
    .where(anyIn(postgres(db), sql.ref('spaces.id'), at.ids))
    .where('users.deleted_at', 'is', null),
)

/** Live and scheduled spaces of some users, newest first. `ids` is a JSON list. */
export const spacesOfCreators = query<{ ids: string; now: number }, { id: string }>(
  'spacesOfCreators',
  (db, at) =>
    db
      .selectFrom('spaces')
      .select('id')
      .where(anyIn(postgres(db), sql.ref('creator_id'), at.ids))
      .where('over', '=', sql.lit(0))
      .where((expression) =>
        expression.or([expression('ends_at', 'is', null), expression('ends_at', '>', at.now)]),
      )
      .orderBy('id', 'desc'),
)

/** `words` is a JSON list. */
export const addSpaceWords = query<{ id: string; words: string }>('addSpaceWords', (db, at) => ({
  compile: () =>
    (postgres(db)
      ? sql`insert into space_words (word, space_id)
          select value, ${at.id} from jsonb_array_elements_text(${at.words}::jsonb) on conflict do nothing`
      : sql`insert into space_words (word, space_id)
          select value, ${at.id} from json_each(${at.words}) where true on conflict do nothing`
    ).compile(db),
}))

export const removeSpaceWords = query<{ id: string }>('removeSpaceWords', (db, at) =>
  db.deleteFrom('space_words').where('space_id', '=', at.id),
)

export interface SpaceSearchArgs {
  /** One of the words, whose spaces are scanned. */
  word: string
  /** A JSON list of all words. */
  words: string
  now: number
  /** Only spaces that start after one time, and no later than another. */
  startsAfter: number
  startsBy: number
  limit: number
}

/** Live and scheduled spaces whose titles contain all words, newest first. */
export const spacesWithWords = query<SpaceSearchArgs, { id: string }>('spacesWithWords', (db, at) => {
  const others = postgres(db)
    ? sql`jsonb_array_elements_text(${at.words}::jsonb) as other(value)`
    : sql`json_each(${at.words}) as other`
  return {
    compile: () =>
      sql`select spaces.id from space_words inner join spaces on spaces.id = space_words.space_id
        where space_words.word = ${at.word}
          and spaces.starts_at > ${at.startsAfter} and spaces.starts_at <= ${at.startsBy}
          and (spaces.ends_at is null or spaces.ends_at > ${at.now})
          and not exists (select 1 from ${others} where not exists (select 1 from space_words as one
            where one.word = other.value and one.space_id = space_words.space_id))
        order by space_words.space_id desc limit ${at.limit}`.compile(db),
  }
})

export const addBuyer = query<SpaceBuyerRow>('addBuyerOfSpace', (db, at) =>
  db
    .insertInto('space_buyers')
    .values(picked(at, columnNames(spaceBuyers)))
    .onConflict((conflict) => conflict.doNothing()),
)

/** Users who bought tickets of a space, most recent first. */
export const buyersOfSpace = idPages('buyersOfSpace', {
  table: 'space_buyers',
  of: 'space_id',
  other: 'user_id',
})

export const sharePost = query<{ space: string; post: string }>('sharePost', (db, at) =>
  db
    .insertInto('space_posts')
    .values({ space_id: at.space, post_id: at.post })
    .onConflict((c) => c.doNothing()),
)

type SpacePostPageArgs = { space: string; id: string; limit: number }

/** Posts shared in a space, with ids below one, newest first. */
export const olderPostsOfSpace = query<SpacePostPageArgs, { post_id: string }>(
  'olderPostsOfSpace',
  (db, at) =>
    db
      .selectFrom('space_posts')
      .select('post_id')
      .where('space_id', '=', at.space)
      .where('post_id', '<', at.id)
      .orderBy('post_id', 'desc')
      .limit(at.limit),
)

/** Posts with ids above one, oldest first. */
export const newerPostsOfSpace = query<SpacePostPageArgs, { post_id: string }>(
  'newerPostsOfSpace',
  (db, at) =>
    db
      .selectFrom('space_posts')
      .select('post_id')
      .where('space_id', '=', at.space)
      .where('post_id', '>', at.id)
      .orderBy('post_id')
      .limit(at.limit),
)
