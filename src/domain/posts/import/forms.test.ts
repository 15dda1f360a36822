import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { neutralVocabulary, readVocabulary } from '../../../platform/http/vocabulary.ts'
import { locationsReady } from '../../reference-data/locations.ts'
import { type ImportReadOptions, postReader } from './forms.ts'
import { UnknownForm } from './imported-post.ts'

const NOW = Date.UTC(2026, 2, 1, 12)
/** Of 2026-02-28T19:53:23.670Z, and others soon after. */
const [ONE, TWO, THREE] = ['2027834537203761152', '2027834537203761153', '2027834537203761154'] as const

before(() => locationsReady())

/** The posts of a value: what tells them apart, or why one is invalid. */
const read = (value: unknown, terms: Partial<ImportReadOptions> = {}) =>
  postReader(
    { vocabulary: neutralVocabulary, ...terms },
    { now: () => NOW },
  )(JSON.stringify(value)).map((post) => {
    if (post instanceof Error) return post.message
    const { id, author, text, lang, repliesTo, quotes, reposts, counts, coordinates } = post
    const { like_count, repost_count } = counts
    const references = { repliesTo, quotes, reposts }
    return JSON.parse(
      JSON.stringify({ id, author, text, lang, ...references, like_count, repost_count, coordinates }),
    ) as object
  })
const post = (id: string, username: string, text: string, more: object = {}) => ({
  ...{ id, author: { username }, text, like_count: 0, repost_count: 0 },
  ...more,
})

test('a page has its posts by their ids, those that they refer to as well, with the names of their authors', () => {
  const page = {
    data: [
      {
        ...{ id: THREE, author_id: '7', text: 'Three', edit_history_post_ids: [THREE] },
        ...{ referenced_posts: [{ type: 'replied_to', id: ONE }], context_annotations: [] },
      },
      { id: TWO, author_id: '9', text: 'Two', public_metrics: { like_count: 2 } },
    ],
    includes: {
      posts: [{ id: ONE, author_id: '8', text: 'One' }],
      users: [
        { id: '7', username: 'ava', name: 'Ava' },
        { id: '8', username: 'ben', name: 'Ben' },
      ],
    },
    meta: { result_count: 2 },
  }
  assert.deepEqual(read(page), [
    post(ONE, 'ben', 'One'),
    { ...post(TWO, '', 'Two', { like_count: 2 }), author: { id: '9' } },
    post(THREE, 'ava', 'Three', { repliesTo: ONE }),
  ])
  assert.deepEqual(read({ data: page.data[1], includes: {} }).length, 1)
  assert.deepEqual(read({ meta: { result_count: 0 }, data: [] }), [])
})

test('a post may contain its author, and the posts that it refers to', () => {
  const original = { id: ONE, text: 'One', author_id: '8', author: { id: '8', username: 'ben' } }
  const line = {
    ...{ id: TWO, text: 'Two', author_id: '7', author: { id: '7', username: 'ava' }, __tool: { url: 'x' } },
    referenced_posts: [
      { type: 'quoted', ...original },
      { type: 'replied_to', id: '5' },
    ],
  }
  assert.deepEqual(read(line), [
    post(ONE, 'ben', 'One'),
    post(TWO, 'ava', 'Two', { repliesTo: '5', quotes: ONE }),
  ])
})

const CLASSIC = {
  ...{ id: 2027834537203761200, id_str: TWO, created_at: 'Sat Feb 28 19:53:23 +0000 2026' },
  ...{ full_text: 'Two', truncated: false, lang: 'en', favorite_count: 3, reposted: false },
  ...{ user: { id_str: '7', screen_name: 'ava' }, in_reply_to_status_id_str: '5', geo: null },
  coordinates: { type: 'Point', coordinates: [11.5, 48] },
}

test('the classic format is read, with the posts in it', () => {
  const two = post(TWO, 'ava', 'Two', {
    ...{ lang: 'en', like_count: 3, repliesTo: '5', coordinates: [11.5, 48] },
  })
  assert.deepEqual(read(CLASSIC), [two])
  const repost = {
    ...{ id_str: THREE, text: 'RP @ava: Two', user: { screen_name: 'ben' }, reposted_status: CLASSIC },
    created_at: 'Sat Feb 28 19:53:23 +0000 2026',
  }
  assert.deepEqual(read(repost), [two, post(THREE, 'ben', '', { reposts: TWO })])
  const quote = { ...repost, text: 'So', reposted_status: undefined, quoted_status: CLASSIC }
  assert.deepEqual(read(quote), [two, post(THREE, 'ben', 'So', { quotes: TWO })])
  const long = { ...CLASSIC, full_text: undefined, text: 'Tw', extended_post: { full_text: 'Two' } }
  assert.deepEqual(read(long), [two])
  const shown = { ...CLASSIC, extended_entities: { media: [{ id_str: '1' }] } }
  assert.deepEqual(read(shown), ['posts with attachments cannot be imported'])
})

