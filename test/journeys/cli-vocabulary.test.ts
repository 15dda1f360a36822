import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { programOf } from '../../src/app/cli/command-line.ts'
import { commands } from '../../src/app/cli/commands.ts'
import { startPlaza } from '../support/plaza.ts'
import { runPlaza } from './cli.fixture.ts'

/** Writes a vocabulary to a file that is removed after the test. */
async function fileOf(t: TestContext, vocabulary: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plaza-words-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'vocabulary.json')
  await writeFile(file, JSON.stringify(vocabulary))
  return file
}

const AUDIENCES = '/12/accounts/{account_id}/custom_audiences'
/** A path of other endpoints. */
const OWN_AUDIENCES = '/12/accounts/{account_id}/tailored_audiences'

const PARTLY = {
  words: { post: 'memo', like: 'heart', likes: 'hearts', liking: 'liking', liked: 'liked' },
  identifiers: { posted: 'sent' },
}

test('a start warns once about inflections that a vocabulary does not rename', async (t) => {
  const file = await fileOf(t, PARTLY)
  const plaza = await startPlaza({ vocabulary: file })
  t.after(() => plaza.close())
  const [warning, ...others] = plaza.warnings
  assert.deepEqual(others, [])
  assert.match(
    warning ?? '',
    /^The vocabulary renames "post" but not "posts" \(\d+ names\)\. Give each an entry, if only with its own name\. "plaza vocabulary check .*vocabulary\.json" lists the names\.$/,
  )
})

test('plaza vocabulary check lists inflections and compounds that are not renamed', async (t) => {
  const partly = await runPlaza(t, ['vocabulary', 'check', await fileOf(t, PARTLY), '--json'])
  assert.equal(partly.code, 1, partly.stderr)
  type Kept = { word: string; renamed: string; names: string[] }
  const { inflections, compounds } = JSON.parse(partly.stdout) as Record<'inflections' | 'compounds', Kept[]>
  assert.deepEqual(
    inflections.map(({ word, renamed }) => [word, renamed]),
    [['posts', 'post']],
  )
  assert.ok(inflections[0]?.names.includes('/2/users/{id}/posts'))
  const reposts = compounds.find(({ word }) => word === 'repost')
  assert.equal(reposts?.renamed, 'post')
  assert.ok(reposts?.names.includes('repost_count'))

  const file = fileURLToPath(new URL('../../docs/vocabulary.example.json', import.meta.url))
  const example = await runPlaza(t, ['vocabulary', 'check', file])
  assert.equal(example.code, 0, example.stderr)
  assert.match(
    example.stdout,
    /docs\/vocabulary\.example\.json is a vocabulary\.\n\nCompounds that are not renamed:\n/,
  )
  const wrong = await runPlaza(t, ['vocabulary', 'check', await fileOf(t, { words: { pots: 'memo' } })])
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /the interface has no word "pots"; did you mean "post"\?/)
})

test('plaza vocabulary check and a start reject names and paths that collide, and too many paths', async (t) => {
  const ten = (end: string) => [...'abcdefghij'].map((letter) => letter + end)
  for (const [vocabulary, reason] of [
    [{ identifiers: { max_results: 'pagination_token' } }, /the vocabulary calls both .* in /],
    [
      { paths: { [AUDIENCES]: [AUDIENCES, OWN_AUDIENCES] } },
      `the vocabulary gives both GET ${AUDIENCES} and GET ${OWN_AUDIENCES} the path GET ${OWN_AUDIENCES}`,
    ],
    // The parameters of the paths have different names.
    [
      { paths: { '/2/posts/{id}': ['/2/posts/{id}', '/2/users/by/username/{id}'] } },
      /gives both GET \/2\/posts\/\{id\} and GET \/2\/users\/by\/username\/\{username\} the path/,
    ],
    [
      { words: { posts: ten('posts'), search: ten('search'), recent: ten('recent') } },
      /the vocabulary gives \/2\/posts\/search\/recent more than 100 paths/,
    ],
  ] as const) {
    const file = await fileOf(t, vocabulary)
    const checked = programOf(commands).parseAsync(['vocabulary', 'check', file], { from: 'user' })
    await assert.rejects(checked, { message: reason })
    await assert.rejects(startPlaza({ vocabulary: file }), { message: reason })
  }
})
