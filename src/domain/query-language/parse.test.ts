import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queryNames } from './names.ts'
import { OPERATORS } from './operators.ts'
import { parseQuery } from './parse.ts'
import { printQuery } from './print.ts'
import type { Node, QueryAccess, QueryError, QueryUse } from './query.ts'

type Tree = string | { and: Tree[] } | { or: Tree[] }

function treeOf(node: Node): Tree {
  if (node.kind !== 'clause') {
    const nodes = node.nodes.map(treeOf)
    return node.kind === 'and' ? { and: nodes } : { or: nodes }
  }
  const { operator, ...rest } = node.condition
  return `${node.negated ? 'not ' : ''}${operator} ${Object.values(rest)
    .map((error) => JSON.stringify(error))
    .join(' ')}`
}

function read(text: string, use: QueryUse = 'stream', access: QueryAccess = 'enterprise') {
  const parsed = parseQuery(text, { for: use, access })
  assert.ok(parsed.ok, parsed.ok ? '' : `${text}: ${parsed.errors[0].message}`)
  return parsed.query
}

function errorsOf(text: string, use: QueryUse = 'stream', access: QueryAccess = 'self-serve') {
  const parsed = parseQuery(text, { for: use, access })
  return parsed.ok ? [] : parsed.errors
}

const word = (text: string) => `keyword "${text}" ["${text}"]`

describe('the grammar', () => {
  const trees: Record<string, Tree> = {
    cat: word('cat'),
    'cat dog': { and: [word('cat'), word('dog')] },
    'cat OR dog': { or: [word('cat'), word('dog')] },
    'a1 OR b1 c1': { or: [word('a1'), { and: [word('b1'), word('c1')] }] },
    'a1 b1 OR c1': { or: [{ and: [word('a1'), word('b1')] }, word('c1')] },
    '(a1 OR b1) c1': { and: [{ or: [word('a1'), word('b1')] }, word('c1')] },
    'a1 (b1 (c1 d1))': { and: [word('a1'), word('b1'), word('c1'), word('d1')] },
    'a1 OR (b1 OR c1)': { or: [word('a1'), word('b1'), word('c1')] },
    '((cat))': word('cat'),
    '(cat)(dog)': { and: [word('cat'), word('dog')] },
    'cat -dog': { and: [word('cat'), 'not keyword "dog" ["dog"]'] },
    'cat -"big dog"': { and: [word('cat'), 'not phrase "big dog" ["big","dog"]'] },
    'cat (-dog -bird)': { and: [word('cat'), 'not keyword "dog" ["dog"]', 'not keyword "bird" ["bird"]'] },
    'cat -from:ada': { and: [word('cat'), 'not from "ada" "ada"'] },
    'CAT or Dog': { and: ['keyword "CAT" ["cat"]', word('or'), 'keyword "Dog" ["dog"]'] },
    'cat or': { and: [word('cat'), word('or')] },
    '"say \\"hi\\" \\\\ now"': 'phrase "say \\"hi\\" \\\\ now" ["say","hi","now"]',
    'coca-cola at&t node.js': {
      and: [
        'keyword "coca-cola" ["coca","cola"]',
        'keyword "at&t" ["at","t"]',
        'keyword "node.js" ["node","js"]',
      ],
    },
    '🎉': word('🎉'),
    '👍🏽': word('👍🏽'),
    'cat\t\n dog\u3000bird': { and: [word('cat'), word('dog'), word('bird')] },
  }
  for (const [text, tree] of Object.entries(trees)) {
    test(`${JSON.stringify(text)} reads as its tree`, () => assert.deepEqual(treeOf(read(text).root), tree))
  }

  test('positions count code points from 1', () => {
    const { root, length, clauses } = read('🎉 (cat OR dog)')
    assert.equal(root.kind, 'and')
    assert.deepEqual([root.position, root.end, length, clauses], [1, 14, 14, 3])
    const group = root.kind === 'and' ? root.nodes[1] : undefined
    assert.deepEqual([group?.position, group?.end], [4, 14])
  })
})

