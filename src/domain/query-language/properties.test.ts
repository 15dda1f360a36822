import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../test/support/unicode-text.ts'
import { Slices } from '../../platform/common/slices.ts'
import { matches } from './match.ts'
import type { MatchablePlace, MatchablePost } from './matchable-post.ts'
import { parseQuery } from './parse.ts'
import { postOf, quoted } from './posts.fixture.ts'
import { printQuery } from './print.ts'
import type { Node, Query, QueryUse } from './query.ts'
import { RuleIndex } from './rule-index.ts'

/**
 * Few words, so that queries and posts meet: in Latin, Cyrillic, Arabic, Hebrew, Chinese, Japanese,
 * Thai and Devanagari.
 */
const WORDS = [
  ...['cat', 'dog', 'café', 'cafe', 'storm'],
  ...['кот', 'собака', 'Ёлка'],
  ...['قطة', 'كلب', 'می‌خواهم'],
  ...['חתול', 'כלב', 'שָׁלוֹם'],
  ...['今天', '天气', '东京'],
  ...['ねこ', 'カメラ'],
  ...['แมว', 'สวัสดี'],
  ...['बिल्ली', 'कुत्ता'],
  ...['🎉', '👍🏽'],
]
const NAMES = ['ada_1', 'acme', '1001']
const word = fc.constantFrom(...WORDS)
const name = fc.constantFrom(...NAMES)

const anchor = fc.oneof(
  { weight: 6, arbitrary: word },
  fc.array(word, { minLength: 1, maxLength: 3 }).map((all) => `"${all.join(' ')}"`),
  fc.constantFrom('#cat', '#кот', '#今天', '$ACME', 'url:news', 'url:"example.com/news"'),
  name.map((username) => `@${username}`),
  name.map((username) => `from:${username}`),
  name.map((username) => `to:${username}`),
  fc.constantFrom('conversation_id:5', 'place:paris', 'place_country:FR', 'point_radius:[2.35 48.85 10km]'),
  fc.constantFrom('bounding_box:[2.2 48.8 2.5 48.9]', 'point_radius:[2.35 48.85 2mi]', 'place_country:FR'),
)
const inRulesOnly = fc.constantFrom(
  '"cat dog"~2',
  '"storm cat кот"~4',
  'bio:cats',
  'url_contains:"/ne"',
  'context:10.*',
)
const joined = fc.constantFrom(
  'lang:en',
  'lang:ja',
  'has:links',
  'has:media',
  'has:geo',
  'is:reply',
  'is:quote',
  'is:verified',
)
const joinedInRules = fc.constantFrom('followers_count:100', 'followers_count:1..99', 'min_followers:500')

/** The text of a query that can be read: each branch of it has something to find posts by. */
function queryText(use: QueryUse): fc.Arbitrary<string> {
  const alone = use === 'stream' ? fc.oneof({ weight: 5, arbitrary: anchor }, inRulesOnly) : anchor
  const beside = use === 'stream' ? fc.oneof(joined, joinedInRules) : joined
  const clause = fc.oneof(
    alone,
    beside,
    alone.map((clause) => `-${clause}`),
    beside.map((clause) => `-${clause}`),
  )
  const { query } = fc.letrec<{ query: string; branch: string; part: string }>((tie) => ({
    query: fc.array(tie('branch'), { minLength: 1, maxLength: 3 }).map((branches) => branches.join(' OR ')),
    branch: fc
      .tuple(
        fc.oneof(
          { maxDepth: 3 },
          alone,
          tie('query').map((text) => `(${text})`),
        ),
        fc.array(tie('part'), { maxLength: 3 }),
        fc.nat(3),
      )
      .map(([first, rest, at]) => rest.toSpliced(at, 0, first).join(' ')),
    part: fc.oneof(
      { maxDepth: 3 },
      { weight: 4, arbitrary: clause },
      fc.array(clause, { minLength: 2, maxLength: 3 }).map((all) => `(${all.join(' OR ')})`),
    ),
  }))
  return query
}

const text = fc.array(word, { maxLength: 8 }).map((all) => all.join(' '))
const users = fc.constantFrom({ id: '1001', username: 'Ada_1' }, { id: '77', username: 'Acme' })
const tags = fc.subarray(['Cat', 'КОТ', '今天', 'dogs'])

