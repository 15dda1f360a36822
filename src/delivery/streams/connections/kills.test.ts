import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settled } from '../../../../test/support/until.ts'
import { MemoryBus } from '../../../platform/cluster/bus.ts'
import { systemRandom } from '../../../platform/common/random.ts'
import { ConnectionKills } from './kills.ts'

test('messages of another form end no connection and keep none from being ended', async () => {
  const dropped: string[] = []
  const bus = new MemoryBus((channel) => dropped.push(channel))
  const ended: string[] = []
  const connections = {
    get: (id: string) => ({
      id,
      async end() {
        ended.push(id)
      },
    }),
  }
  const kills = new ConnectionKills({
    store: { all: async () => [] },
    bus,
    random: systemRandom,
    connections,
  })
  const invalid = [
    'garbage',
    'null',
    '{}',
    '{"order":"1"}',
    '{"order":"1","uuids":"a"}',
    '{"order":"1","uuids":[1]}',
    '{"order":1,"uuids":["a"]}',
    JSON.stringify({ order: '1', uuids: Array(501).fill('a') }),
  ]
  const channels = ['end stream connections', 'stream connections ended']
  for (const channel of channels) for (const said of invalid) bus.publish(channel, Buffer.from(said))
  await settled()
  assert.deepEqual(ended, [])
  assert.deepEqual(
    dropped.toSorted(),
    channels.flatMap((channel) => invalid.map(() => channel)),
  )
  bus.publish('end stream connections', Buffer.from('{"order":"1","uuids":["a"]}'))
  await settled()
  assert.deepEqual(ended, ['a'])
  kills.close()
  await bus.close()
})
