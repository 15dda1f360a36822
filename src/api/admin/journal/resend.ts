import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { NotResendable, resendEntry } from '../../../workbench/journal/resend.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { ENTRY, EntryId, entryObject, entryWith, JournalEntry, journalOf } from './parts.ts'

/** POST /admin/v1/journal/{id}/resend: sends a request again. */
export const resendJournalEntry = endpoint({
  ...ADMIN,
  id: 'resendJournalEntry',
  method: 'POST',
  path: '/admin/v1/journal/{id}/resend',
  summary: 'Send a request again',
  description:
    'Sends the request of an entry again, with the same headers and body, and returns the new entry. A signature of OAuth 1.0a is made anew with the stored secrets. Requests whose body was not kept in full, streams and outgoing calls cannot be sent again.',
  params: { id: EntryId },
  reply: closedObject({ data: JournalEntry }),
  errors: [...ADMIN.errors, 'not found', 'conflict'],
  example: { params: { id: ENTRY.id }, reply: { data: ENTRY } },
  async handle({ params: { id } }, dependencies) {
    const parts = journalOf(dependencies)
    const { headers } = await resendEntry(entryWith(id, dependencies), parts.resending).catch(
      (error: unknown) => {
        if (error instanceof NotResendable) throw apiError('conflict', { explanation: error.message })
        throw error
      },
    )
    const sent = entryWith(String(headers[parts.requestIdHeader]), dependencies)
    return json({ data: await entryObject(sent, parts) })
  },
})
