import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { neutralVocabulary, readVocabulary } from '../http/vocabulary.ts'
import { type ComposedReply, compose, composeEach } from './compose.ts'
import { objectGraph } from './graph.ts'
import type { View } from './shape.ts'
import { media, post, reads, user } from './shapes.fixture.ts'

const graph = objectGraph([post, user, media])
const noReads = { all: () => Promise.reject(new Error('the shapes of this test read no store')) }
const viewOf = (userId?: string): View => ({ userId, now: 0, store: noReads, mediaOrigin: 'https://m' })
const naming = { vocabulary: neutralVocabulary, problemBase: 'https://api.example.com' }

beforeEach(() => {
  reads.length = 0
})

interface Wanted {
  keys: readonly string[]
  query?: Record<string, readonly string[]>
  userId?: string
  /** Null for a list. */
  parameter?: string | null
}

/** A reply with posts. */
async function posts({ keys, query = {}, userId, parameter = 'ids' }: Wanted): Promise<ComposedReply> {
  const view = viewOf(userId)
  const loaded = await post.load(keys, view)
  const main = { loaded, keys, parameter: parameter ?? undefined }
  return compose(main, { graph, selection: graph.select('post', query), view, naming })
}

/** What an error is about. */
const briefly = ({ errors = [] }: ComposedReply) =>
  errors.map(({ type, parameter, resource_type, resource_id, section, field }) =>
    [type.split('/').at(-1), parameter ?? field, resource_type, resource_id, section].join(' '),
  )

describe('fields', () => {
  test('the defaults, and those that were requested, in the order of the declaration', async () => {
    const { data, ...more } = await posts({
      keys: ['12'],
      query: { 'post.fields': ['quoted_id', 'metrics'] },
    })
    assert.equal(JSON.stringify(data), '[{"id":"12","text":"two","quoted_id":"11","metrics":120}]')
    assert.deepEqual(more, {})
  })

  test('one without a value is no member of JSON, and one that no object has is left out', async () => {
    const query = { 'post.fields': ['attachments', 'geo'] }
    const { data } = await posts({ keys: ['12', '11'], query })
    assert.equal(
      JSON.stringify(data),
      '[{"id":"12","text":"two"},{"id":"11","text":"one","attachments":{"media_keys":["3_1","3_2"]}}]',
    )
  })

  test('one that is read for a page is read once, with the objects that exist, only if requested', async () => {
    await posts({ keys: ['12', '11', '404'] })
    await posts({ keys: ['12', '11', '404'], query: { 'post.fields': ['metrics'] } })
    assert.deepEqual(reads, ['post 12 11 404', 'post 12 11 404', 'metrics of 11 12'])
  })

  test('one that others may not read is an error for each of its members', async () => {
    const query = { expansions: ['author_id'], 'user.fields': ['private_metrics'] }
    const own = await posts({ keys: ['11'], query, userId: '1' })
    assert.deepEqual(own.includes?.users?.[0]?.private_metrics, { email: 'ann@example.com', logins: 7 })
    assert.equal(own.errors, undefined)
    const { includes, errors } = await posts({ keys: ['11'], query, userId: '2' })
    assert.equal(JSON.stringify(includes), '{"users":[{"id":"1","name":"ann"}]}')
    assert.deepEqual(errors?.[0], {
      title: 'Field Authorization Error',
      type: 'https://api.example.com/2/problems/not-authorized-for-field',
      detail: "Sorry, you are not authorized to access 'private_metrics.email' on the TestUser with id: [1].",
      field: 'private_metrics.email',
      resource_id: '1',
      resource_type: 'user',
      section: 'includes',
    })
    assert.equal(errors?.[1]?.field, 'private_metrics.logins')
    assert.equal(errors?.length, 2)
  })
})

