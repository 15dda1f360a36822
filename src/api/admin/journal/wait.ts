import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { waitAtMost } from '../../../workbench/journal/follow.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { ownNode } from '../own-node.ts'
import { ENTRY, entryObject, filterMembers, filterOf, JournalEntry, journalOf } from './parts.ts'

const DEFAULT_TIMEOUT_SECONDS = 10
const MAX_TIMEOUT_SECONDS = 600

/** POST /admin/v1/journal/wait: waits for an entry that matches. */
export const waitForJournalEntry = endpoint({
  ...ADMIN,
  id: 'waitForJournalEntry',
  method: 'POST',
  path: '/admin/v1/journal/wait',
  summary: 'Wait for a journal entry',
  description:
    'Returns the oldest entry that matches all conditions, as soon as there is one. With `after`, earlier entries do not count. If there is none in time, the reply has no `data`. Requests to other nodes do not count: wait on the node that gets them.',
  body: Type.Object(
    {
      ...filterMembers,
      timeout_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_TIMEOUT_SECONDS,
          description: `How long to wait, in real seconds. Default: ${DEFAULT_TIMEOUT_SECONDS}.`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  optionalBody: true,
  reply: closedObject({
    data: Type.Optional(JournalEntry),
    meta: closedObject({
      found: Type.Boolean({ description: 'Whether there was an entry in time.' }),
      node: ownNode('the entries'),
    }),
  }),
  reasons: ['TimeInvalid'],
  errors: [...ADMIN.errors, 'over capacity'],
  example: {
    body: { route: 'GET /2/posts/{id}', timeout_seconds: 5 },
    reply: { data: ENTRY, meta: { found: true, node: 0 } },
  },
  async handle({ body = {} }, dependencies) {
    const { timeout_seconds = DEFAULT_TIMEOUT_SECONDS, ...filter } = body
    const parts = journalOf(dependencies)
    const conditions = filterOf(filter, 'body')
    const record = await parts.waits.through(() =>
      waitAtMost(parts.journal, conditions, timeout_seconds * 1000),
    )
    return json({
      ...(record && { data: await entryObject(record, parts) }),
      meta: { found: record !== undefined, node: dependencies.config.node },
    })
  },
})
