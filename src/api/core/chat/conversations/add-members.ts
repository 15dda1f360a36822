import { type Static, Type } from 'typebox'
import { addEvent, addMembers, announceMembers } from '../../../../domain/chat/chats.ts'
import { type GroupChange, memberAddIn, sameSet } from '../../../../domain/chat/message-event.ts'
import { chatEventSent, renameChat } from '../../../../domain/chat/queries.ts'
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
  wrongSignature,
} from '../body.ts'
import {
  type ChatApiDependencies,
  chatId,
  closed,
  endpoint,
  GROUP_ID,
  requireMember,
  writing,
} from '../endpoint.ts'
import { MembersBody, requireAddable } from '../group.ts'
import { addKeyChange, memberIds } from './keys.ts'

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
  reply: Type.Object(
    { ...added, data: Type.Unsafe<object>(Type.Object(added, closed)) },
    { ...closed, description: 'The members of the reply are also in `data`.' },
  ),
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

type Body = Static<typeof MembersBody>

async function join(
  tx: Transaction,
  body: Body,
  { id: chatKey, userId }: { id: string; userId: string },
  context: ChatApiDependencies,
) {
  const { chat, member } = await requireMember(tx, chatKey, userId)
  if (chat.is_group === 0 || member.is_admin === 0) throw apiError('not chat admin')
  const { user_ids: joining, conversation_participant_keys: keys } = body
  const present = await memberIds(tx, chatKey)
  const actions = await readSignatures(tx, userId, body.action_signatures)
  const addition = actionOf(actions, memberAddIn, 'addition of members')
  const message = addition.signed.message_id
  const sent = await tx.first(chatEventSent, { id: chatKey, message, sender: userId })
  if (sent?.kind === 'group' && joining.every((one) => present.includes(one))) return replyOf(chat, present)
  const known = joining.find((one) => present.includes(one))
  if (known !== undefined) throw wrong('user_ids', known, msg`The user ${known} is already a member.`)
  const members = [...present, ...joining]
  await requireAddable(tx, userId, { name: 'user_ids', ids: joining, total: members.length })
  requireSame(addition.found, body)
  if (body.conversation_key_version === undefined || keys === undefined)
    throw wrong('conversation_key_version', '', msg`New members need a new key.`)
  const version = requireNumber('conversation_key_version', body.conversation_key_version)
  const action = await readKeyChange(tx, { version, keys }, { members, actions })
  await addMembers(tx, { id: chatKey, users: joining }, context)
  const { encrypted_title: name = null, encrypted_avatar_url: avatar_url = null } = body
  await tx.run(renameChat, { id: chatKey, name, avatar_url })
  const event = {
    ...({ kind: 'group', messageId: message, senderId: userId, detail: addition.bytes } as const),
    signature: addition.signed.message_event_signature,
  }
  const { row, chat: changed } = await addEvent(tx, chat, event, context)
  const key = await addKeyChange(tx, changed, { action, version, userId }, context)
  await announceMembers(tx, row, joining)
  return replyOf({ key_event_id: key.id }, members)
}

const replyOf = ({ key_event_id }: Pick<ChatConversationRow, 'key_event_id'>, members: string[]) => ({
  current_member_ids: members,
  conversation_key_change_sequence_id: key_event_id,
})

function requireSame({ memberIds: signed, title, avatarUrl }: GroupChange, body: Body): void {
  const rejected = (what: string) => wrongSignature(what, msg`The signed ${what} is not that of the request.`)
  if (!sameSet(signed, body.user_ids)) throw rejected('list of members')
  const isOther = (one: string | undefined, other: string | undefined) =>
    one !== undefined && other !== undefined && one !== other
  if (isOther(title, body.encrypted_title)) throw rejected('name')
  if (isOther(avatarUrl, body.encrypted_avatar_url)) throw rejected('picture')
}
