import { addEvent, openLocked } from '../../../src/domain/chat/chats.ts'
import {
  appendChatSegment,
  finalizeChatUpload,
  openChatUpload,
} from '../../../src/domain/chat/files/files.ts'
import { pairOf } from '../../../src/domain/chat/ids.ts'
import { addGroupId, addPublicKey } from '../../../src/domain/chat/queries.ts'
import type { ChatConversationRow } from '../../../src/domain/chat/tables.ts'
import {
  chatMessage,
  deleteAction,
  groupCreateAction,
  keyChange,
  keyChangeAction,
  memberAddAction,
  participantKey,
} from '../../support/chats.ts'
import type { Guest, World } from '../world.ts'
import type { Recipe } from './recipe.ts'

/** Before the first page of a list in the order of time. */
const query = { pagination_token: `o${'0'.repeat(24)}` }

const withKeys = async ({ plaza: { context } }: World, users: readonly Guest[]) => {
  const none = {
    ...{ identity_public_key_signature: null, signing_public_key_signature: null },
    ...{ public_key_fingerprint: null, registration_method: null, signing_public_key: 'a' },
  }
  await context.store.write(async (tx) => {
    for (const { id } of users)
      await tx
        .run(addPublicKey, { user_id: id, version: '1', public_key: 'a', created_at: tx.now, ...none })
        .catch(() => undefined)
  })
}

interface Chat {
  row: ChatConversationRow
  eventId: string
  other: Guest
}

/** A conversation of a user with a key and a message: of two, or a group with an admin. */
async function chatOf(world: World, user: Guest, isGroup = false): Promise<Chat> {
  const { context } = world.plaza
  const other = await world.newUser()
  await withKeys(world, [await freshKeys(world, user), other])
  return context.store.write(async (tx) => {
    const id = isGroup ? `g${context.ids.next()}` : pairOf(user.id, other.id)
    const members = [user.id, other.id]
    const opened = await openLocked(
      tx,
      { id, creatorId: user.id, isGroup, members, admins: [user.id] },
      context,
    )
    const common = { senderId: user.id, detail: Buffer.from([0]), keyVersion: '1' }
    const key = { ...common, kind: 'key', messageId: context.ids.next() } as const
    const { chat } = await addEvent(tx, opened, key, context)
    const message = { ...common, kind: 'message', messageId: context.ids.next() } as const
    const { row, chat: row2 } = await addEvent(tx, chat, message, context)
    return { row: row2, eventId: row.id, other }
  })
}

/** Users whose keys were added already. */
const known = new WeakMap<object, Set<string>>()
async function freshKeys(world: World, user: Guest): Promise<Guest> {
  const users = known.get(world.plaza) ?? new Set<string>()
  known.set(world.plaza, users)
  if (users.has(user.id)) return world.newUser()
  users.add(user.id)
  return user
}

const ofChat =
  (json?: (chat: Chat, user: Guest) => object, isGroup = false): Recipe =>
  async (world, { user }) => {
    const chat = await chatOf(world, user, isGroup)
    return { params: { id: chat.row.id }, ...(json && { json: json(chat, user) }) }
  }

async function upload(world: World, user: Guest) {
  const { context } = world.plaza
  const { row } = await chatOf(world, user)
  const opened = { chat: row.id, userId: user.id, bytes: 3 }
  const made = await context.store.write((tx) => openChatUpload(tx, opened, context))
  return { id: made.id, chat: row.id, hashKey: made.hash_key, userId: user.id }
}

async function filledUpload(world: World, user: Guest) {
  const made = await upload(world, user)
  await appendChatSegment({ ...made, index: 0 }, Buffer.from('abc'), world.plaza.context)
  return made
}

const named = ({ chat, hashKey }: { chat: string; hashKey: string }) => ({
  ...{ conversation_id: chat, media_hash_key: hashKey },
})

/** Calls of the endpoints of encrypted chats. */
export const chatRecipes: Readonly<Record<string, Recipe>> = {
  addUserPublicKey: async (_world, { user }) => ({
    params: { id: user.id },
    json: { version: '7', public_key: { public_key: 'a' } },
  }),
  listPublicKeysOfUser: async ({ owner }) => ({ params: { id: owner.id } }),
  listPublicKeys: async ({ owner }) => ({ query: { ids: owner.id } }),
  listChatConversations: async () => ({ query }),
  getChatConversation: ofChat(),
  listChatEvents: async (world, { user }) => ({
    params: { id: (await chatOf(world, user)).row.id },
    query,
  }),
  addChatKeys: ofChat(({ other }, user) =>
    keyChange('2', [participantKey(user.id), participantKey(other.id)]),
  ),
  sendChatMessage: ofChat(() => chatMessage()),
  deleteChatMessages: ofChat(({ eventId }) => ({
    sequence_ids: [eventId],
    delete_message_action: 'delete_for_all',
    action_signatures: [deleteAction([eventId], true)],
  })),
  markChatRead: ofChat(({ eventId }) => ({ seen_until_sequence_id: eventId })),
  indicateChatTyping: ofChat(),
  initializeChatGroup: async () => ({}),
  createChatGroup: async (world, { user }) => {
    const { store, ids, clock } = world.plaza.context
    const { other } = await chatOf(world, user)
    const id = `g${ids.next()}`
    const expires_at = clock.now() + 60_000
    await store.write((tx) => tx.run(addGroupId, { id, user_id: user.id, expires_at }))
    const keys = [participantKey(user.id), participantKey(other.id)]
    return {
      json: {
        ...{ conversation_id: id, group_members: [other.id], conversation_key_version: '1' },
        conversation_participant_keys: keys,
        action_signatures: [groupCreateAction([user.id, other.id]), keyChangeAction('1', keys)],
      },
    }
  },
  addChatMembers: async (world, { user }) => {
    const { row, other } = await chatOf(world, user, true)
    const joining = await world.newUser()
    await withKeys(world, [joining])
    const keys = [user, other, joining].map(({ id }) => participantKey(id))
    return {
      params: { id: row.id },
      json: {
        ...{ user_ids: [joining.id], conversation_key_version: '2', conversation_participant_keys: keys },
        action_signatures: [memberAddAction([joining.id]), keyChangeAction('2', keys)],
      },
    }
  },
  initializeChatMediaUpload: async (world, { user }) => ({
    json: { conversation_id: (await chatOf(world, user)).row.id, total_bytes: 3 },
  }),
  appendChatMediaUpload: async (world, { user }) => {
    const made = await upload(world, user)
    return { params: { id: made.id }, form: { ...named(made), segment_index: '0', media: 'YWJj' } }
  },
  finalizeChatMediaUpload: async (world, { user }) => {
    const made = await filledUpload(world, user)
    return { params: { id: made.id }, json: named(made) }
  },
  downloadChatMedia: async (world, { user }) => {
    const made = await filledUpload(world, user)
    const end = { ...made, parts: undefined, messageId: undefined, ttlMs: undefined }
    await finalizeChatUpload(end, world.plaza.context)
    return { params: { id: made.chat, media_hash_key: made.hashKey } }
  },
}
