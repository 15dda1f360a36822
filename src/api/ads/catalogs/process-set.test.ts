import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparisonsOf, type FilterValue } from './filters.ts'
import { productsAtOnce } from './process-set.ts'

const filter = (value: string, operator: FilterValue['operator'] = 'CONTAINS'): FilterValue => ({
  attribute: 'product_type',
  operator,
  value,
})
const stepOf = (filters: FilterValue[]) => productsAtOnce(comparisonsOf(filters).searching)
const long = (index: number) => filter(`${'a'.repeat(250)}${index}`, 'NOT_CONTAINS')

test('a step over simple filters looks at 500 products', () => {
  assert.equal(stepOf([{ attribute: 'price', operator: 'LESS_THAN', value: '1 USD' }]), 500)
  assert.equal(stepOf([filter('shoes')]), 500)
  assert.equal(stepOf(Array.from({ length: 30 }, (_, index) => filter(String(index), 'MATCH'))), 500)
})

test('the more text is searched for, the fewer products a step looks at, and at least one', () => {
  const steps = [1, 2, 10, 30].map((count) =>
    stepOf(Array.from({ length: count }, (_, index) => long(index))),
  )
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => b - a),
  )
  assert.equal(new Set(steps).size, steps.length)
  assert.ok((steps.at(-1) ?? 0) <= 5)
  const widest = Array.from({ length: 30 }, (_, index) => filter(`${'\u{1f45f}'.repeat(250)}${index}`))
  assert.equal(stepOf(widest), 1)
  assert.ok(stepOf(Array.from({ length: 30 }, (_, index) => filter(String(index)))) <= 25)
})

test('a filter that occurs several times is compared once, in whatever case', () => {
  const filters = [
    filter('Shoes'),
    filter('other'),
    filter('shoes'),
    filter('SHOES'),
    filter('shoes', 'MATCH'),
  ]
  const { comparisons, args } = comparisonsOf(filters)
  assert.equal(comparisons.length, 3)
  assert.deepEqual(args, { v0: 'shoes', v1: 'other', v2: 'shoes' })
})
