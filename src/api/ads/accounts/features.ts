import { Type } from 'typebox'
import { choices } from '../../../platform/http/schema.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import { adsEndpoint } from '../endpoint.ts'
import { FEATURES, type Feature } from './feature-keys.ts'
import { featuresOfAccount, grantFeature, revokeFeature } from './queries.ts'

const keys = choices([...FEATURES], 'Keys of features.', 'FeatureKey')
const path = '/accounts/{account_id}/features'

/** The features of an account in alphabetical order, like the list of all features. */
async function grantedTo(store: Pick<Store | Transaction, 'all'>, accountId: string): Promise<Feature[]> {
  const granted = new Set((await store.all(featuresOfAccount, { account: accountId })).map(keyOf))
  return FEATURES.filter((feature) => granted.has(feature))
}

const keyOf = ({ feature_key }: { feature_key: string }) => feature_key

export const listFeatures = adsEndpoint({
  id: 'listFeatures',
  method: 'GET',
  path,
  summary: 'List the features of an account',
  description: 'Returns the features of the account, or only those that `feature_keys` names.',
  source: 'Campaign management',
  right: 'read',
  query: {
    feature_keys: Type.Optional(
      choices([...FEATURES], 'Returns only the items with these ids.', 'FeatureKey'),
    ),
  },
  data: Type.Array(keys.items),
  async handle({ scope, query: { feature_keys } }, { store }) {
    const granted = await grantedTo(store, scope.accountId)
    return { data: feature_keys ? granted.filter((feature) => feature_keys.includes(feature)) : granted }
  },
})

export const addFeatures = adsEndpoint({
  id: 'addFeatures',
  host: 'sandbox',
  method: 'POST',
  path,
  summary: 'Grant features to a sandbox account',
  description: 'Grants features. Returns all features of the account.',
  source: 'Campaign management',
  right: 'account',
  form: { feature_keys: keys },
  status: 201,
  data: Type.Array(keys.items),
  handle: async ({ scope: { accountId }, form: { feature_keys } }, { store }) =>
    store.write(async (tx) => {
      for (const feature_key of feature_keys)
        await tx.run(grantFeature, { account_id: accountId, feature_key })
      return { data: await grantedTo(tx, accountId) }
    }),
})

export const removeFeatures = adsEndpoint({
  id: 'removeFeatures',
  host: 'sandbox',
  method: 'DELETE',
  path,
  summary: 'Revoke features of a sandbox account',
  description:
    'Revokes features. Features that the account does not have are ignored. Returns the remaining features.',
  source: 'Campaign management (reference: features)',
  right: 'account',
  form: { feature_keys: keys },
  data: Type.Array(keys.items),
  handle: async ({ scope: { accountId }, form: { feature_keys } }, { store }) =>
    store.write(async (tx) => {
      for (const feature_key of feature_keys)
        await tx.run(revokeFeature, { account_id: accountId, feature_key })
      return { data: await grantedTo(tx, accountId) }
    }),
})
