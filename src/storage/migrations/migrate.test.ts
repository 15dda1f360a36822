import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { migrations } from './migrate.ts'

/** The beginning of the SHA-256 of the statements of each released migration, on SQLite and on PostgreSQL. */
const RELEASED: Readonly<Record<string, readonly [sqlite: string, postgres: string]>> = {
  '0001-foundation': ['0142d54bccf734dd', '0142d54bccf734dd'],
  '0002-advertising': ['01b6d419854e2d68', '5baa7e7e1b02397f'],
  '0003-accounts': ['0c2a1d06130da892', '8bb354ee0ed6bb8c'],
  '0004-posts': ['728ea48d2da2c490', '16a8be7e7d12f9bd'],
  '0005-user-lots': ['60804dea1b3c5d41', '60804dea1b3c5d41'],
  '0006-catalogs': ['f018e8faf8486340', '22a9915e24f0d92b'],
  '0007-audiences': ['2f0ca6c380f8a01b', 'd4bab01a8bf4ed9c'],
  '0008-creatives': ['4b7cbe48c310b7e8', 'cffd14a5bc09f8fd'],
  '0009-tags': ['56932de12cf9f1fd', '30842540bdefcc47'],
  '0010-nodes': ['31b63f03653a7efe', '31b63f03653a7efe'],
  '0011-one-token': ['a8972b7f0c9d2420', 'a8972b7f0c9d2420'],
  '0012-deleted-drafts': ['4cf118ac342a0fb8', '4cf118ac342a0fb8'],
  '0013-tasks': ['919007efe59fc0dd', '0af9e648d20976ed'],
  '0014-image-conversations': ['856f6a3762f27f4b', '856f6a3762f27f4b'],
  '0015-events': ['310ec36ae78bd439', '48f7c6b5de00afb9'],
}

const digest = (statements: readonly string[]) =>
  createHash('sha256').update(statements.join(';\n')).digest('hex').slice(0, 16)

test('released migrations run the statements that they were released with, and in their order', () => {
  const found = migrations
    .slice(0, Object.keys(RELEASED).length)
    .map(({ name, statements }) => [name, [digest(statements('sqlite')), digest(statements('postgres'))]])
  assert.deepEqual(found, Object.entries(RELEASED))
})

test('a migration imports nothing of the program, so that no change elsewhere changes what it does', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^\d{4}-[a-z-]+\.ts$/.test(name))
  assert.equal(files.length, migrations.length)
  for (const file of files) {
    const imports = readFileSync(`${import.meta.dirname}/${file}`, 'utf8').match(/^import .*$/gm)
    assert.deepEqual(imports, ["import type { Migration } from './migration.ts'"], file)
  }
})
