import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Entity } from '../../src/ads/entity/entity.ts'
import { entities } from '../../src/ads/entity/entity.ts'
import type { Cell } from '../../src/ads/entity/fields.ts'
import { COMMON } from '../../src/ads/entity/fields.ts'
import type { Listing, NewRow } from '../../src/ads/entity/queries.ts'
import { listQuery, VISIBLE } from '../../src/ads/entity/queries.ts'
// Declares every entity of the program.
import '../../src/endpoints.ts'
import { int64Of } from '../../src/common/int64.ts'
import { plain } from '../../src/http/schema.ts'
import { neutralVocabulary } from '../../src/http/vocabulary.ts'
import type { Opened } from '../support/stages.ts'
import { stages } from '../support/stages.ts'

// In neutral words the database writes most members of a list itself. Both ways must say the same.

const AWKWARD = 'quo"te, back\\slash, \n\t\u0001\u001f, é, \u2028, <b>, \u{1f4a3}, null'

/** Rows with awkward texts, with nulls where they may be, and with small and large values. */
function rowsOf({ declared, codec }: Entity): NewRow[] {
  const columns = Object.entries({ ...COMMON, ...declared.fields }).filter(([, one]) => !one.derived)
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
    return { ...row, account_id: 'account', id: `id${index}`, deleted: 0, visibility: VISIBLE }
  })
}

for (const stage of stages.filter(({ name }) => name !== 'SQLite in memory')) {
  describe(`written lists on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    before(async () => {
      opened = await stage.open()
    })
    after(() => opened?.close())

    for (const entity of entities.filter(
      ({ written, declared }) => written && declared.verbs.includes('list'),
    )) {
      test(`${entity.declared.many} are written alike by the database and by Plaza`, async () => {
        const { store } = opened.plaza.context
        const { nameKey, table } = entity.declared
        await store.write(async (tx) => {
          for (const row of rowsOf(entity)) {
            const key = nameKey ? { name_key: `key ${row.id}` } : {}
            await tx.run(entity.rows.add, { ...row, ...key })
          }
        })
        const listing: Omit<Listing, 'columns'> = {
          table,
          narrowings: [],
          sort: [{ column: 'id', descending: false }],
          visibilities: [VISIBLE],
          after: false,
        }
        const { written } = entity
        assert.ok(written)
        const args = { account: 'account', limit: 10, now: 0 }
        const cells = await store.all(listQuery({ ...listing, columns: entity.columns }), args)
        const texts = await store.all(
          listQuery({
            ...listing,
            columns: written.columns,
            texts: written.texts,
            ...(entity.declared.computed && { computed: entity.declared.computed }),
          }),
          args,
        )
        const parse = (text: string) => JSON.parse(text) as object
        assert.equal(cells.length, 2)
        assert.deepEqual(
          texts.map((row) => written.write(row)).map(parse),
          cells.map(entity.cellWriter(neutralVocabulary)).map(parse),
        )
      })
    }
  })
}
