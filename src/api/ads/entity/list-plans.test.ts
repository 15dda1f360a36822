import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
// Declares every entity of the program.
import '../../../app/endpoints.ts'
import { plain } from '../../../platform/http/schema.ts'
import { schemaText } from '../../../platform/storage/schema/schema.ts'
import { entities } from './entity.ts'
import { DELETED, type Listing, type ListNarrowing, listQuery, type SortKey, VISIBLE } from './queries.ts'
import type { Entity } from './types.ts'

const db = new DatabaseSync(':memory:')
after(() => db.close())
db.exec(schemaText('sqlite'))

const BY_ID: SortKey = { column: 'id', descending: false }

/**
 * The most common requests for a list: unfiltered, by one filter, in one order, the next page, with
 * deleted entities.
 */
function formsOf({ declared, codec }: Entity): [string, Listing][] {
  const { table, filters = {}, ranges = {}, search, sort = {}, removed } = declared
  const form = (narrowings: ListNarrowing[], order: SortKey[], visibilities = [VISIBLE]): Listing => ({
    table,
    columns: [...codec.columns, ...(declared.nameKey ? ['name_key'] : [])],
    narrowings,
    sort: order,
    nullable: Object.keys(declared.fields).filter((column) => declared.fields[column]?.null),
    visibilities,
    after: false,
  })
  // The lists of entities whose rows are removed have one order, and no deleted ones.
  const orders = (removed ? [] : ['updated_at', 'deleted', ...Object.values(sort)])
    .filter((column) => column !== 'id' && column !== '')
    .flatMap((column) =>
      [false, true].map((descending): SortKey[] => [
        { column, descending },
        { column: 'id', descending },
      ]),
    )
  const first: [string, Listing][] = [
    ['as it is', form([], [BY_ID])],
    ['newest first', form([], [{ column: 'id', descending: true }])],
    ['with deleted ones', form([], [BY_ID], [VISIBLE, DELETED])],
    ...Object.entries(filters).map(([name, { column }]): [string, Listing] => [
      `by ${name}`,
      form([{ column, by: 'one' }], [BY_ID]),
    ]),
    ...Object.entries(filters).flatMap(([name, { column }]): [string, Listing][] => [
      [`by several ${name}`, form([{ column, by: 'many' }], [BY_ID])],
      [`by several ${name}, sorted`, form([{ column, by: 'many' }], orders[0] ?? [BY_ID])],
    ]),
    ...Object.entries(ranges).flatMap(([name, { schema, bounds }]) =>
      (plain(schema).enum ?? [[1, 2]]).flatMap((value): [string, Listing][] => [
        [`by ${name} ${value}`, form([...bounds(value as never, 1)], [BY_ID])],
        [`by ${name} ${value}, sorted`, form([...bounds(value as never, 1)], orders[0] ?? [BY_ID])],
      ]),
    ),
    ...orders.map((order): [string, Listing] => [
      `in the order of ${order[0]?.column} ${order[0]?.descending ? 'down' : 'up'}`,
      form([], order),
    ]),
    ...orders.map((order): [string, Listing] => [
      `in the order of ${order[0]?.column} ${order[0]?.descending ? 'down' : 'up'}, with deleted ones`,
      form([], order, [VISIBLE, DELETED]),
    ]),
    ...(search
      ? [
          [
            'searched',
            form([{ column: 'name_key', by: 'prefix' }], [{ column: 'name_key', descending: false }, BY_ID]),
          ] as [string, Listing],
        ]
      : []),
  ]
  return first.flatMap(([name, listing]) => [
    [name, listing],
    [`${name}, a page on`, { ...listing, after: true }],
  ])
}

for (const entity of entities) {
  for (const [name, listing] of formsOf(entity)) {
    test(`${entity.declared.many} ${name}: an index finds and orders each row`, () => {
      const { sql } = listQuery(listing).compile('sqlite')
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
      const lines = plan.map(({ detail }) => String(detail))
      const scanned = lines.filter(
        (line) => /^SCAN /.test(line) && !/^SCAN (walk|walks|\(subquery|json_each)/.test(line),
      )
      assert.deepEqual(scanned, [], lines.join('\n'))
      // Where several scans are merged, the page of each is sorted, and so are the rows of several
      // parents and those within a bound; nothing else is.
      const sorted = lines.filter((line) => line.includes('TEMP B-TREE'))
      const walks = listing.visibilities.length
      const many = listing.narrowings.find(({ by }) => by === 'many')
      const bound = listing.narrowings.find(({ by }) => by === 'above' || by === 'below')
      assert.ok(sorted.length <= (walks > 1 ? walks : many || bound ? 1 : 0), lines.join('\n'))
      // From the parents to their rows, never through the account.
      if (many) assert.match(lines.join('\n'), new RegExp(`account_id=\\?.* AND ${many.column}=\\?`))
      // Through the rows within the bound, which few of an account may be.
      if (bound)
        assert.match(
          lines.join('\n'),
          new RegExp(
            `account_id=\\? AND visibility=\\? AND ${bound.column}${bound.by === 'above' ? '>' : '<'}\\?`,
          ),
        )
    })
  }
}
