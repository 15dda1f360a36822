import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matches } from './match.ts'
import type { MatchablePost } from './matchable-post.ts'
import { OPERATORS } from './operators.ts'
import { parseQuery } from './parse.ts'
import { postOf, quoted } from './posts.fixture.ts'
import { HAS_VALUES, IS_VALUES, type QueryUse } from './query.ts'
import { RuleIndex } from './rule-index.ts'

function queryOf(text: string, use: QueryUse) {
  const parsed = parseQuery(text, { for: use, access: 'enterprise' })
  assert.ok(parsed.ok, parsed.ok ? '' : `${text}: ${parsed.errors[0].message}`)
  return parsed.query
}

/** Whether a query finds a post; a rule also by the index, which must agree. */
function finds(text: string, post: MatchablePost, use: QueryUse = 'stream'): boolean {
  const query = queryOf(text, use)
  const found = matches(query, post)
  if (use.endsWith('stream')) {
    const index = new RuleIndex()
    index.add({ id: '1' }, query)
    assert.deepEqual(index.match(post), found ? [{ id: '1' }] : [], `the index disagrees about ${text}`)
  }
  return found
}

const ada = { id: '1001', username: 'Ada_1' }
const acme = { id: '77', username: 'Acme' }
const link = (...addresses: string[]) => ({ links: [{ addresses }] })
const PARIS = [2.3522, 48.8566] as const
const box = (west: number, south: number, east: number, north: number) => ({
  id: '09f6a7707f18e0b1',
  name: 'Paris',
  fullName: 'Paris, France',
  countryCode: 'FR',
  polygon: [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ] as const,
})
const paris = box(2.22, 48.81, 2.47, 48.91)

type MatchCase = readonly [query: string, found: MatchablePost, notFound: MatchablePost, use?: QueryUse]
const cat = { text: 'a cat' }

