import { type WebhookRow, webhooks } from '../../../delivery/webhooks/tables.ts'
import { picked } from '../../../platform/storage/query.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'

export const webhooksOfApp = query<{ appId: string }, WebhookRow>('webhooksOfApp', (db, at) =>
  db.selectFrom('webhooks').selectAll().where('app_id', '=', at.appId).orderBy('id'),
)

export const webhookOfApp = query<{ id: string; appId: string }, WebhookRow>('webhookOfApp', (db, at) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', at.id).where('app_id', '=', at.appId),
)

export const addWebhook = query<WebhookRow>('addWebhook', (db, at) =>
  db.insertInto('webhooks').values(picked(at, columnNames(webhooks))),
)

export const removeWebhook = query<{ id: string; appId: string }>('removeWebhook', (db, at) =>
  db.deleteFrom('webhooks').where('id', '=', at.id).where('app_id', '=', at.appId),
)

export const webhookById = query<{ id: string }, WebhookRow>('webhookById', (db, at) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', at.id),
)

/** Records the outcome of a check. */
export const recordCheck = query<Pick<WebhookRow, 'id' | 'valid' | 'last_success_at'>>(
  'recordCheck',
  (db, at) =>
    db
      .updateTable('webhooks')
      .set({ valid: at.valid, last_success_at: at.last_success_at })
      .where('id', '=', at.id),
)
