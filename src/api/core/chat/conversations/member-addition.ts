import type { Static } from 'typebox'
import { addEvent, addMembers, announceMembers } from '../../../../domain/chat/chats.ts'
import { type GroupChange, memberAddIn, sameSet } from '../../../../domain/chat/message-event.ts'
import { chatEventSent, renameChat } from '../../../../domain/chat/queries.ts'
import type { ChatConversationRow } from '../../../../domain/chat/tables.ts'
import { msg } from '../../../../platform/http/message.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import { wrong } from '../../posts/wrong.ts'
import { actionOf, readKeyChange, readSignatures, requireNumber, wrongSignature } from '../body.ts'
import { type ChatApiDependencies, requireMember } from '../endpoint.ts'
import { type MembersBody, requireAddable } from '../group.ts'
import { addKeyChange, memberIds } from './key-change.ts'

type Body = Static<typeof MembersBody>

export async function join(
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