/** An operator, its condition, and how it is printed when that differs. */
const READ: readonly (readonly [string, Tree, string?])[] = [
  ['"big cat"~3', 'proximity "big cat" ["big","cat"] 3'],
  ['#Cats', 'hashtag "Cats" "cats"'],
  ['＃猫', 'hashtag "猫" "猫"', '#猫'],
  ['$BRK.A', 'cashtag "BRK.A" "brk.a"'],
  ['@Ada_1', 'mention "Ada_1" "ada_1"'],
  ['from:Ada', 'from "Ada" "ada"'],
  ['from:12', 'from "12" "12"'],
  ['FROM:ada', 'from "ada" "ada"', 'from:ada'],
  ['to:ada', 'to "ada" "ada"'],
  ['from_affiliate_of:acme', 'from_affiliate_of "acme" "acme"'],
  ['to_affiliate_of:acme', 'to_affiliate_of "acme" "acme"'],
  ['reposts_of:ada', 'reposts_of "ada" "ada"'],
  ['reposts_of_user:ada', 'reposts_of "ada" "ada"', 'reposts_of:ada'],
  ['in_reply_to_post_id:7', 'in_reply_to_post_id "7"'],
  ['in_reply_to_status_id:7', 'in_reply_to_post_id "7"', 'in_reply_to_post_id:7'],
  ['reposts_of_post_id:7', 'reposts_of_post_id "7"'],
  ['reposts_of_status_id:7', 'reposts_of_post_id "7"', 'reposts_of_post_id:7'],
  ['conversation_id:7', 'conversation_id "7"'],
  ['url:example', 'url "example" ["example"]'],
  ['url:"https://example.com/a"', 'url "https://example.com/a" ["https","example","com","a"]'],
  ['url:example.com', 'url "example.com" ["example","com"]'],
  ['url_title:"a b"', 'url_title "a b" ["a","b"]'],
  ['within_url_title:b', 'url_title "b" ["b"]', 'url_title:b'],
  ['url_description:b', 'url_description "b" ["b"]'],
  ['within_url_description:b', 'url_description "b" ["b"]', 'url_description:b'],
  ['url_contains:"/News/"', 'url_contains "/News/"'],
  ['context:10.799', 'context "10" "799"'],
  ['context:10.*', 'context "10" "*"'],
  ['context:*.799', 'context "*" "799"'],
  ['entity:"Ada Lovelace"', 'entity "Ada Lovelace" ["ada","lovelace"]'],
  ['bio:dev', 'bio "dev" ["dev"]'],
  ['user_bio:dev', 'bio "dev" ["dev"]', 'bio:dev'],
  ['bio_name:ada', 'bio_name "ada" ["ada"]'],
  ['bio_location:rome', 'bio_location "rome" ["rome"]'],
  ['user_bio_location:rome', 'bio_location "rome" ["rome"]', 'bio_location:rome'],
  ['place:"new york"', 'place "new york" ["new","york"]'],
  ['place_country:us', 'place_country "US"', 'place_country:US'],
  ['point_radius:[2.35 48.86 16km]', 'point_radius [2.35,48.86] 16 "km"'],
  ['point_radius:[-2.35 -48.86 0.5mi]', 'point_radius [-2.35,-48.86] 0.5 "mi"'],
  ['bounding_box:[-105.3 39.96 -105.1 40.09]', 'bounding_box [-105.3,39.96] [-105.1,40.09]'],
  [
    'geo_bounding_box:[-105.3 39.96 -105.1 40.09]',
    'bounding_box [-105.3,39.96] [-105.1,40.09]',
    'bounding_box:[-105.3 39.96 -105.1 40.09]',
  ],
  ['embedding:"late trains"', 'embedding "late trains"'],
]

/** Operators that need another beside them. */
const READ_JOINED: readonly (readonly [string, Tree, string?])[] = [
  ['is:repost', 'is "repost"'],
  ['is:reply', 'is "reply"'],
  ['is:quote', 'is "quote"'],
  ['is:verified', 'is "verified"'],
  ['-is:nullcast', 'not is "nullcast"'],
  ['has:hashtags', 'has "hashtags"'],
  ['has:cashtags', 'has "cashtags"'],
  ['has:symbols', 'has "cashtags"', 'has:cashtags'],
  ['has:links', 'has "links"'],
  ['has:mentions', 'has "mentions"'],
  ['has:geo', 'has "geo"'],
  ['has:media', 'has "media"'],
  ['has:media_link', 'has "media"', 'has:media'],
  ['has:images', 'has "images"'],
  ['has:video_link', 'has "video_link"'],
  ['has:videos', 'has "video_link"', 'has:video_link'],
  ['lang:zh-CN', 'lang "zh-cn"', 'lang:zh-cn'],
  ['lang:und', 'lang "und"'],
  ['sample:10', 'sample 10'],
  ['min_followers:10', 'min_followers 10'],
  ['followers_count:500', 'followers_count 500'],
  ['followers_count:1..500', 'followers_count 1 500'],
  ['following_count:1', 'following_count 1'],
  ['friends_count:1', 'following_count 1', 'following_count:1'],
  ['posts_count:1', 'posts_count 1'],
  ['statuses_count:1', 'posts_count 1', 'posts_count:1'],
  ['listed_count:1', 'listed_count 1'],
  ['user_in_lists_count:1', 'listed_count 1', 'listed_count:1'],
  ['source:"Plaza Web"', 'source "Plaza Web" ["plaza","web"]'],
]

