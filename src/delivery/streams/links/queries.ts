import { sql } from 'kysely'
import type { AppRow } from '../../../identity/apps/tables.ts'
import { anyIn, picked, postgres } from '../../../platform/storage/query.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'
import type { WebhookRow } from '../../webhooks/tables.ts'
import { type StreamLinkRow, streamLinks } from '../tables.ts'

/** Links a webhook, or changes the fields and expansions that it receives. */
export const putLink = query<StreamLinkRow>('putStreamLink', (db, at) =>
  db
    .insertInto('stream_links')
    .values(picked(at, columnNames(streamLinks)))
    .onConflict((conflict) => conflict.column('webhook_id').doUpdateSet({ selection: at.selection })),
)

export const removeLink = query<{ webhook: string; app: string }>('removeStreamLink', (db, at) =>
  db.deleteFrom('stream_links').where('webhook_id', '=', at.webhook).where('app_id', '=', at.app),
)

/** At most as many as an app may have webhooks. */
export const linksOfApp = query<{ app: string }, StreamLinkRow>('streamLinksOfApp', (db, at) =>
  db.selectFrom('stream_links').selectAll().where('app_id', '=', at.app).orderBy('webhook_id'),
)

/** The links of all apps, one page at a time. */
export const pageOfLinks = query<{ after: string; limit: number }, StreamLinkRow>(
  'pageOfStreamLinks',
  (db, at) =>
    db
      .selectFrom('stream_links')
      .selectAll()
      .where('webhook_id', '>', at.after)
      .orderBy('webhook_id')
      .limit(at.limit),
)

type LinkedWebhook = Pick<WebhookRow, 'id' | 'app_id' | 'valid' | 'last_success_at'> &
  Pick<AppRow, 'owner_user_id' | 'suspended' | 'enrolled'>

/**
 * Whether some webhooks may receive posts, and whose usage these count for. `ids` is a JSON list.
 */
export const linkedWebhooks = query<{ ids: string }, LinkedWebhook>('linkedWebhooks', (db, at) =>
  db
    .selectFrom('webhooks')
    .innerJoin('apps', 'apps.id', 'webhooks.app_id')
    .select(['webhooks.id', 'webhooks.app_id', 'webhooks.valid', 'webhooks.last_success_at'])
    .select(['apps.owner_user_id', 'apps.suspended', 'apps.enrolled'])
    .where(anyIn(postgres(db), sql.ref('webhooks.id'), at.ids)),
)
