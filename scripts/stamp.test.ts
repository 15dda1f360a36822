import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'node:test'
import { isCurrent, STAMP, stampOf } from '../bin/stamp.mjs'

describe('a bundle is current', () => {
  let root: string
  const file = (...path: string[]) => join(root, ...path)
  beforeEach((t) => {
    root = mkdtempSync(join(tmpdir(), 'plaza-stamp-'))
    if ('after' in t) t.after(() => rmSync(root, { recursive: true, force: true }))
    for (const folder of ['src/posts', 'dist', 'scripts', 'node_modules'])
      mkdirSync(file(folder), { recursive: true })
    for (const name of ['package.json', 'scripts/bundle.mjs', 'node_modules/.package-lock.json'])
      writeFileSync(file(name), '{}')
    for (const name of ['main.ts', 'posts/post.ts', 'posts/post.test.ts', 'cities.tsv'])
      writeFileSync(file('src', name), '1')
    writeFileSync(file('dist', STAMP), stampOf(root))
  })

  test('as long as nothing that it was made of changed', () => {
    assert.equal(isCurrent(root), true)
    appendFileSync(file('src/posts/post.test.ts'), '2')
    assert.equal(isCurrent(root), true)
  })

  test('as long as only times of change differ, as after packing', () => {
    const later = new Date(Date.now() + 60_000)
    for (const name of ['package.json', 'src/main.ts']) utimesSync(file(name), later, later)
    assert.equal(isCurrent(root), true)
  })

  test('not without a stamp', () => {
    rmSync(file('dist', STAMP))
    assert.equal(isCurrent(root), false)
  })

  const changes: Record<string, () => void> = {
    'a source was edited': () => appendFileSync(file('src/posts/post.ts'), '2'),
    'a table was edited': () => appendFileSync(file('src/cities.tsv'), '2'),
    'a source was added': () => writeFileSync(file('src/posts/other.ts'), '1'),
    'a source was removed': () => rmSync(file('src/posts/post.ts')),
    'something else was installed': () => writeFileSync(file('node_modules/.package-lock.json'), '{ }'),
    'it would be built in another way': () => appendFileSync(file('scripts/bundle.mjs'), '2'),
  }
  for (const [when, change] of Object.entries(changes))
    test(`not when ${when}`, () => {
      change()
      assert.equal(isCurrent(root), false)
    })
})
