import type { Migration } from './migration.ts'

/** What was deleted as a draft is listed only with drafts. */
export const deletedDrafts: Migration = {
  name: '0012-deleted-drafts',
  statements: () => [
    `update "campaigns" set "visibility" = 4 where "visibility" = 3 and "entity_status" = 'DRAFT'`,
    `update "line_items" set "visibility" = 4 where "visibility" = 3 and "entity_status" = 'DRAFT'`,
  ],
}
