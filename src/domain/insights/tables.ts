import { bytes, bytewise, id64, integer, table } from '../../platform/storage/table.ts'

// Rollups of the words of posts, see `src/domain/insights/`. They are derived from posts and can be rebuilt. A block contains
// up to 8,192 posts of one country and eight hours of UTC. Its number is that of the eight hours since 1970 times
// 8,192, plus a number from 0.

/** Posts of a block: two bytes for each, see `src/domain/insights/block.ts`. */
export const insightBlocks = table(
  'insight_blocks',
  {
    /** ISO 3166-1 alpha-2. */
    country: bytewise(),
    block: integer(),
    posts: bytes(),
  },
  {
    key: ['country', 'block'],
    indexes: {
      insight_blocks_by_age: ['block', 'country'],
    },
  },
)

/** The posts of a block that have a term: their positions in the block, two bytes each. */
export const insightTerms = table(
  'insight_terms',
  {
    country: bytewise(),
    block: integer(),
    /** A word, or a tag with its sign. */
    term: bytewise(),
    places: bytes(),
  },
  { key: ['country', 'block', 'term'] },
)

/** Where a post is counted. */
export const insightPosts = table(
  'insight_posts',
  {
    post_id: id64(),
    country: bytewise(),
    block: integer(),
    /** Its position in the block. */
    place: integer(),
  },
  {
    key: ['post_id'],
    indexes: {
      insight_posts_by_place: { on: ['country', 'block', 'place'], unique: true },
    },
  },
)