describe('objects', () => {
  test('come in the order of the request; one that is missing or withheld is an error', async () => {
    const reply = await posts({ keys: ['13', '404', '11', '14', '13'] })
    assert.deepEqual(
      reply.data.map(({ id }) => id),
      ['13', '11', '13'],
    )
    assert.deepEqual(reply.errors, [
      {
        title: 'Not Found Error',
        type: 'https://api.example.com/2/problems/resource-not-found',
        detail: 'Could not find post with ids: [404].',
        value: '404',
        parameter: 'ids',
        resource_id: '404',
        resource_type: 'post',
      },
      {
        title: 'Authorization Error',
        type: 'https://api.example.com/2/problems/not-authorized-for-resource',
        detail: 'Sorry, you are not authorized to see the TestPost with ids: [14].',
        value: '14',
        parameter: 'ids',
        resource_id: '14',
        resource_type: 'post',
        section: 'data',
      },
    ])
    assert.deepEqual(reads, ['post 13 404 11 14'])
  })

  test('of a list leave out those that are missing or withheld, without an error', async () => {
    const reply = await posts({ keys: ['14', '404', '11'], parameter: null })
    assert.deepEqual(reply, { data: [{ id: '11', text: 'one' }] })
  })

  test('none are read without keys', async () => {
    assert.deepEqual(await posts({ keys: [], query: { expansions: ['author_id'] } }), { data: [] })
    assert.deepEqual(reads, [])
  })

  test('are found by other keys in their normal form, and shown by the key of the request', async () => {
    const loaded = await user.load(['ANN', 'Ann', 'nobody', 'Cat'], viewOf(), 'name')
    assert.deepEqual(reads, ['user by name ann nobody cat'])
    assert.deepEqual([loaded.has('aNN'), loaded.has('nobody')], [true, false])
    assert.deepEqual([loaded.withheld('CAT'), loaded.withheld('ann')], ['suspended', undefined])
    const { objects } = await loaded.show(['ANN'], ['id'])
    assert.deepEqual([...objects], [['ANN', { id: '1' }]])
    assert.throws(() => loaded.show(['nobody'], ['id']), /an object is shown that was not loaded/)
    await assert.rejects(user.load(['1'], viewOf(), 'email'), /of the kind user are not found by email/)
  })
})

