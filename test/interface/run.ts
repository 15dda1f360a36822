import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * `npm run test:interface`: tests the interface on a Plaza that it starts, or on a running one:
 * `npm run test:interface -- --ready-file FILE`, where `plaza start --ready-file FILE` wrote FILE.
 */
const { values } = parseArgs({ options: { 'ready-file': { type: 'string' } } })
const file = values['ready-file']
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const reporter = [
  '--test-reporter',
  pathOf('../../scripts/reporter.ts'),
  '--test-reporter-destination=stdout',
]
const files = ['./core.test.ts', './content.test.ts', './ads.test.ts'].map(pathOf)
// One after the other: a running Plaza has one window of writes for all.
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...reporter, ...files], {
  stdio: 'inherit',
  env: { ...process.env, ...(file !== undefined && { PLAZA_READY_FILE: resolve(file) }) },
})
process.exit(status ?? 1)
