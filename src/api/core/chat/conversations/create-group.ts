import { Type } from 'typebox'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { id } from '../../../../platform/http/schema.ts'
import { MAX_BODY_BYTES } from '../body.ts'
import { dataReply, endpoint, GROUP_ID, writing } from '../endpoint.ts'
import { GroupBody } from '../group.ts'

import { create } from './group-creation.ts'
/** POST /2/chat/conversations/group: an encrypted group. */
export const createChatGroup = endpoint({
  ...writing,
  id: 'createChatGroup',
  path: '/2/chat/conversations/group',
  summary: 'Create an encrypted group',
  description:
    'Creates a group with an id that the user was given for it, and with its first key. The signatures are those of the creation and of the key change. Each member must accept messages from the user. A group has up to 1,000 members, with its creator. Sending the same call again changes nothing.',
  maxBodyBytes: MAX_BODY_BYTES,
  body: GroupBody,
  status: 201,
  reply: dataReply('CreatedChatGroup', {
    conversation_id: Type.String({ description: 'The group.' }),
    conversation_key_change_sequence_id: id('The event of its first key.'),
  }),
  errors: ['chat group exists'],
  example: {
    body: {
      ...{ conversation_id: GROUP_ID, group_members: ['6253282'], conversation_key_version: '1' },
      conversation_participant_keys: [],
    },
    reply: {
      data: { conversation_id: GROUP_ID, conversation_key_change_sequence_id: '1900000000000000071' },
    },
  },
  async handle({ principal: { userId }, body }, context) {
    const key = await context.store.write((tx) => create(tx, body, userId, context))
    return json({ data: { conversation_id: body.conversation_id, conversation_key_change_sequence_id: key } })
  },
})
