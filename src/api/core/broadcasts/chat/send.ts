import { Type } from 'typebox'
import { MAX_TEXT, sendMessage, whySilent } from '../../../../domain/broadcasts/chat/chat.ts'
import { messageAt } from '../../../../domain/broadcasts/chat/queries.ts'
import { boundOf } from '../../../../platform/common/ids.ts'
import { isBlank } from '../../../../platform/common/visible.ts'
import { msg } from '../../../../platform/http/message.ts'
import { closedComponent, id, text } from '../../../../platform/http/schema.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { actionEndpoint, actionReply } from '../../actions.ts'
import { wrong } from '../../posts/wrong.ts'
import { BROADCAST, broadcastId, changeChat, SOURCE, unknownMessage, WRITE_SCOPES } from '../subject.ts'
import { MESSAGE } from './message.ts'

const REFUSED = { muted: 'muted in chat', blocked: 'blocked in chat' } as const

/** POST /2/broadcasts/{id}/chat: writes in the chat of a running broadcast. */
export const sendBroadcastChat = actionEndpoint({
  id: 'sendBroadcastChat',
  host: 'core',
  method: 'POST',
  path: '/2/broadcasts/{id}/chat',
  summary: 'Write in the chat of a broadcast',
  description:
    'Writes a message in the chat of a running broadcast, of any user. `timestamp` is the id of the message. Who writes, watches the broadcast. A broadcast that does not exist, that has not started, or that is locked by another user is reported in `errors` with status 200; so is a message to reply to that there is not.',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: { user: '100/15m' },
  params: { id: broadcastId },
  body: closedComponent('SendBroadcastChatBody', {
    text: text(1, MAX_TEXT, 'What it says.'),
    reply_to: Type.Optional(id('The message that it answers.')),
  }),
  reply: actionReply('SentBroadcastMessage', {
    success: Type.Boolean({ description: 'Always true.' }),
    timestamp: id('The message: its time in nanoseconds.'),
  }),
  errors: ['broadcast not running', ...Object.values(REFUSED)],
  example: {
    params: { id: BROADCAST.id },
    body: { text: MESSAGE.text },
    reply: { data: { success: true, timestamp: MESSAGE.id } },
  },
  handle: ({ principal: { userId }, params, body }, dependencies) =>
    changeChat({ id: params.id, userId, isOwners: false }, dependencies, async (tx, row) => {
      if (isBlank(body.text)) throw wrong('text', body.text, msg`The text needs a visible character.`)
      const reason = await whySilent(tx, row, userId)
      if (reason) throw apiError(REFUSED[reason])
      const { reply_to } = body
      const replyTo = reply_to === undefined ? null : boundOf(reply_to)
      if (reply_to && replyTo && !(await tx.first(messageAt, { broadcast: row.id, message: replyTo })))
        return { errors: [unknownMessage('reply_to', reply_to, dependencies.naming)] }
      const sent = await sendMessage(tx, row, { authorId: userId, text: body.text, replyTo }, dependencies)
      return { data: { success: true, timestamp: sent.sent_ns } }
    }),
})
