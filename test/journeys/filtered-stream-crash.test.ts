import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ReadyFile } from '../../src/cli/files.ts'
import { readFacts } from '../../src/cli/files.ts'
import { systemClock } from '../../src/common/clock.ts'
import { randomText, systemRandom } from '../../src/common/random.ts'
import type { Plaza } from '../../src/server.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { dropSchema, forgetKeys, POSTGRES_URL, REDIS_URL, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'
import { FREE_PORTS, spawnPlaza, temporaryFolder, until as untilOf } from './cli.fixture.ts'

const shared = stages.find((stage) => stage.shared)
const POSTS_AFTER = 5

test('of a node that is killed no acknowledged post is lost: a reader that connects elsewhere with backfill misses none', {
  skip: shared?.skip ?? 'no storage is shared',
}, async (t) => {
  const mark = randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')
  const store = {
    databaseUrl: POSTGRES_URL,
    databaseSchema: `plaza_test_${mark}`,
    redisUrl: REDIS_URL,
    redisPrefix: `plaza-test-${mark}:`,
  }
  const masterKey = systemRandom.bytes(32).toString('hex')
  const closing: (() => Promise<unknown>)[] = []
  // Before the folder goes.
  t.after(async () => {
    for (const close of closing) await close()
  })
  const folder = temporaryFolder(t)
  const staying = await startPlaza(
    {
      ...store,
      masterKey,
      node: 0,
      data: join(folder, 'staying'),
      rateLimits: 'off',
      streamConnectionsPerApp: 1,
    },
    { clock: systemClock },
  )
  const clients = [new Client(staying)]
  closing.push(
    async () => Promise.all(clients.map((one) => one.close())),
    () => staying.close(),
    () => Promise.all([dropSchema(store.databaseSchema), forgetKeys(store.redisPrefix)]),
  )
  const readyPath = join(folder, 'ready.json')
  const args = [
    '--node=1',
    `--data=${join(folder, 'dying')}`,
    `--ready-file=${readyPath}`,
    '--rate-limits=off',
  ]
  const where = [
    `--database-url=${store.databaseUrl}`,
    `--database-schema=${store.databaseSchema}`,
    `--redis-url=${store.redisUrl}`,
    `--redis-prefix=${store.redisPrefix}`,
  ]
  const process = spawnPlaza(t, ['start', ...FREE_PORTS, ...args, ...where], {
    env: { PLAZA_MASTER_KEY: masterKey },
  })
  const ready = await untilOf(process, 'the ready file', () => readFacts<ReadyFile>(readyPath))
  const dying = {
    urls: { core: ready.core_url },
    caPem: readFileSync(ready.ca_file ?? '', 'utf8'),
    context: { clock: systemClock },
  } as unknown as Plaza
  clients.push(new Client(dying))

  const [client, other] = clients as [Client, Client]
  const keys = demoKeys(staying)
  const bearer = await client.bearer(keys)
  const headers = { authorization: `Bearer ${bearer}` }
  await client.send('POST', '/2/posts/search/stream/rules', {
    headers,
    json: { add: [{ value: 'phoenix' }] },
  })

  const acknowledged: string[] = []
  const post = async (through: Client, text: string) => {
    const { status } = await through.signed('POST', '/2/posts', keys, { json: { text } })
    if (status === 201) acknowledged.push(text)
  }
  const first = await StreamReader.open(dying, bearer)
  assert.equal(first.status, 200)
  await post(client, 'a phoenix written elsewhere')
  await first.has('a phoenix written elsewhere')

  // Posts are written through both nodes when one of them is killed.
  let isKilled = false
  const writing = [client, other].map(async (through, at) => {
    for (let n = 0; !isKilled; n++) await post(through, `a phoenix ${at} ${n}`).catch(() => undefined)
  })
  await until('posts on the stream', () => first.items.length > POSTS_AFTER)
  process.stop('SIGKILL')
  await first.ended()
  isKilled = true
  await Promise.all(writing)

  // The connection of the killed node counts until its claim of the node number ends.
  const second = await until('the reader is connected again', async () => {
    const reader = await StreamReader.open(staying, bearer, '?backfill_minutes=5')
    if (reader.status === 200) return reader
    assert.equal(reader.status, 429)
    reader.close()
    return undefined
  })
  await second.has(...acknowledged)
  assert.ok(acknowledged.length > POSTS_AFTER)
  const { json } = await client.send(
    'GET',
    '/2/connections?status=inactive&connection.fields=disconnect_reason',
    {
      headers,
    },
  )
  const { data } = json as { data: { disconnect_reason: string }[] }
  assert.deepEqual(
    data.map((one) => one.disconnect_reason),
    ['node_stopped'],
  )
  second.close()
})
