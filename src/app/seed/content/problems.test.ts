import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseYamlFile } from '../../../platform/common/yaml-file.ts'
import { readSeedObject } from '../seed-file.ts'

const NOW = Date.UTC(2026, 2, 1)

/** What is wrong with a seed, one problem a line. */
function problems(seed: object): string[] {
  const users = ['ann', 'bob'].map((screen_name) => ({ screen_name, name: screen_name }))
  try {
    readSeedObject({ users, ...seed }, NOW)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

test('every wrong value of the content is reported with its place, all at once', () => {
  const post = { author: 'ann', text: 'Hello' }
  assert.deepEqual(
    problems({
      users: [
        { screen_name: 'ann', name: 'Ann', follows: ['bob', 'BOB', 'cyd', 'ann'], pinned_post: 'b' },
        { screen_name: 'bob', name: 'Bob', blocks: ['ann'], created_at: 'yesterday', affiliation: 'cyd' },
        { screen_name: 'dan', name: 'Dan', can_sign_in: false, password: 'secret' },
      ],
      posts: [
        { ...post, id: 'a', created_at: '-1h', reply_to: 'b' },
        { author: 'bob', text: 'Later', id: 'b', created_at: '-5m', likes: ['ann', 'cyd'], quotes: 'z' },
        { ...post, id: 'a', created_at: '+1h', author: 'cyd' },
        { author: 'ann' },
        {
          author: 'ann',
          text: 'x',
          poll: { options: [{ label: 'a' }, { label: 'a' }], duration_minutes: 5 },
        },
      ],
      direct_messages: [{ from: 'ann', to: ['ann'], text: 'me' }],
      spaces: [{ creator: 'ann', title: 'T', starts_at: '+40d', posts: ['y'] }],
      lists: [
        { owner: 'ann', name: ' ', private: true, followers: ['ann', 'bob'], pinned_by: ['ann'] },
        { owner: 'cyd', name: 'L', members: ['ann', 'Ann'], pinned_by: ['bob'], created_at: '+1h' },
        ...['1', '2', '3', '4', '5'].map((name) => ({ owner: 'ann', name, pinned_by: ['ann'] })),
      ],
    }),
    [
      'seed: at /users/0/follows/1: the user "BOB" is named twice',
      'seed: at /users/0/follows/2: the user "cyd" is not among the users of this file',
      'seed: at /users/0/follows/3: "ann" is the same user',
      'seed: at /users/0/follows/0: "ann" cannot follow "bob": one of them blocks the other',
      'seed: at /users/0/follows/1: "ann" cannot follow "BOB": one of them blocks the other',
      'seed: at /users/0/pinned_post: "ann" has no post "b" in this file',
      'seed: at /users/1/created_at: "yesterday" is not a time such as 2026-03-01T12:00:00Z or -2h, up to 2026-03-01T00:00:00.000Z',
      'seed: at /users/1/affiliation: the user "cyd" is not among the users of this file',
      'seed: at /users/2/password: a user who cannot sign in has no password',
      'seed: at /posts/2/author: the user "cyd" is not among the users of this file',
      'seed: at /posts/2/created_at: "+1h" is not a time such as 2026-03-01T12:00:00Z or -2h, up to 2026-03-01T00:00:00.000Z',
      'seed: at /posts/2/id: is the same id as at /posts/0/id',
      'seed: at /posts/0/reply_to: the post "b" is not earlier than this one',
      'seed: at /posts/1/quotes: there is no post with the id "z" in this file',
      'seed: at /posts/1/likes/1: the user "cyd" is not among the users of this file',
      'seed: at /posts/3: a post needs a text, a quoted post, a poll or media',
      'seed: at /posts/4/poll/options/1/label: the answer "a" is there twice',
      'seed: at /direct_messages/0/to/0: "ann" is the same user',
      'seed: at /spaces/0/starts_at: "+40d" is not a time such as 2026-03-01T12:00:00Z or -2h, up to 2026-03-31T00:00:00.000Z',
      'seed: at /spaces/0/posts/0: there is no post with the id "y" in this file',
      'seed: at /lists/0/name: must have a visible character',
      'seed: at /lists/0/followers/1: "bob" does not see this private list',
      'seed: at /lists/1/owner: the user "cyd" is not among the users of this file',
      'seed: at /lists/1/members/1: the user "Ann" is named twice',
      'seed: at /lists/1/created_at: "+1h" is not a time such as 2026-03-01T12:00:00Z or -2h, up to 2026-03-01T00:00:00.000Z',
      'seed: at /lists/1/pinned_by/0: "bob" neither owns nor follows the list',
      'seed: at /lists/6/pinned_by/0: "ann" has more than 5 pinned lists',
    ],
  )
})

test('posts are in communities of the file, and replies in those of their posts', () => {
  const communities = [
    { id: 'a', name: 'A', members: ['ann'] },
    { id: 'b', name: 'B' },
  ]
  const root = { id: 'root', author: 'bob', text: 'one', created_at: '-1h', community: 'a' }
  const reply = { author: 'ann', text: 'two', reply_to: 'root' }
  assert.deepEqual(problems({ communities, posts: [root, reply, { ...reply, community: 'a' }] }), [])
  assert.deepEqual(
    problems({
      communities: [...communities, { id: 'a', name: ' ', members: ['cyd'], created_at: '+1h' }],
      posts: [
        root,
        { ...reply, community: 'b' },
        { author: 'ann', text: 'three', community: 'c' },
        { author: 'ann', text: 'four', share_with_followers: true },
      ],
    }),
    [
      'seed: at /communities/2/members/0: the user "cyd" is not among the users of this file',
      'seed: at /communities/2/created_at: "+1h" is not a time such as 2026-03-01T12:00:00Z or -2h, up to 2026-03-01T00:00:00.000Z',
      'seed: at /communities/2/name: must have a visible character',
      'seed: at /communities/2/id: is the same id as at /communities/0/id',
      'seed: at /posts/1/community: the post "root" is in another community',
      'seed: at /posts/2/community: there is no community with the id "c" in this file',
      'seed: at /posts/3/share_with_followers: needs `community`',
    ],
  )
})

test('a thread replies to itself, and its last post can be referred to', () => {
  const thread = [{ text: 'two' }, { text: 'three', id: 'end' }]
  const posts = [
    { author: 'ann', text: 'one', created_at: '-1h', thread },
    { author: 'bob', text: 'reply', reply_to: 'end' },
  ]
  assert.deepEqual(problems({ posts }), [])
})

test('YAML is read with the place of each value, and without expansion bombs', () => {
  const file = parseYamlFile('users:\n  - screen_name: ann\n    amount: 9223372036854775807\n', 'a.yaml')
  assert.deepEqual(file.value, { users: [{ screen_name: 'ann', amount: 9223372036854775807n }] })
  assert.equal(file.error('/users/0/amount', 'is wrong').message, 'a.yaml:3:5: at /users/0/amount: is wrong')
  assert.throws(() => parseYamlFile('a: [1\nb: 2', 'b.yaml'), /^Error: b\.yaml:\d+:\d+: this is not YAML: /)
  assert.throws(() => parseYamlFile('a: 1\na: 2', 'c.yaml'), /^Error: c\.yaml:2:1: this is not YAML: /)
  const bomb = ['a0: &a0 [x]']
  for (let n = 1; n < 9; n++)
    bomb.push(`a${n}: &a${n} [${Array.from({ length: 9 }, () => `*a${n - 1}`).join(', ')}]`)
  assert.throws(() => parseYamlFile(bomb.join('\n'), 'd.yaml'), /^Error: d\.yaml: this YAML cannot be read: /)
})
