import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { addNewMessage, MESSAGE_MEMBERS, presentMessage } from '../../../workbench/create/direct-messages.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { optional } from '../optional.ts'
import { userName } from '../users/user.ts'
import { AdminMessage, EXAMPLE } from './message.ts'

const { text, ...others } = MESSAGE_MEMBERS
const MAX_BODY_BYTES = 256 * 1024

/** POST /admin/v1/direct_messages: sends a direct message as any user. */
export const createMessage = dataEndpoint({
  ...ADMIN,
  id: 'createDirectMessage',
  method: 'POST',
  path: '/admin/v1/direct_messages',
  summary: 'Send a direct message as a user',
  description:
    'Sends a message to one user, to several in a new group, or to a conversation of the sender. The recipients must accept messages from the sender. Without `created_at` it is sent now, and webhooks and streams get it. With `created_at` it is a past message, which nothing sends.',
  body: Type.Object(
    { from: userName('Id or screen name of the sender.'), text, ...optional(others) },
    { additionalProperties: false },
  ),
  maxBodyBytes: MAX_BODY_BYTES,
  status: 201,
  reply: Type.Object({ data: AdminMessage }, { additionalProperties: false }),
  example: { body: { from: 'ann', to: ['bob'], text: 'Hello' }, reply: { data: EXAMPLE } },
  async handle({ body }, { store, ...parts }) {
    return json({ data: presentMessage(await store.write((tx) => addNewMessage(tx, body, parts))) })
  },
})
