import {
  countSubscriptions,
  removeSubscriptions,
  subscriptionsByIds,
} from '../../../../delivery/activities/queries.ts'
import { lockApp } from '../../../../identity/apps/queries.ts'
import type { Store } from '../../../../platform/storage/store.ts'

/**
 * Deletes the existing subscriptions of an app. Resolves to the ids that do not exist, and how many subscriptions are
 * left.
 */
export const unsubscribe = (
  app: string,
  ids: readonly string[],
  store: Store,
): Promise<{ missing: string[]; total: number }> =>
  store.write(async (tx) => {
    await tx.run(lockApp, { appId: app })
    const at = { app, ids: JSON.stringify(ids) }
    const found = new Set((await tx.all(subscriptionsByIds, at)).map(({ id }) => id))
    if (found.size > 0) await tx.run(removeSubscriptions, at)
    const total = Number((await tx.first(countSubscriptions, { app }))?.count ?? 0)
    return { missing: ids.filter((id) => !found.has(id)), total }
  })
