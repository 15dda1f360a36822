import { Type } from 'typebox'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { id } from '../../../../platform/http/schema.ts'
import {
  actionSignatures,
  keyRotation,
  MAX_BODY_BYTES,
  participantKeys,
  readKeyChange,
  readSignatures,
  requireNumber,
  version,
} from '../body.ts'
import { chatId, dataReply, endpoint, named, PAIR_ID, writing } from '../endpoint.ts'

import { addKeyChange, openFor } from './key-change.ts'
/** POST /2/chat/conversations/{id}/keys: the first key of a conversation of two, or a new one. */
export const addChatKeys = endpoint({
  ...writing,
  id: 'addChatKeys',
  path: '/2/chat/conversations/{id}/keys',
  summary: 'Change the key of an encrypted conversation',
  description:
    'Adds a version of the key of a conversation, encrypted for each member. The first one begins a conversation of two users: the other must accept messages from the user. The version must be higher than the present one. Sending the same change again changes nothing.',
  params: { id: chatId },
  maxBodyBytes: MAX_BODY_BYTES,
  body: Type.Object({
    conversation_key_version: version('Version of the key, usually the time in milliseconds.'),
    conversation_participant_keys: participantKeys,
    action_signatures: Type.Optional(actionSignatures),
    base64_encoded_key_rotation: keyRotation,
  }),
  reply: dataReply('AddedChatKeys', {
    conversation_id: Type.String({ description: 'The conversation.' }),
    sequence_id: id('The event of the change.'),
  }),
  errors: ['not in conversation', 'cannot message user', 'chat key not newer'],
  example: {
    params: { id: PAIR_ID },
    body: { conversation_key_version: '1767225600000', conversation_participant_keys: [] },
    reply: { data: { conversation_id: PAIR_ID, sequence_id: '1900000000000000070' } },
  },
  async handle({ principal: { userId }, params, body }, context) {
    const row = await context.store.write(async (tx) => {
      const { chat, members } = await openFor(tx, named(params.id, userId), userId, context)
      const actions = await readSignatures(tx, userId, body.action_signatures)
      const change = {
        version: requireNumber('conversation_key_version', body.conversation_key_version),
        keys: body.conversation_participant_keys,
      }
      const action = await readKeyChange(tx, change, { members, actions })
      return addKeyChange(tx, chat, { action, version: change.version, userId }, context)
    })
    return json({ data: { conversation_id: row.conversation_id, sequence_id: row.id } })
  },
})
