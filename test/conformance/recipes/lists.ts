import { makeList } from '../../support/lists.ts'
import type { World } from '../world.ts'
import type { Recipe } from './recipe.ts'

/** A token of a list in the order of ids: newer than all of them. */
const FIRST_PAGE = '9999999999999999998'

/** A public list of a user, with a member. */
const aList = async ({ plaza, owner }: World, user: { id: string }) =>
  (await makeList(plaza.context, { ownerId: user.id, memberIds: [owner.id] })).id

const ofOwner: Recipe = async (world, { user }) => ({
  params: { id: await aList(world, user) },
})

const ofList: Recipe = async (world) => ({
  params: { id: await aList(world, world.owner) },
  query: { pagination_token: FIRST_PAGE },
})

const ofUser: Recipe = async ({ owner }) => ({
  params: { id: owner.id },
  query: { pagination_token: FIRST_PAGE },
})

const begins: Recipe = async (world, { user }) => ({
  params: { id: user.id },
  json: { list_id: await aList(world, user) },
})

const ends: Recipe = async (world, { user }) => ({
  params: { id: user.id, list_id: await aList(world, user) },
})

/** Calls of the endpoints of lists. */
export const listRecipes: Readonly<Record<string, Recipe>> = {
  createList: async () => ({ json: { name: 'A list' } }),
  getList: async (world) => ({ params: { id: await aList(world, world.owner) } }),
  updateList: async (world, { user }) => ({
    params: { id: await aList(world, user) },
    json: { name: 'Another name' },
  }),
  deleteList: ofOwner,
  addListMember: async (world, { user }) => ({
    params: { id: await aList(world, user) },
    json: { user_id: world.owner.id },
  }),
  removeListMember: async (world, { user }) => ({
    params: { id: await aList(world, user), user_id: world.owner.id },
  }),
  listListMembers: ofList,
  listListFollowers: ofList,
  readListTimeline: async (world) => ({
    params: { id: await aList(world, world.owner) },
    query: { pagination_token: `00o${'z'.repeat(24)}` },
  }),
  listOwnedLists: ofUser,
  listListMemberships: ofUser,
  listFollowedLists: ofUser,
  followList: begins,
  unfollowList: ends,
  pinList: begins,
  unpinList: ends,
  listPinnedLists: async (_world, { user }) => ({ params: { id: user.id } }),
}
