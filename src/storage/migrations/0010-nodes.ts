import type { Migration } from './migration.ts'

/** Which process has which node number, and until when. */
export const nodes: Migration = {
  name: '0010-nodes',
  statements: () => [
    'create table "nodes" ("node" integer primary key, "holder" text not null, "place" text not null, "host" text not null, "pid" integer not null, "redis" integer not null, "renewed_at" bigint not null, "expires_at" bigint not null)',
  ],
}