/** A query, a post that it finds and one that it does not. */
const ROWS: readonly MatchCase[] = [
  ['cat', postOf({ text: 'My Cat, asleep' }), postOf({ text: 'My category' })],
  ['straße', postOf({ text: 'STRASSE' }), postOf({ text: 'strase' })],
  ['coca-cola', postOf({ text: 'I like coca-cola' }), postOf({ text: 'cola, coca' })],
  ['"big cat"', postOf({ text: 'a BIG, cat!' }), postOf({ text: 'a big old cat' })],
  [
    '"big cat"',
    postOf({ quotes: quoted('9', 'big cat') }),
    postOf({ text: 'so big', quotes: quoted('9', 'cat') }),
  ],
  ['cat -"big cat"', postOf({ text: 'a cat, big' }), postOf({ text: 'a big cat' })],
  ['"a big cat"', postOf({ text: 'a big cat' }), postOf({ text: 'a big dog, big cat' })],
  ['"ba ba na"', postOf({ text: 'ba ba ba na' }), postOf({ text: 'ba na ba' })],
  ['🎉', postOf({ text: 'yes!🎉🎉' }), postOf({ text: 'yes' })],
  ['👍', postOf({ text: 'ok 👍' }), postOf({ text: 'ok 👍🏽' })],
  ['"👍🏽"', postOf({ text: 'ok 👍🏽' }), postOf({ text: 'ok 👍' })],
  ['❤', postOf({ text: 'I ❤️ it' }), postOf({ text: 'I 💔 it' })],
  ['café', postOf({ text: 'CAFE\u0301' }), postOf({ text: 'cafe' })],
  ['café', postOf({ text: 'cafe' }), postOf({ text: 'caff' }), 'search/all'],
  ['cafe', postOf({ text: 'café' }), postOf({ text: 'caff' }), 'search/all'],
  ['"big cat"~2', postOf({ text: 'big old fat cat' }), postOf({ text: 'big old fat grey cat' })],
  ['"big cat"~2', postOf({ text: 'cat big' }), postOf({ text: 'cat so big' })],
  ['#Thanku', postOf({ hashtags: ['thankU'] }), postOf({ hashtags: ['thankunext'] })],
  ['#cumpleaños', postOf({ hashtags: ['cumpleanos'] }), postOf({ hashtags: ['cumple'] }), 'search/all'],
  ['#cumpleaños', postOf({ hashtags: ['cumpleaños'] }), postOf({ hashtags: ['cumpleanos'] })],
  ['$brk.a', postOf({ cashtags: ['BRK.A'] }), postOf({ cashtags: ['BRK'] })],
  ['@ADA_1', postOf({ mentions: ['ada_1'] }), postOf({ mentions: ['ada'], text: 'ada_1' })],
  ['from:ada_1', postOf({}), postOf({ author: { username: 'ada' } })],
  ['from:1001', postOf({}), postOf({ author: { id: '1002' } })],
  ['to:acme', postOf({ repliesTo: { id: '5' }, addressee: acme }), postOf({ mentions: ['acme'] })],
  [
    'to:77',
    postOf({ repliesTo: { id: '5' }, addressee: acme }),
    postOf({ repliesTo: { id: '77' }, addressee: ada }),
  ],
  ['from_affiliate_of:acme', postOf({ author: { affiliations: [acme] } }), postOf({ author: acme })],
  [
    'to_affiliate_of:77',
    postOf({ repliesTo: { id: '5' }, addressee: { ...ada, affiliations: [acme] } }),
    postOf({ repliesTo: { id: '5' }, addressee: acme }),
  ],
  ['reposts_of:acme', postOf({ repostOf: { id: '5', author: acme } }), postOf({ author: acme })],
  [
    'in_reply_to_post_id:5',
    postOf({ repliesTo: { id: '5' }, addressee: acme }),
    postOf({ conversationId: '5' }),
  ],
  [
    'reposts_of_post_id:5',
    postOf({ repostOf: { id: '5', author: acme } }),
    postOf({ quotes: quoted('5', '') }),
  ],
  [
    'quotes_of_post_id:5',
    postOf({ quotes: quoted('5', '') }),
    postOf({ repostOf: { id: '5', author: acme } }),
    'search/all',
  ],
  ['conversation_id:5', postOf({ conversationId: '5' }), postOf({ id: '5' })],
  ['list:9', postOf({ author: { lists: ['8', '9'] } }), postOf({ author: { lists: ['99'] } }), 'search/all'],
  [
    'url:"/news"',
    postOf(link('https://s.example/1', 'https://example.com/News/2')),
    postOf(link('https://example.com/newsroom')),
  ],
  [
    'url:"example.com/news"',
    postOf(link('http://example.com/news')),
    postOf(link('http://news.example.com')),
  ],
  ['url:example', postOf(link('http://example.com')), postOf({ text: 'example' })],
  [
    'url_title:"year report"',
    postOf({ links: [{ addresses: [], title: 'The Year Report' }] }),
    postOf({ links: [{ addresses: ['year'], description: 'year report' }] }),
  ],
  [
    'url_description:report',
    postOf({ links: [{ addresses: [], description: 'A report.' }] }),
    postOf({ links: [{ addresses: [], title: 'Report' }] }),
  ],
  ['url_contains:"om/Ne"', postOf(link('https://example.com/news')), postOf(link('https://example.com/old'))],
  [
    'context:10.799',
    postOf({ contexts: [{ domain: '10', entity: '799' }] }),
    postOf({
      contexts: [
        { domain: '10', entity: '7' },
        { domain: '1', entity: '799' },
      ],
    }),
  ],
  [
    'context:10.*',
    postOf({ contexts: [{ domain: '10', entity: '799' }] }),
    postOf({ contexts: [{ domain: '799', entity: '10' }] }),
  ],
  [
    'context:*.799',
    postOf({ contexts: [{ domain: '10', entity: '799' }] }),
    postOf({ contexts: [{ domain: '799', entity: '10' }] }),
  ],
  [
    'entity:"ada lovelace"',
    postOf({ entities: ['Ada Lovelace'] }),
    postOf({ entities: ['Ada'], text: 'Ada Lovelace' }),
  ],
  ['bio:cats', postOf({}), postOf({ author: { description: 'no pets' } })],
  ['bio:"likes cats"', postOf({}), postOf({ author: { description: 'cats likes' } })],
  ['bio_name:lovelace', postOf({}), postOf({ author: { name: 'Ada', description: 'lovelace' } })],
  ['bio_location:uk', postOf({}), postOf({ author: { location: 'Ukraine' } })],
  ['place:paris', postOf({ place: paris }), postOf({ text: 'Paris' })],
  ['place:"paris, france"', postOf({ place: paris }), postOf({ place: { ...paris, fullName: 'Paris, TX' } })],
  ['place:09F6a7707f18e0b1', postOf({ place: paris }), postOf({ place: { ...paris, id: '1' } })],
  ['place:paris', postOf({ place: paris }), postOf({ place: paris, repostOf: { id: '5', author: acme } })],
  ['place_country:fr', postOf({ place: paris }), postOf({ point: PARIS })],
  ['point_radius:[2.35 48.85 10km]', postOf({ point: PARIS }), postOf({ point: [2.35, 48.95] })],
  [
    'point_radius:[2.35 48.85 24mi]',
    postOf({ place: paris }),
    postOf({ place: box(2.22, 48.81, 3.47, 48.91) }),
  ],
  ['point_radius:[2.35 48.85 5mi]', postOf({ point: PARIS, place: paris }), postOf({ place: paris })],
  ['bounding_box:[2.2 48.8 2.5 49]', postOf({ point: PARIS }), postOf({ point: [2.51, 48.9] })],
  [
    'bounding_box:[2.2 48.8 2.5 49]',
    postOf({ place: paris }),
    postOf({ place: box(2.1, 48.81, 2.47, 48.91) }),
  ],
  ['cat lang:zh-TW', postOf({ ...cat, lang: 'zh' }), postOf({ ...cat, lang: 'en' })],
  ['cat lang:EN', postOf({ ...cat }), postOf({ ...cat, lang: 'und' })],
  [
    'cat is:repost',
    postOf({ ...cat, repostOf: { id: '5', author: acme } }),
    postOf({ ...cat, quotes: quoted('5', '') }),
  ],
  [
    'cat is:reply',
    postOf({ ...cat, repliesTo: { id: '5' }, addressee: acme }),
    postOf({ ...cat, conversationId: '5' }),
  ],
  [
    'cat is:quote',
    postOf({ ...cat, quotes: quoted('5', '') }),
    postOf({ ...cat, repostOf: { id: '5', author: acme } }),
  ],
  ['cat is:verified', postOf({ ...cat, author: { verified: true } }), postOf(cat)],
  ['cat -is:nullcast', postOf(cat), postOf({ ...cat, nullcast: true })],
  ['cat has:hashtags', postOf({ ...cat, hashtags: ['a'] }), postOf({ ...cat, cashtags: ['a'] })],
  ['cat has:cashtags', postOf({ ...cat, cashtags: ['a'] }), postOf({ ...cat, hashtags: ['a'] })],
  ['cat has:links', postOf({ ...cat, ...link('x') }), postOf(cat)],
  ['cat has:links', postOf({ ...cat, media: ['video'] }), postOf(cat)],
  ['cat has:mentions', postOf({ ...cat, mentions: ['a'] }), postOf(cat)],
  ['cat has:geo', postOf({ ...cat, place: paris }), postOf(cat)],
  [
    'cat has:geo',
    postOf({ ...cat, point: PARIS }),
    postOf({ ...cat, point: PARIS, repostOf: { id: '5', author: acme } }),
  ],
  ['cat has:media', postOf({ ...cat, media: ['animated_gif'] }), postOf({ ...cat, ...link('x') })],
  ['cat has:images', postOf({ ...cat, media: ['photo'] }), postOf({ ...cat, media: ['animated_gif'] })],
  ['cat has:video_link', postOf({ ...cat, media: ['video'] }), postOf({ ...cat, media: ['animated_gif'] })],
  ['cat min_followers:500', postOf(cat), postOf({ ...cat, author: { followersCount: 499 } })],
  ['cat followers_count:400..500', postOf(cat), postOf({ ...cat, author: { followersCount: 501 } })],
  [
    'cat followers_count:500',
    postOf({ ...cat, author: { followersCount: 501 } }),
    postOf({ ...cat, author: { followersCount: 499 } }),
  ],
  ['cat following_count:50', postOf(cat), postOf({ ...cat, author: { followingCount: 49 } })],
  ['cat posts_count:5000', postOf(cat), postOf({ ...cat, author: { postsCount: 4999 } })],
  ['cat listed_count:5', postOf(cat), postOf({ ...cat, author: { listedCount: 4 } })],
  ['cat source:"plaza web"', postOf(cat), postOf({ ...cat, source: { name: 'Plaza', address: 'web' } })],
  [
    'cat source:"https://plaza.example"',
    postOf(cat),
    postOf({ ...cat, source: { name: 'Plaza Web', address: '' } }),
  ],
  ['min_likes:5', postOf({ likeCount: 5 }), postOf({ likeCount: 4 }), 'search/all'],
  ['min_replies:5', postOf({ replyCount: 5 }), postOf({ replyCount: 4 }), 'search/all'],
  ['min_reposts:5', postOf({ repostCount: 5 }), postOf({ repostCount: 4 }), 'search/all'],
  [
    'embedding:"late trains"',
    postOf({ similarityTo: (text) => (text === 'late trains' ? 0.3 : 0) }),
    postOf({ similarityTo: () => 0.29 }),
  ],
  [
    'embedding:"late trains" embedding_threshold:0.6',
    postOf({ similarityTo: () => 0.6 }),
    postOf({ similarityTo: () => 0.59 }),
  ],
  ['embedding:"late trains"', postOf({ similarityTo: () => 1 }), postOf({})],
  ['contains:HON', postOf({ text: 'my Telephone' }), postOf({ text: 'my h one' }), 'powerstream'],
  ['contains:"n, 3"', postOf({ text: 'train, 3 pm' }), postOf({ text: 'train 3' }), 'powerstream'],
  ['cat has:lang', postOf({ ...cat, lang: 'nl' }), postOf({ ...cat, lang: 'und' }), 'powerstream'],
]

