import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Entities, readEntities } from '../../platform/text/entities.ts'
import { clustersOf, type NewsItem } from './cluster.ts'
import { describe as describeStory } from './describe.ts'
import { shownStory } from './show.ts'
import { POSTS } from './stories.fixture.ts'
import { termsOf } from './terms.ts'

const entitiesOf = (text: string): Entities => ({ ...readEntities(text), mentions: [] })
const itemsOf = (posts: readonly (readonly [string, string])[]): NewsItem[] =>
  posts.map(([author, text], at) => ({
    ...termsOf(text, entitiesOf(text)),
    id: String(1000 + at),
    author,
    story: null,
  }))
const storiesOf = async (posts: readonly (readonly [string, string])[]) => {
  const clusters = await clustersOf(itemsOf(posts))
  return clusters.map((cluster) => ({ cluster, description: describeStory(cluster) }))
}

describe('what a post is about', () => {
  test('links without their queries, tags, tickers and words that say something', () => {
    const text =
      'The Bank of England, and $ACME: it is closed! #RivertonFlood https://www.news.example.com/a/?b=1'
    assert.deepEqual(termsOf(text, entitiesOf(text)), {
      terms: [
        'url:news.example.com/a',
        '#rivertonflood',
        '$acme',
        'bank',
        'england',
        'acme',
        'closed',
        'rivertonflood',
      ],
      names: ['Bank of England'],
      tags: ['RivertonFlood'],
    })
  })

  const names: readonly (readonly [string, string[]])[] = [
    ['Coffee is good', []],
    ['We saw Saturn', ['Saturn']],
    ['NASA saw it. Nobody else', ['NASA']],
    ['Harbor Bridge is closed', ['Harbor Bridge']],
    ['The Harbor Bridge, Riverton', ['Harbor Bridge', 'Riverton']],
    ["Jane Ortiz's plan", ['Jane Ortiz']],
    ['in São Paulo\nMany came', ['São Paulo']],
    ['by @Ada and #Tag', []],
  ]
  for (const [text, expected] of names)
    test(`names in ${JSON.stringify(text)}`, () =>
      assert.deepEqual(termsOf(text, entitiesOf(text)).names, expected))
})

describe('stories', () => {
  test('are built from three posts of two authors that share a name, a tag or a link', async () => {
    const stories = await storiesOf(POSTS)
    assert.deepEqual(
      stories.map(({ cluster }) => cluster.items.map(({ id }) => id).join()),
      ['1000,1001,1002', '1003,1004,1005', '1006,1007,1008'],
    )
    assert.deepEqual(
      stories.map(({ description: { category, keywords } }) => [category, ...keywords]),
      [
        ['News', 'Harbor Bridge', 'RivertonFlood', 'closed', 'flood'],
        ['Sports', 'Lakeside Rovers', 'Riverton United', 'cup', 'final'],
        ['Other', 'ACME X200', 'recall'],
      ],
    )
    const none = {
      topics: [],
      events: [],
      organizations: [],
      people: [],
      places: [],
      products: [],
      tickers: [],
      teams: [],
    }
    assert.deepEqual(
      stories.map(({ description }) => description.contexts),
      [
        { ...none, topics: ['RivertonFlood'], places: ['Harbor Bridge'] },
        { ...none, teams: ['Lakeside Rovers', 'Riverton United'] },
        { ...none, products: ['ACME X200'], tickers: ['ACME'] },
      ],
    )
  })

  test('need more than one author', async () => {
    assert.deepEqual(await storiesOf(POSTS.slice(0, 3).map(([, text]) => ['ann', text])), [])
  })

  test('do not contain what only deleted posts said', async () => {
    const [story] = await storiesOf(POSTS)
    assert.ok(story)
    const posts = story.cluster.items.map(({ id, author }) => ({
      post_id: id,
      author_id: author,
      text: POSTS[Number(id) - 1000]?.[1] ?? '',
    }))
    const { name, hook, summary } = shownStory(story.description, posts)
    assert.deepEqual(
      [name, hook, summary],
      [
        'Harbor Bridge, RivertonFlood, closed',
        'The Harbor Bridge in Riverton is closed after the flood.',
        'The Harbor Bridge in Riverton is closed after the flood. Harbor Bridge closed again, the flood took two pillars #RivertonFlood. Mayor Jane Ortiz says the Harbor Bridge stays closed until the flood is over.',
      ],
    )
    const left = shownStory(story.description, posts.slice(2))
    assert.deepEqual(left.keywords, ['Harbor Bridge', 'closed', 'flood'])
    assert.deepEqual(left.contexts.topics, [])
    assert.equal(left.hook, 'Mayor Jane Ortiz says the Harbor Bridge stays closed until the flood is over')
  })

  test('stay whole when many write about them, each with other rare words', async () => {
    const posts = Array.from({ length: 400 }, (_, at): readonly [string, string] => [
      `user${at}`,
      at % 5 === 0
        ? `We hear that Harbor Bridge is closed, rare${at % 90} odd${at % 70} few${at % 110}`
        : `Lunch${at % 90} rare${(at * 7) % 90} odd${(at * 3) % 70} few${(at * 11) % 110}`,
    ])
    const [story, ...others] = await clustersOf(itemsOf(posts))
    assert.deepEqual([story?.items.length, others.length], [80, 0])
  })

  test('of thousands of posts that share words are found in bounded time, with the same result each time', async () => {
    const topics = ['flood', 'bridge', 'match', 'comet', 'market', 'storm', 'election', 'concert']
    const posts = Array.from({ length: 3_000 }, (_, at): readonly [string, string] => [
      `user${at % 700}`,
      `${topics[at % 8]} ${topics[(at * 3) % 8]} in Town${at % 500} #tag${at % 500}`,
    ])
    const [once, again] = [await clustersOf(itemsOf(posts)), await clustersOf(itemsOf(posts))]
    const idsOf = (all: typeof once) => all.map(({ items }) => items.map(({ id }) => id))
    assert.equal(once.length, 500)
    assert.deepEqual(idsOf(once), idsOf(again))
  })
})
