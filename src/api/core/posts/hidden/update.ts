import { Type } from 'typebox'
import { replyHidden, replyShown } from '../../../../domain/posts/events.ts'
import { lockPost, postsSeenBy, hideReply as setHidden } from '../../../../domain/posts/queries.ts'
import { newestVersionOf } from '../../../../domain/posts/versions.ts'
import { emit } from '../../../../platform/events/log.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { component, id } from '../../../../platform/http/schema.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { actionEndpoint, actionReply } from '../../actions.ts'
import { readAnySubject, readSubject } from '../subject.ts'

const closed = { additionalProperties: false }

/** PUT /2/posts/{post_id}/hidden: the author of a conversation hides a reply, or shows it again. */
export const hideReply = actionEndpoint({
  id: 'hideReply',
  host: 'core',
  method: 'PUT',
  path: '/2/posts/{post_id}/hidden',
  summary: 'Hide a reply',
  description:
    'Hides a reply in a conversation that the user started, or shows it again, even if the user no longer sees the reply. Repeating the call changes nothing.',
  source: 'Core reference, 00 section 6',
  auth: ['user'],
  scopes: ['post.read', 'post.moderate.write', 'users.read'],
  limits: { user: '50/15m' },
  params: { post_id: id('The reply.') },
  body: component('HideReplyBody', Type.Object({ hidden: Type.Boolean() }, closed)),
  reply: actionReply('HiddenReply', { hidden: Type.Boolean() }),
  errors: ['not author of conversation'],
  example: {
    params: { post_id: '1900000000000000001' },
    body: { hidden: true },
    reply: { data: { hidden: true } },
  },
  async handle({ principal: { userId }, params, body: { hidden } }, { store, naming }) {
    const subject = { id: params.post_id, parameter: 'post_id', viewer: userId }
    const result = await store.write(async (tx) => {
      const found = await (hidden ? readSubject : readAnySubject)(subject, { store: tx, naming })
      if ('problem' in found) return { errors: [found.problem] }
      const { post } = found
      const conversation = { ids: JSON.stringify([post.conversation_id]), viewer: userId }
      const root = await tx.first(postsSeenBy, conversation)
      if (post.in_reply_to_post_id === null || root?.author_id !== userId)
        throw apiError('not author of conversation')
      await tx.first(lockPost, { id: post.id })
      const hiddenReply = { user_id: userId, post_id: newestVersionOf(post), author_id: post.author_id }
      if ((await tx.run(setHidden, { first: post.first_version_id, hidden: Number(hidden) })) > 0)
        await emit(tx, hidden ? replyHidden : replyShown, hiddenReply)
      return { data: { hidden } }
    })
    return json(result)
  },
})
