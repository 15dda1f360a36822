import { sql } from 'kysely'
import { anyIdIn, locked, picked, postgres } from '../../platform/storage/query.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import { type ArticleRow, articles } from './tables.ts'

export const addArticle = query<ArticleRow>('addArticle', (db, at) =>
  db.insertInto('articles').values(picked(at, columnNames(articles))),
)

export const countDrafts = query<{ author: string }, { count: number }>('countArticleDrafts', (db, at) =>
  db
    .selectFrom('articles')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('author_id', '=', at.author)
    .where('post_id', 'is', null),
)

export const lockArticle = query<{ id: string }, ArticleRow>('lockArticle', (db, at) =>
  locked(db, db.selectFrom('articles').selectAll().where('id', '=', at.id)),
)

export const setArticlePost = query<{ id: string; post: string }>('setArticlePost', (db, at) =>
  db.updateTable('articles').set({ post_id: at.post }).where('id', '=', at.id),
)

/** What posts show of articles. `ids`: a JSON list. */
export const articlesByIds = query<{ ids: string }, Pick<ArticleRow, 'id' | 'plain_text' | 'entities'>>(
  'articlesByIds',
  (db, at) =>
    db
      .selectFrom('articles')
      .select(['id', 'plain_text', 'entities'])
      .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

export const removeArticle = query<{ id: string }>('removeArticle', (db, at) =>
  db.deleteFrom('articles').where('id', '=', at.id),
)
