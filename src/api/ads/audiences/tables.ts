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

/** The count of an audience that combines others. */
export const flexibleAudiences = table(
  'flexible_audiences',
  {
    audience_id: bytewise(),
    /** Incremented whenever members of a part change, and the revision that the size is about. */
    revision: bigint(),
    counted_revision: bigint(),
    size: bigint(),
    counted_at: bigint(),
    /** JSON: of a count that is not complete. */
    progress: text({ null: true }),
  },
  { key: ['audience_id'] },
)

/** The audiences that a combination names. */
export const flexibleAudienceParts = table(
  'flexible_audience_parts',
  {
    audience_id: bytewise(),
    part_id: bytewise(),
  },
  {
    key: ['audience_id', 'part_id'],
    indexes: { flexible_audience_parts_by_part: ['part_id', 'audience_id'] },
  },
)

export type AudiencePermissionRow = RowOf<typeof audiencePermissions>

export type FlexibleAudienceRow = RowOf<typeof flexibleAudiences>
