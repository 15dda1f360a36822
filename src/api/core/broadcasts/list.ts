import { Type } from 'typebox'
import { broadcastsBefore } from '../../../domain/broadcasts/queries.ts'
import { BROADCAST_ID } from '../../../domain/broadcasts/state.ts'
import { invalid } from '../../../platform/http/errors.ts'
import { msg, word } from '../../../platform/http/message.ts'
import { ids } from '../../../platform/http/schema.ts'
import { objectEndpoint } from '../objects/endpoint.ts'
import { BROADCAST, broadcastId, ForwardMeta, LIMITS, READ_SCOPES, SOURCE } from './subject.ts'

const MAX_RESULTS = 100
/** After every id. */
const LAST = '~'

interface PageQuery {
  max_results?: number
  pagination_token?: string
}

/** GET /2/broadcasts: broadcasts of the caller. */
export const listBroadcasts = objectEndpoint({
  id: 'listBroadcasts',
  path: '/2/broadcasts',
  summary: 'List your broadcasts',
  description:
    'Returns the broadcasts of the user in pages, newest first: scheduled, running and ended ones. With `ids`, those that it names; what does not exist, or another user has, is reported in `errors`.',
  source: SOURCE,
  auth: ['user'],
  scopes: READ_SCOPES,
  limits: LIMITS,
  query: {
    ids: Type.Optional(ids(broadcastId, 'The broadcasts, without paging.', MAX_RESULTS)),
    max_results: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: MAX_RESULTS },
        description: `Number of broadcasts in a page; ${MAX_RESULTS} by default. Not with \`ids\`.`,
      }),
    ),
    pagination_token: Type.Optional(
      Type.String({ pattern: BROADCAST_ID, description: '`next_token` of the page before.' }),
    ),
  },
  returns: { object: 'broadcast', count: 'many', meta: Type.Optional(ForwardMeta) },
  example: { data: [BROADCAST], meta: { result_count: 1 } },
  async find({ principal, query }, { store }) {
    const { ids: named, max_results: limit = MAX_RESULTS, pagination_token: id = LAST } = query
    if (named) {
      rejectPaging(query)
      const meta = (shown: readonly unknown[]) => ({ result_count: shown.length })
      return { keys: named, parameter: 'ids', meta }
    }
    const rows = await store.all(broadcastsBefore, { user: principal.userId, id, limit: limit + 1 })
    const keys = rows.slice(0, limit).map((row) => row.id)
    const next = rows.length > limit && { next_token: keys.at(-1) }
    return { keys, meta: (shown) => ({ result_count: shown.length, ...next }) }
  },
})

function rejectPaging(query: PageQuery): void {
  for (const name of ['max_results', 'pagination_token'] as const) {
    const value = query[name]
    if (value === undefined) continue
    const explanation = msg`The \`${word(name)}\` query parameter cannot be combined with \`ids\``
    throw invalid({ place: 'query', name, value: String(value), fault: { kind: 'rule', explanation } })
  }
}
