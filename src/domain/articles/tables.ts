import { users } from '../../identity/users/tables.ts'
import { bigint, id64, type RowOf, table, text } from '../../platform/storage/table.ts'

/** A long text with headings and pictures. Publishing it makes a post. */
export const articles = table(
  'articles',
  {
    id: id64(),
    author_id: text({ belongsTo: users }),
    title: text(),
    /** JSON: the blocks and entities, as they were sent. */
    content: text(),
    cover_media_key: text({ null: true }),
    /** A JSON list: the media in the text, in their order. */
    media_keys: text(),
    /** The texts of the blocks, a line for each. */
    plain_text: text(),
    /** JSON: the mentions and links in the plain text, with their positions in code points. */
    entities: text(),
    created_at: bigint(),
    /** Null for a draft. */
    post_id: id64({ null: true }),
  },
  {
    key: ['id'],
    indexes: {
      articles_drafts: { on: ['author_id'], where: 'post_id is null' },
      articles_by_author: ['author_id', 'id'],
    },
  },
)
export type ArticleRow = RowOf<typeof articles>
