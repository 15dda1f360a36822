import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { weightOf } from '../../domain/posts/weight.ts'
import { type FoundEntity, findEntities } from './parser.ts'

// The entities of a text according to the published rules for posts: which links, names and tags
// are found, and which are not.

type Case = readonly [text: string, ...found: string[]]

function check(kind: FoundEntity['kind'], cases: readonly Case[]): void {
  for (const [text, ...expected] of cases)
    test(text, () => {
      const found = [...findEntities(text)].filter((entity) => entity.kind === kind)
      assert.deepEqual(
        found.map(({ value }) => value),
        expected,
      )
      // The position is that of the value, with its sign.
      for (const { start, end, value } of found)
        assert.equal(text.slice(start, end).slice(kind === 'link' ? 0 : 1), value)
    })
}

describe('links', () =>
  check('link', [
    // With a scheme, and without one for a known top-level domain.
    ['see http://example.com', 'http://example.com'],
    ['HTTPS://EXAMPLE.COM/A', 'HTTPS://EXAMPLE.COM/A'],
    ['see example.com and example.org/path', 'example.com', 'example.org/path'],
    ['ftp://example.com is none'],
    ['example.notatld is none'],
    ['foo.baz foo.co.jp www.xxxxxxx.baz', 'foo.co.jp'],
    ['example.photography t.co', 'example.photography', 't.co'],
    ['file.md is a domain of Moldova', 'file.md'],
    ['1.2.3.4 and v1.0 are none'],
    // Punctuation after a link is not part of it.
    ['Is it http://example.com? Yes, http://example.com.', 'http://example.com', 'http://example.com'],
    [
      'http://example.com/a, http://example.com/b; http://example.com/c!',
      'http://example.com/a',
      'http://example.com/b',
      'http://example.com/c',
    ],
    ['(http://example.com/a)', 'http://example.com/a'],
    ['"http://example.com/a"', 'http://example.com/a'],
    [
      'http://example.com/a_(b) and http://example.com/a_(b)_c',
      'http://example.com/a_(b)',
      'http://example.com/a_(b)_c',
    ],
    ['http://example.com/a/…', 'http://example.com/a/'],
    ['http://example.com/a-b/?c=d&e=f#g', 'http://example.com/a-b/?c=d&e=f#g'],
    ['http://example.com:8080/a', 'http://example.com:8080/a'],
    ['http://example.com/#!/a', 'http://example.com/#!/a'],
    ['http://example.com?a=b', 'http://example.com?a=b'],
    ['http://example.com/?a=$b|c', 'http://example.com/?a=$b|c'],
    ['http://example.com/~a', 'http://example.com/~a'],
    ['http://example.com/a@b', 'http://example.com/a@b'],
    // Names of hosts.
    ['http://a-b.example.com', 'http://a-b.example.com'],
    ['http://a_b.example.com', 'http://a_b.example.com'],
    ['http://example_c.com'],
    ['http://-example.com'],
    ['http://exa-.com'],
    // International names.
    ['http://müller.example.com/ä', 'http://müller.example.com/ä'],
    ['http://例え.テスト is none of a known domain'],
    ['http://例え.jp', 'http://例え.jp'],
    ['http://президент.рф', 'http://президент.рф'],
    // An ASCII-encoded top-level domain is accepted as known.
    ['http://xn--r8jz45g.xn--zckzah', 'http://xn--r8jz45g.xn--zckzah'],
    ['http://xn--e1afmkfd.xn--p1ai', 'http://xn--e1afmkfd.xn--p1ai'],
    // The path of a link ends before letters of scripts without spaces.
    ['https://ja.wikipedia.org/wiki/日本', 'https://ja.wikipedia.org/wiki/'],
    // Next to letters of scripts without spaces.
    ['見てhttp://example.comください', 'http://example.com'],
    ['これはhttp://example.com/です', 'http://example.com/'],
    ['見てexample.comね', 'example.com'],
    ['http://example.com。次', 'http://example.com'],
    ['「http://example.com」', 'http://example.com'],
    // Not links.
    ['me@example.com'],
    ['@example.com'],
    ['#example.com'],
    ['$http://example.com'],
    ['ahttp://example.com'],
    ['http://'],
    ['http:// example.com', 'example.com'],
  ]))

