import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'plaza-new-'))

before(() => {
  for (const name of readdirSync(root))
    if (!['.git', 'node_modules', 'dist'].includes(name))
      cpSync(join(root, name), join(copy, name), { recursive: true })
  // The caches of the copy are its own. They begin with the types of what is copied, if known.
  mkdirSync(join(copy, 'node_modules'))
  const types = 'node_modules/.cache/types'
  if (existsSync(join(root, types))) cpSync(join(root, types), join(copy, types), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
})
after(() => rmSync(copy, { recursive: true, force: true }))

function node(...args: string[]): { status: number | null; text: string } {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

const add = (...args: string[]) => node('scripts/new/new.ts', ...args)
const run = (file: string) => node('--import', './scripts/test-preload.mjs', file)
const read = (path: string) => readFileSync(join(copy, path), 'utf8')

test('wrong arguments write nothing and say what is right', () => {
  for (const [args, message] of [
    [[], '"" is none of: endpoint, table, event, task'],
    [['endpoint', 'PATCH', '/2/albums', 'x'], '"PATCH" is not GET, POST, PUT or DELETE'],
    [['endpoint', 'GET', '/12/albums', 'x'], '"/12/albums" is not a path like /2/albums/{album_id}'],
    [
      ['table', 'src/api/albums', 'albums'],
      '"src/api/albums" is not a folder of src/identity, src/domain or src/delivery',
    ],
    [['event', 'src/domain/albums', 'created'], '"created" is not a name like album.created'],
    [['task', 'src/domain/albums', 'remove'], '"remove" is not a name like "remove old albums"'],
  ] as const) {
    const { status, text } = add(...args)
    assert.equal(status, 2, text)
    assert.ok(text.startsWith(`${message}\n\nnpm run new -- endpoint METHOD PATH ID`), text)
  }
  assert.equal(existsSync(join(copy, 'src/domain/albums')), false)
})

test('what is written has no type errors, and its tests fail until it is complete', () => {
  for (const args of [
    ['endpoint', 'GET', '/2/albums/{album_id}', 'getAlbum'],
    ['endpoint', 'POST', '/2/albums', 'createAlbum'],
    ['table', 'src/domain/albums', 'albums'],
    ['table', 'src/domain/albums', 'album_members'],
    ['event', 'src/domain/albums', 'album.created'],
    ['event', 'src/domain/albums', 'album.deleted'],
    ['task', 'src/domain/albums', 'remove old albums'],
  ]) {
    const { status, text } = add(...args)
    assert.equal(status, 0, text)
    assert.match(text, /\nNext:\n1\. /)
  }
  assert.match(read('src/api/core/endpoints.ts'), /export \{ getAlbum \} from '\.\/albums\/get\.ts'/)
  assert.match(read('test/conformance/recipes/core.ts'), /createAlbum: async \(\) => \(\{\}\),/)
  assert.match(read('src/app/modules.ts'), /^ {2}albums,$/m)
  const types = node('node_modules/typescript/bin/tsc', '-b')
  assert.equal(types.status, 0, types.text)
  const format = node('node_modules/@biomejs/biome/bin/biome', 'format', 'src', 'test')
  assert.equal(format.status, 0, format.text)

  for (const [file, reason] of [
    ['test/journeys/get-album.test.ts', '500 !== 200'],
    ['src/domain/albums/album-members.test.ts', 'no such table: album_members'],
    ['src/domain/albums/album-created.test.ts', 'Expected values to be strictly deep-equal'],
    ['src/domain/albums/remove-old-albums.test.ts', 'Check here what the task has changed.'],
  ] as const) {
    const { status, text } = run(file)
    assert.equal(status, 1, text)
    assert.ok(text.includes(reason), text)
  }
  assert.equal(node('scripts/generate.ts').status, 0)
  const table = run('src/domain/albums/album-members.test.ts')
  assert.equal(table.status, 0, table.text)
})

test('a file that exists is not overwritten', () => {
  const before = read('src/api/core/albums/get.ts')
  const { status, text } = add('endpoint', 'GET', '/2/albums/{album_id}', 'getAlbum')
  assert.equal(status, 2, text)
  assert.ok(text.startsWith('src/api/core/albums/get.ts exists\n'), text)
  assert.equal(read('src/api/core/albums/get.ts'), before)
})
