import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { differences, type PublicDescription } from '../../scripts/public-operations.ts'

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const description = read('../data/public-operations.json') as PublicDescription
const known = read('../data/public-differences.json') as { pattern: string; reason: string }[]

test('declared operations are those of the public description, except for known differences', () => {
  const declared = read('../../openapi/core.json')
  const lines = ['2.166', '2.167'].flatMap((version) => differences({ description, declared, version }))
  const patterns = known.map(({ pattern }) => new RegExp(pattern))
  const unknown = lines.filter((line) => !patterns.some((pattern) => pattern.test(line)))
  assert.deepEqual(unknown, [], 'no reason is given for these differences')
  const unused = patterns.filter((pattern) => !lines.some((line) => pattern.test(line)))
  assert.deepEqual(unused, [], 'these reasons are not needed any more')
})

test('a difference of each kind is found', () => {
  const find = (own: object, wanted: object, schemas: object = {}) =>
    differences({
      version: '1',
      description: {
        operations: [{ method: 'POST', path: '/a/{id}', in: ['1'], 1: wanted }],
        parameters: {},
        schemas: { 1: schemas },
      } as unknown as PublicDescription,
      declared: { paths: { '/a/{own}': { post: own } } },
    })
  const json = (schema: object) => ({ 'application/json': schema })
  const reply = (schema: object) => ({ responses: { 200: { content: { 'application/json': { schema } } } } })
  const text = { type: 'string' }
  assert.deepEqual(find({}, { security: { B: [] } }), [
    'POST /a/{id}: authentication AppOnlyBearer is not accepted',
  ])
  assert.deepEqual(find({ security: [{ OAuth2UserToken: ['a'] }] }, { security: { U2: ['b'] } }), [
    'POST /a/{id}: scope a is needed besides',
    'POST /a/{id}: scope b is not needed',
  ])
  const parameter = { name: 'n', in: 'query', schema: { type: 'integer', maximum: 9 } }
  assert.deepEqual(find({}, { parameters: [parameter] }), ['POST /a/{id}: parameter n is not accepted'])
  assert.deepEqual(
    find(
      { parameters: [{ ...parameter, required: true, schema: { type: 'integer', maximum: 8 } }] },
      { parameters: [parameter] },
    ),
    ['POST /a/{id}: parameter n has maximum 8, not 9', 'POST /a/{id}: parameter n is required'],
  )
  assert.deepEqual(
    find(
      {
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties: { a: text } } } },
        },
      },
      { body: json({ type: 'object', properties: { a: { type: 'integer' }, b: text } }) },
    ),
    ['POST /a/{id}: body.a may not be integer', 'POST /a/{id}: body.b is not accepted'],
  )
  // Once for all operations that have the schema, and only to the depth that is compared.
  const schemas = {
    Thing: {
      type: 'object',
      required: ['id'],
      properties: { id: text, next: { $ref: '#/Thing' }, kind: { enum: ['x'] } },
    },
  }
  const own = { type: 'object', properties: { id: text, kind: { enum: ['y'] }, next: {} } }
  assert.deepEqual(
    find(
      reply({ type: 'object', properties: { data: own } }),
      { reply: { 200: json({ type: 'object', properties: { data: { $ref: '#/Thing' } } }) } },
      schemas,
    ),
    ['Thing.id may be absent', 'Thing.kind may be "y"'],
  )
  assert.deepEqual(find({ responses: {} }, { reply: { 201: {} } }), [
    'POST /a/{id}: status 201 is not declared',
  ])
})
