import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

// Runs the code of each guide as one program, and compares what it prints with its comments.

const GUIDES = ['client', 'list-bot']
/** The package, from the sources. */
const PACKAGE: Readonly<Record<string, URL>> = {
  plaza: new URL('../../src/app/index.ts', import.meta.url),
  'plaza/client': new URL('../../src/client/index.ts', import.meta.url),
}

for (const name of GUIDES)
  test(`the code of the guide ${name} runs, and prints what it says`, async (t) => {
    const guide = readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')
    const code = [...guide.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('\n')
    const expected = [...code.matchAll(/console\.log\(.*\) *\/\/ (.*)$/gm)].map(([, text]) => text)
    assert.ok(expected.length > 5)

    const folder = mkdtempSync(join(tmpdir(), 'plaza-guide-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const hooks = registerHooks({
      resolve: (specifier, context, next) => next(PACKAGE[specifier]?.href ?? specifier, context),
    })
    t.after(() => hooks.deregister())
    const printed: string[] = []
    const log = t.mock.method(console, 'log', (...values: unknown[]) => {
      printed.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '))
    })
    const file = join(folder, 'guide.mjs')
    writeFileSync(file, code)
    await import(pathToFileURL(file).href)
    log.mock.restore()
    assert.deepEqual(printed, expected)
  })
