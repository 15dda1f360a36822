import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@redis/client'
import { noRedis, REDIS_URL } from '../../../test/support/services.ts'
import { REACH_MS, settled, until } from '../../../test/support/until.ts'
import { withWakeups } from '../../app/start/wakeups.ts'
import { ManualClock, systemClock } from '../common/clock.ts'
import { systemRandom } from '../common/random.ts'
import { openStore } from '../storage/open.ts'
import { type Bus, MAX_MESSAGE_BYTES, MAX_WAITING_MESSAGES, MemoryBus, type OnDropped } from './bus.ts'
import { announce } from './presence.ts'
import { RedisBus } from './redis-bus.ts'

async function connected() {
  const client = createClient({
    url: REDIS_URL,
    RESP: 2,
    socket: { connectTimeout: REACH_MS, reconnectStrategy: false },
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const skip = noRedis

const text = (data: Uint8Array) => Buffer.from(data).toString()
const bytes = (said: string) => Buffer.from(said)

/** Channels and errors of messages that their subscribers could not handle. */
const dropped: [string, string][] = []
const reported: OnDropped = (channel, error) => dropped.push([channel, String(error)])

/** The messages that arrived on a channel, and how often messages were lost. */
function noted(bus: Bus, channel: string) {
  const seen: string[] = []
  const lost: number[] = []
  const subscription = bus.subscribe(
    channel,
    (data) => seen.push(text(data)),
    () => lost.push(seen.length),
  )
  return { seen, lost, end: () => subscription[Symbol.dispose]() }
}

/** Two connected nodes. On Redis, once each has received a message from the other. */
async function hearing(busA: Bus, busB: Bus): Promise<void> {
  for (const [from, to] of [
    [busA, busB],
    [busB, busA],
  ] as const) {
    const probe = noted(to, 'probe')
    await until('the connection', () => {
      from.publish('probe', bytes('?'))
      return probe.seen.length > 0
    })
    probe.end()
  }
}

interface BusKind {
  name: string
  skip: string | false
  open(): [Bus, Bus]
}

const alone = (): [Bus, Bus] => {
  const bus = new MemoryBus(reported)
  return [bus, bus]
}
const prefix = `plaza-test-${systemRandom.bytes(6).toString('hex')}:`
const connectionName = prefix.replaceAll(':', '')
const onRedis = (): Bus =>
  new RedisBus({
    url: REDIS_URL,
    prefix,
    name: connectionName,
    onError: () => undefined,
    onDropped: reported,
  })

const KINDS: BusKind[] = [
  { name: 'in one process', skip: false, open: alone },
  { name: 'two nodes on Redis', skip, open: () => [onRedis(), onRedis()] },
]

for (const kind of KINDS) {
  describe(`the bus: ${kind.name}`, { skip: kind.skip }, () => {
    let busA: Bus
    let busB: Bus
    before(async () => {
      ;[busA, busB] = kind.open()
      await hearing(busA, busB)
    })
    after(() => Promise.all([busA.close(), busB.close()]))

    test('a message reaches every subscriber of its channel, on its own node too, in order', async () => {
      const subscribers = [noted(busA, 'a'), noted(busB, 'a'), noted(busB, 'a')]
      const another = noted(busB, 'another')
      await hearing(busA, busB)
      // They may have been notified of losses at the start.
      for (let number = 0; number < 100; number++) busA.publish('a', bytes(`${number}`))
      const expected = Array.from({ length: 100 }, (_, number) => `${number}`)
      for (const { seen } of subscribers) {
        await until('the messages', () => seen.length >= 100)
        assert.deepEqual(seen, expected)
      }
      assert.deepEqual(another.seen, [])
      for (const { end } of [...subscribers, another]) end()
    })

    test('a disposed subscriber receives nothing more, the others everything', async () => {
      const [ended, staying] = [noted(busB, 'b'), noted(busB, 'b')]
      await hearing(busA, busB)
      ended.end()
      ended.end()
      busA.publish('b', bytes('still there?'))
      await until('the message', () => staying.seen.length > 0)
      assert.deepEqual([ended.seen, staying.seen], [[], ['still there?']])
      staying.end()
      const again = noted(busB, 'b')
      await hearing(busA, busB)
      busA.publish('b', bytes('back?'))
      await until('the message', () => again.seen.length > 0)
      assert.deepEqual([staying.seen, again.seen], [['still there?'], ['back?']])
      again.end()
    })

    test('a message arrives after publish has returned, with the same bytes', async () => {
      const seen: Uint8Array[] = []
      const subscription = busA.subscribe('c', (data) => seen.push(data))
      await hearing(busA, busB)
      busA.publish('c', Uint8Array.of(0, 255, 13, 10))
      assert.deepEqual(seen, [])
      await until('the message', () => seen.length > 0)
      assert.deepEqual([...(seen[0] ?? [])], [0, 255, 13, 10])
      subscription[Symbol.dispose]()
    })

    test('a message beyond the limit is rejected', async () => {
      const { seen, end } = noted(busB, 'd')
      await hearing(busA, busB)
      busA.publish('d', Buffer.alloc(MAX_MESSAGE_BYTES))
      assert.throws(() => busA.publish('d', Buffer.alloc(MAX_MESSAGE_BYTES + 1)), RangeError)
      await until('the message', () => seen.length > 0)
      assert.deepEqual(
        seen.map(({ length }) => length),
        [MAX_MESSAGE_BYTES],
      )
      end()
    })

    test('a message that a subscriber cannot handle is reported, and keeps nobody from the next ones', async () => {
      const seen: string[] = []
      const failing = busB.subscribe('e', (data) => {
        if (text(data) === 'bad') throw new Error('not understood')
        if (text(data) === 'worse') return Promise.reject(new Error('nor this'))
        return seen.push(text(data))
      })
      const another = noted(busB, 'e')
      await hearing(busA, busB)
      dropped.length = 0
      for (const said of ['bad', 'worse', 'good']) busA.publish('e', bytes(said))
      await until('the messages', () => seen.length > 0 && another.seen.length === 3 && dropped.length === 2)
      assert.deepEqual(seen, ['good'])
      assert.deepEqual(another.seen, ['bad', 'worse', 'good'])
      assert.deepEqual(dropped, [
        ['e', 'Error: not understood'],
        ['e', 'Error: nor this'],
      ])
      failing[Symbol.dispose]()
      another.end()
    })
  })
}

describe('a slow subscriber', () => {
  const many = MAX_WAITING_MESSAGES + 1

  test('is notified that messages were lost, instead of queueing them all', async () => {
    const bus = new MemoryBus(reported)
    const { seen, lost, end } = noted(bus, 'a')
    for (let number = 0; number < many; number++) bus.publish('a', bytes(`${number}`))
    bus.publish('a', bytes('after'))
    await settled()
    assert.deepEqual([lost, seen], [[0], ['after']])
    end()
    await bus.close()
  })

  test('has a limit of bytes too', async () => {
    const bus = new MemoryBus(reported)
    const { seen, lost } = noted(bus, 'a')
    for (let number = 0; number < 17; number++) bus.publish('a', Buffer.alloc(MAX_MESSAGE_BYTES))
    await settled()
    assert.deepEqual([lost, seen.length], [[0], 0])
    await bus.close()
  })

  test('delays no other, and receives nothing once it is disposed', async () => {
    const bus = new MemoryBus(reported)
    const [slow, quick] = [noted(bus, 'a'), noted(bus, 'b')]
    for (let number = 0; number < many; number++) bus.publish('a', bytes('much'))
    bus.publish('b', bytes('little'))
    slow.end()
    await settled()
    assert.deepEqual([slow.seen, quick.seen], [[], ['little']])
    await bus.close()
  })
})

describe('a connection to Redis that is lost', { skip }, () => {
  test('is restored with its subscriptions, whose subscribers are notified that messages may have been lost', async () => {
    const admin = await connected()
    const [busA, busB] = [onRedis(), onRedis()]
    await hearing(busA, busB)
    const { seen, lost } = noted(busB, 'a')
    await hearing(busA, busB)
    const before = lost.length

    const list = String(await admin.sendCommand(['CLIENT', 'LIST']))
    const own = list.split('\n').filter((line) => line.includes(` name=${connectionName} `))
    assert.equal(own.length, 4)
    for (const line of own)
      await admin.sendCommand(['CLIENT', 'KILL', 'ID', /^id=(\d+)/.exec(line)?.[1] ?? ''])

    await until('the loss', () => lost.length > before)
    await until('a message', () => {
      busA.publish('a', bytes('again'))
      return seen.length > 0
    })
    await Promise.all([busA.close(), busB.close(), admin.close()])
  })

  test('does not block publishers, and queues nothing for later', async () => {
    const errors: Error[] = []
    const onError = (error: Error) => errors.push(error)
    const bus = new RedisBus({ url: 'redis://127.0.0.1:1', prefix, onError, onDropped: reported })
    for (let number = 0; number < 5_000; number++) bus.publish('a', bytes('lost'))
    const { seen } = noted(bus, 'a')
    await until('the failure', () => errors.length > 0)
    assert.deepEqual(seen, [])
    await bus.close()
  })
})

describe('presence', () => {
  test('nodes appear at once, and disappear when they say so or fall silent', async () => {
    const bus = new MemoryBus(reported)
    const [clock, silent] = [new ManualClock(0), new ManualClock(0)]
    const changes: string[][] = []
    const first = announce({ bus, clock, node: '1', changed: (nodes) => changes.push(nodes) })
    assert.deepEqual(first.nodes(), ['1'])
    const second = announce({ bus, clock, node: '2' })
    const third = announce({ bus, clock: silent, node: '3' })
    await settled()
    for (const { nodes } of [first, second, third]) assert.deepEqual(nodes(), ['1', '2', '3'])
    second.leave()
    await settled()
    assert.deepEqual(first.nodes(), ['1', '3'])
    clock.advance(14_999)
    await settled()
    assert.deepEqual(first.nodes(), ['1', '3'])
    clock.advance(5_000)
    await settled()
    assert.deepEqual(first.nodes(), ['1'])
    assert.deepEqual(changes, [['1', '2'], ['1', '2', '3'], ['1', '3'], ['1']])
    // It was not dead: its next announcement brings it back.
    silent.advance(5_000)
    await settled()
    assert.deepEqual(first.nodes(), ['1', '3'])
    first.leave()
    third.leave()
    await bus.close()
  })

  test('drops and reports messages of another form, and goes on', async () => {
    const bus = new MemoryBus(reported)
    const clock = new ManualClock(0)
    const presence = announce({ bus, clock, node: '1' })
    await settled()
    dropped.length = 0
    const invalid = [
      'garbage',
      '',
      'null',
      '[]',
      '{}',
      '{"node":2,"says":"here"}',
      '{"node":"2"}',
      '{"node":"2","says":"what"}',
      '{"node":"a stranger","says":"here"}',
      '{"node":"2","says":["here"]}',
    ]
    for (const said of invalid) bus.publish('presence', bytes(said))
    bus.publish('presence', Buffer.of(0xff, 0xfe))
    bus.publish('presence', bytes('{"node":"3","says":"here"}'))
    await settled()
    assert.deepEqual(presence.nodes(), ['1', '3'])
    assert.equal(dropped.length, invalid.length + 1)
    assert.deepEqual(dropped[0], ['presence', 'InvalidMessage: it is not JSON'])
    presence.leave()
    await bus.close()
  })

  test('goes over Redis', { skip }, async () => {
    const [busA, busB] = [onRedis(), onRedis()]
    const clock = new ManualClock(0)
    const [first, second] = [
      announce({ bus: busA, clock, node: '1' }),
      announce({ bus: busB, clock, node: '2' }),
    ]
    await until('both', () => first.nodes().length === 2 && second.nodes().length === 2)
    second.leave()
    // The last message is sent before the connection is closed.
    await busB.close()
    await until('the farewell', () => first.nodes().length === 1)
    first.leave()
    await busA.close()
  })
})

describe('wake-ups', { skip }, () => {
  test('a commit wakes the listeners of other nodes, and those of its own node once', async () => {
    const buses = [onRedis(), onRedis()] as const
    await hearing(...buses)
    const memory = () => openStore({ kind: 'memory' }, { clock: systemClock, onError: () => undefined })
    const stores = await Promise.all(
      buses.map(async (bus, node) => withWakeups(await memory(), bus, `node ${node}`)),
    )
    const woken: [number, number] = [0, 0]
    const listeners = stores.map((store, node) => store.listen('tasks', () => woken[node === 0 ? 0 : 1]++))
    await hearing(...buses)
    woken.fill(0)
    await stores[0]?.write(async (tx) => tx.notify('tasks'))
    await until('the other', () => woken[1] === 1)
    await hearing(...buses)
    assert.deepEqual(woken, [1, 1])
    for (const listener of listeners) listener[Symbol.dispose]()
    await stores[0]?.write(async (tx) => tx.notify('tasks'))
    await hearing(...buses)
    assert.deepEqual(woken, [1, 1])
    await Promise.all([...stores, ...buses].map((connection) => connection.close()))
  })
})
