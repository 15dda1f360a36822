import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

test('the reporter tells each file, failures in full, errors that nothing caught, and the counts', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-reporter-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(
    join(folder, 'one.test.mjs'),
    "import { test } from 'node:test'\ntest('good', () => {})\ntest('bad', () => { throw new Error('why') })\n",
  )
  writeFileSync(
    join(folder, 'two.test.mjs'),
    "import { test } from 'node:test'\ntest('endless', () => new Promise(() => setInterval(() => { throw new Error('late') }, 1)))\n",
  )
  const reporter = fileURLToPath(new URL('reporter.ts', import.meta.url))
  const preload = new URL('test-preload.mjs', import.meta.url).href
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PLAZA|NODE)_/.test(name)))
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      '--test',
      `--import=${preload}`,
      `--test-reporter=${reporter}`,
      '--test-reporter-destination=stdout',
      'one.test.mjs',
      'two.test.mjs',
    ],
    { cwd: folder, env, encoding: 'utf8' },
  )
  assert.equal(status, 1)
  assert.match(stdout, /^✖ one\.test\.mjs \(2 tests, \d+ ms\)$/m)
  assert.match(stdout, /✖ bad[\s\S]*Error: why/)
  assert.doesNotMatch(stdout, /good/)
  assert.match(stdout, /^✖ two\.test\.mjs \(its process failed\)$/m)
  assert.match(stdout, /^uncaughtException in "endless": Error: late$/m)
  assert.match(stdout, /^# tests 3\n# fail 2\n# pass 1$/m)
})
