import { stream } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { followEntries } from '../../../workbench/journal/follow.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { entered } from '../entered.ts'
import { filterMembers, filterOf, JournalSummary, journalOf, SUMMARY } from './parts.ts'

/** GET /admin/v1/journal/stream: entries as they come. */
export const streamJournal = endpoint({
  ...ADMIN,
  id: 'streamJournal',
  method: 'GET',
  path: '/admin/v1/journal/stream',
  summary: 'Follow the journal',
  description:
    'Sends each new entry that matches all conditions as a line of JSON. An empty line every 20 seconds keeps the connection alive. A client that reads too slowly misses entries: their sequence numbers are missing.',
  replyKind: 'stream',
  query: filterMembers,
  reply: closedObject({ data: JournalSummary }),
  reasons: ['TimeInvalid'],
  errors: [...ADMIN.errors, 'over capacity'],
  example: { reply: { data: SUMMARY } },
  async handle({ query }, dependencies) {
    const { journal, followers } = journalOf(dependencies)
    const filter = filterOf(query, 'query')
    const leave = await entered(followers)
    return stream((sink, signal) => followEntries(journal, filter, sink, signal).finally(leave), leave)
  },
})
