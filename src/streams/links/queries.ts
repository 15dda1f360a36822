import { sql } from 'kysely'
import { anyIn, picked, postgres, query } from '../../storage/query.ts'
import { columnNames } from '../../storage/table.ts'
import type { StreamLinkRow } from '../../storage/tables.ts'
import { streamLinks } from '../../storage/tables/streams.ts'

/** Links a webhook, or shows what it receives otherwise from now on. */
export const putLink = query<StreamLinkRow>('putStreamLink', (db, at) =>
  db
    .insertInto('stream_links')
    .values(picked(at, columnNames(streamLinks)))
    .onConflict((conflict) => conflict.column('webhook_id').doUpdateSet({ selection: at.selection })),
)

export const removeLink = query<{ webhook: string; app: string }>('removeStreamLink', (db, at) =>
  db.deleteFrom('stream_links').where('webhook_id', '=', at.webhook).where('app_id', '=', at.app),
)

/** As many as an app may have webhooks at most. */
export const linksOfApp = query<{ app: string }, StreamLinkRow>('streamLinksOfApp', (db, at) =>
  db.selectFrom('stream_links').selectAll().where('app_id', '=', at.app).orderBy('webhook_id'),
)

/** The links of every app, a page at a time. */
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

/** Whose usage the posts of some apps are. `ids` is a JSON list. */
export const ownersOfApps = query<{ ids: string }, { id: string; owner_user_id: string; suspended: number }>(
  'ownersOfLinkedApps',
  (db, at) =>
    db
      .selectFrom('apps')
      .select(['id', 'owner_user_id', 'suspended'])
      .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)
