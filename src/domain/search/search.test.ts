import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dropSchema, POSTGRES_URL } from '../../../test/support/services.ts'
import { stages } from '../../../test/support/stages.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { idAt, timeOfId } from '../../platform/common/ids.ts'
import { fractions, randomText, seededRandom, systemRandom } from '../../platform/common/random.ts'
import { openStore } from '../../platform/storage/open.ts'
import type { Store } from '../../platform/storage/store.ts'
import { readEntities } from '../../platform/text/entities.ts'
import { matches } from '../query-language/match.ts'
import type { MatchablePlace, MatchablePost } from '../query-language/matchable-post.ts'
import { parseQuery } from '../query-language/parse.ts'
import { RuleIndex } from '../query-language/rule-index.ts'
import { wordsOf } from '../query-language/tokenize.ts'
import { boxOfLocation, type Location, locations } from '../reference-data/locations.ts'
import { changeOf } from './derived.ts'
import { searchChangesOf } from './document.ts'
import { expressionOf } from './expression.ts'
import { postgresSearchIndex } from './index/postgres-index.ts'
import type { CandidateLimits, SearchCount, SearchIndex, SearchWindow } from './index/search-index.ts'
import { sqliteSearchIndex } from './index/sqlite-index.ts'
import type { IndexedRow } from './queries.ts'

const POSTS = 300
const QUERIES = 1_000
const HOUR_MS = 3_600_000
/** Posts are close together at first, milliseconds apart, then days. */
const atMs = (n: number) => Date.UTC(2026, 0, 1) + n ** 3 * 1_000
const EVER = { from: '0', before: String(2n ** 63n - 1n) }

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

/**
 * Latin with and without accents, Greek, Cyrillic, Arabic, Hebrew, Chinese, Japanese, Thai, Korean,
 * and emoji.
 */
const WORDS =
  'cat Café naïve über ΑΘΗΝΑ Ἀθήνα Москва йод سلام سَلام שלום 东京 日本語 東京都 ภาษาไทย 서울 👍 👍🏽 it’s co-op 42 ﬁne'.split(
    ' ',
  )
const TAGS = ['#Cat', '#Café', '#日本語', '$ABC', '@ada', '@Bob', 'https://example.com/a-b/Crème']
/** Around two cities of Bavaria. The smaller boxes contain a postal code or nothing. */
const AREAS = [
  'point_radius:[11.575 48.137 39km]',
  'point_radius:[11.575 48.137 17km]',
  'point_radius:[11.575 48.137 2km]',
  'point_radius:[-73.997 40.751 5mi]',
  'bounding_box:[11.4 48.03 11.72 48.25]',
  'bounding_box:[11.57 48.13 11.58 48.14]',
  'bounding_box:[-74.05 40.7 -73.95 40.8]',
]
const CLAUSES = [
  '"cat café"',
  '"日本語 東京都"',
  '#cafe',
  '#日本語',
  '$abc',
  '@ADA',
  'url:"example.com/a"',
  'url:creme',
  'from:1',
  'from:2',
  'to:1',
  'lang:zh-CN',
  'lang:en',
  'is:reply',
  'is:quote',
  'is:repost',
  'is:verified',
  'has:hashtags',
  'has:cashtags',
  'has:mentions',
  'has:links',
  'has:media',
  'has:images',
  'has:video_link',
  'min_likes:5',
  'conversation_id:77',
  'in_reply_to_post_id:55',
  'quotes_of_post_id:66',
  'reposts_of_post_id:44',
  'reposts_of:9',
  'has:geo',
  'place_country:DE',
  'place:munich',
  ...AREAS,
]

/**
 * Characters that tags may contain besides letters and digits, some of which a normal form changes,
 * and a few letters.
 */
const TAG_CHARACTERS = [
  ...'_\u200c\u200d\ua67e\u05be\u05f3\u05f4\uff5e\u301c\u309b\u309c\u30a0\u30fb\u3003\u0f0b\u0f0c\u00b7aZßς٣éﬁ中ｶ',
]

