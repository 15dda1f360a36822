import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

test('hooks belong to the suite that declares them, and run in the order of the suites', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-preload-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'order.test.mjs')
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs'
    import { after, before, describe, test } from 'node:test'
    const note = (text) => async () => appendFileSync('order', text + '\\n')
    describe('outer', () => {
      before(async () => { await new Promise((resolve) => setTimeout(resolve, 20)); await note('before outer')() })
      after(note('after outer'))
      test('first', note('first'))
      describe('inner', () => {
        before(note('before inner'))
        after(note('after inner'))
        test('second', note('second'))
      })
    })
    describe('next', () => {
      before(note('before next'))
      test('third', note('third'))
    })`,
  )
  const preload = new URL('test-preload.mjs', import.meta.url).href
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PLAZA|NODE)_/.test(name)))
  const { status, stdout } = spawnSync(process.execPath, ['--test', `--import=${preload}`, file], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout)
  assert.deepEqual(readFileSync(join(folder, 'order'), 'utf8').trim().split('\n'), [
    'before outer',
    'first',
    'before inner',
    'second',
    'after inner',
    'after outer',
    'before next',
    'third',
  ])
})
