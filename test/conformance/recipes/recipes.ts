import { accountRecipes } from './accounts.ts'
import { audienceRecipes } from './audiences.ts'
import { campaignRecipes } from './campaigns.ts'
import { catalogRecipes } from './catalogs.ts'
import { categoryRecipes } from './categories.ts'
import { coreRecipes } from './core.ts'
import { creativeRecipes } from './creatives.ts'
import { directMessageRecipes } from './direct-messages.ts'
import { postRecipes } from './posts.ts'
import type { Recipe } from './recipe.ts'
import { spaceRecipes } from './spaces.ts'
import { targetingRecipes } from './targeting.ts'

/** A valid call of each endpoint. A test fails if an endpoint has none. */
export const recipes: Readonly<Record<string, Recipe>> = {
  ...coreRecipes,
  ...accountRecipes,
  ...campaignRecipes,
  ...targetingRecipes,
  ...audienceRecipes,
  ...postRecipes,
  ...creativeRecipes,
  ...directMessageRecipes,
  ...spaceRecipes,
  ...categoryRecipes,
  ...catalogRecipes,
}
