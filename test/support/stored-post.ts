import { NO_DICTIONARY } from '../../src/domain/annotations/dictionary.ts'
import { insertPost } from '../../src/domain/posts/insert.ts'
import type { PostRow } from '../../src/domain/posts/tables.ts'
import type { OpenedStore } from './stores.ts'

/** A post of a user, in a store without a server. */
export const storedPost = (at: OpenedStore, authorId: string, text: string): Promise<PostRow> =>
  at.store.write((tx) =>
    insertPost(
      tx,
      {
        ...{ environment: 'production', authorId, text, nullcast: false },
        ...{ replySettings: 'everyone', appId: '1', contributorId: null },
      },
      { ...at, dictionary: NO_DICTIONARY },
    ),
  )
