import { makeSpace } from '../../support/spaces.ts'
import type { World } from '../world.ts'
import type { Recipe } from './recipe.ts'

/** A space of a user whom no other test uses. */
const space = async (world: World) =>
  makeSpace(world.plaza.context, { creatorId: (await world.newUser()).id })

/** Calls of the endpoints of spaces. */
export const spaceRecipes: Readonly<Record<string, Recipe>> = {
  getSpace: async (world) => ({ params: { id: (await space(world)).id } }),
  listSpaces: async (world) => ({ query: { ids: (await space(world)).id } }),
  listSpacesByCreators: async (world) => ({ query: { user_ids: (await space(world)).creator_id } }),
  searchSpaces: async (world) => {
    await space(world)
    return { query: { query: 'space' } }
  },
  listBuyersOfSpace: async (world, { user }) => ({
    params: { id: (await makeSpace(world.plaza.context, { creatorId: user.id })).id },
    query: { pagination_token: '9999999999999999998' },
  }),
  listPostsOfSpace: async (world) => ({
    params: { id: (await space(world)).id },
    query: { pagination_token: `o${'z'.repeat(24)}` },
  }),
}
