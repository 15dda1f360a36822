import { sql } from 'kysely'
import { anyIdIn, postgres } from '../../platform/storage/query.ts'
import { isPublicPost } from '../posts/public-sql.ts'
import type { PostRow } from '../posts/tables.ts'
import { query } from '../tables.ts'

/** The texts of posts that are still public. `ids` is a JSON list. */
export const publicTexts = query<{ ids: string }, Pick<PostRow, 'id' | 'author_id' | 'text' | 'entities'>>(
  'publicTexts',
  (db, at) =>
    db
      .selectFrom('posts')
      .select(['id', 'author_id', 'text', 'entities'])
      .where(anyIdIn(postgres(db), sql.ref('posts.id'), at.ids))
      .where(isPublicPost('posts.id')),
)
