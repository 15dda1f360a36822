import { Type } from 'typebox'
import { component } from '../../platform/http/schema.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { TextEntities, textEntities } from '../../platform/text/entity-fields.ts'
import type { ArticleInPost } from './in-post.ts'
import { articlesByIds } from './queries.ts'
import type { ArticleRow } from './tables.ts'

/** Of the preview, in code points. */
const PREVIEW_LENGTH = 200

/** An article, as a post shows it (core reference, 09 part B). */
export const Article = component(
  'Article',
  Type.Object(
    {
      title: Type.String({ description: 'Title.' }),
      preview_text: Type.String({ description: 'The beginning of the text.' }),
      plain_text: Type.String({ description: 'The texts of its blocks, a line for each.' }),
      cover_media: Type.Optional(Type.String({ description: 'Key of the medium above the text.' })),
      media_entities: Type.Optional(
        Type.Array(Type.String(), { description: 'Keys of the media in the text, in their order.' }),
      ),
      entities: Type.Optional(TextEntities),
    },
    { additionalProperties: false, description: 'The article that the post publishes.' },
  ),
)

type ArticleText = Pick<ArticleRow, 'id' | 'plain_text' | 'entities'>

/** The texts of articles, by id. Without ids, it reads nothing. */
export async function textsOfArticles(
  ids: readonly string[],
  store: Pick<Store, 'all'>,
): Promise<ReadonlyMap<string, ArticleText>> {
  if (ids.length === 0) return new Map()
  const rows = await store.all(articlesByIds, { ids: JSON.stringify(ids) })
  return new Map(rows.map((row) => [row.id, row]))
}

export function shownArticle({ title, cover, media }: ArticleInPost, text: ArticleText | undefined) {
  if (!text) return undefined
  const entities = textEntities(JSON.parse(text.entities) as Entities)
  return {
    title,
    preview_text: [...text.plain_text.slice(0, 2 * PREVIEW_LENGTH)].slice(0, PREVIEW_LENGTH).join(''),
    plain_text: text.plain_text,
    ...(cover !== null && { cover_media: cover }),
    ...(media.length > 0 && { media_entities: [...media] }),
    ...(entities && { entities }),
  }
}
