import type { Migration } from './migration.ts'

/** Which apps may use the endpoints under `/2/`. All apps of before may. */
export const appEnrollment: Migration = {
  name: '0042-app-enrollment',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = ['alter table "apps" add column "enrolled" integer default 1 not null']

const POSTGRES = ['alter table "apps" add column "enrolled" integer default 1 not null']
