import { Type } from 'typebox'
import { requestNote } from '../../../domain/notes/notes.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedComponent, closedObject, text, webAddress } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE as POST, postId } from '../posts/post.ts'
import { userName } from '../users/user.ts'

const NoteRequests = closedComponent('NoteRequests', {
  post_id: postId,
  requests: Type.Integer({ minimum: 1, description: 'How many users want a note on the post.' }),
})

/** PUT /admin/v1/posts/{post_id}/note_requests/{user}: asks for a community note. */
export const requestAnyNote = dataEndpoint({
  ...ADMIN,
  id: 'requestNote',
  method: 'PUT',
  path: '/admin/v1/posts/{post_id}/note_requests/{user}',
  summary: 'Request a community note as a user',
  description:
    'Records that a user wants a community note on a post. Repeating it counts once; a suggestion or a source replaces the one before. Posts show them. The post must be public, no repost, and at most 7 days old.',
  params: { post_id: postId, user: userName('Who wants it: id or screen name.') },
  optionalBody: true,
  body: closedObject({
    suggestion: Type.Optional(text(1, 1000, 'What the note should say.')),
    source_link: Type.Optional(webAddress('A page that supports it.')),
  }),
  reply: closedObject({ data: NoteRequests }),
  errors: [...ADMIN.errors, 'not found', 'conflict'],
  example: {
    params: { post_id: POST.id, user: 'ann' },
    body: { source_link: 'https://news.example/bridge' },
    reply: { data: { post_id: POST.id, requests: 3 } },
  },
  async handle({ params: { post_id, user }, body }, { store, ids }) {
    const requested = await store.write(async (tx) =>
      requestNote(tx, post_id, (await theUser(tx, user)).id, { ids, ...body }),
    )
    if (!requested)
      throw apiError('conflict', {
        explanation: `Notes cannot be requested on post ${post_id}: it must be public, not a repost, and at most 7 days old.`,
      })
    return json({ data: { post_id, ...requested } })
  },
})
