import { Type } from 'typebox'
import { wordsOf } from '../../../domain/query-language/tokenize.ts'
import { spacesWithWords } from '../../../domain/spaces/queries.ts'
import { invalid } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { choice, text } from '../../../platform/http/schema.ts'
import { objectEndpoint } from '../objects/endpoint.ts'
import { ListMeta, listMeta, SPACE, spaceRead } from './space.ts'

const MAX_RESULTS = 100
/** Maximum number of words in a query; no title has more. */
const MAX_WORDS = 35

/** GET /2/spaces/search: live and scheduled spaces by the words of their titles. */
export const searchSpaces = objectEndpoint({
  ...spaceRead,
  id: 'searchSpaces',
  path: '/2/spaces/search',
  summary: 'Search spaces',
  description:
    'Returns live and scheduled spaces whose titles contain all words of the query, newest first. Not case-sensitive.',
  query: {
    query: text(1, 2048, 'Words of the title.'),
    state: Type.Optional(
      choice(['all', 'live', 'scheduled'], 'Only spaces in this state; `all` by default.'),
    ),
    max_results: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_RESULTS,
        default: MAX_RESULTS,
        description: 'Spaces of the reply.',
      }),
    ),
  },
  returns: { object: 'space', count: 'many', meta: ListMeta },
  example: { data: [SPACE], meta: { result_count: 1 } },
  async find({ query: { query, state = 'all', max_results: limit = MAX_RESULTS } }, { store, clock }) {
    const now = clock.now()
    const words = wordsIn(query)
    // The longest word occurs in few titles.
    const word = words.reduce((longest, candidate) =>
      candidate.length > longest.length ? candidate : longest,
    )
    const rows = await store.all(spacesWithWords, {
      word,
      words: JSON.stringify(words),
      now,
      startsAfter: state === 'scheduled' ? now : -1,
      startsBy: state === 'live' ? now : Number.MAX_SAFE_INTEGER,
      limit,
    })
    return { keys: rows.map((row) => row.id), meta: listMeta }
  },
})

function wordsIn(query: string): string[] {
  const words = [...new Set(wordsOf(query))]
  if (words.length > 0 && words.length <= MAX_WORDS) return words
  const explanation = msg`The \`query\` query parameter value [${query}] must have 1 to ${MAX_WORDS} words`
  throw invalid({ place: 'query', name: 'query', value: query, fault: { kind: 'rule', explanation } })
}
