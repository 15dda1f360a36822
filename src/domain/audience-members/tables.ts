import { bigint, bytes, bytewise, flag, integer, serial, table, text } from '../../platform/storage/table.ts'

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
