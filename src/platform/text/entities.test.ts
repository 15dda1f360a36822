import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { entitiesBefore, lengthOf, readEntities } from './entities.ts'
import { findLinks } from './find-links.ts'

const SEED = 20_260_301

const tags = (text: string) => readEntities(text).hashtags.map(({ tag }) => tag)
const names = (text: string) => readEntities(text).mentions.map(({ username }) => username)
const symbols = (text: string) => readEntities(text).cashtags.map(({ tag }) => tag)
const links = (text: string) => readEntities(text).urls.map(({ url }) => url)

describe('entities of a text', () => {
  test('places are code points, the end exclusive', () => {
    const text = '👍 #One @two $THREE https://example.com/4'
    const { hashtags, mentions, cashtags, urls } = readEntities(text)
    assert.deepEqual(hashtags, [{ start: 2, end: 6, tag: 'One' }])
    assert.deepEqual(mentions, [{ start: 7, end: 11, username: 'two' }])
    assert.deepEqual(cashtags, [{ start: 12, end: 18, tag: 'THREE' }])
    assert.deepEqual(urls, [
      {
        start: 19,
        end: 40,
        url: 'https://example.com/4',
        expanded_url: 'https://example.com/4',
        display_url: 'example.com/4',
      },
    ])
  })

  test('a text that ends early has the entities that it contains whole', () => {
    const all = { ...readEntities('#One Ada'), mentions: [], annotations: [{ start: 5, end: 7 }] }
    for (const [end, hashtags, names] of [
      [8, 1, 1],
      [7, 1, 0],
      [3, 0, 0],
    ] as const) {
      const before = entitiesBefore(all, end)
      assert.deepEqual([before.hashtags.length, before.annotations?.length], [hashtags, names])
    }
  })

  test('hashtags have a letter, in any writing system', () => {
    assert.deepEqual(tags('#a #1 #2b #_c ＃日本語 #Ünlü_1 #हिन्दी'), [
      'a',
      '2b',
      '_c',
      '日本語',
      'Ünlü_1',
      'हिन्दी',
    ])
  })
  test('a hash inside a word, behind an ampersand or in a link is not a hashtag', () => {
    assert.deepEqual(tags('a#b &#c https://example.com/#d #e#f #g://h'), [])
  })
  test('mentions are screen names', () => {
    assert.deepEqual(names('@a, .@b_1 ＠c! @abcdefghijklmno'), ['a', 'b_1', 'c', 'abcdefghijklmno'])
  })
  test('addresses of mail, too long names and names in a link are no mentions', () => {
    assert.deepEqual(names('a@example.com @abcdefghijklmnop https://example.com/@d @é @@f'), [])
  })
  test('cashtags are short symbols', () => {
    assert.deepEqual(symbols('$A $TSLA $brk.a $1 $TOOLONGS a$b $$C'), ['A', 'TSLA', 'brk.a'])
  })
})

describe('links of a text', () => {
  const cases: [string, string[]][] = [
    ['https://example.com', ['https://example.com']],
    ['HTTP://EXAMPLE.COM/A?b=c#d', ['HTTP://EXAMPLE.COM/A?b=c#d']],
    ['(https://example.com/a_(b))', ['https://example.com/a_(b)']],
    ['https://example.com/a, https://example.com/b.', ['https://example.com/a', 'https://example.com/b']],
    ['example.com and www.example.org/path', ['example.com', 'www.example.org/path']],
    ['見てhttps://example.com/xを', ['https://example.com/x']],
    ['見て https://example.com/xを', ['https://example.com/x']],
    ['e.g. a file.txt', []],
    ['this.is a domain', ['this.is']],
    ['example.it is a link, and example.it/a too', ['example.it', 'example.it/a']],
    ['mail me@example.com', []],
    ['https://localhost/ http:// https://.com', []],
    ['http://example.com:8080/', ['http://example.com:8080/']],
    ['http://xn--p1ai.xn--p1ai/', ['http://xn--p1ai.xn--p1ai/']],
  ]
  for (const [text, expected] of cases) {
    test(text, () => assert.deepEqual(links(text), expected))
  }
  test('a bare domain leads to its address; long ones are shown cut', () => {
    const [url] = readEntities('example.com').urls
    assert.equal(url?.expanded_url, 'http://example.com')
    const [long] = readEntities(`https://www.example.com/${'a'.repeat(50)}`).urls
    assert.equal(long?.display_url, `example.com/${'a'.repeat(15)}…`)
  })
})

test('whatever a text holds, its entities are where they say, and do not overlap links', () => {
  const piece = fc.constantFrom(
    'a',
    '#b',
    '@c',
    '$D',
    ' ',
    '😀',
    'https://e.com/f',
    '.',
    '(',
    ')',
    'é',
    '中',
    '/',
    '#',
    '@',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      const points = [...text]
      assert.equal(lengthOf(text), points.length)
      const at = ({ start, end }: { start: number; end: number }) => points.slice(start, end).join('')
      const { hashtags, mentions, cashtags, urls } = readEntities(text)
      for (const hashtag of hashtags) assert.equal(at(hashtag), `#${hashtag.tag}`)
      for (const mention of mentions) assert.equal(at(mention), `@${mention.username}`)
      for (const cashtag of cashtags) assert.equal(at(cashtag), `$${cashtag.tag}`)
      for (const url of urls) assert.equal(at(url), url.url)
      for (const entity of [...hashtags, ...mentions, ...cashtags])
        assert.ok(urls.every(({ start, end }) => entity.end <= start || entity.start >= end))
    }),
    { seed: SEED },
  )
})

test('a text of nothing but brackets is read in one pass', () => {
  const text = `https://example.com/${')'.repeat(20_000)}`
  assert.deepEqual([...findLinks(text)], [{ start: 0, end: 20 }])
})

test('links are found however long the word is', () => {
  const dots = '中.'.repeat(2_048)
  assert.deepEqual([...findLinks(`${dots}https://example.com/`)], [{ start: 4_096, end: 4_116 }])
  assert.deepEqual([...findLinks(`${dots} https://example.com/`)], [{ start: 4_097, end: 4_117 }])
})