const placed = (name: string, countryCode: string, polygon: MatchablePlace['polygon']): MatchablePlace => ({
  id: name,
  name,
  fullName: `${name}, ${countryCode}`,
  countryCode,
  polygon,
})
/** In all areas of the queries, in one of them, and without an area. */
const places = fc.constantFrom(
  placed('Paris', 'FR', [
    [2.34, 48.84],
    [2.36, 48.86],
  ]),
  placed('Paris', 'US', [
    [2.21, 48.81],
    [2.49, 48.89],
  ]),
  placed('France', 'FR', []),
)

const post: fc.Arbitrary<MatchablePost> = fc
  .record({
    text,
    hashtags: tags,
    cashtags: fc.subarray(['acme']),
    mentions: fc.subarray(['Ada_1', 'acme']),
    links: fc.subarray([
      { addresses: ['https://example.com/news'] },
      { addresses: ['https://news.example'] },
    ]),
    lang: fc.constantFrom('en', 'ja'),
    media: fc.subarray(['photo', 'video'] as const),
    conversationId: fc.constantFrom('5', '6'),
    contexts: fc.subarray([{ domain: '10', entity: '7' }]),
    isReply: fc.option(users),
    quotedText: fc.option(text),
    repostedUser: fc.option(users, { freq: 5 }),
    isInParis: fc.boolean(),
    place: fc.option(places, { freq: 2 }),
    author: users,
    followersCount: fc.constantFrom(0, 50, 100, 600),
    description: fc.constantFrom('cats and dogs', ''),
    verified: fc.boolean(),
  })
  .map(
    ({
      isReply,
      quotedText,
      repostedUser,
      isInParis,
      place,
      followersCount,
      description,
      verified,
      ...given
    }) =>
      postOf({
        ...given,
        author: { ...given.author, followersCount, description, verified },
        ...(isReply && { repliesTo: { id: '5' }, addressee: isReply }),
        ...(quotedText !== null && { quotes: quoted('9', quotedText) }),
        ...(repostedUser && { repostOf: { id: '8', author: repostedUser } }),
        ...(isInParis && { point: [2.3522, 48.8566] as const }),
        ...(place && { place }),
      }),
  )

function read(source: string, use: QueryUse): Query {
  const parsed = parseQuery(source, { for: use, access: 'enterprise' })
  assert.ok(parsed.ok, parsed.ok ? '' : `${source}: ${parsed.errors[0].message}`)
  return parsed.query
}

/** A node without places, which printing moves. */
function shape(node: Node): unknown {
  if (node.kind === 'clause') return [node.negated, node.condition]
  return [node.kind, ...node.nodes.map(shape)]
}

const USES: readonly QueryUse[] = ['stream', 'search/recent']

for (const use of USES) {
  test(`a printed query reads as the same query (${use})`, () => {
    fc.assert(
      fc.property(queryText(use), (source) => {
        const query = read(source, use)
        const printed = printQuery(query)
        assert.deepEqual(shape(read(printed, use).root), shape(query.root))
        assert.equal(printQuery(read(printed, use)), printed)
      }),
      { numRuns: 500 },
    )
  })
}

test('a OR b finds what a or b finds, and (a) (b) what both find', () => {
  // Two of them are no longer than a rule may be.
  const half = queryText('stream').filter((text) => text.length < 1_000)
  fc.assert(
    fc.property(half, half, post, (left, right, found) => {
      const [isOne, isOther] = [matches(read(left, 'stream'), found), matches(read(right, 'stream'), found)]
      assert.equal(matches(read(`${left} OR ${right}`, 'stream'), found), isOne || isOther)
      assert.equal(matches(read(`(${left}) (${right})`, 'stream'), found), isOne && isOther)
    }),
    { numRuns: 500 },
  )
})

test('De Morgan: -a -b finds what a OR b does not, and (-a OR -b) what a b does not', () => {
  fc.assert(
    fc.property(anchor, anchor, post, (left, right, found) => {
      const base = 'from:ada_1'
      const finds = (source: string) => matches(read(source, 'stream'), found)
      assert.equal(finds(`${base} -${left} -${right}`), finds(base) && !finds(`${left} OR ${right}`))
      assert.equal(finds(`${base} (-${left} OR -${right})`), finds(base) && !finds(`${left} ${right}`))
    }),
    { numRuns: 500 },
  )
})

