import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { GeneratedPosts } from '../../src/app/seed/generated/posts.ts'
import { generateOptions } from '../../src/workbench/imports/post-imports.ts'
import { runPlaza, spawnPlaza, startCli, stopCli, temporaryFolder, until } from './cli.fixture.ts'

/**
 * What an operator adds of the past to a Plaza that is stopped, and what a search finds of it
 * afterwards.
 */

const LINES = [
  { username: 'ava', text: 'The blue heron stood still', created_at: '2026-01-05T10:00:00Z', lang: 'en' },
  { username: 'ava', text: 'What is wrong here?' },
  { username: 'ben', text: 'A blue heron, again', created_at: '2026-01-05T11:00:00Z', lang: 'en' },
]

const JSONL = LINES.map((one) => `${JSON.stringify(one)}\n`).join('')

/** What a search finds once the index has come to the posts: a start does not wait for it. */
async function found(t: TestContext, folder: string, query: string): Promise<string[]> {
  const plaza = await startCli(t, { folder })
  const path = `/2/posts/search/all?start_time=2026-01-01T00:00:00Z&query=${encodeURIComponent(query)}`
  const args = ['request', 'GET', path, '--as=app', `--data=${plaza.data}`, '--json']
  for (;;) {
    const { stdout, stderr } = await runPlaza(t, args)
    assert.notEqual(stdout, '', stderr)
    const { status, body } = JSON.parse(stdout) as { status: number; body: { data?: { text: string }[] } }
    assert.ok(status === 200 || status === 503, stdout)
    if (!body.data) continue
    await stopCli(plaza)
    return body.data.map(({ text }) => text)
  }
}

test('a file of posts is imported, bad lines are reported, and searches find the others', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'posts.jsonl')
  writeFileSync(file, JSONL)
  const plaza = await startCli(t, { folder })
  const importing = ['import', 'posts', file, `--data=${plaza.data}`, '--create-authors']
  await stopCli(plaza)

  const first = await runPlaza(t, importing)
  assert.equal(first.code, 1, first.stderr)
  assert.equal(first.stderr, `${file}:2: it must have created_at, or an id, which has a time\n`)
  assert.equal(first.stdout, `Imported ${file}.\nAdded 2  Known 0  Rejected 1\n`)
  const second = await runPlaza(t, [...importing, '--json'])
  assert.deepEqual([second.code, second.stdout], [0, '{"added":2,"known":0,"rejected":1}\n'])

  assert.deepEqual(await found(t, folder, 'blue heron'), [
    'A blue heron, again',
    'The blue heron stood still',
  ])
})

test('an archive in the words of a vocabulary is imported, and another kind of file is rejected once', async (t) => {
  const folder = temporaryFolder(t)
  const plaza = await startCli(t, { folder, args: ['--seed-population=0'] })
  await stopCli(plaza)
  const [archive, words, other] = ['memos.js', 'words.json', 'other.txt'].map((one) => join(folder, one))
  assert.ok(archive && words && other)
  const memo = {
    created_at: 'Mon Jan 05 10:00:00 +0000 2026',
    full_text: 'A grey heron',
    favorite_count: '4',
  }
  writeFileSync(archive, `part0 = [ {\n  "memo" : ${JSON.stringify(memo)}\n} ]`)
  writeFileSync(words, JSON.stringify({ words: { post: 'memo', posts: 'memos' } }))
  writeFileSync(other, 'one\ntwo\nthree\n')
  const run = (file: string, ...more: string[]) =>
    runPlaza(t, ['import', 'posts', file, `--data=${plaza.data}`, '--create-authors', ...more])
  const done = await run(archive, `--vocabulary=${words}`, '--author=ava')
  assert.equal(done.stdout, `Imported ${archive}.\nAdded 1  Known 0  Rejected 0\n`, done.stderr)
  const rejected = await run(other)
  assert.deepEqual([rejected.code, rejected.stdout], [1, ''])
  assert.match(
    rejected.stderr,
    /^plaza: Line 1 of .*other\.txt is not a post: it is not JSON: .*\. It must hold posts in JSON, .*\n$/,
  )
  const misnamed = await run(archive, '--author=a-b')
  assert.deepEqual([misnamed.code, misnamed.stdout], [2, ''])
  assert.match(misnamed.stderr, /--author must be a name: 1 to 15 letters, digits or _, not "a-b"/)
})