/** Operators of search alone. */
const READ_IN_SEARCH: readonly (readonly [string, Tree, string?])[] = [
  ['quotes_of_post_id:7', 'quotes_of_post_id "7"'],
  ['quotes_of_status_id:7', 'quotes_of_post_id "7"', 'quotes_of_post_id:7'],
  ['list:84', 'list "84"'],
  ['min_likes:0', 'min_likes 0'],
  ['min_replies:5', 'min_replies 5'],
  ['min_reposts:5', 'min_reposts 5'],
]

describe('each operator reads as its condition, and is printed as it is read', () => {
  for (const [text, tree, printed = text] of READ)
    test(text, () => {
      assert.deepEqual(treeOf(read(text).root), tree)
      assert.equal(printQuery(read(text)), printed)
    })
  for (const [text, tree, printed = text] of READ_JOINED)
    test(text, () => {
      assert.deepEqual(treeOf(read(`cat ${text}`).root), { and: [word('cat'), tree] })
      assert.equal(printQuery(read(`cat ${text}`)), `cat ${printed}`)
    })
  for (const [text, tree, printed = text] of READ_IN_SEARCH)
    test(text, () => {
      assert.deepEqual(treeOf(read(text, 'search/recent').root), tree)
      assert.equal(printQuery(read(text, 'search/recent')), printed)
      assert.equal(errorsOf(text, 'stream', 'enterprise').length, 1)
    })
  test('contains: and has:lang in rules of the powerstream, and only there', () => {
    const text = 'contains:"3:15 PM" has:lang has:videos'
    assert.equal(printQuery(read(text, 'powerstream')), 'contains:"3:15 PM" has:lang has:video_link')
    const hint = 'It works in rules of the powerstream.'
    for (const use of ['stream', 'search/all'] as const) {
      const [error] = errorsOf('contains:phone', use, 'enterprise')
      assert.deepEqual([error?.message, error?.hint], [unavailable('contains', 1), hint])
      const [other] = errorsOf('cat has:lang', use, 'enterprise')
      assert.equal(other?.message, unavailable('has:lang', 5))
      assert.ok(!other?.hint?.includes('has:lang'), other?.hint)
    }
  })
  test('embedding_threshold:0.5', () => {
    const text = 'embedding:"late trains" embedding_threshold:0.5'
    assert.equal(printQuery(read(text)), text)
  })
  test('every operator of the table is tried', () => {
    const tried = [...READ, ...READ_JOINED, ...READ_IN_SEARCH].map(([text]) => text).join(' ')
    const names = [...OPERATORS].flatMap(([name, { aliases = [] }]) => [name, ...aliases])
    const missing = names.filter((name) => !new RegExp(`(^| |-)${name}:`, 'i').test(tried))
    assert.deepEqual(missing, ['contains', 'embedding_threshold'])
  })
})

const BOTH = 'docs/reference/query-language.md'
const unavailable = (name: string, position: number) =>
  `Reference to invalid operator '${name}'. Operator is not available in current product or product packaging. Please refer to complete available operator list at ${BOTH} (at position ${position})`
const STANDALONE =
  'Each side of OR needs a keyword, #hashtag, @mention, from: or another standalone operator.'
const ALONE =
  'Add a clause that posts must match: a keyword, #hashtag, @mention, from: or another standalone operator.'

