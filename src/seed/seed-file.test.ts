import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { jsonText } from '../common/exact-json.ts'
import { demo } from './demo.ts'
import { readSeedFile, seedSchema } from './seed-file.ts'

const GOOD = `{
  "$schema": "https://example.com/seed.schema.json",
  "users": [{ "screen_name": "ann", "name": "Ann" }],
  "apps": []
}
`

describe('a seed file', () => {
  let folder: string
  let file: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-seed-'))
    file = join(folder, 'seed.json')
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const problemsOf = async (text: string) => {
    await writeFile(file, text)
    try {
      readSeedFile(file)
      return []
    } catch (error) {
      return (error as Error).message.replaceAll(file, 'FILE').split('\n')
    }
  }

  test('may name its schema', async () => {
    assert.deepEqual(await problemsOf(GOOD), [])
  })

  test('has no name of which nothing can be seen', async () => {
    assert.deepEqual(await problemsOf(GOOD.replace('"Ann"', '"\u200b"')), [
      'FILE:3:37: at /users/0/name: must have a visible character',
    ])
  })

  test('has amounts of 64 bits', async () => {
    const account = (limit: string) =>
      `{"users":[{"screen_name":"ann","name":"Ann"}],"apps":[],"accounts":[{"name":"A","owner":"ann",
        "environment":"production","funding":[{"currency":"EUR","type":"CREDIT_LINE","credit_limit_local_micro":${limit}}]}]}`
    assert.deepEqual(await problemsOf(account('9223372036854775807')), [])
    assert.equal(
      readSeedFile(file).accounts?.[0]?.funding?.[0]?.credit_limit_local_micro,
      9223372036854775807n,
    )
    assert.deepEqual(await problemsOf(account('9223372036854775808')), [
      'FILE:2:86: at /accounts/0/funding/0/credit_limit_local_micro: must be between 1 and 9223372036854775807',
    ])
  })

  test('every invalid value is reported with line and column', async () => {
    assert.deepEqual(
      await problemsOf(`{
  "users": [
    { "screen_name": "ann", "name": "Ann" },
    { "screen_name": "", "name": 5 }
  ],
  "apps": [], "acounts": []
}`),
      [
        'FILE:4:7: at /users/1/screen_name: can not be empty',
        'FILE:4:26: at /users/1/name: must be of type string',
        'FILE:6:15: at /acounts: is not one of [$schema,users,apps,accounts,population]',
      ],
    )
  })

  test('that is not JSON is reported with the place where it stops being JSON', async () => {
    assert.deepEqual(await problemsOf('{\n  "users": [\n    nope\n  ]\n}'), [
      `FILE:3:6: this is not JSON: Unexpected token 'o'`,
    ])
    assert.deepEqual(await problemsOf('{ "users": ['), [
      'FILE:1:13: this is not JSON: Unexpected end of JSON input',
    ])
  })

  test('that names a user it does not create is reported', async () => {
    assert.deepEqual(
      await problemsOf(`{"users": [], "apps": [],
"accounts": [{"name": "A", "owner": "bob", "environment": "sandbox"}]}`),
      ['FILE:2:28: at /accounts/0/owner: the user "bob" is not among the users of this file'],
    )
  })

  test('that does not exist is reported', () => {
    assert.throws(() => readSeedFile(join(folder, 'none.json')), /none\.json: there is no such file/)
  })

  test('is described by the committed schema, which takes what the reader takes', () => {
    const committed = JSON.parse(
      readFileSync(new URL('../../docs/seed.schema.json', import.meta.url), 'utf8'),
    )
    assert.deepEqual(committed, JSON.parse(jsonText(seedSchema())))
    const validate = new Ajv2020({ strict: false }).compile(committed)
    assert.equal(validate(demo), true, JSON.stringify(validate.errors))
    assert.equal(validate(JSON.parse(GOOD)), true)
    assert.equal(validate({ users: [{ screen_name: 'ann' }], apps: [] }), false)
  })
})
