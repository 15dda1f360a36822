import { Type } from 'typebox'
import { addDraft, writesArticles } from '../../../domain/articles/articles.ts'
import { entitiesOf } from '../../../domain/posts/insert.ts'
import { textFault } from '../../../domain/posts/weight.ts'
import { lockAuthor } from '../../../identity/users/queries.ts'
import { msg } from '../../../platform/http/message.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { actionEndpoint } from '../actions.ts'
import { wrong } from '../posts/wrong.ts'
import { DraftBody } from './body.ts'
import { checkContent, plainTextOf, readMedia } from './check.ts'

const closed = { additionalProperties: false }
/** Room for the longest text with every character escaped. */
const MAX_BODY_BYTES = 1024 * 1024

export const ARTICLE_LIMITS = { user: '50/15m' } as const
export const SOURCE = 'Other core endpoints (reference: articles)'
export const ARTICLE = { id: '1900000000000000071', title: 'Bridges' }

/** POST /2/articles/draft: a long text with headings and pictures, for its author only. */
export const draftArticle = actionEndpoint({
  id: 'draftArticle',
  host: 'core',
  method: 'POST',
  path: '/2/articles/draft',
  summary: 'Create a draft of an article',
  description:
    'Stores an article, which only `POST /2/articles/{article_id}/publish` shows to others. Articles are for users with a subscription, who may have 100 drafts.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['post.write'],
  limits: ARTICLE_LIMITS,
  body: DraftBody,
  maxBodyBytes: MAX_BODY_BYTES,
  status: 201,
  reply: Type.Object({ data: Type.Object({ id: id('The article.'), title: Type.String() }, closed) }, closed),
  errors: ['no articles', 'too many drafts'],
  example: {
    body: {
      title: ARTICLE.title,
      content_state: { blocks: [{ text: 'A bridge', type: 'header-one' }], entities: [] },
    },
    reply: { data: ARTICLE },
  },
  async handle({ principal: { userId }, body }, { store, ids }) {
    checkContent(body)
    const plain_text = plainTextOf(body.content_state)
    if (textFault(plain_text) === 'unreadable' || textFault(body.title) === 'unreadable')
      throw wrong('content_state', body.title, msg`The text contains invalid characters.`)
    const entities = JSON.stringify(await entitiesOf(store, plain_text))
    const row = await store.write(async (tx) => {
      const author = await tx.first(lockAuthor, { id: userId })
      if (!author) throw apiError('invalid token', 'the user is gone')
      if (!writesArticles(author)) throw apiError('no articles')
      const { cover, inText } = await readMedia(tx, body, userId)
      const article = {
        ...{ title: body.title, content: JSON.stringify(body.content_state), plain_text, entities },
        cover_media_key: cover?.media_key ?? null,
        media_keys: JSON.stringify(inText.map(({ media_key }) => media_key)),
      }
      return addDraft(tx, userId, article, { ids })
    })
    if (!row) throw apiError('too many drafts')
    return json({ data: { id: row.id, title: row.title } })
  },
})
