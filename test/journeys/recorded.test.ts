import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { runPlaza, spawnPlaza, startCli, temporaryFolder, until } from './cli.fixture.ts'

// A recording of a service, which is another Plaza here, becomes a seed and fault rules.

type Data = Record<string, unknown>

const TOWN = {
  users: [
    {
      ...{ screen_name: 'ann', name: 'Ann Baker', description: 'Bread', location: 'Old Town' },
      ...{
        url: 'https://ann.example.com/',
        verified_type: 'blue',
        pinned_post: 'welcome',
        created_at: '-400d',
      },
    },
    { screen_name: 'bob', name: 'Bob', created_at: '-300d' },
    { screen_name: 'cyd', name: 'Cyd', created_at: '-200d' },
  ],
  apps: [
    {
      ...{ name: 'Tool', website: 'https://tool.example/', owner: 'ann', callbacks: [] },
      ...{ permission: 'read-write', kind: 'web', sign_in: false },
      grants: [{ user: 'ann', access: 'read-write' }],
    },
  ],
  posts: [
    {
      id: 'welcome',
      author: 'ann',
      text: 'The bakery opens',
      lang: 'en',
      created_at: '-3h',
      reposts: ['bob'],
    },
    { author: 'bob', text: '@ann Rye?', lang: 'en', created_at: '-2h', reply_to: 'welcome' },
    { author: 'bob', text: 'Look', lang: 'en', created_at: '-1h', quotes: 'welcome' },
    { author: 'cyd', text: 'Of nobody who is shown', lang: 'en', created_at: '-1h' },
  ],
}

interface Recording {
  /** The ids of the users of the service by their names. */
  readonly ids: Readonly<Record<string, string>>
  /** Sends a request of the app through the recorder. Resolves to the status. */
  send(path: string, init?: RequestInit): Promise<number>
}

/** Records what a client does. Resolves to the file. */
async function recorded(
  t: TestContext,
  folder: string,
  work: (at: Recording) => Promise<void>,
): Promise<string> {
  const service = await startPlaza({ seed: TOWN })
  t.after(() => service.close())
  const client = new Client(service)
  t.after(() => client.close())
  const ca = join(folder, 'service.pem')
  writeFileSync(ca, service.caPem ?? '')
  const out = join(folder, 'recorded.har')
  const proxy = spawnPlaza(t, [
    'record',
    ...[`--upstream=${service.urls.core}`, `--upstream-ca=${ca}`, `--out=${out}`, '--json'],
  ])
  const line = await until(proxy, 'the address', () => /^\{.*\}$/m.exec(proxy.stdout())?.[0])
  const { url } = JSON.parse(line) as { url: string }
  const authorization = `Bearer ${await client.bearer(demoKeys(service))}`
  await work({
    ids: Object.fromEntries(service.seeded?.users.map(({ screenName, id }) => [screenName, id]) ?? []),
    async send(path, init = {}) {
      const reply = await fetch(url + path, { ...init, headers: { authorization, ...init.headers } })
      await reply.text()
      return reply.status
    },
  })
  proxy.stop('SIGINT')
  assert.equal((await proxy.ended).code, 0)
  return out
}

