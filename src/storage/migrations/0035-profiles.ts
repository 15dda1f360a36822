import type { Migration } from './migration.ts'

/** The organisation that a user belongs to. No user belongs to one yet. */
export const profiles: Migration = {
  name: '0035-profiles',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = ['alter table "users" add column "affiliation_user_id" text']

const POSTGRES = ['alter table "users" add column "affiliation_user_id" text']