interface GeneratedPost {
  row: IndexedRow
  post: MatchablePost
}

/** A large city, a small one near it, a postal code, and a place without an area. */
const places = ['Munich, ', 'Dachau, ', '10001, ', 'Bavaria, '].map((start) => {
  const found = locations().find(({ name }) => name.startsWith(start))
  assert.ok(found, start)
  return found
})

/** A place as the evaluator sees it: its corners. */
function placeOf(location: Location): MatchablePlace {
  const { id, name, countryCode } = location
  const box = boxOfLocation(location)
  const { west, south, east, north } = box ?? { west: 0, south: 0, east: 0, north: 0 }
  const polygon = [west, east].flatMap((x) => [south, north].map((y) => [x, y] as const))
  return { id, name: String(name.split(',')[0]), fullName: name, countryCode, polygon: box ? polygon : [] }
}

function madeText(random: () => number): string {
  const length = 1 + Math.floor(random() * 6)
  return Array.from({ length }, () => pick(random, random() < 0.7 ? WORDS : TAGS)).join(' ')
}

function madePost(random: () => number, n: number, text = madeText(random)): GeneratedPost {
  const read = readEntities(text)
  const maybe = <T>(value: T, share = 0.25) => (random() < share ? value : null)
  const reposted = maybe('44', 0.15)
  const reply = maybe('55')
  const quoted = maybe('66')
  const media = pick(random, [[], [], ['3_1'], ['7_1'], ['16_1', '3_2']])
  const author = pick(random, ['1', '2'])
  const lang = pick(random, ['en', 'zh', 'ja'])
  const likes = Math.floor(random() * 10)
  const verified = author === '2'
  const conversation = pick(random, ['77', '78'])
  const place = maybe(pick(random, places), 0.6)
  const point = maybe([11.5 + random() / 5, 48.1 + random() / 10] as const, 0.3)
  const id = idAt(atMs(n), 0, n % 4096)
  const names = { name: '', description: '', location: '' }
  const counts = { followersCount: 0, followingCount: 0, postsCount: 0, listedCount: 0 }
  const row = {
    id,
    environment: 'production',
    author_id: author,
    visibility: 0,
    deleted: 0,
    public: 1,
    author_verified: Number(verified),
    author_location: '',
    text,
    lang,
    entities: JSON.stringify({
      ...read,
      mentions: read.mentions.map((mention) => ({ ...mention, id: '1' })),
    }),
    conversation_id: conversation,
    in_reply_to_post_id: reply,
    in_reply_to_user_id: reply && '1',
    quoted_post_id: quoted,
    reposted_post_id: reposted,
    reposted_author_id: reposted && '9',
    media_keys: JSON.stringify(media),
    nullcast: 0,
    place_id: place?.id ?? null,
    longitude: point?.[0] ?? null,
    latitude: point?.[1] ?? null,
    like_count: likes,
    reply_count: 0,
    repost_count: 0,
    context_annotations: null,
  } as unknown as IndexedRow
  const user = (id: string) => ({ id, username: `user${id}` })
  const post: MatchablePost = {
    id,
    author: { ...user(author), ...names, ...counts, verified },
    text,
    words: wordsOf(text, read.urls),
    hashtags: read.hashtags.map(({ tag }) => tag),
    cashtags: read.cashtags.map(({ tag }) => tag),
    mentions: read.mentions.map(({ username }) => username),
    links: read.urls.map(({ url, expanded_url }) => ({ addresses: [url, expanded_url] })),
    lang,
    media: media.map((key) =>
      key.startsWith('3_') ? 'photo' : key.startsWith('7_') ? 'video' : 'animated_gif',
    ),
    conversationId: conversation,
    ...(reply !== null && { repliesTo: { id: reply }, addressee: user('1') }),
    ...(reposted !== null && { repostOf: { id: reposted, author: user('9') } }),
    ...(quoted !== null && {
      quotes: { id: quoted, text: '', words: [], hashtags: [], cashtags: [], mentions: [], links: [] },
    }),
    ...(place && { place: placeOf(place) }),
    ...(point && { point }),
    contexts: [],
    entities: [],
    source: { name: '', address: '' },
    nullcast: false,
    likeCount: likes,
    replyCount: 0,
    repostCount: 0,
  }
  return { row, post }
}