/** How many posts there are that no app published: of the seed, and of imports. */
function importedPosts(data: string): number {
  const database = new DatabaseSync(join(data, 'plaza.db'), { readOnly: true, timeout: 5_000 })
  try {
    const row = database.prepare("select count(*) as posts from posts where app_id = '0'").get()
    return Number(row?.posts)
  } finally {
    database.close()
  }
}

/** How many posts an import has done, and how many there are. */
function stateOf(data: string): { line: number; posts: number } | undefined {
  const database = new DatabaseSync(join(data, 'plaza.db'), { readOnly: true, timeout: 5_000 })
  try {
    const row = database
      .prepare("select line, (select count(*) from posts where app_id = '0') as posts from post_imports")
      .get()
    return row && { line: Number(row.line), posts: Number(row.posts) }
  } finally {
    database.close()
  }
}

test('posts that are made up are all there after a process was killed in the middle', async (t) => {
  const folder = temporaryFolder(t)
  const plaza = await startCli(t, { folder, args: ['--seed-population=0'] })
  await stopCli(plaza)
  const { data } = plaza
  const seeded = importedPosts(data)
  const args = [
    'generate',
    'posts',
    '--count=11000',
    '--authors=50',
    '--days=3',
    '--images=5',
    `--data=${data}`,
  ]
  const killed = spawnPlaza(t, args)
  await until(killed, 'some posts', () => (stateOf(data)?.line ?? 0) > 0 || undefined)
  killed.stop('SIGKILL')
  await killed.ended
  const before = stateOf(data)
  assert.equal(before?.posts, seeded + (before?.line ?? 0), 'posts and progress are committed together')

  const again = await runPlaza(t, args)
  assert.equal(again.code, 0, again.stderr)
  assert.match(again.stdout, /\nAdded 11000 {2}Known 0 {2}Rejected 0\n$/)
  assert.equal(stateOf(data)?.posts, seeded + 11_000)
  assert.ok((await found(t, folder, 'lang:ja #音楽 -is:repost')).length > 0)
  // What many wrote about shortly before the newest post is news when the server is ready.
  const options = generateOptions({ count: 11_000, authors: 50, days: 3 })
  const { authors, bursts } = new GeneratedPosts({ ...options, endMs: 0 })
  const [burst] = bursts
  assert.ok(burst && postsOfStory(data, burst.name) >= 10)
  const writers = authors.slice(0, 9).map(({ user }) => `from:${user.screen_name}`)
  assert.ok((await found(t, folder, `(${writers.join(' OR ')}) has:images`)).length > 0)
})

/** How many posts the story has that a word finds. */
function postsOfStory(data: string, word: string): number {
  const database = new DatabaseSync(join(data, 'plaza.db'), { readOnly: true, timeout: 5_000 })
  try {
    const posts = `select count(*) as count from news_story_words join news_story_posts using (story_id)
      where word = ? group by story_id order by count desc limit 1`
    return Number(database.prepare(posts).get(word.toLowerCase())?.count ?? 0)
  } finally {
    database.close()
  }
}

test('numbers of generated posts are checked', async (t) => {
  for (const [flag, sentence] of [
    ['--count=0', '--count must be a whole number from 1 to 100000000, not "0"'],
    ['--seed=x', '--seed must be a whole number from 1 to 1000000000, not "x"'],
    ['--bursts=25', '--bursts must be a whole number from 0 to 24, not "25"'],
    ['--replies=81', '--replies must be a whole number from 0 to 80, not "81"'],
    ['--polls=-1', '--polls must be a whole number from 0 to 50, not "-1"'],
    ['--images=51', '--images must be a whole number from 0 to 50, not "51"'],
    ['--spaces=1001', '--spaces must be a whole number from 0 to 1000, not "1001"'],
  ] as const) {
    const { code, stderr } = await runPlaza(t, ['generate', 'posts', flag, `--data=${temporaryFolder(t)}`])
    assert.notEqual(code, 0)
    assert.ok(stderr.includes(sentence), stderr)
  }
})
