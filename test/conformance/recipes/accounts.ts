import { onAccount, own } from './campaigns.ts'
import type { Recipe } from './recipe.ts'

/** Calls of endpoints about accounts, their users, and their settings. */
export const accountRecipes: Readonly<Record<string, Recipe>> = {
  listAccounts: async () => ({}),
  getAccount: own(),
  createAccount: async () => ({}),
  updateAccount: own(),
  deleteAccount: onAccount('sandbox', async () => ({})),
  listAccountApps: own(),
  listAccountHistory: (world, caller) =>
    own(async (one) => ({
      query: {
        entity_type: 'CAMPAIGN',
        entity_id: (await one.campaign()).id,
        start_time: '2026-03-01T12:00:00Z',
        end_time: '2026-03-01T13:00:00Z',
        user_id: caller.user.id,
      },
    }))(world, caller),
  getAuthenticatedUserAccess: own(),
  getUserSettings: (world, caller) =>
    own(async () => ({ params: { user_id: caller.user.id } }))(world, caller),
  updateUserSettings: (world, caller) =>
    own(async () => ({ params: { user_id: caller.user.id }, form: { contact_phone: '+1 555 0100' } }))(
      world,
      caller,
    ),
  getTaxSettings: own(),
  updateTaxSettings: own(async () => ({ form: { tax_category: 'INDIVIDUAL' } })),
  listFeatures: own(),
  addFeatures: onAccount('sandbox', async () => ({ form: { feature_keys: 'BRAND_TPN' } })),
  removeFeatures: onAccount('sandbox', async () => ({ form: { feature_keys: 'CPI_CHARGING' } })),
}
