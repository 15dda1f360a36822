import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { compileReply } from './reply.ts'
import { choice, id, longNumber, type Schema, time } from './schema.ts'
import { fitting } from './schemas.fixture.ts'
import { neutralVocabulary, readVocabulary } from './vocabulary.ts'

const SEED = 20_260_301
const writer = (schema: TSchema) => compileReply(schema, neutralVocabulary)

describe('replies', () => {
  const schema = Type.Object({
    id: id(''),
    kind: Type.Optional(choice(['post', 'user'], '')),
    at: Type.Optional(time('')),
    n: Type.Optional(Type.Number()),
    on: Type.Optional(Type.Boolean()),
    list: Type.Optional(Type.Array(Type.Object({ text: Type.String() }))),
  })

  test('undeclared members do not leave', () => {
    const value = { id: '1', secret: 's', list: [{ text: 'a', secret: 's' }] }
    assert.equal(writer(schema)(value), '{"id":"1","list":[{"text":"a"}]}')
  })

  test('null and absent members are left out', () => {
    assert.equal(writer(schema)({ id: '1', kind: null, at: undefined }), '{"id":"1"}')
  })

  test('an id shown as a number keeps every digit', () => {
    const write = writer(Type.Object({ id: longNumber('') }))
    assert.equal(write({ id: '9223372036854775807' }), '{"id":9223372036854775807}')
    for (const wrong of [7, '', '01', '1.5', '1e3', '99999999999999999999'])
      assert.throws(() => write({ id: wrong }))
  })

  test('members that have names of their own are written with one schema, and keep their names', () => {
    const one = Type.Object({ post_id: id('') }, { additionalProperties: false })
    const schema = Type.Object({ all: Type.Object({}, { additionalProperties: one }) })
    const naming = readVocabulary('{"words":{"post":"note"}}')
    const write = compileReply(schema, naming)
    const value = { all: { 'a "post"': { post_id: '1', secret: 's' }, '7': { post_id: '2' } } }
    assert.deepEqual(JSON.parse(write(value)), {
      all: { 'a "post"': { note_id: '1' }, '7': { note_id: '2' } },
    })
    assert.equal(write({ all: {} }), '{"all":{}}')
  })

  test('text is escaped', () => {
    const text = '"\\\n\u2028</script>\ud800'
    const written = writer(Type.Object({ text: Type.String() }))({ text })
    assert.deepEqual(JSON.parse(written), { text })
  })

  test('members, choices and nested names are renamed', () => {
    const write = compileReply(schema, readVocabulary('{"words":{"post":"note","text":"body"}}'))
    assert.equal(
      write({ id: '1', kind: 'post', list: [{ text: 'post' }] }),
      '{"id":"1","kind":"note","list":[{"body":"post"}]}',
    )
  })

  const broken: [string, unknown][] = [
    ['a required member that is missing', {}],
    ['a choice that is none', { id: '1', kind: 'list' }],
    ['a number that is none', { id: '1', n: Number.NaN }],
    ['a number as text', { id: '1', n: '5' }],
    ['text that is a number', { id: 1 }],
    ['a flag that is none', { id: '1', on: 'true' }],
    ['a list that is none', { id: '1', list: { text: 'a' } }],
    ['a hole in a list', { id: '1', list: [undefined] }],
  ]
  for (const [what, value] of broken) {
    test(`${what} is our fault and throws`, () => {
      assert.throws(() => writer(schema)(value))
    })
  }

  test('a long list comes in parts, which together are the text', () => {
    const schema = Type.Object({
      before: Type.Optional(Type.String()),
      list: Type.Array(Type.Object({ text: Type.String() })),
      none: Type.Array(Type.Object({ text: Type.String() })),
      after: Type.Boolean(),
    })
    const value = {
      list: Array.from({ length: 9_000 }, (_, n) => ({ text: `é${n}` })),
      none: [],
      after: true,
    }
    const parts: string[] = []
    const end = writer(schema)(value, parts)
    assert.ok(parts.length > 1)
    for (const part of parts) assert.ok(part.length < 40_000)
    assert.equal([...parts, end].join(''), JSON.stringify(value))
    assert.equal(writer(schema)(value), JSON.stringify(value))
  })

  test('a union rejects to compile', () => {
    assert.throws(() => writer(Type.Union([Type.String(), Type.Integer()])), /not a union/)
  })

  test('what is read back is the declared part of what was written', () => {
    fc.assert(
      fc.property(fitting, fc.jsonValue({ maxDepth: 1 }), ({ schema, value }, extra) => {
        const polluted = { ...(value as object), undeclared: extra }
        const written = compileReply(schema as unknown as TSchema, neutralVocabulary)(polluted)
        assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify(declaredPart(schema, value))))
      }),
      { seed: SEED, numRuns: 1000 },
    )
  })
})

function declaredPart(schema: Schema, value: unknown): unknown {
  if (schema.type === 'array')
    return (value as unknown[]).map((item) => declaredPart(schema.items ?? {}, item))
  if (schema.type !== 'object') return value
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => Object.hasOwn(value as object, name))
      .map(([name, member]) => [name, declaredPart(member, (value as Record<string, unknown>)[name])]),
  )
}
