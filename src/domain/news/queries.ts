import { sql } from 'kysely'
import { anyIdIn, anyIn, picked, postgres } from '../../platform/storage/query.ts'
import { removalBefore } from '../../platform/storage/removal.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { isSeenByEveryone } from '../posts/public-sql.ts'
import { ORGANIC } from '../posts/visibility.ts'
import { type Database, query } from '../tables.ts'
import { type NewsPostRow, type NewsStoryRow, newsPosts, newsStories } from './tables.ts'

/** `posts` is a JSON list of post_id, author_id and terms. Existing posts keep their story. */
export const putNewsPosts = query<{ posts: string }>('putNewsPosts', (db, at) => {
  const rows = postgres(db)
    ? sql`select post_id, author_id, terms from jsonb_to_recordset(${at.posts}::jsonb)
        as t(post_id numeric, author_id text, terms text)`
    : sql`select value->>'post_id' as post_id, value->>'author_id' as author_id, value->>'terms' as terms
        from json_each(${at.posts})`
  return {
    compile: () =>
      sql`insert into news_posts (post_id, author_id, terms)
        select post_id, author_id, terms from (${rows}) as given where true
        on conflict (post_id) do update set terms = excluded.terms`.compile(db),
  }
})

/** `ids` is a JSON list. */
export const removeNewsPosts = query<{ ids: string }>('removeNewsPosts', (db, at) =>
  db.deleteFrom('news_posts').where(anyIdIn(postgres(db), sql.ref('post_id'), at.ids)),
)

export const removeNewsPostsBefore = removalBefore<string>('removeNewsPostsBefore', newsPosts, 'post_id')

/** The post after the newest `size` ones. */
export const newsPostBehind = query<{ from: string; size: number }, { post_id: string }>(
  'newsPostBehind',
  (db, at) =>
    db
      .selectFrom('news_posts')
      .select('post_id')
      .where('post_id', '>=', at.from)
      .orderBy('post_id', 'desc')
      .limit(1)
      .offset(at.size),
)

/** Public posts that were not replaced by an edit, without reposts. */
const isSeen = (db: Database) =>
  db
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.author_id')
    .where('posts.environment', '=', 'production')
    .where('posts.visibility', '=', ORGANIC)
    .where(isSeenByEveryone({ posts: 'posts', authors: 'users' }))

/** The newest public posts of the window. */
export const newsWindow = query<{ from: string; limit: number }, NewsPostRow>('newsWindow', (db, at) =>
  isSeen(db)
    .innerJoin('news_posts', 'news_posts.post_id', 'posts.id')
    .selectAll('news_posts')
    .where('news_posts.post_id', '>=', at.from)
    .orderBy('news_posts.post_id', 'desc')
    .limit(at.limit),
)

/** `posts` is a JSON list of post_id and story_id. */
export const setNewsStories = query<{ posts: string }>('setNewsStories', (db, at) => {
  const rows = postgres(db)
    ? sql`select post_id, story_id from jsonb_to_recordset(${at.posts}::jsonb) as t(post_id numeric, story_id numeric)`
    : sql`select value->>'post_id' as post_id, value->>'story_id' as story_id from json_each(${at.posts})`
  return {
    compile: () =>
      sql`update news_posts set story_id = given.story_id from (${rows}) as given
        where news_posts.post_id = given.post_id`.compile(db),
  }
})

export const putStory = query<NewsStoryRow>('putNewsStory', (db, at) =>
  db
    .insertInto('news_stories')
    .values(picked(at, columnNames(newsStories)))
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(picked(at, ['category', 'keywords', 'contexts', 'updated_at'])),
    ),
)

export const clearStoryPosts = query<{ story: string }>('clearNewsStoryPosts', (db, at) =>
  db.deleteFrom('news_story_posts').where('story_id', '=', at.story),
)

/** `posts` is a JSON list of place and post_id. */
export const addStoryPosts = query<{ story: string; posts: string }>('addNewsStoryPosts', (db, at) => {
  const rows = postgres(db)
    ? sql`select ${at.story}::numeric as story_id, place, post_id from jsonb_to_recordset(${at.posts}::jsonb)
        as t(place integer, post_id numeric)`
    : sql`select ${at.story} as story_id, value->>'place' as place, value->>'post_id' as post_id
        from json_each(${at.posts})`
  return {
    compile: () => sql`insert into news_story_posts (story_id, place, post_id) ${rows}`.compile(db),
  }
})

