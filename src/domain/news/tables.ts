import { bigint, bytewise, id64, integer, type RowOf, table, text } from '../../platform/storage/table.ts'

/** The posts of the last day with their terms, from which stories are built. Derived from posts. */
export const newsPosts = table(
  'news_posts',
  {
    post_id: id64(),
    author_id: text(),
    /** JSON: the terms of the text. */
    terms: text(),
    /** The story that the post belongs to. */
    story_id: id64({ null: true }),
  },
  { key: ['post_id'] },
)

/** A story that several users write about. Its content is read from its posts. */
export const newsStories = table(
  'news_stories',
  {
    id: id64(),
    /** `News`, `Sports`, `Entertainment` or `Other`. */
    category: text(),
    /** A JSON list, the most important first. */
    keywords: text(),
    /** JSON: what the story is about, by kind. */
    contexts: text(),
    started_at: bigint(),
    updated_at: bigint(),
  },
  { key: ['id'], indexes: { news_stories_by_update: ['updated_at', 'id'] } },
)

/** The posts of a story, most typical first. */
export const newsStoryPosts = table(
  'news_story_posts',
  {
    story_id: id64({ belongsTo: newsStories }),
    place: integer(),
    post_id: id64(),
  },
  { key: ['story_id', 'place'] },
)

/** The words by which a story is found, without case and accents. */
export const newsStoryWords = table(
  'news_story_words',
  {
    word: bytewise(),
    story_id: id64({ belongsTo: newsStories }),
  },
  { key: ['word', 'story_id'], indexes: { news_story_words_by_story: ['story_id'] } },
)

export type NewsPostRow = RowOf<typeof newsPosts>

export type NewsStoryRow = RowOf<typeof newsStories>
