import { query } from '../../platform/storage/query.ts'
import type { WebhookRow } from '../../platform/storage/tables.ts'

/** Webhooks of all apps after a given one, oldest first. */
export const pageOfWebhooks = query<{ after: string; limit: number }, WebhookRow>(
  'pageOfWebhooks',
  (db, at) => db.selectFrom('webhooks').selectAll().where('id', '>', at.after).orderBy('id').limit(at.limit),
)
