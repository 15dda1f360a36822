import { Type } from 'typebox'
import { refreshNews } from '../../../domain/news/refresh.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'

const RefreshedNews = component(
  'RefreshedNews',
  Type.Object(
    {
      appeared: Type.Integer({ minimum: 0, description: 'Number of new stories.' }),
      updated: Type.Integer({ minimum: 0, description: 'Number of stories with new posts.' }),
    },
    { additionalProperties: false },
  ),
)

/** POST /admin/v1/news/refresh: builds stories from new posts. */
export const refreshAllNews = dataEndpoint({
  ...ADMIN,
  id: 'refreshNews',
  method: 'POST',
  path: '/admin/v1/news/refresh',
  summary: 'Refresh the news',
  description: 'Builds stories from new posts now. The server does this every minute.',
  reply: Type.Object({ data: RefreshedNews }, { additionalProperties: false }),
  example: { reply: { data: { appeared: 1, updated: 0 } } },
  handle: async (_call, dependencies) => json({ data: await refreshNews(dependencies) }),
})