test('an archive wraps each post, holds numbers as text, and names no author', () => {
  const { user: _, ...rest } = CLASSIC
  const value = { post: { ...rest, favorite_count: '3', repost_count: '1' } }
  assert.deepEqual(read(value, { author: 'me' }), [
    post(TWO, 'me', 'Two', {
      ...{ lang: 'en', like_count: 3, repost_count: 1, repliesTo: '5', coordinates: [11.5, 48] },
    }),
  ])
  assert.deepEqual(read(value), ['it must have either author_id or username'])
})

test('members may have the names of a vocabulary', () => {
  const vocabulary = readVocabulary(
    JSON.stringify({
      words: { post: 'memo', posts: 'memos', repost: 'rememo', reposted: 'rememoed' },
      identifiers: { public_metrics: 'numbers' },
    }),
  )
  const page = {
    data: [
      { id: TWO, username: 'ava', referenced_memos: [{ type: 'rememoed', id: ONE }] },
      { id: ONE, username: 'ben', note_memo: { text: 'Long' }, numbers: { rememo_count: 4 } },
    ],
  }
  const expected = [post(ONE, 'ben', 'Long', { repost_count: 4 }), post(TWO, 'ava', '', { reposts: ONE })]
  assert.deepEqual(read(page, { vocabulary }), expected)
  assert.deepEqual(read({ memo: { ...CLASSIC, rememo_count: '2' } }, { vocabulary }), [
    post(TWO, 'ava', 'Two', {
      ...{ lang: 'en', like_count: 3, repost_count: 2, repliesTo: '5', coordinates: [11.5, 48] },
    }),
  ])
})

test('values of another kind are told from invalid posts', () => {
  const kindOf = (text: string) =>
    postReader(
      { vocabulary: neutralVocabulary },
      { now: () => NOW },
    )(text).map((result) => result instanceof UnknownForm)
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  for (const text of ['{', '"a"', '1', deep, '{"name":"Ava","age":3}']) assert.deepEqual(kindOf(text), [true])
  assert.deepEqual(kindOf('{"text":5}'), [false])
})

test('a value that is too deep or has too many elements is rejected before it is parsed', () => {
  const nested = (depth: number, inner: string) => `${'{"post":'.repeat(depth)}${inner}${'}'.repeat(depth)}`
  const errorsOf = (text: string) =>
    postReader(
      { vocabulary: neutralVocabulary },
      { now: () => NOW },
    )(text).map((result) => (result instanceof Error ? result.message : result))
  const quoting = `${'{"text":"a","referenced_posts":['.repeat(60)}${']}'.repeat(60)}`
  for (const text of [nested(500_000, '{}'), quoting, `{"text":${'['.repeat(50_000)}${']'.repeat(50_000)}}`])
    assert.deepEqual(errorsOf(text), ['it is nested more than 100 levels deep'])
  const many = `{"data":[${'{},'.repeat(1_000_000)}{}]}`
  assert.deepEqual(errorsOf(many), ['it has more than 500000 values'])
})

test('members of unexpected types are errors of their line, and errors quote only the beginning of a text', () => {
  const line = { id: ONE, username: 'ava', text: 'One' }
  const withToString = { toString: 1 }
  for (const invalid of [
    {
      data: [
        { ...line, id: withToString },
        { ...line, id: ['1'] },
      ],
    },
    { ...line, referenced_posts: [{ type: withToString, id: TWO }] },
    { ...line, referenced_posts: [{ type: 'toString', id: TWO }] },
    { ...line, ['x'.repeat(1_000_000)]: 1 },
    { ...line, text: { x: 'y'.repeat(1_000_000) } },
  ])
    for (const message of read(invalid)) {
      assert.equal(typeof message, 'string')
      assert.ok(String(message).length < 300, String(message).slice(0, 400))
    }
})