/** A query, the position of its error, the message and the hint. */
const WRONG: readonly (readonly [string, number, string, string?, QueryUse?])[] = [
  ['', 1, "no viable alternative at input '<EOF>' (at position 1)"],
  ['   ', 4, "no viable alternative at input '<EOF>' (at position 4)"],
  ['cat OR', 7, "no viable alternative at input '<EOF>' (at position 7)", 'A clause is missing after OR.'],
  ['OR cat', 1, "no viable alternative at input 'OR' (at position 1)"],
  ['cat OR OR dog', 8, "no viable alternative at input 'OR' (at position 8)"],
  ['cat (OR dog)', 6, "no viable alternative at input 'OR' (at position 6)"],
  [
    'cat (dog OR)',
    12,
    "no viable alternative at input ')' (at position 12)",
    'A clause is missing after OR.',
  ],
  [
    'cat ()',
    6,
    "no viable alternative at input ')' (at position 6)",
    'There is nothing between the brackets.',
  ],
  ['cat)', 4, "missing EOF at ')' (at position 4)", 'This closing bracket has no opening bracket.'],
  ['cat (dog bird', 5, "missing ')' at '<EOF>' (at position 5)", 'This bracket is not closed.'],
  ['cat "dog', 5, `mismatched character '<EOF>' expecting '"'`],
  ['cat "dog\\"', 5, `mismatched character '<EOF>' expecting '"'`],
  ['cat [dog]', 5, "no viable alternative at input '[' (at position 5)"],
  ["don't stop", 4, "no viable alternative at character ''' (at position 4)"],
  [
    '“big cat”',
    1,
    "no viable alternative at character '“' (at position 1)",
    'Use straight quotation marks: "two words".',
  ],
  [
    'cat*',
    4,
    "no viable alternative at character '*' (at position 4)",
    'Wildcards are not supported. List the words, with OR between them.',
  ],
  [
    'cat | dog',
    5,
    "no viable alternative at character '|' (at position 5)",
    'Write OR between alternatives.',
  ],
  [
    'cat and dog',
    5,
    'Ambiguous use of and as a keyword. Use a space to logically join two clauses, or "and" to find occurrences of and in text (at position 5)',
  ],
  [
    'snow day AND cold',
    10,
    'Ambiguous use of and as a keyword. Use a space to logically join two clauses, or "and" to find occurrences of and in text (at position 10)',
  ],
  [
    'cat -(dog OR bird)',
    5,
    'Groups cannot be negated (at position 5)',
    'Negate each clause: -a -b instead of -(a OR b).',
  ],
  [
    'cat - dog',
    5,
    "no viable alternative at character '-' (at position 5)",
    'Write - directly before the clause to negate: -cat.',
  ],
  ['cat --dog', 5, "no viable alternative at character '-' (at position 5)"],
  ['cat- dog', 4, "no viable alternative at character '-' (at position 4)"],
  ['"cat"-dog', 6, "no viable alternative at character '-' (at position 6)"],
  ['foo:cat', 1, "Reference to invalid field 'foo' (at position 1)"],
  ['cat form:ada', 5, "Reference to invalid field 'form' (at position 5)", 'Did you mean from:?'],
  [
    'conversation:7',
    1,
    "Reference to invalid field 'conversation' (at position 1)",
    'Did you mean conversation_id:?',
  ],
  [
    'min_faves:7',
    1,
    "Reference to invalid field 'min_faves' (at position 1)",
    'Did you mean min_likes:?',
    'search/recent',
  ],
  ['cat sample:7', 5, unavailable('sample', 5), 'It works in rules of streams.', 'search/all'],
  [
    'entity:ada',
    1,
    unavailable('entity', 1),
    'It works in recent search and counts and rules of streams.',
    'search/all',
  ],
  ['"a b"~2', 1, unavailable('~', 1), 'Proximity is available only in stream rules.', 'search/all'],
  ['embedding:"x"', 1, unavailable('embedding', 1), 'It needs the enterprise plan.'],
  [
    'cat has:polls',
    5,
    unavailable('has:polls', 5),
    'has: takes hashtags, cashtags, links, mentions, geo, media, images or video_link.',
  ],
  ['cat has:image', 5, unavailable('has:image', 5), 'Did you mean has:images?'],
  ['cat is:repot', 5, unavailable('is:repot', 5), 'Did you mean is:repost?'],
  [
    'from: ada',
    1,
    'from: has no value (at position 1)',
    'Write the value directly after the colon: from:value.',
  ],
  ['from:@ada', 6, "'@ada' is not a username or user id (at position 6)", 'Remove the @: from:ada.'],
  ['from:ada,bob', 6, "'ada,bob' is not a username or user id (at position 6)"],
  ['conversation_id:x', 17, "'x' is not an id (at position 17)", 'An id has 1 to 19 digits.'],
  [
    'url:https://example.com',
    10,
    "no viable alternative at character ':' (at position 10)",
    'Quote a value with punctuation: url:"https://example.com".',
  ],
  ['url:"//"', 6, 'url:"//" has no word to search for (at position 6)'],
  ['"!!"', 1, '"!!" has no word to search for (at position 1)', 'Write a letter, a digit or an emoji.'],
  [
    'context:10',
    9,
    "'10' is not a context (at position 9)",
    'Write the ids of a domain and an entity: context:10.799.',
  ],
  [
    'context:10.*',
    9,
    "'10.*' is not a context (at position 9)",
    'Only stream rules accept * for a domain or an entity.',
    'search/all',
  ],
  [
    'place_country:usa',
    15,
    "'usa' is not a country (at position 15)",
    'Write the two letters of ISO 3166-1: place_country:US.',
  ],
  ['cat lang:english', 10, "'english' is not a language (at position 10)"],
  ['cat lang:he', 10, "'he' is not a language (at position 10)", 'Did you mean lang:iw?'],
  [
    'cat sample:0',
    12,
    "'0' is not a percentage (at position 12)",
    'Write a whole number from 1 to 100: sample:10.',
  ],
  ['cat -sample:5', 5, 'sample: cannot be negated (at position 5)', 'Leave out the -.'],
  [
    'cat OR (dog sample:5)',
    13,
    'sample: applies to the whole rule (at position 13)',
    'Put alternatives in parentheses: (cat OR dog) sample:10.',
  ],
  ['cat sample:5 sample:6', 14, 'sample: can be used once (at position 14)', 'Remove the others.'],
  ['list:1 OR list:2', 11, 'list: can be used once (at position 11)', 'Remove the others.', 'search/all'],
  ['cat is:nullcast', 5, 'is:nullcast must be negated (at position 5)', 'Write -is:nullcast.'],
  [
    'cat followers_count:9..1',
    21,
    "'9..1' ends before it begins (at position 21)",
    'Write followers_count:1..9.',
  ],
  [
    'min_likes:-1',
    11,
    "'-1' is not a number (at position 11)",
    'Write a whole number of 0 or more: min_likes:10.',
    'search/all',
  ],
  [
    'point_radius:[2 48 41km]',
    15,
    'the radius 41km is out of range (at position 15)',
    'A radius is more than 0 and less than 25 mi (40.2 km).',
  ],
  [
    'point_radius:"2 48 1km"',
    15,
    'point_radius: needs a longitude, a latitude and a radius (at position 15)',
  ],
  [
    'point_radius:[2 98 1km]',
    15,
    'point_radius: needs a longitude, a latitude and a radius (at position 15)',
  ],
  [
    'point_radius:[2 48 1km',
    14,
    "no viable alternative at input '[' (at position 14)",
    'This bracket is not closed.',
  ],
  [
    'bounding_box:[1 1 2 2]',
    15,
    'the box is too large (at position 15)',
    'Each side is less than 25 mi (40.2 km).',
  ],
  [
    'bounding_box:[1 1 0.9 1.1]',
    15,
    'bounding_box: the first corner is not south-west of the second (at position 15)',
  ],
  ['"a b"~7', 1, '~7 is out of range (at position 1)', 'Words can be 1 to 6 apart: "big storm"~6.'],
  ['"a a"~2', 1, '~ needs two words (at position 1)', 'Write "big storm"~3.'],
  ['-cat', 1, 'Rules must contain at least one positive, non-stopword clause (at position 1)', ALONE],
  ['-cat -dog', 1, 'Rules must contain at least one positive, non-stopword clause (at position 1)', ALONE],
  ['the of', 1, 'Rules must contain at least one positive, non-stopword clause (at position 1)', ALONE],
  [
    'cat OR -dog',
    8,
    'Rules must contain at least one positive, non-stopword clause (at position 8)',
    STANDALONE,
  ],
  ['has:links', 1, 'is/has/lang cannot be used as a standalone operator (at position 1)', ALONE],
  [
    'has:links OR is:repost',
    1,
    'is/has/lang cannot be used as a standalone operator (at position 1)',
    STANDALONE,
  ],
  ['cat OR lang:en', 8, 'is/has/lang cannot be used as a standalone operator (at position 8)', STANDALONE],
  ['🎉 OR 🎉🎉 (', 9, "missing ')' at '<EOF>' (at position 9)"],
]