describe('hashtags', () =>
  check('hashtag', [
    ['#tag #Tag2 ＃full', 'tag', 'Tag2', 'full'],
    ['#1 #123 #1a', '1a'],
    ['#a_b #_ab #a-b', 'a_b', '_ab', 'a'],
    ['a#tag'],
    ['&#nbsp;'],
    ['(#tag) "#tag" .#tag', 'tag', 'tag', 'tag'],
    ['#tag#other'],
    ['#tag. #tag, #tag!', 'tag', 'tag', 'tag'],
    ["#it's", 'it'],
    ['http://example.com/#tag'],
    ['#http://example.com'],
    ['#café #naïve #Größe', 'café', 'naïve', 'Größe'],
    ['#日本 #ハッシュタグ #ハッシュ・タグ', '日本', 'ハッシュタグ', 'ハッシュ・タグ'],
    ['これは#日本 です'],
    ['これは #日本、です', '日本'],
    ['#한국어 #안녕', '한국어', '안녕'],
    ['#русский #їжак', 'русский', 'їжак'],
    ['#العربية #سلام', 'العربية', 'سلام'],
    ['#ไทย #ภาษาไทย', 'ไทย', 'ภาษาไทย'],
    ['#हिन्दी #தமிழ்', 'हिन्दी', 'தமிழ்'],
    // Hebrew with its abbreviation marks.
    ['#עברית #צה״ל #צ׳כיה', 'עברית', 'צה״ל', 'צ׳כיה'],
    // The middle dot of Catalan.
    ['#il·lusió #col·legi', 'il·lusió', 'col·legi'],
    // Tibetan with its marks between syllables.
    ['#བོད་སྐད', 'བོད་སྐད'],
    // Joiners connect words in Persian and Sinhala.
    ['#می\u200cخواهم', 'می\u200cخواهم'],
    ['#ශ්‍රී', 'ශ්‍රී'],
    // A keycap is not a tag, and a selector does not end one.
    ['#️⃣'],
    ['#⃣ keycap'],
    ['#tag❤️', 'tag'],
  ]))

describe('mentions', () =>
  check('mention', [
    ['@ava @Ben_2 ＠cleo', 'ava', 'Ben_2', 'cleo'],
    ['.@ava (@ben) "@cleo"', 'ava', 'ben', 'cleo'],
    ['RT @ava: hello', 'ava'],
    ['RT@ava hello', 'ava'],
    ['rt:@ava', 'ava'],
    ['art@ava'],
    ['me@example.com a@b'],
    ['@@ava'],
    ['@ava@ben'],
    ['@ava/list'],
    ['@ava, @ben! @cleo?', 'ava', 'ben', 'cleo'],
    ["@ava's post", 'ava'],
    ['@sixteen_letters_'],
    ['@fifteen_letter', 'fifteen_letter'],
    ['@avaé'],
    ['こんにちは@avaさん', 'ava'],
    ['@avaさん', 'ava'],
    ['!@ava #@ava $@ava'],
    ['-@ava', 'ava'],
  ]))

describe('cashtags', () =>
  check('cashtag', [
    ['$ABC $abc', 'ABC', 'abc'],
    ['$ABCDEF $ABCDEFG', 'ABCDEF'],
    ['$BRK.A $BRK_B $BRK.AB', 'BRK.A', 'BRK_B', 'BRK.AB'],
    ['$100 $1A'],
    ['US$ABC a$ABC'],
    ['($ABC) $ABC, $ABC.', 'ABC', 'ABC'],
    ['$$ABC'],
    ['http://example.com/$ABC'],
  ]))

describe('weights', () => {
  const cases: readonly (readonly [text: string, weight: number])[] = [
    ['', 0],
    ['abc', 3],
    ['ä', 1],
    ['a\u0308', 1],
    ['é’“”…', 4 + 2],
    ['Привет', 6],
    ['سلام', 4],
    ['नमस्ते', 6],
    ['ไทย', 3],
    ['日本', 4],
    ['ひらがな', 8],
    ['한국', 4],
    ['ｆｕｌｌ', 8],
    ['😀', 2],
    ['👍🏽', 2],
    ['👨‍👩‍👧‍👦', 2],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
    ['🇩🇪🇫🇷', 4],
    ['❤️', 2],
    ['1️⃣', 2],
    ['𝒳', 2],
    ['http://example.com', 23],
    ['https://example.com/a/very/long/path/that/goes/on', 23],
    ['a example.com b', 27],
    ['example.com example.org', 47],
    ['\u200b', 1],
    ['€', 2],
    ['←', 2],
  ]
  for (const [text, weight] of cases) test(JSON.stringify(text), () => assert.equal(weightOf(text), weight))
})
