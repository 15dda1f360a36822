import { Type } from 'typebox'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { id } from '../../../../platform/http/schema.ts'
import { MAX_BODY_BYTES } from '../body.ts'
import { chatId, closed, endpoint, GROUP_ID, writing } from '../endpoint.ts'
import { MembersBody } from '../group.ts'

import { join } from './member-addition.ts'

const added = {
  current_member_ids: Type.Array(id('A user.'), { description: 'All members.' }),
  conversation_key_change_sequence_id: id('The event of the new key.'),
}
const EXAMPLE = {
  current_member_ids: ['2244994945', '6253282'],
  conversation_key_change_sequence_id: '1900000000000000072',
}

/** POST /2/chat/conversations/{id}/members: others join an encrypted group. */
export const addChatMembers = endpoint({
  ...writing,
  id: 'addChatMembers',
  path: '/2/chat/conversations/{id}/members',
  summary: 'Add members to an encrypted group',
  description:
    'Adds users to a group of which the user is an admin, with a new key for all members. The signatures are those of the addition and of the key change. New members see what happens from then on. Either all of them join, or none.',
  params: { id: chatId },
  maxBodyBytes: MAX_BODY_BYTES,
  body: MembersBody,
  reply: Type.Object({ ...added, data: Type.Unsafe<object>(Type.Object(added, closed)) }, closed),
  errors: ['not in conversation', 'not chat admin', 'chat key not newer'],
  example: {
    params: { id: GROUP_ID },
    body: { user_ids: ['6253282'], conversation_key_version: '2', conversation_participant_keys: [] },
    reply: { ...EXAMPLE, data: EXAMPLE },
  },
  async handle({ principal: { userId }, params, body }, context) {
    const reply = await context.store.write((tx) => join(tx, body, { id: params.id, userId }, context))
    return json({ ...reply, data: reply })
  },
})