describe('errors are reported with their position', () => {
  for (const [text, position, message, hint, use] of WRONG)
    test(JSON.stringify(text), () => {
      const errors = errorsOf(text, use)
      const error = errors.find((candidate) => candidate.message === message) ?? errors[0]
      assert.deepEqual(
        {
          position: error?.position,
          message: error?.message,
          ...(hint !== undefined && { hint: error?.hint }),
        },
        { position, message, ...(hint !== undefined && { hint }) },
      )
    })

  test('an unknown operator has two messages, in the order in which clients know them', () => {
    assert.deepEqual(
      errorsOf('cat foo:bar from:@a').map(({ message }: QueryError) => message.slice(0, 40)),
      [
        "Reference to invalid operator 'foo'. Ope",
        "Reference to invalid field 'foo' (at pos",
        "'@a' is not a username or user id (at po",
      ],
    )
  })

  test('several values are named at once, from left to right', () => {
    const messages = errorsOf('from:@a to:@b lang:xx').map(({ position }: QueryError) => position)
    assert.deepEqual(messages, [6, 12, 20])
  })

  test('no more than 20', () => assert.equal(errorsOf('from:@a '.repeat(60)).length, 20))
})

describe('limits', () => {
  const lengths: [QueryUse, QueryAccess, number][] = [
    ['search/recent', 'self-serve', 512],
    ['search/all', 'self-serve', 1024],
    ['counts/recent', 'self-serve', 1024],
    ['counts/all', 'self-serve', 1024],
    ['stream', 'self-serve', 1024],
    ['search/recent', 'enterprise', 4096],
    ['search/all', 'enterprise', 4096],
    ['counts/recent', 'enterprise', 4096],
    ['counts/all', 'enterprise', 4096],
    ['stream', 'enterprise', 2048],
    ['powerstream', 'self-serve', 2048],
    ['powerstream', 'enterprise', 2048],
  ]
  for (const [use, access, most] of lengths)
    test(`${use} with the plan ${access} takes ${most} characters`, () => {
      assert.equal(read('x'.repeat(most), use, access).length, most)
      assert.equal(read('𝔵'.repeat(most), use, access).length, most, 'of any size')
      const [error] = errorsOf('x'.repeat(most + 1), use, access)
      const what = use.endsWith('stream') ? 'Rule' : 'Query'
      assert.equal(error?.message, `${what} is too long. Must be no more than ${most} characters`)
      assert.equal(error?.position, most + 1)
    })

  test('200 clauses, not 201', () => {
    const of = (count: number) => Array.from({ length: count }, (_, n) => `x${n}`).join(' ')
    assert.equal(read(of(200)).clauses, 200)
    const [error] = errorsOf(of(201), 'stream', 'enterprise')
    assert.equal(error?.message, 'Query has 201 clauses. Must be no more than 200 (at position 891)')
  })

  test('as many brackets as there is room for', () => {
    const deep = `${'('.repeat(2047)}cat${')'.repeat(2046)}`
    assert.equal(printQuery(read(deep.slice(1), 'search/all')), 'cat')
    assert.equal(errorsOf('('.repeat(4096), 'search/all', 'enterprise')[0]?.position, 4096)
    const alternating = `${'a1 (b1 OR '.repeat(99)}c1${')'.repeat(99)}`
    assert.equal(read(alternating).clauses, 199)
    assert.equal(printQuery(read(alternating)), alternating)
  })

  test('10,000 brackets are too long, and cost nothing', () => {
    const text = `${'('.repeat(10_000)}cat${')'.repeat(10_000)}`
    assert.match(errorsOf(text)[0]?.message ?? '', /^Rule is too long/)
  })
})

describe('under other names', () => {
  const names = queryNames((identifier) => [
    identifier.replaceAll('post', 'note').replaceAll('repost', 'echo').replace('renote', 'echo'),
  ])
  const under = (text: string) => parseQuery(text, { for: 'stream', names })

  test('operators and values are read and printed under them', () => {
    const text = 'echos_of_note_id:7 is:echo'
    const parsed = under(text)
    assert.ok(parsed.ok)
    assert.deepEqual(treeOf(parsed.query.root), { and: ['reposts_of_post_id "7"', 'is "repost"'] })
    assert.equal(printQuery(parsed.query, names), text)
    assert.equal(printQuery(parsed.query), 'reposts_of_post_id:7 is:repost')
  })

  test('errors speak them', () => {
    const parsed = under('cat is:echoo notes_cuont:5')
    assert.ok(!parsed.ok)
    assert.deepEqual(
      parsed.errors.flatMap(({ hint = [] }) => hint),
      ['Did you mean is:echo?', 'Did you mean notes_count:?'],
    )
  })
})
