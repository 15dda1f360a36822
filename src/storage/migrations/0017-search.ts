import type { Migration } from './migration.ts'

/** The search index of PostgreSQL. The embedded store has its own in another file. */
export const search: Migration = {
  name: '0017-search',
  statements: (dialect) =>
    dialect === 'sqlite'
      ? []
      : [
          `create table "search_documents" ("id" bigint primary key, "words" tsvector not null, "likes" bigint not null, "replies" bigint not null, "reposts" bigint not null, "west" double precision, "south" double precision, "east" double precision, "north" double precision)`,
          'create index "search_documents_by_words" on "search_documents" using gin ("words")',
          'create table "search_built" ("version" integer primary key)',
        ],
}
