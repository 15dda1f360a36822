import { bigint, bytewise, flag, integer, type RowOf, table, text } from '../../../platform/storage/table.ts'

/** An account that may use the audience of another, the owner. */
export const audiencePermissions = table(
  'audience_permissions',
  {
    audience_id: bytewise(),
    id: bytewise(),
    account_id: bytewise(),
    granted_account_id: bytewise(),
    /** `READ_ONLY` or `READ_WRITE`. */
    permission_level: text(),
    visibility: integer(),
    created_at: bigint(),
    updated_at: bigint(),
    deleted: flag(),
  },
  {
    key: ['audience_id', 'id'],
    indexes: {
      audience_permissions_by_age: ['audience_id', 'visibility', 'id'],
      audience_permissions_by_update: ['audience_id', 'visibility', 'updated_at', 'id'],
      audience_permissions_by_grant: ['granted_account_id', 'visibility', 'audience_id'],
      audience_permissions_only: {
        on: ['audience_id', 'granted_account_id'],
        unique: true,
        where: 'deleted = 0',
      },
    },
  },
)

export type AudiencePermissionRow = RowOf<typeof audiencePermissions>
