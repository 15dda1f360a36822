import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { pageOfDeadLetters, pageOfDeadLettersOfKind } from '../../../platform/queue/queries.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'
import { DeadLetter, EXAMPLE, presentDeadLetter } from './dead-letter.ts'

/** GET /admin/v1/tasks/dead_letters: tasks with no attempts left, in pages. */
export const listDeadLetters = dataEndpoint({
  ...ADMIN,
  id: 'listDeadLetters',
  method: 'GET',
  path: '/admin/v1/tasks/dead_letters',
  summary: 'List dead letters',
  description: 'Lists background tasks with no attempts left, oldest first, and why they failed.',
  query: {
    ...PAGE_PARAMETERS,
    kind: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only those of this kind of task.' }),
    ),
  },
  reply: pageReply(DeadLetter),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  handle: async ({ query: { kind, ...page } }, { store }) =>
    json(
      await readPage(page, {
        read: ({ after, limit }) => {
          const place = { after: Number(after ?? 0) || 0, limit }
          return kind === undefined
            ? store.all(pageOfDeadLetters, place)
            : store.all(pageOfDeadLettersOfKind, { ...place, kind })
        },
        keyOf: ({ id }) => String(id),
        show: presentDeadLetter,
      }),
    ),
})
