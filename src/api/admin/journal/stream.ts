import type { Gate } from '../../../platform/common/gate.ts'
import { stream } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { followEntries } from '../../../workbench/journal/follow.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { filterMembers, filterOf, JournalSummary, journalOf, SUMMARY } from './parts.ts'

/** Enters a gate for as long as the stream is open. */
function entered(gate: Gate): Promise<{ leave: () => void }> {
  const { promise: over, resolve: leave } = Promise.withResolvers<void>()
  return new Promise((resolve, reject) => {
    gate
      .through(() => {
        resolve({ leave })
        return over
      })
      .catch(reject)
  })
}

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
    const place = await entered(followers)
    return stream(
      (sink, signal) => followEntries(journal, filter, sink, signal).finally(place.leave),
      place.leave,
    )
  },
})
