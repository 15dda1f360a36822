import { Type } from 'typebox'
import { GIVEN_MEMBERS, Withheld } from '../../../domain/posts/given.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { clearable } from '../../../platform/http/schema.ts'
import { changePost, presentPost } from '../../../workbench/create/posts.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AdminPost, EXAMPLE, postId } from './post.ts'

/** PUT /admin/v1/posts/{post_id}: says what a post is about, withholds it, or drops it. */
export const changeAnyPost = dataEndpoint({
  ...ADMIN,
  id: 'changePost',
  method: 'PUT',
  path: '/admin/v1/posts/{post_id}',
  summary: 'Annotate, withhold or drop a post',
  description:
    'Changes what only the operator says of a post: its annotations and previews, the countries in which it is withheld (null for none), and whether it is out of public view. Omitted members stay as they are. Compliance streams send it. A repost keeps what it was made with.',
  params: { post_id: postId },
  body: Type.Object(
    { ...GIVEN_MEMBERS, withheld: Type.Optional(clearable(Withheld)) },
    { additionalProperties: false },
  ),
  reply: Type.Object({ data: AdminPost }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { post_id: EXAMPLE.id },
    body: { withheld: { country_codes: ['DE'] } },
    reply: { data: { ...EXAMPLE, withheld_in: ['DE'] } },
  },
  async handle({ params: { post_id }, body }, { store }) {
    const row = await store.write((tx) => changePost(tx, post_id, body))
    return json({ data: presentPost(row) })
  },
})
