import type { WebhookRow } from '../../delivery/webhooks/tables.ts'
import { query } from '../tables.ts'

/** Webhooks of all apps after a given one, oldest first. */
export const pageOfWebhooks = query<{ after: string; limit: number }, WebhookRow>(
  'pageOfWebhooks',
  (db, at) => db.selectFrom('webhooks').selectAll().where('id', '>', at.after).orderBy('id').limit(at.limit),
)
