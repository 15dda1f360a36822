import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { entities } from '../../src/api/ads/entity/entity.ts'
import type { Cell, EntityItem, Fields } from '../../src/api/ads/entity/fields.ts'
import { type Listing, listQuery, type NewRow, VISIBLE } from '../../src/api/ads/entity/queries.ts'
import type { Entity } from '../../src/api/ads/entity/types.ts'
// Declares every entity of the program.
import '../../src/app/endpoints.ts'
import { int64Of } from '../../src/platform/common/int64.ts'
import { plain } from '../../src/platform/http/schema.ts'
import { type Opened, stages } from '../support/stages.ts'

// Lists and single reads have separate orders of cells: they must show what is stored.

const AWKWARD = 'quo"te, back\\slash, \n\t\u0001\u001f, é, \u2028, <b>, \u{1f4a3}, null'

/** Rows with awkward texts, with nulls where they may be, and with small and large values. */
function rowsOf({ declared, members, codec }: Entity): NewRow[] {
  const columns = Object.entries(members).filter(([, one]) => !one.derived)
  return ['full', 'empty'].map((kind, index) => {
    const row = Object.fromEntries(
      columns.map(([name, field]): [string, Cell] => {
        const { type, format, enum: words, items, pattern, maximum = 1 } = plain(field.schema)
        if (kind === 'empty' && field.null) return [name, null]
        if (format === 'instant') return [name, 1_772_366_400_999 + index]
        if (type === 'boolean') return [name, index]
        if (type === 'integer')
          return [name, words ? Number(words[0]) : int64Of(String(BigInt(maximum) - BigInt(index)))]
        if (type === 'array')
          return [name, JSON.stringify(items?.enum ? [items.enum[0]] : index ? [] : [AWKWARD])]
        if (words) return [name, String(words[0])]
        return [name, format || pattern ? `1${index}` : AWKWARD]
      }),
    )
    assert.deepEqual(Object.keys(row).sort(), [...codec.columns].sort())
    const id = declared.ids === 'decimal' ? `1${index}` : `id${index}`
    return { ...row, account_id: `account${index}`, id, deleted: 0, visibility: VISIBLE }
  })
}

/** The members of an item that are stored and shown. */
function shownOf({ members }: Entity, item: EntityItem<Fields>) {
  const hidden = Object.entries(members).filter(([, { derived, unshown }]) => derived || unshown)
  const names = new Set(Object.keys(members))
  for (const [name] of hidden) names.delete(name)
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)))
}

for (const stage of stages.filter(({ name }) => name !== 'SQLite in memory')) {
  describe(`stored values on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    before(async () => {
      opened = await stage.open()
    })
    after(() => opened?.close())

    for (const entity of entities.filter(({ declared }) => declared.verbs.includes('list'))) {
      test(`lists and single reads of ${entity.declared.many} show what is stored`, async () => {
        const { store } = opened.plaza.context
        const { nameKey, table, computed } = entity.declared
        const rows = rowsOf(entity)
        await store.write(async (tx) => {
          for (const row of rows) {
            const key = nameKey ? { name_key: `key ${row.id}` } : {}
            await tx.run(entity.rows.add, { ...row, ...key })
          }
        })
        const listing: Listing = {
          table,
          columns: entity.columns,
          narrowings: [],
          sort: [{ column: 'id', descending: false }],
          visibilities: [VISIBLE],
          after: false,
          ...(computed && { computed }),
        }
        for (const row of rows) {
          const stored = [shownOf(entity, entity.codec.decode(row))]
          const account = String(row.account_id)
          const listed = await store.all(listQuery(listing), { account, limit: 10, now: 0 })
          const single = await store.first(entity.shown, { account, id: String(row.id), now: 0 })
          for (const cells of [listed, single ? [single] : []])
            assert.deepEqual(
              cells.map((one) => shownOf(entity, entity.codec.decodeWhole(one))),
              stored,
            )
        }
      })
    }
  })
}
