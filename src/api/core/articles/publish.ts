import { publishDraft } from '../../../domain/articles/articles.ts'
import { lockArticle } from '../../../domain/articles/queries.ts'
import type { ArticleRow } from '../../../domain/articles/tables.ts'
import { idIn } from '../../../domain/media/media.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { countedFor } from '../../../domain/posts/daily.ts'
import { lockAuthor } from '../../../identity/users/queries.ts'
import { ApiError, invalid } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { notFoundProblem } from '../../../platform/protocols/problem/resource.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { actionReply } from '../actions.ts'
import { endpoint } from '../posts/endpoint.ts'
import { lockedMedia } from './check.ts'
import { ARTICLE, ARTICLE_LIMITS, SOURCE } from './draft.ts'

/** POST /2/articles/{article_id}/publish: makes a post of a draft. */
export const publishArticle = endpoint({
  id: 'publishArticle',
  host: 'core',
  method: 'POST',
  path: '/2/articles/{article_id}/publish',
  summary: 'Publish an article',
  description:
    'Publishes a draft of the caller as a post with its title; the field `article` of the post has the text. Publishing it again returns the same post. It counts as a post.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['post.write'],
  limits: ARTICLE_LIMITS,
  params: { article_id: id('The article.') },
  reply: actionReply('PublishedArticle', { post_id: id('The post.') }),
  errors: ['not article author'],
  example: { params: { article_id: ARTICLE.id }, reply: { data: { post_id: '1900000000000000001' } } },
  async handle({ principal, params: { article_id: articleId } }, dependencies) {
    const { clock, dictionary, ids, store, countPost, naming } = dependencies
    const post = { authorId: principal.userId, appId: principal.app.id }
    return countedFor(post, countPost, async (day) => {
      const made = await store.write(async (tx) => {
        if (!(await tx.first(lockAuthor, { id: principal.userId })))
          throw apiError('invalid token', 'the user is gone')
        const draft = await tx.first(lockArticle, { id: articleId })
        if (!draft) return undefined
        if (draft.author_id !== principal.userId) throw apiError('not article author')
        if (draft.post_id !== null) return { id: draft.post_id, isNew: false }
        const media = await mediaOf(tx, draft)
        if (!day.allowed) throw new ApiError('rate limited', { headers: day.headers })
        return {
          id: await publishDraft(tx, draft, { appId: post.appId, media }, { clock, dictionary, ids }),
          isNew: true,
        }
      })
      if (!made?.isNew) await day.undo()
      if (made) return json({ data: { post_id: made.id } }, undefined, made.isNew ? day.headers : {})
      const problem = { type: 'article', noun: 'Article', value: articleId, parameter: 'article_id' } as const
      return json({ errors: [notFoundProblem(problem, naming)] })
    })
  },
})

/** The media of a draft, locked. They may have expired since it was stored. */
async function mediaOf(
  tx: Transaction,
  { id: articleId, cover_media_key, media_keys, author_id }: ArticleRow,
): Promise<MediaRow[]> {
  const keys = [
    ...(cover_media_key === null ? [] : [cover_media_key]),
    ...(JSON.parse(media_keys) as string[]),
  ]
  const ids = [...new Set(keys.map(idIn))]
  const media = await lockedMedia(tx, ids, author_id)
  const missing = ids.find((one) => !media.has(one))
  if (missing !== undefined) {
    const explanation = msg`The medium ${missing} of the article no longer exists.`
    throw invalid({
      place: 'path',
      name: 'article_id',
      value: articleId,
      fault: { kind: 'rule', explanation },
    })
  }
  return [...media.values()]
}