export const clearStoryWords = query<{ story: string }>('clearNewsStoryWords', (db, at) =>
  db.deleteFrom('news_story_words').where('story_id', '=', at.story),
)

/** `words` is a JSON list without duplicates. */
export const addStoryWords = query<{ story: string; words: string }>('addNewsStoryWords', (db, at) => {
  const rows = postgres(db)
    ? sql`select word, ${at.story}::numeric from jsonb_array_elements_text(${at.words}::jsonb) as t(word)`
    : sql`select value, ${at.story} from json_each(${at.words})`
  return {
    compile: () => sql`insert into news_story_words (word, story_id) ${rows}`.compile(db),
  }
})

/** `ids` is a JSON list. */
export const removeStories = query<{ ids: string }>('removeNewsStories', (db, at) =>
  db.deleteFrom('news_stories').where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

export const removeOldStories = removalBefore('removeOldNewsStories', newsStories, 'updated_at')

/** The story after the newest `size` ones. */
export const storyBehind = query<{ after: number; size: number }, Pick<NewsStoryRow, 'updated_at'>>(
  'newsStoryBehind',
  (db, at) =>
    db
      .selectFrom('news_stories')
      .select('updated_at')
      .where('updated_at', '>=', at.after)
      .orderBy('updated_at', 'desc')
      .limit(1)
      .offset(at.size),
)

/** Stories after `time` and `id`, the newest first. */
export const pageOfStories = query<
  { time: number; id: string; limit: number },
  { id: string; created_at: number }
>('pageOfNewsStories', (db, at) => ({
  compile: () =>
    sql`select id, updated_at as created_at from news_stories
      where (updated_at, id) < (${at.time}, ${at.id})
      order by updated_at desc, id desc limit ${at.limit}`.compile(db),
}))

/** `ids` is a JSON list. */
export const storiesByIds = query<{ ids: string }, NewsStoryRow>('newsStoriesByIds', (db, at) =>
  db
    .selectFrom('news_stories')
    .selectAll()
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

/** Characters of a long text that are read. */
const READ_CHARACTERS = 1_000

/** The public posts of stories, in their order. `ids` is a JSON list of stories. */
export const postsOfStories = query<
  { ids: string },
  { story_id: string; post_id: string; author_id: string; text: string }
>('postsOfNewsStories', (db, at) =>
  isSeen(db)
    .innerJoin('news_story_posts', 'news_story_posts.post_id', 'posts.id')
    .select([
      'news_story_posts.story_id',
      'news_story_posts.post_id',
      'posts.author_id',
      sql<string>`substr(posts.text, 1, ${sql.lit(READ_CHARACTERS)})`.as('text'),
    ])
    .where(anyIdIn(postgres(db), sql.ref('news_story_posts.story_id'), at.ids))
    .orderBy('news_story_posts.story_id')
    .orderBy('news_story_posts.place'),
)

/**
 * The stories that have all of some words, newest first. `words` is a JSON list without duplicates.
 */
export const storiesWithWords = query<
  { words: string; count: number; after: number; limit: number },
  { id: string }
>('newsStoriesWithWords', (db, at) =>
  db
    .selectFrom('news_story_words')
    .innerJoin('news_stories', 'news_stories.id', 'news_story_words.story_id')
    .select('news_stories.id')
    .where(anyIn(postgres(db), sql.ref('news_story_words.word'), at.words))
    .where('news_stories.updated_at', '>=', at.after)
    .groupBy(['news_stories.id', 'news_stories.updated_at'])
    .having(sql<boolean>`count(*) = ${at.count}`)
    .orderBy('news_stories.updated_at', 'desc')
    .orderBy('news_stories.id', 'desc')
    .limit(at.limit),
)

const GENERATION = 'news_generation'

export const newsGeneration = query<object, { value: string }>('newsGeneration', (db) =>
  db.selectFrom('settings').select('value').where('name', '=', GENERATION),
)

/** Changes nothing when another refresh has written in between. */
export const moveNewsGeneration = query<{ from: string; to: string }>('moveNewsGeneration', (db, at) =>
  db
    .updateTable('settings')
    .set({ value: at.to })
    .where('name', '=', GENERATION)
    .where('value', '=', at.from),
)
