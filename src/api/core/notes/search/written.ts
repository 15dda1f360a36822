import { pageOfNotes } from '../../../../domain/notes/queries.ts'
import { requireWriter } from '../../../../domain/notes/writers.ts'
import { boundOf, fromBase36, LAST_ID } from '../../../../platform/common/ids.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { wrongToken } from '../../posts/search/token.ts'
import { DEFAULT_RESULTS, listParameters, NoteListMeta, SOURCE, WRITER_LIMITS } from '../endpoint.ts'

const TOKEN = /^[0-9a-z]{1,13}$/

/** GET /2/notes/search/notes_written: the notes of the writer (core reference, 04 section 3). */
export const listNotesWritten = objectEndpoint({
  id: 'listNotesWritten',
  path: '/2/notes/search/notes_written',
  summary: 'List the community notes of the writer',
  description: 'Returns the test notes or the public notes of the writer, newest first.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['post.read'],
  limits: WRITER_LIMITS,
  query: listParameters,
  returns: { object: 'note', count: 'many', meta: NoteListMeta },
  errors: ['not a note writer'],
  example: {
    data: [{ id: '1900000000000000042', post_id: '1900000000000000001' }],
    meta: { result_count: 1 },
  },
  async find({ principal: { userId }, query }, { store }) {
    await requireWriter(store, userId)
    const { test_mode, max_results: limit = DEFAULT_RESULTS, pagination_token: token } = query
    const before = token === undefined ? LAST_ID : idOf(token)
    const page = { user: userId, test_mode: Number(test_mode), before, limit: limit + 1 }
    const ids = (await store.all(pageOfNotes, page)).map(({ id }) => id)
    const keys = ids.slice(0, limit)
    const last = keys.at(-1)
    const next_token = ids.length > limit && last !== undefined ? BigInt(last).toString(36) : undefined
    return {
      keys,
      meta: (shown) => ({ result_count: shown.length, ...(next_token !== undefined && { next_token }) }),
    }
  },
})

/** The id of the last note of a page. */
function idOf(token: string): string {
  if (!TOKEN.test(token)) throw wrongToken('pagination_token', token)
  return boundOf(fromBase36(token))
}
