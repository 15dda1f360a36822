import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

// Types as a client's build makes them: the generator comes from npm, with the compiler that it was
// written for.

const GENERATOR = ['openapi-typescript@7.13.0', 'typescript@5.9.3']
const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** What the compiler reports about a program in a folder; empty if its types are right. */
async function errorsOf(folder: string, file: string): Promise<string> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--allowImportingTsExtensions']
  try {
    await run(process.execPath, [compiler, ...options, '--types', '', file], { cwd: folder })
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

describe('types that are generated of the documents', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-types-'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await copyFile(join(root, 'test/clients/generated-types/consumer.ts'), join(folder, 'consumer.ts'))
    for (const name of ['core', 'ads']) {
      const packages = GENERATOR.flatMap((one) => ['--package', one])
      const paths = [join(root, `openapi/${name}.json`), '-o', join(folder, `${name}.ts`)]
      await run('npm', ['exec', '--yes', ...packages, '--', 'openapi-typescript', ...paths], { cwd: folder })
    }
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('objects, words, errors and required parameters are what a typed client relies on', async () => {
    assert.equal(await errorsOf(folder, 'consumer.ts'), '')
  })

  test('a client that relies on something else does not compile', async () => {
    const consumer = await readFile(join(folder, 'consumer.ts'), 'utf8')
    const wrong = consumer.replace(
      "['LineItem']['campaign_id'], string>",
      "['LineItem']['campaign_id'], number>",
    )
    assert.notEqual(wrong, consumer)
    await writeFile(join(folder, 'wrong.ts'), wrong)
    assert.match(await errorsOf(folder, 'wrong.ts'), /^wrong\.ts\(\d+,\d+\): error TS2344/)
  })
})
