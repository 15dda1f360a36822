import { createHash } from 'node:crypto'
import { grantFeature } from '../../../src/api/ads/accounts/queries.ts'
import { customAudiences } from '../../../src/api/ads/audiences/custom-audiences.ts'
import { doNotReachLists } from '../../../src/api/ads/audiences/do-not-reach-lists.ts'
import { addPermission } from '../../../src/api/ads/audiences/queries.ts'
import { nextBase36 } from '../../../src/platform/common/ids.ts'
import { randomText, systemRandom } from '../../../src/platform/common/random.ts'
import { Advertiser } from '../../support/advertiser.ts'
import { own } from './campaigns.ts'
import type { Recipe } from './recipe.ts'

const audience = (one: Advertiser) => one.make(customAudiences, newName())
const list = (one: Advertiser) => one.make(doNotReachLists, {})

const anAudience = (kind: string, more: object = {}) =>
  own(async (one) => ({ params: { [`${kind}_audience_id`]: (await audience(one)).id }, ...more }))

const email = [createHash('sha256').update('test@example.com').digest('hex')]
const users = [{ operation_type: 'Update', params: { users: [{ email }] } }]

/** An account that may share with anyone, one of its audiences, and another account. */
const sharing =
  (kind: string, make: (audience: string, other: string) => Promise<object>): Recipe =>
  async ({ plaza: { context }, newUser }, { user }) => {
    const one = await Advertiser.open(context, user.id)
    const other = await Advertiser.open(context, (await newUser()).id)
    await context.store.write((tx) =>
      tx.run(grantFeature, { account_id: one.account.id, feature_key: 'SHARE_AUDIENCE_OUTSIDE_BUSINESS' }),
    )
    const { id } = await audience(one)
    const { params = {}, ...good }: { params?: object } = await make(id, other.account.id)
    return { ...good, params: { account_id: one.account.id, [`${kind}_audience_id`]: id, ...params } }
  }

const permissionRecipes = (kind: string, name: string): Record<string, Recipe> => ({
  [`list${name}Permissions`]: sharing(kind, async () => ({})),
  [`create${name}Permission`]: sharing(kind, async (_, other) => ({
    form: { granted_account_id: other, permission_level: 'READ_ONLY' },
  })),
  [`delete${name}Permission`]: (world, caller) =>
    sharing(kind, async (audience_id, granted_account_id) => {
      const { store, ids, clock } = world.plaza.context
      const id = nextBase36(ids)
      const now = clock.now()
      await store.write((tx) =>
        tx.run(addPermission, {
          audience_id,
          id,
          account_id: 'owner',
          granted_account_id,
          permission_level: 'READ_ONLY',
          visibility: 0,
          created_at: now,
          updated_at: now,
          deleted: 0,
        }),
      )
      return { params: { [`${kind}_audience_permission_id`]: id } }
    })(world, caller),
})

const newName = () => ({ name: `Audience ${randomText(systemRandom, 8)}` })

const recipesOf = (kind: string, name: string): Record<string, Recipe> => ({
  [`list${name}s`]: own(),
  [`get${name}`]: anAudience(kind),
  [`create${name}`]: own(async () => ({ form: newName() })),
  [`update${name}`]: anAudience(kind),
  [`delete${name}`]: anAudience(kind),
  [`batch${name}s`]: own(async (one) => {
    const segments = { custom_audience_id: (await audience(one)).id }
    return {
      json: [
        { operation_type: 'Create', params: newName() },
        { operation_type: 'Create', params: { ...newName(), audience_type: 'FLEXIBLE', segments } },
      ],
    }
  }),
  [`upload${name}Users`]: anAudience(kind, { json: users }),
  [`list${name}Targeted`]: anAudience(kind),
})

/** Calls of endpoints about audiences, their members, and do not reach lists. */
export const audienceRecipes: Readonly<Record<string, Recipe>> = {
  ...recipesOf('custom', 'CustomAudience'),
  ...recipesOf('tailored', 'TailoredAudience'),
  ...permissionRecipes('tailored', 'TailoredAudience'),
  ...permissionRecipes('tailored', 'CurrentTailoredAudience'),
  ...permissionRecipes('custom', 'CustomAudience'),
  listDoNotReachLists: own(),
  createDoNotReachList: own(),
  deleteDoNotReachList: own(async (one) => ({ params: { do_not_reach_list_id: (await list(one)).id } })),
  batchDoNotReachListUsers: own(async (one) => ({
    params: { do_not_reach_list_id: (await list(one)).id },
    json: users,
  })),
}
