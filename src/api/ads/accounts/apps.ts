import type { Clock } from '../../../platform/common/clock.ts'
import { type IdSource, nextBase36 } from '../../../platform/common/ids.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { entity } from '../entity/entity.ts'
import { VISIBLE } from '../entity/queries.ts'
import { type APP_SYSTEMS, fields } from './app-fields.ts'
import { lockAccountRow } from './queries.ts'

/** Mobile apps that an account may promote. They are registered outside the API. */
export const accountApps = entity({
  one: 'account app',
  source: 'Campaign management',
  notFound: 'NOT_FOUND',
  verbs: ['list'],
  fields,
  indexes: { account_apps_by_app: ['app_store_identifier', 'os_type', 'visibility', 'account_id'] },
  same: ['app_store_identifier', 'os_type'],
})

export interface NewAccountApp {
  identifier: string
  system: (typeof APP_SYSTEMS)[number]
  conversionTracking: boolean
  deepLinkPattern: string | null
}

/** Registers an app for an account. Undefined if the account already has it. */
export async function registerApp(
  tx: Transaction,
  accountId: string,
  { identifier, system, conversionTracking, deepLinkPattern }: NewAccountApp,
  { clock, ids }: { clock: Clock; ids: IdSource },
): Promise<string | undefined> {
  // Prevents two concurrent registrations of the same app.
  await tx.first(lockAccountRow, { id: accountId })
  const at = { tx, scope: { accountId } }
  const same = { app_store_identifier: identifier, os_type: system }
  if (await accountApps.findSame(at, same)) return undefined
  const now = clock.now()
  const id = nextBase36(ids)
  await tx.run(accountApps.rows.add, {
    ...accountApps.codec.encode({
      id,
      app_store_identifier: identifier,
      conversion_tracking_enabled: conversionTracking,
      deep_link_pattern: deepLinkPattern,
      os_type: system,
      created_at: now,
      updated_at: now,
      deleted: false,
    }),
    account_id: accountId,
    visibility: VISIBLE,
  })
  return id
}
