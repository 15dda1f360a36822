import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import type { Violation } from '../errors.ts'
import { choices, clearable, id } from '../schema.ts'
import { near } from '../schemas.fixture.ts'
import { neutralVocabulary, readVocabulary } from '../vocabulary.ts'
import type { Pair } from './form.ts'
import { compileBody } from './body.ts'
import { compileParameters } from './reader.ts'

const SEED = 20_260_301

describe('parameters', () => {
  const declared = Type.Object({
    max_results: Type.Optional(Type.Integer({ minimum: 5, maximum: 100, default: 10 })),
    ids: Type.Optional(Type.Array(id(''), { maxItems: 3 })),
    'post.fields': Type.Optional(choices(['id', 'text'], '')),
    trim: Type.Optional(Type.Boolean()),
    query: Type.String({ minLength: 1, maxLength: 4 }),
  })
  const read = compileParameters(declared, 'query', neutralVocabulary, { ignoreUnknown: false })
  const reading = (...pairs: Pair[]) => {
    const violations: Violation[] = []
    const values = read(pairs, violations)
    return { values, faults: violations.map(({ name, fault, value }) => [name, fault.kind, value]) }
  }

  test('texts become typed values, defaults fill the gaps', () => {
    assert.deepEqual(
      reading(['query', 'ab'], ['ids', '1,2'], ['trim', 'true'], ['post.fields', 'text,text']),
      {
        values: { query: 'ab', ids: ['1', '2'], trim: true, 'post.fields': ['text'], max_results: 10 },
        faults: [],
      },
    )
  })

  test('every violation is told, in the order of the request, missing ones last', () => {
    const { faults } = reading(['max_results', '4'], ['ids', '1,x'], ['foo', 'bar'], ['trim', 'yes'])
    assert.deepEqual(faults, [
      ['max_results', 'range', '4'],
      ['ids', 'invalid', 'x'],
      ['foo', 'unknown', 'bar'],
      ['trim', 'choice', 'yes'],
      ['query', 'missing', undefined],
    ])
  })

  test('numbers are whole and written plainly', () => {
    for (const text of ['1e1', ' 10', '0x10', '10.0', '+10', '99999999999999999999', '١٠'])
      assert.deepEqual(reading(['query', 'a'], ['max_results', text]).faults, [['max_results', 'type', text]])
  })

  test('a null character and half a character are no text', () => {
    for (const text of ['a\0', '\ud83d', 'a\ude00'])
      assert.deepEqual(reading(['query', text]).faults, [['query', 'invalid', text]])
  })

  test('lengths are counted in code points', () => {
    assert.deepEqual(reading(['query', '😀😀😀😀']).faults, [])
    assert.equal(reading(['query', '😀😀😀😀😀']).faults[0]?.[1], 'length')
  })

  test('a parameter given twice is rejected, its first value counts for the rest', () => {
    assert.deepEqual(reading(['query', 'a'], ['query', 'b']).faults, [['query', 'repeated', 'b']])
  })

  test('a list has as many items as it may', () => {
    assert.deepEqual(reading(['query', 'a'], ['ids', '1,2,3,4']).faults, [['ids', 'length', '1,2,3,4']])
  })

  test('names of Object.prototype are unknown like any other', () => {
    for (const name of ['__proto__', 'constructor', 'toString'])
      assert.deepEqual(reading(['query', 'a'], [name, 'x']).faults, [[name, 'unknown', 'x']])
  })

  test('a reply to a wild request stays small', () => {
    const wild = Array.from({ length: 500 }, (_, n): Pair => [`p${n}`, 'x'.repeat(10_000)])
    const { faults } = reading(['query', 'a'], ...wild)
    assert.equal(faults.length, 20)
    assert.ok(faults.every(([, , value]) => String(value).length === 201))
  })

  test('names and choices that clients send become neutral ones', () => {
    const vocabulary = readVocabulary('{"words":{"post":"note","text":"body"}}')
    const read = compileParameters(declared, 'query', vocabulary, { ignoreUnknown: true })
    assert.deepEqual(
      read(
        [
          ['note.fields', 'body'],
          ['query', 'a'],
        ],
        [],
      )['post.fields'],
      ['text'],
    )
  })

  test('a type that no text can be rejects to compile', () => {
    const wrong = Type.Object({ a: Type.Object({}) })
    assert.throws(
      () => compileParameters(wrong, 'query', neutralVocabulary, { ignoreUnknown: true }),
      /cannot have the type object/,
    )
  })
})

