import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { neutralVocabulary } from '../../../platform/http/vocabulary.ts'
import { locationsReady } from '../../reference-data/locations.ts'
import { postReader } from './forms.ts'
import type { ImportedPost } from './imported-post.ts'

const NOW = Date.UTC(2026, 2, 1, 12)
/** Of 2026-02-28T19:53:23.670Z. */
const ID = '2027834537203761152'
const good = { username: 'ava', text: 'Hello', created_at: '2026-02-01T00:00:00Z' }

/** The only post of a line, or its error. */
function readPost(line: string, now: number): ImportedPost {
  const [post, ...more] = postReader({ vocabulary: neutralVocabulary }, { now: () => now })(line)
  assert.ok(post && more.length === 0)
  if (post instanceof Error) throw post
  return post
}

before(() => locationsReady())

test('a post as the API shows it is read', () => {
  const line = {
    ...{
      id: ID,
      text: '  Hello there ',
      author_id: '42',
      created_at: '2026-02-28T19:53:23.000Z',
      lang: 'en',
    },
    referenced_posts: [
      { type: 'replied_to', id: '7' },
      { type: 'quoted', id: '8' },
    ],
    ...{ geo: { place_id: '96683cc9126741d1' }, possibly_sensitive: true, reply_settings: 'following' },
    public_metrics: { like_count: 3, impression_count: 100, reply_count: 2 },
    ...{ conversation_id: '7', entities: {}, edit_history_post_ids: [ID], source: 'An app' },
  }
  assert.deepEqual(readPost(JSON.stringify(line), NOW), {
    ...{ id: ID, author: { id: '42' }, text: 'Hello there', createdAt: 1_772_308_403_670, lang: 'en' },
    ...{ repliesTo: '7', quotes: '8', placeId: '96683cc9126741d1' },
    counts: {
      ...{ repost_count: 0, reply_count: 2, like_count: 3, quote_count: 0, bookmark_count: 0 },
      impression_count: 100,
    },
    ...{ isSensitive: true, replySettings: 'following' },
  })
})

test('a post has a place, a point, or both', () => {
  const geoOf = (geo: object) => {
    const { placeId, coordinates } = readPost(JSON.stringify({ ...good, geo }), NOW)
    return { placeId, coordinates }
  }
  const coordinates = { type: 'Point', coordinates: [-180, 90] }
  assert.deepEqual(geoOf({ coordinates }), { placeId: undefined, coordinates: [-180, 90] })
  assert.deepEqual(geoOf({ coordinates, place_id: '96683cc9126741d1' }), {
    placeId: '96683cc9126741d1',
    coordinates: [-180, 90],
  })
})

test('a name and a time are enough, and the time of an id is its time', () => {
  const { author, createdAt, id } = readPost(JSON.stringify(good), NOW)
  assert.deepEqual([author, createdAt, id], [{ username: 'ava' }, Date.UTC(2026, 1, 1), undefined])
  assert.deepEqual(readPost(JSON.stringify({ ...good, username: '@ava' }), NOW).author, { username: 'ava' })
  const { created_at: _, ...timeless } = { ...good, id: ID }
  assert.equal(readPost(JSON.stringify(timeless), NOW).createdAt, 1_772_308_403_670)
  const exact = { ...good, created_at: '2026-02-01T00:00:00.25Z' }
  assert.equal(readPost(JSON.stringify(exact), NOW).createdAt, Date.UTC(2026, 1, 1) + 250)
})

test('a repost needs no text: it says what the post says', () => {
  const { text: _, ...rest } = good
  const read = readPost(JSON.stringify({ ...rest, referenced_posts: [{ type: 'reposted', id: '9' }] }), NOW)
  assert.deepEqual([read.text, read.reposts], ['', '9'])
})

