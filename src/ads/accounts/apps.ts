import { Type } from 'typebox'
import type { Clock } from '../../common/clock.ts'
import type { IdSource } from '../../common/ids.ts'
import { nextBase36 } from '../../common/ids.ts'
import { choice, text } from '../../http/schema.ts'
import type { Transaction } from '../../storage/store.ts'
import { entity } from '../entity/entity.ts'
import { VISIBLE } from '../entity/queries.ts'
import { lockAccountRow, sameAccountApp } from './queries.ts'

export const APP_SYSTEMS = ['Android', 'iOS'] as const
export const MAX_APP_IDENTIFIER = 255
export const MAX_DEEP_LINK = 2048

export const fields = {
  app_store_identifier: { schema: text(1, MAX_APP_IDENTIFIER, 'Package name, or number in the store.') },
  conversion_tracking_enabled: {
    schema: Type.Boolean({ description: 'Whether conversions are counted.' }),
  },
  deep_link_pattern: { schema: text(1, MAX_DEEP_LINK, 'Pattern of deep links into the app.'), null: true },
  os_type: { schema: choice([...APP_SYSTEMS], 'Operating system of the app.') },
} as const

/** Mobile apps that an account may promote. They are registered outside the API. */
export const accountApps = entity({
  one: 'account app',
  many: 'account apps',
  table: 'account_apps',
  path: '/accounts/{account_id}/account_apps',
  id: 'account_app_id',
  source: 'Campaign management',
  notFound: 'NOT_FOUND',
  verbs: ['list'],
  fields,
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
  if (await tx.first(sameAccountApp, { account: accountId, identifier, system })) return undefined
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