function madeQuery(random: () => number, depth = 0): string {
  const clause = () => {
    const clause = pick(random, random() < 0.6 ? WORDS.map((word) => `"${word}"`) : CLAUSES)
    return random() < 0.2 ? `-${clause}` : clause
  }
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    depth < 2 && random() < 0.3 ? `(${madeQuery(random, depth + 1)})` : clause(),
  )
  return parts.join(random() < 0.4 ? ' OR ' : ' ')
}

/** Short and long windows, with a limit or none. */
function madeWindow(
  random: () => number,
  made: readonly GeneratedPost[],
): { window: SearchWindow; limit: number } {
  const limit = random() < 0.5 ? POSTS : 1 + Math.floor(random() * 5)
  if (random() < 0.4) return { window: EVER, limit }
  const at = random() * made.length
  const to = at + random() ** 2 * (made.length - at)
  const idOf = (n: number) =>
    String(BigInt((made[Math.floor(n)] as GeneratedPost).row.id) + (random() < 0.3 ? 1n : 0n))
  return { window: { from: idOf(at), before: idOf(to) }, limit }
}

const isIn = (id: string, { from, before }: SearchWindow) =>
  BigInt(id) >= BigInt(from) && BigInt(id) < BigInt(before)

/** The counts of ids by UTC hour, oldest first. */
function countsOf(ids: readonly string[]): SearchCount[] {
  const counts = new Map<number, number>()
  for (const id of ids) {
    const start = Math.floor(timeOfId(id) / HOUR_MS) * HOUR_MS
    counts.set(start, (counts.get(start) ?? 0) + 1)
  }
  return [...counts].map(([start, count]) => ({ start, count }))
}

const schema = `plaza_test_${randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')}`
const kinds = [
  { name: 'embedded', skip: false, location: { kind: 'memory' } },
  {
    name: 'PostgreSQL',
    skip: stages.find(({ name }) => name.startsWith('PostgreSQL'))?.skip ?? false,
    location: { kind: 'postgres', url: POSTGRES_URL, schema },
  },
] as const

