import { type Static, Type } from 'typebox'
import { addEvent, announceMembers, openLocked } from '../../../../domain/chat/chats.ts'
import { type GroupChange, groupCreateIn, sameSet } from '../../../../domain/chat/message-event.ts'
import { lockChat, takeGroupId } from '../../../../domain/chat/queries.ts'
import type { ChatConversationRow } from '../../../../domain/chat/tables.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { id } from '../../../../platform/http/schema.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import { wrong } from '../../posts/wrong.ts'
import {
  actionOf,
  MAX_BODY_BYTES,
  readKeyChange,
  readSignatures,
  requireNumber,
  ttlIn,
  wrongSignature,
} from '../body.ts'
import { type ChatApiDependencies, dataReply, endpoint, GROUP_ID, writing } from '../endpoint.ts'
import { GroupBody, requireAddable } from '../group.ts'
import { addKeyChange, memberIds } from './keys.ts'

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

type Body = Static<typeof GroupBody>

async function create(
  tx: Transaction,
  body: Body,
  userId: string,
  context: ChatApiDependencies,
): Promise<string> {
  const members = [...new Set([userId, ...body.group_members])]
  const existing = await tx.first(lockChat, { id: body.conversation_id })
  if (existing) return keyOfExisting(tx, existing, { body, userId, members })
  const admins = body.group_admins ?? [userId]
  const stranger = admins.find((admin) => !members.includes(admin))
  if (stranger !== undefined) throw wrong('group_admins', stranger, msg`The user ${stranger} is no member.`)
  await requireAddable(tx, userId, { name: 'group_members', ids: members, total: members.length })
  const actions = await readSignatures(tx, userId, body.action_signatures)
  const creation = actionOf(actions, groupCreateIn, 'creation of the group')
  requireSame(creation.found, body, members)
  const version = requireNumber('conversation_key_version', body.conversation_key_version)
  const keys = body.conversation_participant_keys
  const change = await readKeyChange(tx, { version, keys }, { members, actions })
  const taken = { id: body.conversation_id, user: userId, now: tx.now }
  if ((await tx.run(takeGroupId, taken)) === 0)
    throw wrong('conversation_id', body.conversation_id, msg`This is no unused id for a group of yours.`)
  const opened = await openLocked(tx, { ...newGroup(body, userId), members, admins }, context)
  const { row, chat } = await addEvent(
    tx,
    opened,
    {
      ...{ kind: 'group', messageId: creation.signed.message_id, senderId: userId, detail: creation.bytes },
      signature: creation.signed.message_event_signature,
    },
    context,
  )
  const key = await addKeyChange(tx, chat, { action: change, version, userId }, context)
  await announceMembers(tx, row, members)
  return key.id
}

const newGroup = (body: Body, creatorId: string) => ({
  ...{ id: body.conversation_id, creatorId, isGroup: true, ttlMs: ttlIn(body.ttl_msec) },
  ...{ name: body.group_name, description: body.group_description, avatarUrl: body.group_avatar_url },
})

/** A client that did not receive the reply sends the call again. */
async function keyOfExisting(
  tx: Transaction,
  chat: ChatConversationRow,
  { body, userId, members }: { body: Body; userId: string; members: readonly string[] },
): Promise<string> {
  const isSame =
    chat.creator_id === userId &&
    chat.key_version === String(BigInt(body.conversation_key_version)) &&
    sameSet(await memberIds(tx, chat.id), members)
  if (!isSame) throw apiError('chat group exists', chat.id)
  return chat.key_event_id
}

/** The server cannot read names, but they must be those that were signed. */
function requireSame(found: GroupChange, body: Body, members: readonly string[]): void {
  const rejected = (what: string) => wrongSignature(what, msg`The signed ${what} is not that of the request.`)
  // The creator is the first one, whether or not the client names them.
  const signed = [...new Set([...members.slice(0, 1), ...found.memberIds])]
  if (!sameSet(signed, members)) throw rejected('list of members')
  if ((found.title ?? '') !== (body.group_name ?? '')) throw rejected('name')
  if ((found.avatarUrl ?? '') !== (body.group_avatar_url ?? '')) throw rejected('picture')
}
