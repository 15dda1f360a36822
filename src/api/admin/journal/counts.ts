import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedComponent, closedObject } from '../../../platform/http/schema.ts'
import { countEntries } from '../../../workbench/journal/filter.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { ownNode } from '../own-node.ts'
import { filterMembers, filterOf, journalOf } from './parts.ts'

const { text: _text, ...countedBy } = filterMembers

const JournalCount = closedComponent('JournalCount', {
  host: Type.String({ description: 'The listener; empty for outgoing calls.' }),
  route: Type.String({ description: 'The endpoint; empty for requests that match none.' }),
  status: Type.Optional(Type.Integer({ description: 'Absent for outgoing calls without an answer.' })),
  count: Type.Integer({ description: 'How many entries.' }),
  average_ms: Type.Number({ description: 'The average time to the reply.' }),
})

/** GET /admin/v1/journal/counts: how many entries match, by listener, endpoint and status. */
export const countJournal = endpoint({
  ...ADMIN,
  id: 'countJournal',
  method: 'GET',
  path: '/admin/v1/journal/counts',
  summary: 'Count journal entries',
  description: 'Counts the entries that match all conditions, by listener, endpoint and status.',
  query: countedBy,
  reply: closedObject({
    data: Type.Array(JournalCount),
    meta: closedObject({ node: ownNode('the entries') }),
  }),
  reasons: ['TimeInvalid'],
  example: {
    reply: {
      data: [{ host: 'core', route: 'GET /2/posts/{id}', status: 200, count: 3, average_ms: 1.2 }],
      meta: { node: 0 },
    },
  },
  async handle({ query }, dependencies) {
    const counts = countEntries(journalOf(dependencies).journal, filterOf(query, 'query'))
    return json({
      data: counts.map(({ totalMs, status, ...counted }) => ({
        ...counted,
        ...(status !== undefined && { status }),
        average_ms: Math.round((totalMs / counted.count) * 100) / 100,
      })),
      meta: { node: dependencies.config.node },
    })
  },
})