for (const { name, skip, location } of kinds) {
  describe(`the index and the evaluator of queries: ${name}`, { skip }, () => {
    let store: Store
    let index: SearchIndex
    /** The same with few candidates at a time. */
    let bounded: SearchIndex
    before(async () => {
      store = await openStore(location, { clock: systemClock, onError: () => undefined })
      const open = (limits?: CandidateLimits) =>
        location.kind === 'memory' ? sqliteSearchIndex(undefined, limits) : postgresSearchIndex(store, limits)
      index = open()
      bounded = open({ found: 20, counted: 10_000 })
    })
    after(async () => {
      await index.close()
      await bounded.close()
      await store.close()
      if (location.kind === 'postgres') await dropSchema(schema)
    })

    test('find and count the same posts, in every script, for every query and window', async () => {
      const random = fractions(seededRandom('search'))
      const made = Array.from({ length: POSTS }, (_, n) => madePost(random, n))
      for (const searched of [index, bounded])
        await searched.apply(
          await searchChangesOf(
            made.map(({ row }) => changeOf(row)),
            'US',
          ),
        )
      let compared = 0
      let hits = 0
      const compare = async (text: string, { window, limit }: ReturnType<typeof madeWindow>) => {
        const parsed = parseQuery(text, { for: 'search/all' })
        if (!parsed.ok) return 0
        const all = made.filter(({ post }) => isIn(post.id, window) && matches(parsed.query, post))
        const expected = all.map(({ post }) => post.id)
        const expression = await expressionOf(parsed.query, { store, viewer: undefined })
        const { found } = await index.find(expression, window, limit)
        const told = `${text} ${JSON.stringify(window)} ${limit}`
        assert.deepEqual(found.map(({ id }) => id).reverse(), expected.slice(-limit), told)
        assert.deepEqual(await index.count(expression, window, HOUR_MS), countsOf(expected), told)
        // In pages of few candidates too, without a gap.
        const paged: string[] = []
        for (let rest: SearchWindow | undefined = window; rest && paged.length < limit; ) {
          const page = await bounded.find(expression, rest, limit - paged.length)
          paged.push(...page.found.map(({ id }) => id))
          assert.ok(!page.rest || BigInt(page.rest.before) < BigInt(rest.before), told)
          rest = page.rest
        }
        assert.deepEqual(paged.reverse(), expected.slice(-limit), told)
        assert.deepEqual(await bounded.count(expression, window, HOUR_MS), countsOf(expected), told)
        compared++
        hits += expected.length
        return expected.length
      }
      for (let n = 0; n < QUERIES; n++) await compare(madeQuery(random), madeWindow(random, made))
      assert.ok(compared > QUERIES / 4, `only ${compared} queries could be compared`)
      const byArea: number[] = []
      for (const area of AREAS) byArea.push(await compare(area, { window: EVER, limit: POSTS }))
      assert.equal(new Set(byArea).size, 5, 'areas find different posts, and some none')
      assert.ok(hits > compared, `only ${hits} posts were found`)
    })

    test('a post is found by each of its tags and mentions, whatever characters they have', async () => {
      const random = fractions(seededRandom('tags'))
      const randomTag = () => Array.from({ length: 6 }, () => pick(random, TAG_CHARACTERS)).join('')
      const tags = [
        ...[
          'می‌خواهم',
          'a・b',
          'क्‍ष',
          'l·l',
          'צה״ל',
          'ג׳ירפה',
          'ｗａｖｅ〜',
          'ばか゛',
          'བོད་ཡིག',
          '꙾b',
          '\u{20000}x',
          'é_1',
        ],
        ...Array.from({ length: 200 }, () => `${randomTag()}a`),
      ].map((tag) => `#${tag}`)
      const rest = ['＃full', '$ABC.de', '$a_b', '$ToLong', '@ada', '＠Bob_1', '@fifteen_letters']
      const texts = [...tags, ...rest]
      await index.clear()
      const made = texts.map((text, n) => madePost(random, n, `is ${text} here`))
      const plain = made.map(({ row, post }): GeneratedPost => {
        const { repostOf: _, ...own } = post
        return { row: { ...row, reposted_post_id: null, reposted_author_id: null }, post: own }
      })
      await index.apply(
        await searchChangesOf(
          plain.map(({ row }) => changeOf(row)),
          'US',
        ),
      )
      for (const { post } of plain) {
        const [sign, name] = [
          ...post.hashtags.map((tag) => ['#', tag]),
          ...post.cashtags.map((tag) => ['$', tag]),
          ...post.mentions.map((name) => ['@', name]),
        ][0] as [string, string]
        const text = `${sign}${name}`
        const parsed = parseQuery(text, { for: 'search/all' })
        const rule = parseQuery(text, { for: 'stream' })
        assert.ok(parsed.ok && rule.ok, text)
        assert.equal(
          parsed.query.root.kind === 'clause' && Reflect.get(parsed.query.root.condition, 'text'),
          name,
        )
        assert.ok(matches(parsed.query, post) && matches(rule.query, post), text)
        const rules = new RuleIndex<{ id: string }>()
        rules.add({ id: text }, rule.query)
        assert.deepEqual(rules.match(post), [{ id: text }])
        const { found } = await index.find(
          await expressionOf(parsed.query, { store, viewer: undefined }),
          EVER,
          POSTS,
        )
        assert.ok(
          found.some(({ id }) => id === post.id),
          text,
        )
      }
      const shown = plain.flatMap(({ post }) => [...post.hashtags, ...post.cashtags, ...post.mentions])
      assert.equal(shown.length, texts.length)
      assert.deepEqual(shown.slice(0, 3), ['می‌خواهم', 'a・b', 'क्‍ष'])
    })
  })
}
