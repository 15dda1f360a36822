import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaSql } from './ddl.ts'
import { bigint, bytewise, integer, serial, table, text } from './table.ts'

const shelves = table(
  'shelves',
  { id: bytewise(), name: text() },
  { key: ['id'], rows: [{ id: '1', name: "The reader's" }] },
)
const books = table(
  'books',
  {
    shelf_id: bytewise({ belongsTo: shelves }),
    number: integer(),
    title: text({ default: "The reader's" }),
    isbn: text({ null: true, unique: true }),
    sold_at: bigint({ null: true }),
  },
  {
    key: ['shelf_id', 'number'],
    indexes: {
      books_sold: { on: ['sold_at'], where: 'sold_at is not null' },
      books_by_title: { on: ['title', { sql: 'coalesce(sold_at, -1)' }], unique: true },
    },
  },
)
const loans = table('loans', { id: serial(), note: text() }, { key: ['id'], only: 'postgres' })

test('tables are created after those that their rows belong to, with their initial rows', () => {
  assert.equal(
    schemaSql([loans, books, shelves], 'postgres'),
    `create table "loans" (
  "id" bigserial primary key,
  "note" text not null
);
create table "shelves" (
  "id" text collate "C" primary key,
  "name" text not null
);
insert into "shelves" ("id", "name") values ('1', 'The reader''s');
create table "books" (
  "shelf_id" text collate "C" not null references "shelves" ("id") on delete cascade,
  "number" integer not null,
  "title" text default 'The reader''s' not null,
  "isbn" text unique,
  "sold_at" bigint,
  constraint "books_key" primary key ("shelf_id", "number")
);
create index "books_sold" on "books" ("sold_at") where sold_at is not null;
create unique index "books_by_title" on "books" ("title", coalesce(sold_at, -1));
`,
  )
})

test('a table of another database is not created', () => {
  assert.equal(
    schemaSql([loans, shelves], 'sqlite'),
    `create table "shelves" (
  "id" text primary key,
  "name" text not null
);
insert into "shelves" ("id", "name") values ('1', 'The reader''s');
`,
  )
})