test('a recording becomes a seed with its users, posts and references', async (t) => {
  const folder = temporaryFolder(t)
  const postFields = 'post.fields=author_id,created_at,lang,referenced_posts'
  const file = await recorded(t, folder, async ({ ids, send }) => {
    const fields = 'user.fields=created_at,description,location,pinned_post_id,url,verified_type'
    assert.equal(await send(`/2/users/by?usernames=ann,bob&${fields}`), 200)
    for (const name of ['ann', 'bob', 'cyd'])
      assert.equal(await send(`/2/users/${ids[name]}/posts?${postFields}`), 200)
    assert.equal(await send('/2/users/by/username/nobody'), 200)
  })
  const har = JSON.parse(readFileSync(file, 'utf8')) as {
    log: { entries: { response: { content: { text: string } } }[] }
  }
  const [, ofAnn] = har.log.entries.map(
    ({ response }) => JSON.parse(response.content.text) as { data: Data[] },
  )
  const welcome = String(ofAnn?.data[0]?.id)

  const { code, stdout, stderr } = await runPlaza(t, ['seed', 'from-recording', file, '--format=json'])
  assert.equal(code, 0, stderr)
  assert.equal(
    stderr,
    '2 users and 3 posts of 5 exchanges.\n1 posts are left out: the recording does not show their authors.\n',
  )
  const seed = JSON.parse(stdout) as { users: Data[]; posts: Data[] }
  assert.deepEqual(
    seed.users.map(({ created_at, ...user }) => [user, String(created_at).length]),
    [
      [
        {
          ...{ screen_name: 'ann', can_sign_in: false, name: 'Ann Baker', description: 'Bread' },
          ...{
            location: 'Old Town',
            url: 'https://ann.example.com/',
            verified_type: 'blue',
            pinned_post: welcome,
          },
        },
        24,
      ],
      [{ screen_name: 'bob', can_sign_in: false, name: 'Bob', verified_type: 'none' }, 24],
    ],
  )
  assert.deepEqual(
    seed.posts.map(({ author, text, lang, reply_to, quotes, reposts }) => [
      author,
      text,
      lang,
      reply_to,
      quotes,
      reposts,
    ]),
    [
      ['ann', 'The bakery opens', 'en', undefined, undefined, ['bob']],
      ['bob', '@ann Rye?', 'en', welcome, undefined, undefined],
      ['bob', 'Look', 'en', undefined, welcome, undefined],
    ],
  )

  // It starts a Plaza that shows the same.
  const yaml = await runPlaza(t, ['seed', 'from-recording', file])
  const town = join(folder, 'town.yaml')
  writeFileSync(town, yaml.stdout)
  const checked = await runPlaza(t, ['seed', 'check', town])
  assert.equal(
    checked.stdout,
    `${town} is a seed file: 2 users, 0 apps, 0 accounts, 3 posts.\n`,
    checked.stderr,
  )
  const again = await startPlaza({ seed: town }, { usesOwnClock: true })
  t.after(() => again.close())
  const client = new Client(again)
  t.after(() => client.close())
  const shown = await new Admin(again, client).call<{ users: Data[]; posts: Data[] }>('GET', '/seed')
  assert.deepEqual(
    shown.users.map(({ screen_name, description, pinned_post }) => [screen_name, description, pinned_post]),
    [
      ['ann', 'Bread', 'post1'],
      ['bob', undefined, undefined],
    ],
  )
  assert.deepEqual(
    shown.posts.map(({ text, reply_to, quotes, reposts, created_at }) => [
      text,
      reply_to,
      quotes,
      reposts,
      created_at,
    ]),
    seed.posts.map(({ text, reply_to, quotes, reposts, created_at }) => [
      ...[text, reply_to && 'post1', quotes && 'post1', reposts, created_at],
    ]),
  )
  const exported = await runPlaza(t, ['seed', 'from-recording', file, '--format=xml'])
  assert.equal(exported.code, 2)
  assert.match(exported.stderr, /--format must be yaml or json, not "xml"/)
})

test('errors of a recording become fault rules that give the same errors as often', async (t) => {
  const folder = temporaryFolder(t)
  const file = await recorded(t, folder, async ({ send }) => {
    for (const _ of [1, 2]) assert.equal(await send('/2/posts?ids=x'), 400)
    assert.equal(await send('/2/users/me'), 403)
    const authorization = 'Bearer unknown'
    assert.equal(await send('/2/users/by/username/ann', { headers: { authorization } }), 401)
    assert.equal(await send('/2/nothing'), 404)
    assert.equal(await send('/2/users/by/username/ann'), 200)
  })
  const unknown = 'No rule for GET /2/nothing 404: no endpoint documents it.\n'
  const printed = await runPlaza(t, ['fault', 'from-recording', file, '--print'])
  assert.deepEqual(
    [printed.code, printed.stdout, printed.stderr],
    [
      0,
      `plaza fault add 'GET /2/posts' 400 --cause 'bad request' --times 2
plaza fault add 'GET /2/users/me' 403 --cause 'auth kind not allowed' --times 1
plaza fault add 'GET /2/users/by/username/{username}' 401 --cause 'invalid token' --times 1
`,
      unknown,
    ],
  )

  const { data } = await startCli(t)
  const added = await runPlaza(t, ['fault', 'from-recording', file, `--data=${data}`, '--json'])
  assert.deepEqual([added.code, added.stderr], [0, unknown])
  const rules = added.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Data)
  assert.deepEqual(
    rules.map(({ route, status, cause, times }) => [route, status, cause, times]),
    [
      ['GET /2/posts', 400, 'bad request', 2],
      ['GET /2/users/me', 403, 'auth kind not allowed', 1],
      ['GET /2/users/by/username/{username}', 401, 'invalid token', 1],
    ],
  )
  const statusOf = async (path: string) => {
    const { stdout } = await runPlaza(t, ['request', 'GET', path, `--data=${data}`, '--json'])
    return (JSON.parse(stdout) as { status: number }).status
  }
  // What would succeed fails as often as it was recorded.
  assert.deepEqual([await statusOf('/2/users/me'), await statusOf('/2/users/me')], [403, 200])
  const ids = '/2/posts?ids=1900000000000000042'
  assert.deepEqual([await statusOf(ids), await statusOf(ids), await statusOf(ids)], [400, 400, 200])
  const none = await runPlaza(t, ['fault', 'from-recording', join(folder, 'none.har')])
  assert.deepEqual([none.code, none.stderr], [1, `plaza: The file ${folder}/none.har does not exist.\n`])
})
