import type { Migration } from './migration.ts'

/** When a delivery was sent again by hand. No delivery was. */
export const resentDeliveries: Migration = {
  name: '0038-resent-deliveries',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = ['alter table "deliveries" add column "resent_at" bigint']

const POSTGRES = ['alter table "deliveries" add column "resent_at" bigint']
