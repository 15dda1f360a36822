import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { jsonText } from '../../platform/common/exact-json.ts'
import { demoSeed } from './seed.ts'
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
        'FILE:6:15: at /acounts: is not one of [$schema,users,apps,accounts,link_previews,posts,direct_messages,spaces,lists,communities,broadcast_sources,broadcasts,population]',
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

  const app = (more: object) => ({
    ...{ name: 'A', website: 'https://a.example/', owner: 'ann', callbacks: [], permission: 'read' },
    ...{ kind: 'web', sign_in: false, ...more },
  })
  const grant = (more: object) => ({ user: 'ann', access: 'read', ...more })
  /** A seed with one app or user per line. */
  const seedOf = (apps: object[], users: object[] = [{ screen_name: 'ann', name: 'Ann' }]) => {
    const lines = (all: object[]) => all.map((object) => JSON.stringify(object)).join(',\n')
    return `{"users":[\n${lines(users)}\n],"apps":[\n${lines(apps)}\n]}`
  }

  test('that contradicts itself is reported, each value with its line and path', async () => {
    const withoutColumn = (problem: string) => problem.replace(/^(FILE:\d+):\d+/, '$1')
    const problems = {
      'is the same consumer key as at /apps/0/consumer_key': [
        'FILE:5: at /apps/1/consumer_key',
        seedOf([app({ consumer_key: 'k' }), app({ consumer_key: 'k' })]),
      ],
      'is the same client id as at /apps/0/client_id': [
        'FILE:5: at /apps/1/client_id',
        seedOf([app({ client_id: 'c' }), app({ client_id: 'c' })]),
      ],
      'is the same token as at /apps/0/grants/0/token': [
        'FILE:5: at /apps/1/grants/0/token',
        seedOf([app({ grants: [grant({ token: 't' })] }), app({ grants: [grant({ token: 't' })] })]),
      ],
      'is the same user as at /apps/0/grants/0/user': [
        'FILE:4: at /apps/0/grants/1/user',
        seedOf([app({ grants: [grant({}), grant({ user: 'Ann' })] })]),
      ],
      'only a confidential client has a secret': [
        'FILE:4: at /apps/0/client_secret',
        seedOf([app({ client_type: 'public', client_secret: 's' })]),
      ],
      'a callback has no fragment': [
        'FILE:4: at /apps/0/callbacks/0',
        seedOf([app({ callbacks: ['https://a.example/#b'] })]),
      ],
      'the scheme javascript is not allowed': [
        'FILE:4: at /apps/0/callbacks/0',
        seedOf([app({ callbacks: ['javascript:alert(1)'] })]),
      ],
      'is the same screen name as at /users/0/screen_name': [
        'FILE:3: at /users/1/screen_name',
        seedOf(
          [],
          [
            { screen_name: 'alice', name: 'Alice' },
            { screen_name: 'ALICE', name: 'Alice' },
          ],
        ),
      ],
      'must be 1 to 15 letters, digits or underscores': [
        'FILE:2: at /users/0/screen_name',
        seedOf([], [{ screen_name: 'ann-lee', name: 'Ann' }]),
      ],
    } as const
    for (const [what, [where, text]] of Object.entries(problems))
      assert.deepEqual((await problemsOf(text)).map(withoutColumn), [`${where}: ${what}`])
    const native = seedOf([app({ kind: 'desktop', client_secret: 's' })])
    assert.match((await problemsOf(native)).join(), /only a confidential client has a secret/)
  })

  test('may have users only', async () => {
    assert.deepEqual(await problemsOf('{"users":[{"screen_name":"ann","name":"Ann"}]}'), [])
  })

  test('that does not exist is reported', () => {
    assert.throws(() => readSeedFile(join(folder, 'none.json')), /none\.json: there is no such file/)
  })

  test('is described by the committed schema, which takes what the reader takes', () => {
    const committed = JSON.parse(
      readFileSync(new URL('../../../docs/seed.schema.json', import.meta.url), 'utf8'),
    )
    assert.deepEqual(committed, JSON.parse(jsonText(seedSchema())))
    const validate = new Ajv2020({ strict: false }).compile(committed)
    assert.equal(validate(demoSeed()), true, JSON.stringify(validate.errors))
    assert.equal(validate(JSON.parse(GOOD)), true)
    assert.equal(validate({ users: [{ screen_name: 'ann' }], apps: [] }), false)
  })
})
