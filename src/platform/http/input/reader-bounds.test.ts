import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import type { Violation } from '../errors.ts'
import { neutralVocabulary } from '../vocabulary.ts'
import { compileParameters } from './reader.ts'

const reader = (schema: ReturnType<typeof Type.String> | ReturnType<typeof Type.Array>) => {
  const read = compileParameters(Type.Object({ x: schema }), 'form', neutralVocabulary, {
    ignoreUnknown: true,
  })
  return (text: string) => {
    const violations: Violation[] = []
    const echo: string[] = []
    const values = read([['x', text]], violations, echo)
    return { value: values.x, fault: violations[0]?.fault.kind, echo: echo[0] }
  }
}

test('a text that is too long is not held against its pattern', () => {
  // A pattern that would take forever.
  const read = reader(Type.String({ pattern: '^(a+)+$', maxLength: 20 }))
  assert.equal(read(`${'a'.repeat(100_000)}!`).fault, 'length')
})

test('a list is cut off where it is too long, repetitions or not', () => {
  const read = reader(Type.Array(Type.String(), { maxItems: 3, uniqueItems: true }))
  assert.deepEqual(read('a,b,a,b,a').value, ['a', 'b'])
  assert.equal(read('a,b,a').echo, '"x":["a","b"]')
  assert.equal(read('a,b,c,d').fault, 'length')
  assert.equal(read(Array(31).fill('a').join()).fault, 'length')
  assert.equal(read(Array.from({ length: 500_000 }, (_, n) => n).join()).fault, 'length')
})