describe('expansions', () => {
  test('include each object once, read with one query per kind, and show the field that refers to it', async () => {
    const query = { expansions: ['author_id', 'quoted_id'] }
    const reply = await posts({ keys: ['11', '13', '12'], query, parameter: null })
    assert.deepEqual(
      reply.data.map(({ author_id, quoted_id }) => [author_id, quoted_id]),
      [
        ['1', undefined],
        ['1', '14'],
        ['2', '11'],
      ],
    )
    assert.deepEqual(reply.includes?.users, [
      { id: '1', name: 'ann' },
      { id: '2', name: 'bob' },
    ])
    assert.deepEqual(
      reply.includes?.posts?.map(({ id }) => id),
      ['11'],
    )
    assert.deepEqual(briefly(reply), ['not-authorized-for-resource quoted_id post 14 includes'])
    assert.deepEqual(reads.toSorted(), ['post 11 13 12', 'post 14 11', 'user 1 2'])
  })

  test('of what is missing, suspended or withheld are errors, by the expansion that led there', async () => {
    const query = { expansions: ['author_id', 'quoted_id'] }
    const reply = await posts({ keys: ['15', '16', '13'], query })
    assert.deepEqual(briefly(reply).toSorted(), [
      'not-authorized-for-resource quoted_id post 14 includes',
      'resource-not-found author_id user 404 ',
      'resource-not-found quoted_id post 404 ',
      'resource-unavailable author_id user 3 ',
    ])
    assert.deepEqual(
      reply.includes?.posts?.map(({ id }) => id),
      ['12'],
    )
  })

  test('of a member of a field include every id of it', async () => {
    const reply = await posts({ keys: ['11', '12'], query: { expansions: ['attachments.media_keys'] } })
    assert.deepEqual(reply.includes, { media: [{ media_key: '3_1' }] })
    assert.deepEqual(briefly(reply), ['resource-not-found attachments.media_keys media 3_2 '])
  })

  test('that continue from included objects show the way to them, and end at withheld ones', async () => {
    const query = { expansions: ['quoted_id.author_id'] }
    const { data, includes, ...more } = await posts({ keys: ['12'], query })
    // Objects of one kind show the same fields.
    assert.deepEqual(data, [{ id: '12', text: 'two', author_id: '2', quoted_id: '11' }])
    assert.equal(
      JSON.stringify(includes),
      '{"posts":[{"id":"11","text":"one","author_id":"1"}],"users":[{"id":"1","name":"ann"}]}',
    )
    assert.deepEqual(more, {})
    const ended = await posts({ keys: ['13'], query })
    assert.deepEqual(
      [ended.includes, briefly(ended)],
      [undefined, ['not-authorized-for-resource quoted_id post 14 includes']],
    )
  })

  test('of one kind continue only from the objects that their own step included', async () => {
    const own = await posts({ keys: ['12'], query: { expansions: ['quoted_id.author_id', 'replied_id'] } })
    assert.deepEqual(
      [own.includes?.posts?.map(({ id }) => id), own.includes?.users?.map(({ id }) => id), own.errors],
      [['11', '15'], ['1'], undefined],
    )
    const both = await posts({ keys: ['12'], query: { expansions: ['author_id', 'quoted_id.author_id'] } })
    assert.deepEqual(
      both.includes?.users?.map(({ id }) => id),
      ['2', '1'],
    )
    const twice = await posts({ keys: ['13'], query: { expansions: ['replied_id', 'quoted_id'] } })
    assert.deepEqual(briefly(twice), ['not-authorized-for-resource quoted_id post 14 includes'])
  })

  test('that no object has include nothing', async () => {
    const query = { expansions: ['geo.place_id'], 'place.fields': ['name'] }
    assert.deepEqual(await posts({ keys: ['12'], query }), { data: [{ id: '12', text: 'two' }] })
  })
})

test('separate replies read each kind once for all of them, and leave out what is not shown', async () => {
  const view = viewOf()
  const keys = ['11', '14', '12', '404', '15']
  const loaded = await post.load(keys, view)
  const selection = graph.select('post', { expansions: ['author_id'], 'post.fields': ['metrics'] })
  const replies: (readonly [string, ComposedReply])[] = []
  for await (const one of composeEach({ loaded, keys }, { graph, selection, view, naming })) replies.push(one)
  assert.deepEqual(
    replies.map(([key, { includes }]) => [key, includes?.users?.map(({ id }) => id)]),
    [
      ['11', ['1']],
      ['12', ['2']],
      ['15', undefined],
    ],
  )
  assert.deepEqual(
    replies.flatMap(([, reply]) => briefly(reply)),
    ['resource-not-found author_id user 404 '],
  )
  assert.deepEqual(reads, ['post 11 14 12 404 15', 'user 1 2 404', 'metrics of 11 12 14 15'])
})

test('errors have the words of the vocabulary, and the values of the request', async () => {
  const vocabulary = readVocabulary('{"words":{"post":"note","quoted":"cited"}}')
  const view = viewOf()
  const loaded = await post.load(['16'], view)
  const { errors } = await compose(
    { loaded, keys: ['16'] },
    {
      ...{ graph, selection: graph.select('post', { expansions: ['quoted_id'] }), view },
      naming: { vocabulary, problemBase: 'https://problems.example.com' },
    },
  )
  assert.equal(errors?.[0]?.detail, 'Could not find note with cited_id: [404].')
  assert.equal(errors?.[0]?.parameter, 'cited_id')
  assert.equal(errors?.[0]?.type, 'https://problems.example.com/2/problems/resource-not-found')
})
