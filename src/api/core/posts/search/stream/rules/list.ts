import { Type } from 'typebox'
import { pageOfRules, rulesByIds } from '../../../../../../delivery/streams/queries.ts'
import { compareIds } from '../../../../../../platform/common/ids.ts'
import { isoTime } from '../../../../../../platform/common/time.ts'
import { json } from '../../../../../../platform/http/reply-kinds.ts'
import { id, ids } from '../../../../../../platform/http/schema.ts'
import { idOfToken, idToken, tokenOfId } from '../../../../id-token.ts'
import { count, endpoint, presentRule, Rule, sent } from './endpoint.ts'

const MAX_RULES = 1_000

/**
 * GET /2/posts/search/stream/rules: the rules of the app, oldest first (core reference, 03 section
 * 1.1).
 */
export const listStreamRules = endpoint({
  id: 'listStreamRules',
  host: 'core',
  method: 'GET',
  path: '/2/posts/search/stream/rules',
  summary: 'List the rules of the filtered stream',
  description: 'Returns the rules of the calling app, oldest first. Without rules, there is no `data`.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  limits: { app: '450/15m' },
  query: {
    ids: Type.Optional(ids(id('A rule.'), 'Returns only these rules.', MAX_RULES)),
    max_results: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_RULES,
        default: MAX_RULES,
        description: 'Number of rules in a page.',
      }),
    ),
    pagination_token: idToken,
  },
  reply: Type.Object(
    {
      data: Type.Optional(Type.Array(Rule)),
      meta: Type.Object(
        { sent, result_count: count, next_token: Type.Optional(Type.String()) },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
  example: {
    reply: {
      data: [{ id: '1900000000000000042', value: 'cat has:media', tag: 'cats' }],
      meta: { sent: '2026-02-03T04:05:06.000Z', result_count: 1 },
    },
  },
  async handle({ principal: { app }, query }, { store, clock }) {
    const { max_results: limit = MAX_RULES, pagination_token: token } = query
    const after = idOfToken(token)
    const owner = { app: app.id, stream: 'filtered' }
    const rows = query.ids
      ? (await store.all(rulesByIds, { ...owner, ids: JSON.stringify(query.ids) })).filter(
          ({ id }) => compareIds(id, after) > 0,
        )
      : await store.all(pageOfRules, { ...owner, after, limit: limit + 1 })
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return json({
      ...(page.length > 0 && { data: page.map(presentRule) }),
      meta: {
        sent: isoTime(clock.now()),
        result_count: page.length,
        ...(rows.length > page.length && last && { next_token: tokenOfId(last.id) }),
      },
    })
  },
})
