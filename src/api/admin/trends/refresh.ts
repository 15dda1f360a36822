import { Type } from 'typebox'
import { refreshTrends } from '../../../domain/trends/refresh.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'

const RefreshedTrends = component(
  'RefreshedTrends',
  Type.Object(
    { terms: Type.Integer({ minimum: 0, description: 'Terms that were used since the last time.' }) },
    { additionalProperties: false },
  ),
)

/** POST /admin/v1/trends/refresh: computes the trends from new posts. */
export const refreshAllTrends = dataEndpoint({
  ...ADMIN,
  id: 'refreshTrends',
  method: 'POST',
  path: '/admin/v1/trends/refresh',
  summary: 'Refresh the trends',
  description: 'Computes the trends from new posts now. The server does this every minute.',
  reply: Type.Object({ data: RefreshedTrends }, { additionalProperties: false }),
  example: { reply: { data: { terms: 3 } } },
  handle: async (_call, dependencies) => json({ data: await refreshTrends(dependencies) }),
})
