import { id } from '../../../platform/http/schema.ts'
import { objectEndpoint } from '../objects/endpoint.ts'
import { NEWS, NEWS_LIMITS } from './example.ts'

/** GET /2/news/{id}: one story (core reference, 04 section 2). */
export const getNews = objectEndpoint({
  id: 'getNews',
  path: '/2/news/{id}',
  summary: 'Get a news story',
  description:
    'Returns one story. A story that does not exist, or whose posts are no longer visible, is reported in `errors` with status 200.',
  source: 'Other core endpoints named in release notes',
  auth: ['app', 'user'],
  limits: NEWS_LIMITS,
  params: { id: id('The story.') },
  returns: { object: 'news', count: 'one' },
  example: { params: { id: NEWS.id }, data: NEWS },
  find: ({ params }) => ({ keys: [params.id], parameter: 'id' }),
})