test('the index finds the rules that match one by one, while rules come and go', () => {
  const rules = fc.array(queryText('stream'), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(
      rules,
      fc.array(fc.nat(29), { maxLength: 15 }),
      fc.array(post, { minLength: 1, maxLength: 6 }),
      (sources, gone, posts) => {
        const index = new RuleIndex()
        const queries = new Map(sources.map((source, n) => [String(n), read(source, 'stream')]))
        for (const [id, query] of queries) index.add({ id }, query)
        const agree = () => {
          for (const matchable of posts) {
            const expected = [...queries].filter(([, query]) => matches(query, matchable)).map(([id]) => id)
            const found = index.match(matchable).map(({ id }) => id)
            assert.deepEqual(found.sort(), expected.sort())
          }
        }
        agree()
        for (const number of gone) {
          assert.equal(index.delete(String(number)), queries.delete(String(number)))
        }
        agree()
        // The places of those that went are taken by others.
        for (const [number, source] of sources.entries()) {
          queries.set(`again ${number}`, read(source, 'stream'))
          index.add({ id: `again ${number}` }, read(source, 'stream'))
        }
        agree()
        assert.equal(index.size, queries.size)
      },
    ),
    { numRuns: 300 },
  )
})

test('words are near each other as the reference defines it', () => {
  const letters = (min: number, max: number) =>
    fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: min, maxLength: max })
  fc.assert(
    fc.property(letters(1, 20), letters(2, 4), fc.integer({ min: 1, max: 6 }), (words, wanted, within) => {
      const distinct = [...new Set(wanted)]
      // Where the phrase would begin, according to each word of the text that it has.
      const begins = words.flatMap((word, at) =>
        distinct.includes(word) ? [{ word, begin: at - distinct.indexOf(word) }] : [],
      )
      const expected = begins.some(({ begin: first }) => {
        const near = begins.filter(({ begin }) => begin >= first && begin <= first + within)
        return new Set(near.map(({ word }) => word)).size === distinct.length
      })
      fc.pre(distinct.length > 1)
      const query = read(`"${distinct.join(' ')}"~${within}`, 'stream')
      assert.equal(matches(query, postOf({ text: words.join(' ') })), expected)
    }),
    { numRuns: 2_000 },
  )
})

test('matches in slices find the same, one after another; rules that change meanwhile count from the next on', async () => {
  const text = 'cat dog '.repeat(2_000)
  const long = postOf({ text: `${text} ${Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ')}` })
  const index = new RuleIndex()
  const rule = (n: number) => read(`"cat word${n} dog"~6`, 'stream')
  for (let n = 0; n < 40; n++) index.add({ id: String(n) }, rule(n))
  const expected = index.match(long).map(({ id }) => id)
  const slices = new Slices(0)
  const first = index.matchInSlices(long, slices)
  assert.ok(first instanceof Promise)
  assert.throws(() => index.match(long), /in progress/)
  const second = index.matchInSlices(postOf({ text: 'birds' }), slices)
  index.add({ id: 'birds' }, read('birds', 'stream'))
  index.delete('0')
  assert.deepEqual((await first).map(({ id }) => id).sort(), expected.sort())
  assert.deepEqual(await second, [{ id: 'birds' }])
  assert.equal(index.size, 40)
  assert.deepEqual(
    (await index.matchInSlices(long, slices)).map(({ id }) => id).sort(),
    expected.filter((id) => id !== '0').sort(),
  )
})

test('any text is read or rejected at a place in it', () => {
  const pieces = fc.constantFrom(
    '(',
    ')',
    '"',
    'OR',
    '-',
    ' ',
    '[',
    ']',
    ':',
    '~3',
    '\\',
    'from:',
    'and',
    '🎉',
    '#',
    '@',
    '$',
    ...WORDS,
  )
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
    unicodeText(),
  )
  fc.assert(
    fc.property(texts, fc.constantFrom(...USES), (source, use) => {
      const parsed = parseQuery(source, { for: use, access: 'enterprise' })
      if (parsed.ok) return
      const length = Array.from(source).length
      for (const { position, end, message } of parsed.errors) {
        assert.ok(
          position >= 1 && position <= length + 1 && end >= position && end <= length + 1,
          `${message}: ${position}-${end} of ${length}`,
        )
      }
    }),
    { numRuns: 2_000 },
  )
})

test('an index has a rule once, and no query for search', () => {
  const index = new RuleIndex()
  index.add({ id: '1' }, read('cat', 'stream'))
  assert.throws(() => index.add({ id: '1' }, read('dog', 'stream')), /There is a rule 1 already/)
  assert.throws(() => index.add({ id: '2' }, read('dog', 'search/all')), /no rule/)
  assert.equal(index.delete('2'), false)
  assert.equal(index.size, 1)
})
