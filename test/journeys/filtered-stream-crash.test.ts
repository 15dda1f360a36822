import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, demoKeys } from '../support/client.ts'
import { stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'
import { startTwoNodes } from './two-nodes.fixture.ts'

const shared = stages.find((stage) => stage.shared)
const POSTS_AFTER = 5

test('of a node that is killed no acknowledged post is lost: a reader that connects elsewhere with backfill misses none', {
  skip: shared?.skip ?? 'no storage is shared',
}, async (t) => {
  const { staying, client, dying, other, process } = await startTwoNodes(t, {
    config: { streamConnectionsPerApp: 1 },
  })
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
