import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** What the linter has no rule for. */
const root = fileURLToPath(new URL('..', import.meta.url))
const isTest = /\.(test|fixture|corpus)\.ts$/
const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !isTest.test(file))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Code without comments, which may speak of what code may not do. */
const code = (file: string) => read(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

test('only the clock reads the time', () => {
  const readers = sources.filter((file) => /\bDate\.now\b|\bnew Date\(\)/.test(code(file)))
  assert.deepEqual(readers, ['src/common/clock.ts'])
})

test('only the random source makes randomness', () => {
  const taken = /\bMath\.random\b|\b(randomBytes|randomUUID|randomInt|randomFill|getRandomValues)\b/
  assert.deepEqual(
    sources.filter((file) => taken.test(code(file))),
    ['src/common/random.ts'],
  )
})

test('only the configuration reads the environment', () => {
  assert.deepEqual(
    sources.filter((file) => /\bprocess\.env\b/.test(code(file))),
    ['src/config.ts'],
  )
})

test('nobody but the list of endpoints and its own resource imports the file of an endpoint', () => {
  const endpointFiles = new Set(sources.filter((file) => /= endpoint\(\{/.test(read(file))))
  assert.ok(endpointFiles.size > 0)
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter((target) => endpointFiles.has(target) && dirname(target) !== dirname(file))
      .filter(() => file !== 'src/endpoints.ts')
      .map((target) => `${file} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('the store and the cluster know no resource', () => {
  const resource = /^src\/(core|oauth|ads|identity|auth|console|cli)\//
  const wrong = sources
    .filter((file) => /^src\/(store|cluster)\//.test(file))
    .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
    .filter(({ target }) => resource.test(target))
  assert.deepEqual(wrong, [])
})

/** The files of ours that a file imports. */
function importsOf(file: string): string[] {
  return [...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, path]) => join(dirname(file), path as string))
}
