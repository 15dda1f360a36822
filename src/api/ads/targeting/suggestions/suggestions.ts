import { Type } from 'typebox'
import { MIN_AUTHORS } from '../../../../domain/insights/related.ts'
import { msg } from '../../../../platform/http/message.ts'
import { choice, closedComponent, ids, text } from '../../../../platform/http/schema.ts'
import { rejected } from '../../../../platform/protocols/ads/api-error.ts'
import { adsEndpoint, LIMITS } from '../../endpoint.ts'
import { gate } from '../estimate/gate.ts'
import { MAX_VALUE_LENGTH } from '../fields.ts'
import { suggestKeywords } from './keywords.ts'
import { suggestUsers } from './users.ts'

const TYPES = ['KEYWORD', 'USER_ID'] as const
const DEFAULT_COUNT = 30

export const listTargetingSuggestions = adsEndpoint({
  id: 'listTargetingSuggestions',
  method: 'GET',
  path: '/accounts/{account_id}/targeting_suggestions',
  summary: 'List suggestions for targeting',
  description:
    'Returns keywords related to the given keywords, or users similar to the given users, the closest first. ' +
    `Words of public posts are suggested if at least ${MIN_AUTHORS} users use them.`,
  source: 'Campaign management (reference: estimates and suggestions)',
  right: 'read',
  limits: LIMITS.estimates,
  query: {
    suggestion_type: choice([...TYPES], 'Type of the given values and of the suggestions.', 'SuggestionType'),
    targeting_values: ids(
      text(1, MAX_VALUE_LENGTH, 'A keyword or the id of a user.'),
      'The given keywords or user ids, all of the same type.',
    ),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        default: DEFAULT_COUNT,
        description: 'Maximum number of suggestions.',
      }),
    ),
  },
  codes: ['INVALID_USER_ID'],
  data: Type.Array(
    closedComponent('TargetingSuggestion', {
      suggestion_type: choice([...TYPES], 'As requested.', 'SuggestionType'),
      suggestion_value: text(1, MAX_VALUE_LENGTH, 'A keyword or the id of a user.'),
    }),
  ),
  async handle({ principal, scope, query }, context) {
    const { suggestion_type: type, targeting_values: values, count = DEFAULT_COUNT } = query
    const wrong = type === 'USER_ID' && values.find((value) => !/^[0-9]{1,19}$/.test(value))
    if (wrong) throw rejected('targeting_values', msg`Expected Long, got "${wrong}" for targeting_values`)
    const suggest = type === 'KEYWORD' ? suggestKeywords : suggestUsers
    const found = await gate.through(principal.userId, () =>
      suggest(values, scope.account.environment, context),
    )
    return {
      data: found.slice(0, count).map((value) => ({ suggestion_type: type, suggestion_value: value })),
    }
  },
})
