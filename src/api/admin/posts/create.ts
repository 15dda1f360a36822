import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { addNewPost, POST_MEMBERS, prepareNewPost, presentPost } from '../../../workbench/create/posts.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { optional } from '../optional.ts'
import { userName } from '../users/user.ts'
import { AdminPost, EXAMPLE } from './post.ts'

/** Room for the longest text with every character escaped. */
const MAX_BODY_BYTES = 512 * 1024

/** POST /admin/v1/posts: publishes a post as any user. */
export const createAdminPost = dataEndpoint({
  ...ADMIN,
  id: 'createAnyPost',
  method: 'POST',
  path: '/admin/v1/posts',
  summary: 'Publish a post as a user',
  description:
    'Publishes a post of any user: a reply, a quote, with media or a poll. Without `created_at` it is published now, and streams and webhooks send it. With `created_at` it is a past post, as imports write it: timelines and searches have it, and nothing sends it. Neither limits nor the rule against duplicates apply.',
  body: Type.Object(
    { author: userName('Id or screen name of the author.'), ...optional(POST_MEMBERS) },
    { additionalProperties: false },
  ),
  maxBodyBytes: MAX_BODY_BYTES,
  status: 201,
  reply: Type.Object({ data: AdminPost }, { additionalProperties: false }),
  example: {
    body: { author: 'ann', text: 'The bridge is open', created_at: '-2h' },
    reply: { data: EXAMPLE },
  },
  async handle({ body }, dependencies) {
    const prepared = await prepareNewPost(body, dependencies)
    const row = await dependencies.store.write((tx) => addNewPost(tx, prepared, dependencies))
    return json({ data: presentPost(row) })
  },
})
