import { bigint, bytes, bytewise, flag, integer, serial, table, text } from '../table.ts'

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

export const membershipAudiences = table(
  'membership_audiences',
  {
    audience: bytewise(),
    size: bigint(),
    counted_at: bigint(),
    people: bigint(),
    ended_at: bigint(),
    sweep_at: bigint({ null: true }),
    sweep_before: bigint({ null: true }),
    swept_people: bigint({ null: true }),
    swept_until: bytes({ null: true }),
    forgotten: flag(),
  },
  {
    key: ['audience'],
    indexes: {
      membership_audiences_forgotten: { on: ['audience'], where: 'forgotten = 1' },
      membership_audiences_to_sweep: { on: ['sweep_at'], where: 'sweep_at is not null' },
    },
    only: 'postgres',
  },
)

export const membershipChanges = table(
  'membership_changes',
  {
    audience: bytewise(),
    at: bigint(),
    delta: bigint(),
  },
  {
    key: ['audience', 'at'],
    indexes: {
      membership_changes_by_time: ['at', 'audience'],
    },
    only: 'postgres',
  },
)

export const membershipKeys = table(
  'membership_keys',
  {
    audience: bytewise(),
    key: bytes(),
    kind: integer(),
    effective: bigint(),
    expires: bigint(),
  },
  {
    key: ['audience', 'key'],
    only: 'postgres',
  },
)

export const membershipLog = table(
  'membership_log',
  {
    seq: serial(),
    account: bytewise(),
    audience: bytewise(),
    accepted_at: bigint(),
    keys: integer(),
    bytes: integer(),
    data: bytes({ null: true }),
  },
  {
    key: ['seq'],
    indexes: {
      membership_log_by_account: ['account', 'bytes'],
      membership_log_by_audience: ['audience', 'seq'],
    },
    only: 'postgres',
  },
)

export const membershipPeople = table(
  'membership_people',
  {
    audience: bytewise(),
    id: bigint(),
    effective: bigint(),
    expires: bigint(),
    keys: bytes(),
  },
  {
    key: ['audience', 'id'],
    only: 'postgres',
  },
)

export const membershipSetAside = table(
  'membership_set_aside',
  {
    audience: bytewise(),
    seq: bigint(),
    accepted_at: bigint(),
    reason: text(),
    data: bytes(),
  },
  {
    key: ['audience', 'seq'],
    only: 'postgres',
  },
)
