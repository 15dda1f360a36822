import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { ENTRY, EntryId, entryObject, entryWith, JournalEntry, journalOf } from './parts.ts'

/** GET /admin/v1/journal/{id}: an entry, with headers, bodies and an explanation. */
export const getJournalEntry = endpoint({
  ...ADMIN,
  id: 'getJournalEntry',
  method: 'GET',
  path: '/admin/v1/journal/{id}',
  summary: 'Get a journal entry',
  description:
    'Returns an entry with its headers and bodies, and sentences that explain the reply. For a signature that does not match, it shows the base string that the client must sign beside the one that it signed, if a common mistake explains the difference. Secrets are masked.',
  params: { id: EntryId },
  reply: closedObject({ data: JournalEntry }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { id: ENTRY.id }, reply: { data: ENTRY } },
  async handle({ params: { id } }, dependencies) {
    const record = entryWith(id, dependencies)
    return json({ data: await entryObject(record, journalOf(dependencies)) })
  },
})
