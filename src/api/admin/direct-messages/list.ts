import { eventPages, eventsSeenBy } from '../../../domain/direct-messages/queries.ts'
import { compareIds, FIRST_ID, LAST_ID } from '../../../platform/common/ids.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { presentMessage } from '../../../workbench/create/direct-messages.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'
import { userName } from '../users/user.ts'
import { AdminMessage, EXAMPLE } from './message.ts'

/** GET /admin/v1/users/{user}/direct_messages: the messages that a user sees. */
export const listMessages = dataEndpoint({
  ...ADMIN,
  id: 'listDirectMessages',
  method: 'GET',
  path: '/admin/v1/users/{user}/direct_messages',
  summary: 'List the direct messages of a user',
  description: 'Lists the messages that a user sent or received and sees, newest first.',
  params: { user: userName('Id or screen name.') },
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminMessage),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { user: 'ann' }, reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  async handle({ params, query }, { store }) {
    const { id: viewer } = await theUser(store, params.user)
    const page = await readPage(query, {
      read: ({ after, limit }) => messagesOf(store, viewer, { before: after ?? LAST_ID, limit }),
      keyOf: ({ id }) => id,
      show: presentMessage,
    })
    return json(page)
  },
})

/** The messages that a user sees before an id, newest first. */
async function messagesOf(
  store: Store,
  viewer: string,
  { before, limit }: { before: string; limit: number },
) {
  const wanted = { message: 'MessageCreate', join: '', leave: '' }
  const place = { user: viewer, conversation: '', after: FIRST_ID, before, limit }
  const page = await store.all(eventPages.all.older, { ...wanted, ...place })
  const ids = JSON.stringify(page.map(({ event_id }) => event_id))
  const rows = await store.all(eventsSeenBy, { ids, viewer })
  return rows.sort((a, b) => compareIds(b.id, a.id))
}
