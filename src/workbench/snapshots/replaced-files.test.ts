import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  commitTo,
  completeRestoration,
  formerOf,
  placesIn,
  putBackData,
  replaceData,
  SNAPSHOTS,
} from './replaced-files.ts'

/** A data folder with `old` data, and `new` data staged, without audience members. */
function prepared(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-replaced-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { staged } = placesIn(folder)
  for (const [place, text] of [
    [folder, 'old'],
    [staged, 'new'],
  ] as const) {
    for (const name of ['nonces', 'media']) {
      mkdirSync(join(place, name), { recursive: true })
      writeFileSync(join(place, name, 'file'), text)
    }
    for (const name of ['plaza.db', 'search.db']) writeFileSync(join(place, name), text)
  }
  for (const name of ['membership-log.db', 'membership.db', 'search.db-wal'])
    writeFileSync(join(folder, name), 'old')
  return folder
}

const contentOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes(SNAPSHOTS))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [path.slice(folder.length + 1), readFileSync(path, 'utf8')] as const
      })
      .toSorted(),
  )

const NEW = { 'media/file': 'new', 'nonces/file': 'new', 'plaza.db': 'new', 'search.db': 'new' }

test('data is replaced as a whole, with what belongs to its databases', (t) => {
  const folder = prepared(t)
  commitTo(folder)
  replaceData(folder)
  assert.deepEqual(contentOf(folder), NEW)
})

test('the former data can be put back', (t) => {
  const folder = prepared(t)
  const before = contentOf(folder)
  putBackData(folder)
  assert.deepEqual(contentOf(folder), before, 'nothing was replaced yet')
  commitTo(folder)
  replaceData(folder)
  putBackData(folder)
  assert.deepEqual(contentOf(folder), before)
  completeRestoration(folder)
  assert.deepEqual(contentOf(folder), before)
  assert.equal(existsSync(placesIn(folder).root), false)
})

test('a replacement that was not decided yet is dropped by the next start', (t) => {
  const folder = prepared(t)
  const before = contentOf(folder)
  completeRestoration(folder)
  assert.deepEqual(contentOf(folder), before)
  assert.equal(existsSync(placesIn(folder).root), false)
})

test('one that was interrupted after any step is completed by the next start', (t) => {
  const { staged, former } = placesIn('')
  const steps: [from: string, to: string][] = [
    ['plaza.db', join(former, 'plaza.db')],
    [join(staged, 'plaza.db'), 'plaza.db'],
    ['search.db-wal', join(former, 'search.db-wal')],
    ['search.db', join(former, 'search.db')],
    [join(staged, 'search.db'), 'search.db'],
    ['membership-log.db', join(former, 'membership-log.db')],
    ['membership.db', join(former, 'membership.db')],
    ['nonces', join(former, 'nonces')],
    [join(staged, 'nonces'), 'nonces'],
    ['media', join(former, 'media')],
    [join(staged, 'media'), 'media'],
  ]
  for (let done = 0; done <= steps.length; done++) {
    const folder = prepared(t)
    commitTo(folder)
    for (const [from, to] of steps.slice(0, done)) renameSync(join(folder, from), join(folder, to))
    completeRestoration(folder)
    assert.deepEqual(contentOf(folder), NEW, `${done} steps`)
    assert.equal(existsSync(placesIn(folder).root), false)
  }
})

test('a snapshot whose successor did not get its name has it again after the next start', (t) => {
  const folder = prepared(t)
  const snapshots = join(folder, SNAPSHOTS)
  for (const name of ['a', 'b']) mkdirSync(formerOf(snapshots, name))
  mkdirSync(join(snapshots, 'b'))
  mkdirSync(join(snapshots, '.work-1'))
  completeRestoration(folder)
  assert.deepEqual(readdirSync(snapshots).toSorted(), ['a', 'b'])
})
