import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { request } from 'undici'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'
import { runPlaza, smallSeedFlag, startCli, temporaryFolder } from './cli.fixture.ts'

// Imports of posts by a running Plaza: through the admin API, and by the commands that call it.

interface Message {
  progress?: { pass: string; share: number; count: number }
  rejected?: { line: number; reason: string }
  result?: { added: number; known: number; rejected: number; repeated: boolean }
  error?: string
}

/** A file of posts of one author, each a second after the last one. */
const linesOf = (word: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ username: `author_of_${word}`.slice(0, 15), text: `${word} number ${n}`, lang: 'en' },
    created_at: new Date(Date.UTC(2026, 0, 5) + n * 1_000).toISOString(),
  }))
const fileOf = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

for (const stage of stages) {
  describe(`imports of posts through the admin API on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' }, { usesOwnClock: true, backgroundTasks: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    async function open(path: string, body: string | Readable, type = 'application/x-ndjson') {
      const reply = await request(`${opened.plaza.urls.console}/admin/v1${path}`, {
        ...{ method: 'POST', body, headers: { 'content-type': type } },
      })
      async function* messages(): AsyncGenerator<Message> {
        for await (const line of createInterface({ input: reply.body }))
          yield (JSON.parse(line) as { data: Message }).data
      }
      return { status: reply.statusCode, reply, messages: messages() }
    }
    async function all(path: string, body: string, type?: string): Promise<Message[]> {
      const { status, messages } = await open(path, body, type)
      assert.equal(status, 200)
      return Array.fromAsync(messages)
    }
    const found = async (word: string, path = 'search/all', query = '') => {
      const from = 'start_time=2026-01-01T00:00:00Z&end_time=2026-02-01T00:00:00Z'
      const headers = { authorization: `Bearer ${await client.bearer(demoKeys(opened.plaza))}` }
      const reply = await client.send('GET', `/2/posts/${path}?${from}&query=${word}${query}`, { headers })
      return (reply.json as { meta?: { result_count?: number; total_post_count?: number } }).meta
    }

    test('a file is imported, bad lines are reported, and searches, counts and timelines have the others', async () => {
      const lines = linesOf('heron', 250)
      const body = fileOf([...lines.slice(0, 3), { username: 'ava', text: 'When?' }, ...lines.slice(3)])
      const messages = await all('/posts/import?create_authors=true', body)
      assert.deepEqual(
        messages.filter(({ progress }) => !progress),
        [
          { rejected: { line: 4, reason: 'it must have created_at, or an id, which has a time' } },
          { result: { added: 250, known: 0, rejected: 1, repeated: false } },
        ],
      )
      // It says the progress after each 25 posts.
      assert.deepEqual(
        messages.flatMap(({ progress }) => (progress?.pass === 'importing' ? [progress.count] : [])),
        [...Array.from({ length: 10 }, (_, n) => (n + 1) * 25), 251],
      )
      await until(
        'they are found',
        async () => (await found('heron', 'counts/all'))?.total_post_count === 250,
      )
      const { data } = (await admin.send('GET', '/users/author_of_heron/posts?limit=1')).json as {
        data: { text: string }[]
      }
      assert.deepEqual(
        data.map(({ text }) => text),
        ['heron number 249'],
      )
      assert.equal((await admin.call('GET', '/users/author_of_heron')).post_count, 250)
      assert.deepEqual(await all('/posts/import?create_authors=true', body), [
        { result: { added: 250, known: 0, rejected: 1, repeated: true } },
      ])
    })

    test('another kind of file, unknown authors and wrong values are errors that say why', async () => {
      const [message] = await all('/posts/import?name=other.txt', 'one\ntwo\n')
      assert.match(message?.error ?? '', /^Line 1 of other\.txt is not a post: it is not JSON: /)
      const [line = {}] = linesOf('egret', 1)
      assert.deepEqual(
        (await all('/posts/import', fileOf([line]), 'application/json')).filter(({ progress }) => !progress),
        [
          { rejected: { line: 1, reason: 'there is no user @author_of_egret' } },
          { result: { added: 0, known: 0, rejected: 1, repeated: false } },
        ],
      )
      assert.equal((await open('/posts/import', 'x', 'text/plain')).status, 415)
      assert.deepEqual(await admin.wrong('POST', '/posts/generate', { count: 0 }), [
        400,
        '$.count: must be between 1 and 100000000',
      ])
      assert.deepEqual(await admin.wrong('POST', '/posts/generate', { count: 1, authors: 20_001 }), [
        400,
        '$.authors: must be between 1 and 20000',
      ])
    })

    test('one import runs at a time, and one that was left goes on later', async () => {
      const count = 3_000
      const body = fileOf(linesOf('stork', count))
      const path = '/posts/import?create_authors=true'
      const upload = new PassThrough()
      const opening = open(path, upload)
      upload.write(body.slice(0, 1_000))
      const busy = [409, 'Another import runs. Wait until it has ended.']
      await until('it has begun', async () => {
        const [status, says] = await admin.wrong('POST', '/posts/generate', { count: 0 })
        assert.deepEqual([status, says], [400, '$.count: must be between 1 and 100000000'])
        const second = await open('/posts/import', '')
        await second.reply.body.dump()
        return second.status === 409
      })
      assert.deepEqual(await admin.wrong('POST', '/posts/generate', { count: 10 }), busy)
      upload.end(body.slice(1_000))
      const { messages, reply } = await opening
      const first = await messages.next()
      assert.equal((first.value as Message).progress?.count, 25)
      reply.body.on('error', () => undefined).destroy()
      await until('it has ended', async () => {
        const { status, reply } = await open('/posts/import', '')
        await reply.body.dump()
        return status === 200
      })
      const known = (await admin.call<{ post_count: number }>('GET', '/users/author_of_stork')).post_count
      assert.ok(known >= 25 && known <= count && known % 25 === 0, `${known}`)
      const { added, rejected } = (await all(path, body)).at(-1)?.result ?? {}
      assert.deepEqual([added, rejected], [count, 0])
      assert.equal((await admin.call('GET', '/users/author_of_stork')).post_count, count)
    })

    test('a feed of products is imported into the catalog of a user', async () => {
      const names = ['id', 'title', 'description', 'availability', 'condition', 'price', 'link']
      const line = (id: string, price = '20.00 USD') =>
        [
          id,
          `Product ${id}`,
          'Plain',
          'in_stock',
          'new',
          price,
          'https://shop.example.com/',
          'https://shop.example.com/1.jpg',
          'Acme',
        ].join('\t')
      const header = [...names, 'image_link', 'brand'].join('\t')
      const feed = `${[header, line('a'), line('b', '20 dollars'), line('c')].join('\n')}\n`
      const path = '/products/import?user=demo'
      const type = 'text/tab-separated-values'
      const none = await open(path, feed, type)
      assert.deepEqual(
        [none.status, ((await none.reply.body.json()) as { detail: string }).detail],
        [404, '@demo has no product catalog. Create one with a name, or through the API.'],
      )
      type Said = { problem?: object; progress?: object; result?: Record<string, unknown> }
      const said = (await all(`${path}&name=Shop`, feed, type)) as Said[]
      const [problem, result] = said.filter(({ progress }) => !progress)
      assert.deepEqual(problem, {
        problem: {
          line: 3,
          id: 'b',
          kind: 'error',
          message: 'price must be a number, one space and an ISO 4217 code, for example "20.00 USD"',
        },
      })
      const { product_catalog_id: id, ...counts } = result?.result ?? {}
      assert.deepEqual(counts, { name: 'Shop', created: 2, updated: 0, unchanged: 0, rejected: 1 })
      const again = (await all(`/products/import?catalog_id=${id}`, feed, type)) as Said[]
      assert.equal(again.at(-1)?.result?.unchanged, 2)
      const [error] = await all(`/products/import?catalog_id=${id}`, 'no feed', type)
      assert.equal(typeof error?.error, 'string')
      for (const [query, status] of [
        ['catalog_id=1', 404],
        ['user=nobody', 404],
        ['', 400],
        ['user=demo&encoding=nothing', 400],
      ] as const) {
        const wrong = await open(`/products/import?${query}`, feed, type)
        await wrong.reply.body.dump()
        assert.equal(wrong.status, status, query)
      }
    })

    test('posts are generated, once', async () => {
      const values = { count: 400, authors: 20, days: 2, seed: 7 }
      const result = { added: 400, known: 0, rejected: 0 }
      const body = JSON.stringify(values)
      assert.deepEqual((await all('/posts/generate', body, 'application/json')).at(-1), {
        result: { ...result, repeated: false },
      })
      assert.deepEqual(await all('/posts/generate', body, 'application/json'), [
        { result: { ...result, repeated: true } },
      ])
    })
  })
}

test('commands import and generate posts in a Plaza in memory', async (t) => {
  const { readyPath } = await startCli(t, { args: ['--memory', smallSeedFlag(t)] })
  const file = join(temporaryFolder(t), 'posts.jsonl')
  writeFileSync(file, fileOf([...linesOf('heron', 2), { username: 'ava', text: 'When?' }]))
  const run = (...args: string[]) => runPlaza(t, [...args, `--ready-file=${readyPath}`])
  const importing = ['import', 'posts', file, '--create-authors']
  const first = await run(...importing)
  assert.deepEqual(first.stderr, `${file}:3: it must have created_at, or an id, which has a time\n`)
  assert.deepEqual([first.code, first.stdout], [1, `Imported ${file}.\nAdded 2  Known 0  Rejected 1\n`])
  const second = await run(...importing, '--json')
  assert.deepEqual([second.code, second.stdout], [0, '{"added":2,"known":0,"rejected":1}\n'])
  const counted = [
    'request',
    'GET',
    '/2/posts/counts/all?start_time=2026-01-01T00:00:00Z&end_time=2026-01-20T00:00:00Z&query=heron',
  ]
  for (let total = 0; total < 2; ) {
    const { stdout } = await run(...counted, '--as=app', '--json')
    const { body } = JSON.parse(stdout) as { body: { meta?: { total_post_count: number } } }
    total = body.meta?.total_post_count ?? 0
  }
  writeFileSync(file, 'one\n')
  const other = await run(...importing)
  assert.equal(other.code, 1)
  assert.match(other.stderr, /^plaza: Line 1 of .*posts\.jsonl is not a post: it is not JSON: /)
  writeFileSync(file, 'id\ttitle\n')
  const feed = await run('import', 'products', file, '--user=demo', '--name=Shop')
  assert.match(
    feed.stdout + feed.stderr,
    /^Imported .*posts\.jsonl into the catalog Shop \(\d+\)\.\nCreated 0 /,
  )
  const missing = await run('import', 'posts', join(file, 'none'))
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /^plaza: ENO/)
  const made = await run('generate', 'posts', '--count=200', '--authors=10', '--days=1')
  assert.deepEqual([made.code, made.stdout.split('\n')[1]], [0, 'Added 200  Known 0  Rejected 0'])
})
