import { appById } from '../../../identity/apps/queries.ts'
import { lockAccountRow } from '../accounts/queries.ts'
import { entity } from '../entity/entity.ts'
import type { EntityItem } from '../entity/fields.ts'
import { byIds } from '../entity/filters.ts'
import { fields } from './fields.ts'

/** The provider that measures the apps of an account. An account has one at most. */
export const appEventProviderConfigurations = entity({
  one: 'app event provider configuration',
  source: 'Campaign management (reference: app event provider configurations)',
  notFound: 'APP_EVENT_PROVIDER_CONFIGURATION_NOT_FOUND',
  verbs: ['list', 'get', 'create', 'delete'],
  describe: {
    create: 'Names the provider that measures the apps. Returns that of the account if it has one.',
  },
  filters: {
    ids: byIds('app event provider configuration'),
  },
  fields,
  same: [],
  async complete({ provider_advertiser_id }, { tx, scope, caller }) {
    // Prevents two concurrent requests from creating two.
    await tx.first(lockAccountRow, { id: scope.accountId })
    const app = await tx.first(appById, { id: caller.app.id })
    const { id } = caller.app
    return { provider_advertiser_id, provider_name: app?.name ?? id, provider_app_id: id }
  },
  fixed: (_work, { provider_advertiser_id }) => ({ provider_advertiser_identifier: provider_advertiser_id }),
  existing: (_fresh, work): Promise<EntityItem<typeof fields> | undefined> =>
    appEventProviderConfigurations.findSame(work, {}),
  async derive(items) {
    for (const item of items) item.provider_advertiser_identifier = item.provider_advertiser_id
  },
})
