import { openGroup, openPair, sendMessage } from '../../../src/domain/direct-messages/send.ts'
import type { DmEventRow } from '../../../src/domain/direct-messages/tables.ts'
import { filePath } from '../../../src/domain/media/media.ts'
import { resourceIdOf } from '../../../src/domain/media/message-files.ts'
import { png, uploaded } from '../../support/media.ts'
import type { Guest, World } from '../world.ts'
import type { Recipe } from './recipe.ts'

const text = 'Hello'
/** The token of the page after the first possible id. */
const query = { pagination_token: `o${'0'.repeat(24)}` }

/** A message of one user to another. */
const sent = ({ plaza: { context }, app }: World, from: Guest, to: Guest): Promise<DmEventRow> =>
  context.store.write(async (tx) => {
    const actor = { userId: from.id, appId: app.id }
    const conversation = await openPair(tx, actor, to.id)
    return sendMessage(tx, { conversation, actor, message: { text, medium: undefined } }, context)
  })

/** A group that a user created. */
async function group(world: World, user: Guest): Promise<string> {
  const { context } = world.plaza
  const others = [await world.newUser(), await world.newUser()].map(({ id }) => id)
  return context.store.write((tx) => openGroup(tx, { userId: user.id, appId: world.app.id }, others, context))
}

const existing: Recipe = async (world, { user }) => ({
  params: { event_id: (await sent(world, user, await world.newUser())).id },
})

/** Calls of the endpoints of direct messages. */
export const directMessageRecipes: Readonly<Record<string, Recipe>> = {
  getDmMedia: async (world, { user }) => {
    const { context } = world.plaza
    const medium = await uploaded(context, user.id, png(8, 8))
    const other = await world.newUser()
    const { id } = await context.store.write(async (tx) => {
      const actor = { userId: user.id, appId: world.app.id }
      const conversation = await openPair(tx, actor, other.id)
      return sendMessage(tx, { conversation, actor, message: { text, medium } }, context)
    })
    const resource_id = resourceIdOf(filePath(String(medium.hash), String(medium.content_type)))
    return { params: { dm_id: id, media_id: medium.id, resource_id } }
  },
  createConversation: async (world) => ({
    json: {
      conversation_type: 'Group',
      participant_ids: [(await world.newUser()).id, (await world.newUser()).id],
      message: { text },
    },
  }),
  sendMessageToUser: async (world) => ({
    params: { participant_id: (await world.newUser()).id },
    json: { text },
  }),
  sendMessageToConversation: async (world, { user }) => ({
    params: { dm_conversation_id: await group(world, user) },
    json: { text },
  }),
  addConversationParticipants: async (world, { user }) => ({
    params: { dm_conversation_id: await group(world, user) },
    json: { participant_ids: [(await world.newUser()).id] },
  }),
  leaveConversation: async (world, { user }) => ({
    params: { dm_conversation_id: await group(world, user), participant_id: user.id },
  }),
  listEventsWithUser: async (world, { user }) => {
    const other = await world.newUser()
    await sent(world, other, user)
    return { params: { participant_id: other.id }, query }
  },
  listEventsOfConversation: async (world, { user }) => ({
    params: { id: await group(world, user) },
    query,
  }),
  listDmEvents: async (world, { user }) => {
    await sent(world, user, await world.newUser())
    return { query }
  },
  getDmEvent: existing,
  deleteDmEvent: existing,
  indicateTyping: async (world) => ({ form: { recipient_id: (await world.newUser()).id } }),
  markMessagesRead: async (world, { user }) => {
    const other = await world.newUser()
    const { id } = await sent(world, other, user)
    return { form: { recipient_id: other.id, last_read_event_id: id } }
  },
}
