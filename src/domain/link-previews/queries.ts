import { sql } from 'kysely'
import { anyIn, picked, postgres } from '../../platform/storage/query.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import { type LinkPreviewRow, linkPreviews } from './tables.ts'

export const putLinkPreview = query<LinkPreviewRow>('putLinkPreview', (db, at) =>
  db
    .insertInto('link_previews')
    .values(picked(at, columnNames(linkPreviews)))
    .onConflict((on) => on.column('url').doUpdateSet(picked(at, ['preview']))),
)

export const removeLinkPreview = query<{ url: string }>('removeLinkPreview', (db, at) =>
  db.deleteFrom('link_previews').where('url', '=', at.url),
)

/** `urls`: a JSON list. */
export const linkPreviewsByUrls = query<{ urls: string }, LinkPreviewRow>('linkPreviewsByUrls', (db, at) =>
  db
    .selectFrom('link_previews')
    .selectAll()
    .where(anyIn(postgres(db), sql.ref('url'), at.urls)),
)

export const pageOfLinkPreviews = query<{ after: string; limit: number }, LinkPreviewRow>(
  'pageOfLinkPreviews',
  (db, at) =>
    db.selectFrom('link_previews').selectAll().where('url', '>', at.after).orderBy('url').limit(at.limit),
)
