import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stemsOf, unrenamedWords } from './inflections.ts'
import { readEntries } from './vocabulary.ts'

const related = (one: string, other: string) => stemsOf(one).some((stem) => stemsOf(other).includes(stem))

test('inflections of a word share a stem', () => {
  const pairs = ['post posts', 'posted posting', 'like liked', 'likes liking', 'box boxes', 'match matches']
  const more = ['reply replies', 'replied reply', 'tag tagged', 'tagging tags', 'quote quoted']
  for (const pair of [...pairs, ...more]) {
    const [one = '', other = ''] = pair.split(' ')
    assert.ok(related(one, other), pair)
  }
})

test('other words do not', () => {
  for (const pair of ['post repost', 'post postal', 'like lookalike', 'address addressee', 'user use']) {
    const [one = '', other = ''] = pair.split(' ')
    assert.ok(!related(one, other), pair)
  }
})

const lexicon = {
  identifiers: new Set(['post_id', 'posts', 'posts_count', 'POSTED_POSTS', 'repost', 'post.create', 'apps']),
  paths: new Set(['/2/posts', '/2/posts/{post_id}/reposted_by']),
  headers: new Set(['x-post-posts']),
  words: new Set<string>(),
  versions: new Set<string>(),
  events: new Set(['post', 'create']),
  eventTypes: new Set(['post.create']),
}
const keptBy = (vocabulary: object) =>
  unrenamedWords(readEntries(JSON.stringify(vocabulary), 'file'), lexicon)

test('words are listed with the names in which they stay, those that need an entry first', () => {
  assert.deepEqual(keptBy({ words: { post: 'note', app: 'tool' } }), [
    {
      word: 'posts',
      renamed: 'post',
      isInflection: true,
      names: [
        'posts',
        'posts_count',
        'POSTED_POSTS',
        '/2/posts',
        '/2/posts/{post_id}/reposted_by',
        'x-post-posts',
      ],
    },
    { word: 'posted', renamed: 'post', isInflection: true, names: ['POSTED_POSTS'] },
    { word: 'apps', renamed: 'app', isInflection: true, names: ['apps'] },
    { word: 'repost', renamed: 'post', isInflection: false, names: ['repost'] },
    { word: 'reposted', renamed: 'post', isInflection: false, names: ['/2/posts/{post_id}/reposted_by'] },
  ])
})

test('a word with an entry is not listed, nor a name with one, nor a word that types of events keep', () => {
  const words = { post: 'note', posts: 'posts', repost: 'repost', reposted: 'reposted', app: 'tool' }
  assert.deepEqual(
    keptBy({ words, identifiers: { POSTED_POSTS: 'SENT' }, events: { post: 'post' } }).map(
      ({ word }) => word,
    ),
    ['apps'],
  )
  assert.deepEqual(keptBy({ words: { posts: ['posts'] } }), [], 'and its own name does not rename it')
  assert.deepEqual(
    keptBy({ words: { posts: 'notes' }, events: { post: 'post' } }).find(({ word }) => word === 'post')
      ?.names,
    ['post_id', '/2/posts/{post_id}/reposted_by', 'x-post-posts'],
  )
})
