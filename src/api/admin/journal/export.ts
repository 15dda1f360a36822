import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, closedObject } from '../../../platform/http/schema.ts'
import { harOf } from '../../../workbench/journal/export.ts'
import { findEntries } from '../../../workbench/journal/filter.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { filterMembers, filterOf, journalOf } from './parts.ts'

const MAX_EXPORTED = 1_000

/** GET /admin/v1/journal/export: entries as an HTTP Archive. */
export const exportJournal = endpoint({
  ...ADMIN,
  id: 'exportJournal',
  method: 'GET',
  path: '/admin/v1/journal/export',
  summary: 'Export journal entries',
  description: `Returns up to ${MAX_EXPORTED} entries that match all conditions, the oldest first, as an HTTP Archive (HAR 1.2). Secrets are masked.`,
  query: {
    ...filterMembers,
    format: Type.Optional(choice(['har'], 'The format.')),
  },
  reply: closedObject({
    log: Type.Object({}, { description: 'The log of an HTTP Archive: `version`, `creator`, `entries`.' }),
  }),
  reasons: ['TimeInvalid'],
  example: { reply: { log: { version: '1.2', creator: { name: 'Plaza', version: '0.1.0' }, entries: [] } } },
  async handle({ query: { format: _format, ...filter } }, dependencies) {
    const { journal } = journalOf(dependencies)
    const found = await findEntries(journal, filterOf(filter, 'query'), MAX_EXPORTED)
    return json(harOf(found.reverse()))
  },
})
