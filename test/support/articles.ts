import type { Plaza } from '../../src/app/server.ts'
import { addDraft } from '../../src/domain/articles/articles.ts'
import { lockAuthor } from '../../src/identity/users/queries.ts'

/** Makes articles without a call. */
export const articlesOf = (context: Plaza['context']) => ({
  /** A draft; resolves to its id. */
  draft: (authorId: string, title = `An article ${context.ids.next()}`): Promise<string> =>
    context.store.write(async (tx) => {
      await tx.first(lockAuthor, { id: authorId })
      const text = {
        ...{ title, content: '{"blocks":[],"entities":[]}', cover_media_key: null, media_keys: '[]' },
        ...{ plain_text: '', entities: '{"hashtags":[],"cashtags":[],"mentions":[],"urls":[]}' },
      }
      const row = await addDraft(tx, authorId, text, context)
      return String(row?.id)
    }),
})
