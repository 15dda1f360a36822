import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { summaryOf } from '../../../workbench/journal/entry.ts'
import { findEntries } from '../../../workbench/journal/filter.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { ownNode } from '../own-node.ts'
import { filterMembers, filterOf, JournalSummary, journalOf, SUMMARY } from './parts.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1_000

/** GET /admin/v1/journal: the entries that match, the newest first. */
export const listJournal = endpoint({
  ...ADMIN,
  id: 'listJournal',
  method: 'GET',
  path: '/admin/v1/journal',
  summary: 'List journal entries',
  description:
    'Returns the requests, outgoing calls and streams that match all conditions, the newest first. The journal keeps the last ones of this process only, the node that `meta` names, even if others share its database: see the settings `--journal-entries` and `--journal-megabytes`. For the next page, repeat the call with the last sequence number as `before`.',
  query: {
    ...filterMembers,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LIMIT,
        description: `How many entries. Default: ${DEFAULT_LIMIT}.`,
      }),
    ),
  },
  reply: closedObject({
    data: Type.Array(JournalSummary),
    meta: closedObject({
      result_count: Type.Integer({ description: 'How many entries are in `data`.' }),
      last_sequence: Type.Integer({
        description: 'The sequence number of the newest entry of the journal. `after` takes it.',
      }),
      node: ownNode('the entries'),
    }),
  }),
  reasons: ['TimeInvalid'],
  example: { reply: { data: [SUMMARY], meta: { result_count: 1, last_sequence: 12, node: 0 } } },
  async handle({ query: { limit = DEFAULT_LIMIT, ...filter } }, dependencies) {
    const { journal } = journalOf(dependencies)
    const { node } = dependencies.config
    const found = await findEntries(journal, filterOf(filter, 'query'), limit)
    return json({
      data: found.map(summaryOf),
      meta: { result_count: found.length, last_sequence: journal.lastSequence, node },
    })
  },
})
