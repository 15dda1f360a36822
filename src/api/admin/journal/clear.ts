import { empty } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { journalOf } from './parts.ts'

/** DELETE /admin/v1/journal: removes all entries. */
export const clearJournal = endpoint({
  ...ADMIN,
  id: 'clearJournal',
  method: 'DELETE',
  path: '/admin/v1/journal',
  summary: 'Clear the journal',
  description: 'Removes all entries of this process. Sequence numbers go on.',
  replyKind: 'empty',
  status: 204,
  reply: closedObject({}),
  async handle(_call, dependencies) {
    journalOf(dependencies).journal.clear()
    return empty()
  },
})
