import { pageOfSubscriptions } from '../../delivery/activities/queries.ts'
import { presentFilter } from '../../delivery/activities/subscription.ts'
import { pageOfRules } from '../../delivery/streams/queries.ts'
import { FIRST_ID } from '../../platform/common/ids.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { ExportedNames } from './exported-names.ts'
import { webhooksToExport } from './queries.ts'

// As many as a seed may have.
const MAX_WEBHOOKS = 100
const MAX_SUBSCRIPTIONS = 1000
const MAX_RULES = 1000

/** What an app receives: its webhooks, activity subscriptions and rules, each oldest first. */
export async function exportAppContent(store: Store, app: string, names: ExportedNames) {
  const rows = await store.all(webhooksToExport, { app, limit: MAX_WEBHOOKS })
  const webhooks = rows.map(({ id, url }, index) => ({ row: id, id: `webhook${index + 1}`, url }))
  const labels = new Map(webhooks.map(({ row, id }) => [row, id]))
  const subscriptions = await subscriptionsOf(store, app, { names, labels })
  const rules = [
    ...(await rulesOf(store, app, 'filtered')),
    ...(await rulesOf(store, app, 'powerstream')),
  ].slice(0, MAX_RULES)
  return {
    ...(webhooks.length > 0 && { webhooks: webhooks.map(({ id, url }) => ({ id, url })) }),
    ...(subscriptions.length > 0 && { subscriptions }),
    ...(rules.length > 0 && { rules }),
  }
}

async function subscriptionsOf(
  store: Store,
  app: string,
  { names, labels }: { names: ExportedNames; labels: ReadonlyMap<string, string> },
) {
  const rows = await store.all(pageOfSubscriptions, { app, after: FIRST_ID, limit: MAX_SUBSCRIPTIONS })
  return rows.flatMap((row) => {
    const { user_id, ...filter } = presentFilter(row)
    const user = user_id === undefined ? undefined : names.get(user_id)
    if (user_id !== undefined && user === undefined) return []
    const webhook = row.webhook_id === null ? undefined : labels.get(row.webhook_id)
    return [
      {
        event_type: row.event_type,
        ...(user !== undefined && { user }),
        ...filter,
        ...(row.tag !== null && { tag: row.tag }),
        ...(webhook !== undefined && { webhook }),
      },
    ]
  })
}

async function rulesOf(store: Store, app: string, stream: 'filtered' | 'powerstream') {
  const rows = await store.all(pageOfRules, { app, stream, after: FIRST_ID, limit: MAX_RULES })
  return rows.map(({ value, tag }) => ({
    value,
    ...(tag !== null && tag !== '' && { tag }),
    ...(stream !== 'filtered' && { stream }),
  }))
}
