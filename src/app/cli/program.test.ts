import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programWords } from './program.ts'

test('commands are printed as the program was run', () => {
  for (const [script, byNpm, words] of [
    ['/work/plaza/bin/plaza.mjs', true, 'npx plaza'],
    ['/app/node_modules/.bin/plaza', true, 'npx plaza'],
    ['/app/node_modules/.bin/plaza', false, 'npx plaza'],
    ['/usr/local/bin/plaza', false, 'plaza'],
    ['/work/my plaza/bin/plaza.mjs', false, "node '/work/my plaza/bin/plaza.mjs'"],
  ] as const)
    assert.equal(programWords(script, byNpm), words)
})
