import type { ArticleRow } from './tables.ts'

/** What the row of a post has of its article, as JSON. The text is read only if it is shown. */
export interface ArticleInPost {
  readonly id: string
  readonly title: string
  readonly cover: string | null
  readonly media: readonly string[]
}

export const articleInPost = ({ id, title, cover_media_key: cover, media_keys }: ArticleRow): string =>
  JSON.stringify({ id, title, cover, media: JSON.parse(media_keys) as string[] } satisfies ArticleInPost)

/** The article of a post; undefined without one. */
export const articleOf = ({ article }: { article: string | null }): ArticleInPost | undefined =>
  article === null ? undefined : (JSON.parse(article) as ArticleInPost)