const changed = (change: object) => JSON.stringify({ ...good, ...change })
const BAD: readonly (readonly [line: string, reason: string | RegExp])[] = [
  ['{"text": ', /^it is not JSON: /],
  ['[1]', 'the line must be an object, not [1]'],
  ['null', 'the line must be an object, not null'],
  [changed({ txt: 'Hello' }), '"txt" is not a member of a post'],
  [changed({ attachments: {} }), 'posts with attachments cannot be imported'],
  [changed({ text: undefined }), 'text must be a text, not absent'],
  [changed({ text: 5 }), 'text must be a text, not 5'],
  [changed({ note_post: 'Hello' }), 'note_post must be an object, not "Hello"'],
  [changed({ note_post: {} }), 'note_post.text must be a text, not absent'],
  [changed({ note_post: { text: 'a'.repeat(25_001) } }), 'note_post.text may have 25000 characters'],
  [changed({ paid_partnership: 1 }), 'paid_partnership must be true or false, not 1'],
  [changed({ card_uri: 'card' }), 'card_uri must be such as "card://123", not "card"'],
  [changed({ scopes: { followers: true } }), 'scopes.followers needs community_id'],
  [changed({ scopes: { followers: 'no' } }), 'scopes.followers must be true or false, not "no"'],
  [changed({ text: ' ' }), 'text must not be empty'],
  [changed({ text: 'a\u0000' }), 'text contains invalid characters'],
  [changed({ text: 'a'.repeat(25_001) }), 'text may have 25000 characters'],
  [changed({ text: '🦀'.repeat(25_001) }), 'text may have 25000 characters'],
  [changed({ username: undefined }), 'it must have either author_id or username'],
  [changed({ author_id: '5' }), 'it must have either author_id or username'],
  [
    changed({ username: 'too-long-or-wrong' }),
    'username must be a name: 1 to 15 letters, digits or _, not "too-long-or-wrong"',
  ],
  [changed({ id: 5 }), 'id must be an id: 1 to 19 digits in quotation marks, not 5'],
  [changed({ id: '9999999999999999999' }), 'id is not a 64-bit number: 9999999999999999999'],
  [changed({ id: ID }), 'created_at must be the time of the id, 2026-02-28T19:53:23.670Z'],
  [changed({ created_at: undefined }), 'it must have created_at, or an id, which has a time'],
  [changed({ created_at: '1 May' }), 'created_at must be a time such as "2026-01-31T12:00:00Z", not "1 May"'],
  [changed({ created_at: '2010-01-01T00:00:00Z' }), 'it must be from 2010-11-04T01:42:54.657Z or later'],
  [changed({ created_at: '2026-03-01T12:00:01Z' }), 'it must not be from the future'],
  [changed({ lang: 'English' }), 'lang must be a language such as "en", not "English"'],
  [changed({ geo: {} }), 'there is no place absent'],
  [changed({ geo: { place_id: '0000000000000000' } }), 'there is no place "0000000000000000"'],
  ...[
    { type: 'Polygon', coordinates: [1, 2] },
    { type: 'Point', coordinates: [181, 2] },
    { type: 'Point', coordinates: [1, -91] },
    { type: 'Point', coordinates: [1] },
    { type: 'Point', coordinates: [1, 2, 3] },
    { type: 'Point', coordinates: ['1', 2] },
    { type: 'Point' },
  ].map((coordinates): [string, string] => [
    changed({ geo: { coordinates } }),
    `geo.coordinates must be such as {"type":"Point","coordinates":[11.57,48.14]}, longitude first, not ${JSON.stringify(coordinates)}`,
  ]),
  [changed({ geo: 'Munich' }), 'geo must be an object, not "Munich"'],
  [changed({ referenced_posts: 'x' }), 'referenced_posts must be a list, not "x"'],
  [
    changed({ referenced_posts: [{ type: 'liked', id: '5' }] }),
    'a referenced post must be of a type of replied_to, quoted, reposted, not "liked"',
  ],
  [
    changed({ referenced_posts: [{ type: 'quoted' }] }),
    'the id of a referenced post must be an id: 1 to 19 digits in quotation marks, not null',
  ],
  [
    changed({
      referenced_posts: [
        { type: 'quoted', id: '5' },
        { type: 'quoted', id: '6' },
      ],
    }),
    'it refers to several posts of the type quoted',
  ],
  [
    changed({
      referenced_posts: [
        { type: 'reposted', id: '5' },
        { type: 'quoted', id: '6' },
      ],
    }),
    'a repost cannot be a reply or a quote',
  ],
  [changed({ public_metrics: { like_count: -1 } }), 'like_count must be a whole number from 0 on, not -1'],
  [
    changed({ public_metrics: { reply_count: '3' } }),
    'reply_count must be a whole number from 0 on, not "3"',
  ],
  [changed({ possibly_sensitive: 'no' }), 'possibly_sensitive must be true or false, not "no"'],
  [
    changed({ reply_settings: 'nobody' }),
    'reply_settings must be one of everyone, following, mentionedUsers, subscribers, verified, not "nobody"',
  ],
]

test('an invalid line is reported with its member and its value', () => {
  for (const [line, message] of BAD)
    assert.throws(() => readPost(line, NOW), { name: 'BadLine', message }, line.slice(0, 200))
})