describe('each operator finds posts, and no others', () => {
  for (const [query, found, notFound, use = 'stream'] of ROWS)
    test(`${query} (${use})`, () => {
      assert.equal(finds(query, found, use), true)
      assert.equal(finds(query, notFound, use), false)
    })

  test('every operator is tried', () => {
    const tried = ROWS.map(([query]) => query).join(' ')
    const names = [
      ...OPERATORS.keys(),
      ...IS_VALUES.map((value) => `is:${value}`),
      ...HAS_VALUES.map((value) => `has:${value}`),
    ]
    assert.deepEqual(
      names.filter((name) => !new RegExp(`(^| |-)${name}(:| |$)`).test(tried)),
      ['sample'],
    )
  })
})

describe('posts in posts', () => {
  const quoting = postOf({ text: 'look', quotes: { ...quoted('5', 'a big cat'), hashtags: ['pets'] } })

  test('rules look into quoted posts, search does not', () => {
    for (const query of ['cat', '"big cat"', '#pets', 'look cat']) {
      assert.equal(finds(query, quoting), true, query)
      assert.equal(finds(query, quoting, 'search/all'), false, query)
    }
  })

  test('no phrase goes from a text into the one it quotes', () => {
    assert.equal(finds('"look a"', quoting), false)
    assert.equal(finds('"look big"~6', quoting), false)
  })

  test('search for words finds no reposts; search by user, and rules, do', () => {
    const repost = postOf({ text: 'a cat', repostOf: { id: '5', author: acme } })
    assert.equal(finds('cat', repost, 'search/recent'), false)
    assert.equal(finds('from:ada_1 -dog', repost, 'search/recent'), false)
    assert.equal(finds('reposts_of:acme', repost, 'search/recent'), true)
    assert.equal(finds('cat', repost), true)
  })
})

test('sample: takes its share of posts, and a larger share takes them too', () => {
  const posts = Array.from({ length: 5_000 }, (_, n) =>
    postOf({ text: 'cat', id: String(1_900_000_000_000_000_000n + BigInt(n) * 4_194_304n) }),
  )
  const of = (percent: number) =>
    posts.filter((post) => matches(queryOf(`cat sample:${percent}`, 'stream'), post))
  const [ten, fifty] = [of(10), of(50)]
  assert.ok(ten.length > 400 && ten.length < 600, `${ten.length} of 5000`)
  assert.ok(fifty.length > 2_350 && fifty.length < 2_650, `${fifty.length} of 5000`)
  assert.ok(ten.every((post) => fifty.includes(post)))
  assert.equal(of(100).length, 5_000)
})
