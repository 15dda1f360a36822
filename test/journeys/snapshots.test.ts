import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import * as tar from 'tar'
import { comparisons } from '../../src/app/checks/all.ts'
import { compareAll, type Difference } from '../../src/app/checks/comparison.ts'
import { startPlaza as startPlazaInProcess } from '../../src/app/index.ts'
import { compareIds } from '../../src/platform/common/ids.ts'
import { Desk, dataOf } from '../support/ads-desk.ts'
import { Client, demoKeys, type Keys, type Reply } from '../support/client.ts'
import { png, uploaded } from '../support/media.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

const HOUR_MS = 3_600_000
/** Rounds under writes; the environment can ask for more. */
const ROUNDS = Number(process.env.PLAZA_TEST_SNAPSHOT_ROUNDS ?? 20)
const WRITERS = 3

interface Post {
  id: string
  text: string
}

for (const stage of stages.filter(({ shared }) => !shared)) {
  describe(`snapshots on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let keys: Required<Keys>
    let bearer: string

    before(async () => {
      opened = await stage.open({ audienceDelaySeconds: 0 }, { usesOwnClock: true, backgroundTasks: true })
      await opened.plaza.caughtUp
      client = new Client(opened.plaza)
      keys = demoKeys(opened.plaza)
      bearer = await client.bearer(keys)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const admin = (method: string, path: string, json?: unknown) =>
      client.send(method, `${opened.plaza.urls.console}/admin/v1${path}`, json === undefined ? {} : { json })
    async function done(method: string, path: string, json?: unknown): Promise<Record<string, unknown>> {
      const reply = await admin(method, path, json)
      assert.ok(reply.status < 300, reply.text)
      return (reply.json as { data: Record<string, unknown> } | undefined)?.data ?? {}
    }
    const save = (name: string) => done('POST', '/snapshots', { name, replace: true })
    const restore = (name: string) => done('POST', `/snapshots/${name}/restore`)
    const detail = (reply: Reply) =>
      `${(reply.json as { detail?: string }).detail} ${JSON.stringify((reply.json as { errors?: unknown }).errors)}`

    async function publish(text: string): Promise<Post> {
      const reply = await client.signed('POST', '/2/posts', keys, { json: { text } })
      assert.equal(reply.status, 201, reply.text)
      return (reply.json as { data: Post }).data
    }
    async function exists(id: string): Promise<boolean> {
      const reply = await client.signed('GET', `/2/posts/${id}`, keys)
      assert.equal(reply.status, 200, reply.text)
      return (reply.json as { data?: Post }).data !== undefined
    }
    /** Recent search leaves out the last seconds. */
    async function searched(word: string): Promise<string[]> {
      await done('POST', '/clock/advance', { by: '1m', timeout_seconds: 300 })
      const reply = await client.send('GET', `/2/posts/search/recent?query=${word}`, {
        headers: { authorization: `Bearer ${bearer}` },
      })
      assert.equal(reply.status, 200, reply.text)
      return ((reply.json as { data?: Post[] }).data ?? []).map(({ id }) => id)
    }

    test('everything is as it was saved: posts, search, media, relations, members, windows, nonces', async () => {
      const { plaza } = opened
      const desk = await Desk.open(plaza, client)
      const friend = await Person.join(plaza, client)
      const audience = String(dataOf(await desk.post('/custom_audiences', { name: 'Customers' })).id)
      const members = (from: number, to: number) => [
        {
          operation_type: 'Update',
          params: {
            users: Array.from({ length: to - from }, (_, index) => ({
              email: [
                createHash('sha256')
                  .update(`${from + index}@example.com`)
                  .digest('hex'),
              ],
            })),
          },
        },
      ]
      const size = async () => {
        await opened.plaza.context.membership.drain()
        return dataOf(await desk.get(`/custom_audiences/${audience}`)).audience_size
      }
      const add = async (from: number, to: number) => {
        const reply = await desk.json('POST', `/custom_audiences/${audience}/users`, members(from, to))
        assert.equal(reply.status, 200, reply.text)
      }
      await add(0, 150)
      assert.equal(await size(), 150)
      const early = await publish('savedword early')
      assert.deepEqual(await searched('savedword'), [early.id])
      const medium = await uploaded(plaza.context, friend.id, png(20, 20))
      const { hash = '' } = medium as { hash?: string }
      const authorization = client.sign('GET', '/2/users/me', keys)
      assert.equal((await client.send('GET', '/2/users/me', { headers: { authorization } })).status, 200)
      const remaining = async () =>
        Number((await client.signed('GET', '/2/users/me', friend.keys)).headers['x-rate-limit-remaining'])
      const left = await remaining()

      await save('everything')
      const late = await publish('savedword late')
      assert.deepEqual(await searched('savedword'), [late.id, early.id])
      await client.signed('DELETE', `/2/posts/${early.id}`, keys)
      await friend.core('POST', `/2/users/${friend.id}/following`, { target_user_id: desk.person.id })
      await add(150, 400)
      assert.equal(await size(), 400)
      await plaza.context.files.remove(hash)
      assert.equal(await remaining(), left - 1)
      await restore('everything')

      assert.equal(await exists(early.id), true)
      assert.equal(await exists(late.id), false)
      assert.deepEqual(await searched('savedword'), [early.id])
      const { context } = opened.plaza
      assert.equal(await context.files.size(hash), medium.bytes)
      assert.equal(await size(), 150)
      const following = await friend.core('GET', `/2/users/${friend.id}/following`)
      assert.equal((following.json as { data?: unknown[] }).data, undefined)
      assert.equal(await remaining(), left - 1, 'the window goes on where it was')
      const again = await client.send('GET', '/2/users/me', { headers: { authorization } })
      assert.equal(again.status, 401, 'a nonce that was used before the snapshot stays used')
      await publish('after the restoration')
    })

    test('the clock shows the saved time again, and ids go on in order', async () => {
      await done('PUT', '/clock', { frozen: true })
      const { now } = await done('GET', '/clock')
      const posts = [await publish('frozen one'), await publish('frozen two')]
      await save('frozen')
      await done('POST', '/clock/advance', { by: '30d', timeout_seconds: 300 })
      const far = await publish('in a month')
      await restore('frozen')
      const read = await done('GET', '/clock')
      assert.deepEqual([read.now, read.frozen], [now, true])
      assert.equal(await exists(far.id), false)
      posts.push(await publish('frozen three'))
      await restore('frozen')
      assert.equal(await exists(posts[2]?.id ?? ''), false)
      posts.pop()
      posts.push(await publish('frozen four'))
      const ids = posts.map(({ id }) => id)
      assert.deepEqual(ids.toSorted(compareIds), ids)
      assert.equal(new Set(ids).size, 3)
      await done('PUT', '/clock', { frozen: false })
      await save('running')
      const { now: savedAt } = (await done('GET', '/snapshots/running')).clock as { now: string }
      await done('POST', '/clock/advance', { by: '2h', timeout_seconds: 300 })
      await restore('running')
      const passed = Date.parse(String((await done('GET', '/clock')).now)) - Date.parse(savedAt)
      assert.ok(passed >= 0 && passed < HOUR_MS, `${passed} ms`)
    })

    test('streams end as when Plaza stops, and requests that arrive meanwhile are answered', async () => {
      await save('streams')
      const rule = await client.send('POST', '/2/posts/search/stream/rules', {
        headers: { authorization: `Bearer ${bearer}` },
        json: { add: [{ value: 'streamedword' }] },
      })
      assert.equal(rule.status, 201, rule.text)
      const stream = await StreamReader.open(opened.plaza, bearer)
      assert.equal(stream.status, 200)
      await publish('streamedword')
      await until('the post is streamed', async () => stream.items.some(({ data }) => data !== undefined))
      const restoring = restore('streams')
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => client.signed('GET', '/2/users/me', keys)),
      )
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      await restoring
      await until('the stream has ended', async () => stream.end !== undefined)
      assert.equal(stream.end, 'whole')
      const [error] = stream.items.at(-1)?.errors ?? []
      assert.equal(error?.title, 'operational-disconnect')
      const next = await StreamReader.open(opened.plaza, bearer)
      assert.equal(next.status, 409, 'the rule was made after the snapshot')
    })

    test('a reset brings back what the seed wrote, with the same keys', async () => {
      const person = await Person.join(opened.plaza, client)
      const post = await publish('gone after the reset')
      for (let round = 0; round < 2; round++) {
        const { seeded_at } = await done('POST', '/reset')
        assert.ok(Date.parse(String(seeded_at)) <= Date.now())
        assert.deepEqual(demoKeys(opened.plaza), keys)
        assert.equal(await exists(post.id), false)
        assert.equal((await person.core('GET', '/2/users/me')).status, 401)
        const { frozen, now, machine_now } = await done('GET', '/clock')
        assert.deepEqual([frozen, now], [false, machine_now])
        await publish('the same text in each round')
      }
      assert.ok(((await done('GET', '/snapshots')) as unknown as unknown[]).length > 0, 'snapshots stay')
    })

    test('names are checked, used once unless replaced, and there are at most 100', async () => {
      for (const name of ['', '.', '..', '../x', 'a/b', '.seed', 'a b', 'ä', 'x'.repeat(65), '%2e%2e']) {
        const reply = await admin('POST', '/snapshots', { name })
        assert.equal(reply.status, 400, name)
        assert.match(reply.text, /begins with a letter or a digit/)
      }
      for (const name of ['.seed', '..', 'unknown', 'a/../b'])
        for (const [method, end] of [
          ['GET', ''],
          ['DELETE', ''],
          ['POST', '/restore'],
          ['GET', '/export'],
        ] as const) {
          const reply = await admin(method, `/snapshots/${encodeURIComponent(name)}${end}`)
          assert.equal(reply.status, 404, `${method} ${name}${end}`)
        }
      await save('once')
      const twice = await admin('POST', '/snapshots', { name: 'once' })
      assert.equal(twice.status, 409)
      assert.match(detail(twice), /There is a snapshot "once" already/)
      assert.equal((await admin('DELETE', '/snapshots/once')).status, 204)
      assert.equal((await admin('GET', '/snapshots/once')).status, 404)
      const { name } = await done('POST', '/snapshots')
      assert.match(String(name), /^snapshot-\d+$/)
      assert.equal((await admin('DELETE', `/snapshots/${name}`)).status, 204)
    })

    test('an exported snapshot can be imported again, and a hostile file changes nothing', async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'plaza-export-'))
      t.after(() => rm(folder, { recursive: true, force: true }))
      bearer = await client.bearer(keys)
      const post = await publish('exported')
      const medium = await uploaded(opened.plaza.context, keys.token.split('-')[0] ?? '', png(30, 30))
      const { hash = '' } = medium as { hash?: string }
      await save('portable')
      const url = `${opened.plaza.urls.console}/admin/v1/snapshots`
      const exported = Buffer.from(await (await fetch(`${url}/portable/export`)).arrayBuffer())
      assert.equal((await admin('DELETE', '/snapshots/portable')).status, 204)
      await client.signed('DELETE', `/2/posts/${post.id}`, keys)
      const names = async () =>
        ((await admin('GET', '/snapshots')).json as { data: { name: string }[] }).data.map(({ name }) => name)
      const known = await names()
      const leftovers = () =>
        opened.folder === undefined
          ? []
          : readdirSync(join(opened.folder, 'snapshots')).filter((n) => n.startsWith('.w'))
      const send = (body: Buffer, query = '', type = 'application/x-tar') =>
        client.send('POST', `${url}/import${query}`, { body, headers: { 'content-type': type } })

      const unpacked = join(folder, 'unpacked')
      const remade = async (change: (files: string) => Promise<unknown>): Promise<Buffer> => {
        await rm(unpacked, { recursive: true, force: true })
        await writeFile(join(folder, 'file.tar'), exported)
        await mkdir(unpacked)
        await tar.extract({ file: join(folder, 'file.tar'), cwd: unpacked })
        await change(unpacked)
        await tar.create({ file: join(folder, 'other.tar'), cwd: unpacked }, readdirSync(unpacked))
        return readFile(join(folder, 'other.tar'))
      }
      const flat = async (change: (files: string) => Promise<unknown>): Promise<Buffer> => {
        await remade(change)
        const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
          .filter((entry) => !entry.isDirectory())
          .map((entry) => join(entry.parentPath, entry.name).slice(unpacked.length + 1))
        await tar.create({ file: join(folder, 'other.tar'), cwd: unpacked }, files)
        return readFile(join(folder, 'other.tar'))
      }
      const put = (name: string, text: string) => (files: string) => writeFile(join(files, name), text)
      const hostile: [Buffer, RegExp][] = [
        [Buffer.from('not a tar archive'), /not a complete snapshot|not a snapshot/],
        [exported.subarray(0, exported.length / 2), /not a complete snapshot/],
        [exported.subarray(0, 512), /not a complete snapshot|not a snapshot/],
        [await flat(put('plaza.db', 'damaged')), /plaza\.db in the file is damaged/],
        [await flat(put('limits.json', '[[1]]')), /windows of rate limits/],
        [await flat(put('manifest.json', '{}')), /not a snapshot of this version/],
        [await flat(put('evil.sh', 'x')), /it has the entry \\"evil\.sh\\"|it has the entry/],
        [await flat((files) => rm(join(files, 'plaza.db'))), /has no plaza\.db/],
        [await remade(async () => undefined), /it has the entry/],
        [
          await flat(async (files) => {
            const { DatabaseSync } = await import('node:sqlite')
            const db = new DatabaseSync(join(files, 'plaza.db'))
            db.exec('CREATE TRIGGER evil AFTER INSERT ON settings BEGIN DELETE FROM posts; END')
            db.close()
          }),
          /another version of Plaza/,
        ],
        [
          await flat(async (files) => {
            const { DatabaseSync } = await import('node:sqlite')
            const db = new DatabaseSync(join(files, 'plaza.db'))
            db.exec("UPDATE settings SET value = 'other' WHERE name = 'master_key_check'")
            db.close()
          }),
          /another master key/,
        ],
        [
          await flat(async (files) => {
            await writeFile(join(files, 'media', hash.slice(0, 2), hash), 'other content')
          }),
          /medium [0-9a-f]{64} in the file is damaged/,
        ],
      ]
      for (const [body, message] of hostile) {
        const reply = await send(body)
        assert.ok([400, 409].includes(reply.status), `${message} ${reply.text}`)
        assert.match(reply.text, message)
        assert.deepEqual(await names(), known)
        assert.deepEqual(leftovers(), [])
      }
      const outside = await mkdtemp(join(folder, 'outside-'))
      await writeFile(join(outside, 'x'), 'x')
      await tar.create({ file: join(folder, 'up.tar'), cwd: outside, preservePaths: true }, [
        join(outside, 'x'),
      ])
      assert.equal((await send(await readFile(join(folder, 'up.tar')))).status, 400)
      assert.equal((await send(exported, '', 'text/plain')).status, 415)
      assert.equal((await send(exported, '?name=../x')).status, 400)

      const imported = await send(exported, '?name=imported')
      assert.equal(imported.status, 201, imported.text)
      assert.equal((await send(exported, '?name=imported')).status, 409)
      await restore('imported')
      assert.equal(await exists(post.id), true)
      assert.deepEqual(await searched('exported'), [post.id])
      assert.equal(await opened.plaza.context.files.size(hash), medium.bytes)
    })

    test(`${ROUNDS} rounds of saving and restoring under writes end consistent`, async () => {
      await done('POST', '/reset')
      const people = await Promise.all(
        Array.from({ length: WRITERS }, () => Person.join(opened.plaza, client)),
      )
      const witness = await Person.join(opened.plaza, client)
      await save('rounds')
      let stopped = false
      const failures: string[] = []
      let writes = 0
      async function write(person: Person, index: number): Promise<void> {
        for (let turn = 0; !stopped; turn++) {
          const post = await person.core('POST', '/2/posts', { text: `round ${index} ${turn}` })
          const id = (post.json as { data?: Post }).data?.id
          const other = people[(index + 1) % WRITERS] as Person
          const replies = [
            post,
            await person.core('POST', `/2/users/${person.id}/likes`, { post_id: id ?? '1' }),
            await person.core('POST', `/2/users/${person.id}/following`, { target_user_id: other.id }),
            await person.core('DELETE', `/2/users/${person.id}/following/${other.id}`),
          ]
          writes += replies.length
          // What a call refers to may have been undone; a limit may be reached.
          for (const { status, text } of replies)
            if (status >= 500 || status === 401) failures.push(`${status} ${text}`)
        }
      }
      const writers = people.map(write)
      for (let round = 0; round < ROUNDS; round++) {
        if (round % 2 === 0) await save('rounds')
        const before = writes
        await until('something was written', async () => writes > before)
        const marker = await witness.core('POST', '/2/posts', { text: `marker ${round}` })
        assert.equal(marker.status, 201, marker.text)
        await restore('rounds')
        const { id } = (marker.json as { data: Post }).data
        const gone = await witness.core('GET', `/2/posts/${id}`)
        assert.equal((gone.json as { data?: Post }).data, undefined, `round ${round} undid nothing`)
      }
      stopped = true
      await Promise.all(writers)
      assert.deepEqual(failures, [])
      await restore('rounds')
      const differences: Difference[] = []
      const { context } = opened.plaza
      for await (const { name, compared, differing } of compareAll(context.store, comparisons, {
        repair: false,
        found: (difference) => {
          differences.push(difference)
        },
      }))
        assert.deepEqual([name, compared >= 0, differing, differences], [name, true, 0, []])
    })
  })
}

for (const stage of stages.filter(({ shared }) => shared)) {
  describe(`snapshots on ${stage.name}`, { skip: stage.skip }, () => {
    test('every call says how to save the database there', async (t) => {
      const opened = await stage.open({}, { usesOwnClock: true })
      t.after(() => opened.close())
      const url = `${opened.plaza.urls.console}/admin/v1`
      for (const [method, path] of [
        ['POST', '/snapshots'],
        ['GET', '/snapshots'],
        ['POST', '/snapshots/a/restore'],
        ['DELETE', '/snapshots/a'],
        ['GET', '/snapshots/a/export'],
        ['POST', '/snapshots/import'],
        ['POST', '/reset'],
      ] as const) {
        const reply = await fetch(url + path, { method })
        assert.equal(reply.status, 409, path)
        assert.match(await reply.text(), /not available on PostgreSQL.*pg_dump.*TEMPLATE/, path)
      }
      const status = (await (await fetch(`${url}/status`)).json()) as { data: Record<string, unknown> }
      assert.match(String(status.data.snapshots_unavailable), /^Snapshots are not available on PostgreSQL/)
    })
  })
}

test('the object of a program keeps working: it saves, restores and resets', async (t) => {
  const plaza = await startPlazaInProcess()
  t.after(() => plaza.close())
  const { urls, ports, ca } = plaza
  const before = await plaza.clock.advance('1h')
  assert.equal(await plaza.snapshot(), 'snapshot-1')
  assert.equal(await plaza.snapshot('named'), 'named')
  await plaza.clock.advance('5h')
  await plaza.restore('named')
  const passed = (await plaza.clock.now()).getTime() - before.getTime()
  assert.ok(passed >= 0 && passed < HOUR_MS, `${passed} ms`)
  await plaza.reset()
  assert.ok(Math.abs((await plaza.clock.now()).getTime() - Date.now()) < HOUR_MS / 2)
  assert.deepEqual([plaza.urls, plaza.ports, plaza.ca], [urls, ports, ca])
  await assert.rejects(plaza.restore('unknown'), /There is no snapshot "unknown"/)
})
