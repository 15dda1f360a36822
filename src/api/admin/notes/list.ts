import { type Static, Type } from 'typebox'
import { pageOfAllNotes } from '../../../domain/notes/queries.ts'
import { STATUSES } from '../../../domain/notes/ratings.ts'
import type { NoteRow } from '../../../domain/notes/tables.ts'
import { LAST_ID } from '../../../platform/common/ids.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedComponent, id, storedChoice, time } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'

/** A community note in replies of the admin API. */
const AdminNote = closedComponent('AdminNote', {
  id: id('The note.'),
  author_id: id('Its writer.'),
  post_id: id('The post that it is about.'),
  text: Type.String(),
  classification: Type.String({ description: 'What it says about the post.' }),
  status: storedChoice([...STATUSES], 'What its ratings say.', 'NoteStatus'),
  test_mode: Type.Boolean({ description: 'Whether it is a test, which is not public.' }),
  created_at: time('When it was written.'),
})

const EXAMPLE: Static<typeof AdminNote> = {
  id: '1900000000000000301',
  author_id: '1900000000000000007',
  post_id: '1900000000000000001',
  text: 'The bridge was opened in 1932: https://example.com/bridge',
  classification: 'misinformed_or_potentially_misleading',
  status: STATUSES[0],
  test_mode: false,
  created_at: '2026-03-01T12:00:00.000Z',
}

/** GET /admin/v1/notes: community notes, in pages. */
export const listAdminNotes = dataEndpoint({
  ...ADMIN,
  id: 'listNotes',
  method: 'GET',
  path: '/admin/v1/notes',
  summary: 'List community notes',
  description: 'Lists the community notes of all writers, newest first, with those in test mode.',
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminNote),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  handle: async ({ query }, { store }) =>
    json(
      await readPage(query, {
        read: ({ after = LAST_ID, limit }) => store.all(pageOfAllNotes, { before: after, limit }),
        keyOf: (row) => row.id,
        show: presentNote,
      }),
    ),
})

const presentNote = (row: NoteRow): Static<typeof AdminNote> => ({
  id: row.id,
  author_id: row.user_id,
  post_id: row.post_id,
  text: row.text,
  classification: row.classification,
  status: row.status as Static<typeof AdminNote>['status'],
  test_mode: row.test_mode === 1,
  created_at: isoTime(row.created_at),
})
