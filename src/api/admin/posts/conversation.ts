import { postsOfConversation } from '../../../domain/posts/queries.ts'
import { FIRST_ID } from '../../../platform/common/ids.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { presentPost } from '../../../workbench/create/posts.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'
import { AdminPost, EXAMPLE, postId } from './post.ts'

/** GET /admin/v1/conversations/{conversation_id}/posts: a thread. */
export const listConversation = dataEndpoint({
  ...ADMIN,
  id: 'listConversation',
  method: 'GET',
  path: '/admin/v1/conversations/{conversation_id}/posts',
  summary: 'List the posts of a conversation',
  description:
    'Lists the post that began a conversation and all replies, oldest first. The list is empty for a conversation that does not exist.',
  params: { conversation_id: postId },
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminPost),
  example: {
    params: { conversation_id: EXAMPLE.conversation_id },
    reply: { data: [EXAMPLE], meta: { result_count: 1 } },
  },
  async handle({ params: { conversation_id: conversation }, query }, { store }) {
    const page = await readPage(query, {
      read: ({ after = FIRST_ID, limit }) => store.all(postsOfConversation, { conversation, after, limit }),
      keyOf: ({ id }) => id,
      show: presentPost,
    })
    return json(page)
  },
})
