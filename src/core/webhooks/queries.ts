import { sql } from 'kysely'
import { picked, query } from '../../storage/query.ts'
import { columnNames } from '../../storage/table.ts'
import type { WebhookRow } from '../../storage/tables.ts'
import { webhooks } from '../../storage/tables/webhooks.ts'

export const webhooksOfApp = query<{ appId: string }, WebhookRow>('webhooksOfApp', (db, at) =>
  db.selectFrom('webhooks').selectAll().where('app_id', '=', at.appId).orderBy('id'),
)

export const webhookOfApp = query<{ id: string; appId: string }, WebhookRow>('webhookOfApp', (db, at) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', at.id).where('app_id', '=', at.appId),
)

/** Holds up other writers of this app's webhooks until the transaction ends, so that a count stays true. */
export const lockApp = query<{ appId: string }>('lockApp', (db, at) =>
  db.updateTable('apps').set({ name: sql<string>`name` }).where('id', '=', at.appId),
)

export const addWebhook = query<WebhookRow>('addWebhook', (db, at) =>
  db.insertInto('webhooks').values(picked(at, columnNames(webhooks))),
)

export const removeWebhook = query<{ id: string; appId: string }>('removeWebhook', (db, at) =>
  db.deleteFrom('webhooks').where('id', '=', at.id).where('app_id', '=', at.appId),
)

/** Takes the right to check one webhook; changes nothing while somebody else has it. */
export const leaseCheck = query<{ id: string; now: number; until: number }>('leaseCheck', (db, at) =>
  db
    .updateTable('webhooks')
    .set({ check_lease_until: at.until })
    .where('id', '=', at.id)
    .where('check_lease_until', '<=', at.now),
)

/**
 * Takes the right to check webhooks that are due. The outer condition is looked at again when another node
 * changed a row meanwhile, so that no webhook is taken twice.
 */
export const leaseDueChecks = query<{ now: number; until: number; limit: number }, WebhookRow>(
  'leaseDueChecks',
  (db, at) =>
    db
      .updateTable('webhooks')
      .set({ check_lease_until: at.until })
      .where('id', 'in', (due) =>
        due
          .selectFrom('webhooks')
          .select('id')
          .where('next_check_at', '<=', at.now)
          .where('check_lease_until', '<=', at.now)
          .orderBy('next_check_at')
          .limit(at.limit),
      )
      .where('check_lease_until', '<=', at.now)
      .returningAll(),
)

/** What a check found out. Gives the right to check back. */
export const recordCheck = query<{
  id: string
  valid: number
  lastSuccessAt: number
  nextCheckAt: number
}>('recordCheck', (db, at) =>
  db
    .updateTable('webhooks')
    .set({
      valid: at.valid,
      last_success_at: at.lastSuccessAt,
      next_check_at: at.nextCheckAt,
      check_lease_until: 0,
    })
    .where('id', '=', at.id),
)