describe('bodies', () => {
  const reading = (schema: TSchema, value: unknown, options = {}) => {
    const violations: Violation[] = []
    const result = compileBody(schema, neutralVocabulary, options)(value, violations)
    return { result, faults: violations.map(({ name, fault }) => `${name} ${fault.kind}`) }
  }

  test('null for an optional member counts as absent where the protocol says so', () => {
    const inner = Type.Object(
      { id: Type.String(), note: Type.Optional(Type.String()) },
      { additionalProperties: false },
    )
    const schema = Type.Object(
      {
        text: Type.Optional(Type.String()),
        list: Type.Optional(Type.Array(inner)),
        url: Type.Optional(clearable(Type.String())),
        any: Type.Optional(Type.Unsafe({ raw: true })),
      },
      { additionalProperties: false },
    )
    const absentNulls = { absentNulls: true }
    const sent = { text: null, list: [{ id: '1', note: null }], url: null, any: null }
    assert.deepEqual(reading(schema, sent, absentNulls), {
      result: { list: [{ id: '1' }], url: null, any: null },
      faults: [],
    })
    assert.deepEqual(reading(schema, { list: [{ id: null }, null], more: null }, absentNulls).faults, [
      '$.list[0].id type',
      '$.list[1] type',
      '$.more unknown',
    ])
    assert.deepEqual(reading(schema, sent).faults, ['$.text type', '$.list[0].note type'])
  })

  test('violations name their place', () => {
    const schema = Type.Object(
      { list: Type.Array(Type.Object({ n: Type.Integer({ minimum: 1 }) })), on: Type.Boolean() },
      { additionalProperties: false },
    )
    assert.deepEqual(reading(schema, { list: [{ n: 1 }, { n: 0 }, {}], on: 1, more: null }).faults, [
      '$.list[1].n range',
      '$.list[2].n missing',
      '$.on type',
      '$.more unknown',
    ])
  })

  test('a value nested as deeply as JSON allows is rejected like any other', () => {
    const deep = JSON.parse(`${'['.repeat(15_000)}${']'.repeat(15_000)}`)
    const schema = Type.Object({ url: Type.String() }, { additionalProperties: false })
    assert.deepEqual(reading(schema, deep).faults, ['$ type'])
    assert.deepEqual(reading(schema, { url: deep, more: deep }).faults, ['$.url type', '$.more unknown'])
  })

  test('an item that stands twice in a list of different ones is rejected', () => {
    const schema = Type.Array(Type.String(), { uniqueItems: true })
    assert.deepEqual(reading(schema, ['a', 'b', 'a']).faults, ['$[2] repeated'])
  })

  test('what is not declared is not read', () => {
    const { result } = reading(Type.Object({ a: Type.String() }), JSON.parse('{"a":"x","__proto__":{"b":1}}'))
    assert.deepEqual(Object.entries(result as object), [['a', 'x']])
    assert.equal((result as { b?: number }).b, undefined)
  })

  test('reads exactly what a JSON Schema validator takes', () => {
    const ajv = new Ajv2020({ strict: false })
    fc.assert(
      fc.property(near, ({ schema, value }) => {
        const { faults } = reading(schema as unknown as TSchema, value)
        assert.equal(faults.length === 0, ajv.validate(schema, value), JSON.stringify({ schema, faults }))
      }),
      { seed: SEED, numRuns: 1000 },
    )
  })
})
