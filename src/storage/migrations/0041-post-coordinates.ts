import type { Migration } from './migration.ts'

/** Where exactly a post was written. No post of before tells it. */
export const postCoordinates: Migration = {
  name: '0041-post-coordinates',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'alter table "posts" add column "longitude" real',
  'alter table "posts" add column "latitude" real',
]

const POSTGRES = [
  'alter table "posts" add column "longitude" double precision',
  'alter table "posts" add column "latitude" double precision',
]
