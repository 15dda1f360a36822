import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { plain } from '../http/schema.ts'
import { objectGraph } from './graph.ts'
import { media, post, user } from './shapes.fixture.ts'

const graph = objectGraph([post, user, media])

test('expansions to an unknown kind or link are errors of the declaration', () => {
  assert.throws(() => objectGraph([post, media]), /the graph has no objects of the kind user/)
  const broken = { ...post, expansions: { x: { through: 'quoted_id', expansion: 'nowhere' } } }
  assert.throws(() => objectGraph([broken, user, media]), /post has no link quoted_id/)
  const chain = { through: 'quoted_id.author_id', expansion: 'pinned_post_id' }
  const twice = { ...post, expansions: { ...post.expansions, x: chain } }
  assert.throws(() => objectGraph([twice, user, media]), /post has no link quoted_id\.author_id/)
})

describe('what is derived', () => {
  const select = (query: Record<string, readonly string[]>) => graph.select('post', query)

  test('equal selections have one key, whatever their order, and different ones have others', () => {
    const one = select({ expansions: ['author_id', 'quoted_id'], 'post.fields': ['metrics', 'text'] })
    const same = select({ 'post.fields': ['metrics'], expansions: ['quoted_id', 'author_id'] })
    assert.equal(one.key, same.key)
    const keys = [
      {},
      { expansions: ['author_id'] },
      { 'post.fields': ['author_id'] },
      { 'user.fields': ['pinned_post_id'] },
    ]
    assert.equal(new Set([one.key, ...keys.map((query) => select(query).key)]).size, 5)
  })

  test('what is shown are known fields, in the order of the documents', () => {
    const { fieldsOf } = select({ 'post.fields': ['text', 'nope', 'metrics'], expansions: ['author_id'] })
    assert.deepEqual(fieldsOf('post'), ['author_id', 'id', 'metrics', 'text'])
    assert.deepEqual([fieldsOf('user'), fieldsOf('space')], [['id', 'name'], []])
  })

  test('the parameters name every field and expansion, those of included kinds, and what no object has', () => {
    const parameters = graph.parameters('post')
    const choicesOf = (name: string) => plain(parameters[name] as never).items?.enum
    assert.deepEqual(Object.keys(parameters), [
      ...['post.fields', 'media.fields', 'user.fields', 'place.fields', 'expansions'],
    ])
    assert.deepEqual(choicesOf('post.fields'), [
      ...['attachments', 'author_id', 'geo', 'id', 'metrics', 'quoted_id', 'replied_id', 'text'],
    ])
    assert.deepEqual(choicesOf('place.fields'), ['id', 'name'])
    assert.deepEqual(choicesOf('expansions'), [
      ...[
        'attachments.media_keys',
        'author_id',
        'geo.place_id',
        'quoted_id',
        'quoted_id.author_id',
        'replied_id',
      ],
    ])
    assert.deepEqual(Object.keys(graph.parameters('media')), ['media.fields'])
  })

  test('the reply holds one object or several, the included kinds, errors, and what is added', () => {
    const members = (...args: Parameters<typeof graph.reply>) =>
      Object.entries(plain(graph.reply(...args)).properties ?? {})
    const many = members('post', 'many', { meta: Type.Optional(Type.Object({})) })
    assert.deepEqual(
      many.map(([name]) => name),
      ['data', 'includes', 'errors', 'meta'],
    )
    assert.deepEqual([many[0]?.[1].type, members('post', 'one')[0]?.[1].type], ['array', 'object'])
    assert.deepEqual(Object.keys(many[1]?.[1].properties ?? {}), ['media', 'posts', 'users'])
    assert.deepEqual(
      members('media', 'one').map(([name]) => name),
      ['data', 'errors'],
    )
    assert.deepEqual(plain(post.schema).required, ['id', 'text'])
  })
})
