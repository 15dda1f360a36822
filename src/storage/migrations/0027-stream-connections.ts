import type { Migration } from './migration.ts'

/** Connections to streams, open and ended. There are none yet. */
export const streamConnections: Migration = {
  name: '0027-stream-connections',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "stream_connections" ("id" text primary key, "app_id" text not null references "apps" ("id") on delete cascade, "endpoint_name" text not null, "purpose" text not null, "holder" text not null, "client_ip" text not null, "connected_at" bigint not null, "disconnected_at" bigint, "disconnect_reason" text)',
  'create index "stream_connections_by_app" on "stream_connections" ("app_id", "connected_at", "id")',
  'create index "stream_connections_open" on "stream_connections" ("app_id", "endpoint_name", "purpose") where disconnected_at is null',
  'create index "stream_connections_by_holder" on "stream_connections" ("holder") where disconnected_at is null',
  'create index "stream_connections_by_age" on "stream_connections" ("disconnected_at") where disconnected_at is not null',
]

const POSTGRES = [
  'create table "stream_connections" ("id" text collate "C" primary key, "app_id" text not null references "apps" ("id") on delete cascade, "endpoint_name" text not null, "purpose" text not null, "holder" text not null, "client_ip" text not null, "connected_at" bigint not null, "disconnected_at" bigint, "disconnect_reason" text)',
  'create index "stream_connections_by_app" on "stream_connections" ("app_id", "connected_at", "id")',
  'create index "stream_connections_open" on "stream_connections" ("app_id", "endpoint_name", "purpose") where disconnected_at is null',
  'create index "stream_connections_by_holder" on "stream_connections" ("holder") where disconnected_at is null',
  'create index "stream_connections_by_age" on "stream_connections" ("disconnected_at") where disconnected_at is not null',
]
