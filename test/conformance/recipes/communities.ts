import { makeCommunity } from '../../support/communities.ts'
import type { Recipe } from './recipe.ts'

const TOKEN = `o${'z'.repeat(24)}`

/** Calls of the endpoints of communities. */
export const communityRecipes: Readonly<Record<string, Recipe>> = {
  getCommunity: async ({ plaza }) => ({ params: { id: await makeCommunity(plaza.context) } }),
  searchCommunities: async () => ({
    query: { query: 'community', next_token: TOKEN, pagination_token: TOKEN },
  }),
}
