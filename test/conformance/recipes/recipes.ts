import { accountRecipes } from './accounts.ts'
import { appRecipes } from './apps.ts'
import { articleRecipes } from './articles.ts'
import { audienceRecipes } from './audiences.ts'
import { campaignRecipes } from './campaigns.ts'
import { catalogRecipes } from './catalogs.ts'
import { categoryRecipes } from './categories.ts'
import { broadcastRecipes } from './broadcasts.ts'
import { chatRecipes } from './chats.ts'
import { communityRecipes } from './communities.ts'
import { complianceRecipes } from './compliance.ts'
import { coreRecipes } from './core.ts'
import { creativeRecipes } from './creatives.ts'
import { deliveryRecipes } from './deliveries.ts'
import { directMessageRecipes } from './direct-messages.ts'
import { listRecipes } from './lists.ts'
import { mediaRecipes } from './media.ts'
import { oauthRecipes } from './oauth.ts'
import { postRecipes } from './posts.ts'
import type { Recipe } from './recipe.ts'
import { spaceRecipes } from './spaces.ts'
import { statsRecipes } from './stats.ts'
import { targetingRecipes } from './targeting.ts'

/**
 * The areas of the API. Each has a test file of its name, which tests every endpoint that has a
 * recipe here. A test fails if an endpoint has none, or more than one.
 */
export const areas = {
  'ads-audiences': [appRecipes, audienceRecipes, catalogRecipes, categoryRecipes],
  'ads-campaigns': [accountRecipes, campaignRecipes, postRecipes, statsRecipes, targetingRecipes],
  'ads-creatives': [creativeRecipes],
  core: [
    ...[articleRecipes, broadcastRecipes, chatRecipes, communityRecipes, coreRecipes],
    ...[directMessageRecipes, listRecipes, spaceRecipes],
  ],
  'core-services': [complianceRecipes, deliveryRecipes, mediaRecipes, oauthRecipes],
} satisfies Record<string, readonly Readonly<Record<string, Recipe>>[]>

/** A valid call of each endpoint. */
export const recipes: Readonly<Record<string, Recipe>> = Object.assign({}, ...Object.values(areas).flat())
