import type { ProfileRow } from '../../identity/users/tables.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { MediaRow } from '../media/tables.ts'
import { showInPost } from '../media/uses.ts'
import { insertPost } from '../posts/insert.ts'
import { articleInPost } from './in-post.ts'
import { addArticle, countDrafts, setArticlePost } from './queries.ts'
import type { ArticleRow } from './tables.ts'

/** Drafts that a user can have. */
const MAX_DRAFTS = 100

export type NewArticle = Pick<
  ArticleRow,
  'title' | 'content' | 'cover_media_key' | 'media_keys' | 'plain_text' | 'entities'
>

/** Stores a draft. Undefined if its author has too many. The row of the author must be locked. */
export async function addDraft(
  tx: Transaction,
  authorId: string,
  article: NewArticle,
  { ids }: { ids: IdSource },
): Promise<ArticleRow | undefined> {
  const drafts = await tx.first(countDrafts, { author: authorId })
  if (Number(drafts?.count) >= MAX_DRAFTS) return undefined
  const row = { id: ids.next(), author_id: authorId, ...article, created_at: tx.now, post_id: null }
  await tx.run(addArticle, row)
  return row
}

/** Publishes a draft as a post with its title. The draft and its media must be locked. */
export async function publishDraft(
  tx: Transaction,
  draft: ArticleRow,
  { appId, media }: { appId: string; media: readonly MediaRow[] },
  parts: Parameters<typeof insertPost>[2],
): Promise<string> {
  const post = await insertPost(
    tx,
    {
      environment: 'production',
      authorId: draft.author_id,
      text: draft.title,
      nullcast: false,
      replySettings: 'everyone',
      appId,
      contributorId: null,
      article: articleInPost(draft),
    },
    parts,
  )
  await showInPost(tx, post, media)
  await tx.run(setArticlePost, { id: draft.id, post: post.id })
  return post.id
}

/** Articles are for users with a subscription. */
export const writesArticles = ({ subscription_type }: ProfileRow): boolean => subscription_type !== 'None'
