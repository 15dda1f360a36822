import { makeABroadcast, makeASource, writeIn } from '../../support/broadcasts.ts'
import type { Guest, World } from '../world.ts'
import type { Recipe } from './recipe.ts'

const HOUR_MS = 3_600_000

const times = ({ plaza }: World) => {
  const start = plaza.clock.now() + HOUR_MS
  return { scheduled_start_ms: String(start), scheduled_end_ms: String(start + HOUR_MS) }
}

/** A running broadcast of the caller. Each caller has few of them. */
const running = async (world: World, user: Guest) =>
  makeABroadcast(world.plaza.context, { user_id: user.id, ends_at: world.plaza.clock.now() + HOUR_MS })

const scheduled = async (world: World, user: Guest, isManual = false) => {
  const source_id = await makeASource(world.plaza.context, user)
  const { scheduled_start_ms: start, scheduled_end_ms: end } = times(world)
  return makeABroadcast(world.plaza.context, {
    ...{ user_id: user.id, source_id, manual_publish: Number(isManual) },
    scheduled: { start: Number(start), end: Number(end) },
  })
}

/** Calls of the endpoints of broadcasts. */
export const broadcastRecipes: Readonly<Record<string, Recipe>> = {
  listBroadcasts: async (world, { user }) => ({ query: { ids: (await running(world, user)).id } }),
  getBroadcast: async (world, { user }) => ({ params: { id: (await running(world, user)).id } }),
  getBroadcastChat: async (world, { user }) => ({
    params: { id: (await running(world, user)).id },
    query: { pagination_token: '9999999999999999998' },
  }),
  sendBroadcastChat: async (world, { user }) => ({
    params: { id: (await running(world, user)).id },
    json: { text: 'Hello' },
  }),
  deleteBroadcastChatMessage: async (world, { user }) => {
    const broadcast = await running(world, user)
    const { sent_ns } = await writeIn(world.plaza.context, broadcast, user)
    return { params: { id: broadcast.id, message_id: sent_ns } }
  },
  muteBroadcastChatUser: async (world, { user }) => ({
    params: { id: (await running(world, user)).id },
    json: { user_id: world.owner.id },
  }),
  unmuteBroadcastChatUser: async (world, { user }) => ({
    params: { id: (await running(world, user)).id, user_id: world.owner.id },
  }),
  listScheduledBroadcasts: async (world, { user }) => ({
    query: {
      pagination_token: (await scheduled(world, user)).scheduled_id ?? '',
      oldest_start_time: '0',
      newest_start_time: '2100-01-01T00:00:00Z',
    },
  }),
  createScheduledBroadcast: async (world, { user }) => ({
    json: { source_id: await makeASource(world.plaza.context, user), ...times(world) },
  }),
  getScheduledBroadcast: async (world, { user }) => ({ params: { id: (await scheduled(world, user)).id } }),
  updateScheduledBroadcast: async (world, { user }) => {
    const { id, scheduled_id } = await scheduled(world, user)
    return { params: { id }, json: { scheduled_broadcast_id: scheduled_id, ...times(world) } }
  },
  deleteScheduledBroadcast: async (world, { user }) => ({
    params: { id: (await scheduled(world, user)).id },
  }),
  goLiveScheduledBroadcast: async (world, { user }) => ({
    params: { id: (await scheduled(world, user, true)).id },
  }),
}
