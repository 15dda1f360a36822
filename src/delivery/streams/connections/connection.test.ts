import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settled, until } from '../../../../test/support/until.ts'
import { ManualClock } from '../../../platform/common/clock.ts'
import type { Sink } from '../../../platform/http/streams.ts'
import { lineOf, StreamConnection } from './connection.ts'
import type { EndReason } from './ends.ts'

const MAX_BYTES = 100

/** A connection whose reader takes a write when the test lets it. */
function open({ perSecond }: { perSecond?: number } = {}) {
  const written: string[] = []
  const clock = new ManualClock(0)
  const waiting = new Set<{ flush(): void }>()
  let drained = Promise.withResolvers<void>()
  let reason: EndReason | undefined
  const sink = {
    canWrite: true,
    write(text: string) {
      written.push(text)
      sink.canWrite = false
      return drained.promise
    },
    last: (text: string) => void written.push(`last ${text}`),
    send: () => Promise.reject(new Error('not used')),
  }
  const connection = new StreamConnection({
    id: '1',
    appId: '1',
    bearerHash: undefined,
    endpointName: 'filtered_stream',
    maxBytes: MAX_BYTES,
    ...(perSecond !== undefined && { perSecond }),
    clock,
    // The test flushes.
    flusher: { add: (one: { flush(): void }) => void waiting.add(one) } as never,
    lastLine: (why) => `(${why})`,
    ended: async (_, why) => {
      reason = why
    },
  })
  const stop = new AbortController()
  const running = connection.run(sink as unknown as Sink<never>, stop.signal)
  return {
    connection,
    written,
    stop,
    running,
    clock,
    reason: () => reason,
    flush() {
      const all = [...waiting]
      waiting.clear()
      for (const one of all) one.flush()
    },
    /** The reader takes what was written. */
    async take() {
      const { resolve } = drained
      drained = Promise.withResolvers()
      sink.canWrite = true
      resolve()
      await settled()
    },
  }
}

describe('a connection', () => {
  test('writes lines that have gathered at once, and waits until the last write was taken', async () => {
    const { connection, written, flush, take } = open()
    connection.push(lineOf('1'))
    connection.push(lineOf('2'))
    flush()
    connection.push(lineOf('3'))
    flush()
    assert.deepEqual(written, ['1\r\n2\r\n'])
    await take()
    flush()
    assert.deepEqual(written, ['1\r\n2\r\n', '3\r\n'])
  })

  test('keeps an empty line that comes while the last write is in progress, and only one', async () => {
    const { connection, written, flush, take } = open()
    connection.push(lineOf('1'))
    flush()
    connection.keepAlive()
    connection.keepAlive()
    flush()
    assert.deepEqual(written, ['1\r\n'])
    await take()
    flush()
    assert.deepEqual(written, ['1\r\n', '\r\n'])
  })

  test('needs no empty line beside lines that wait', () => {
    const { connection, written, flush } = open()
    connection.push(lineOf('1'))
    connection.keepAlive()
    flush()
    assert.deepEqual(written, ['1\r\n'])
  })

  test('ends with its reason when too much waits for the reader', async () => {
    const { connection, written, flush, running, reason } = open()
    connection.push(lineOf('x'.repeat(58)))
    flush()
    // 60 bytes are in progress, and 38 may wait.
    connection.push(lineOf('y'.repeat(38)))
    assert.equal(connection.isOpen, true)
    connection.push(lineOf('z'))
    await running
    assert.deepEqual([connection.isOpen, reason()], [false, 'slow_reader'])
    assert.equal(written.at(-1), 'last (slow_reader)')
  })

  test('sends so many lines at once, and the next ones evenly', async () => {
    const { connection, written, flush, take } = open({ perSecond: 4 })
    const started = performance.now()
    for (const text of ['1', '2', '3', '4', '5']) connection.push(lineOf(text))
    flush()
    assert.deepEqual(written, ['1\r\n2\r\n3\r\n4\r\n'])
    await take()
    await until('the fifth line', () => {
      flush()
      return written.length > 1
    })
    assert.equal(written[1], '5\r\n')
    assert.ok(performance.now() - started > 200, 'a quarter of a second is between them')
    const drained = connection.drained()
    await take()
    await drained
  })

  test('ends when more lines come than may leave, and says so', async () => {
    const { connection, written, flush, take, running, reason } = open({ perSecond: 1 })
    connection.push(lineOf('1'))
    connection.push(lineOf('2'))
    flush()
    await take()
    assert.deepEqual(written, ['1\r\n'])
    connection.push(lineOf('x'.repeat(98)))
    await running
    assert.equal(reason(), 'too_many_posts')
    assert.equal(written.at(-1), 'last (too_many_posts)')
  })

  test('ends with a line of its own, when there is one', async () => {
    const { connection, written, running } = open()
    await connection.end('usage_capped', 'why')
    await running
    assert.deepEqual(written, ['last why'])
  })

  test('writes what waits before its last line, and nothing after it', async () => {
    const { connection, written, running, reason } = open()
    connection.push(lineOf('1'))
    await connection.end('operator_disconnect')
    connection.push(lineOf('2'))
    await running
    assert.deepEqual(written, ['last 1\r\n(operator_disconnect)'])
    await connection.end('slow_reader')
    assert.equal(reason(), 'operator_disconnect')
  })

  test('ends with the client, and with the server', async () => {
    for (const [why, expected] of [
      ['client gone', 'client_closed'],
      ['shutdown', 'server_shutdown'],
    ] as const) {
      const { stop, running, reason } = open()
      stop.abort(why)
      await running
      assert.equal(reason(), expected)
    }
  })

  test('takes lines that can wait only as fast as they are read', async () => {
    const { connection, written, flush, take } = open()
    const offered: number[] = []
    const offering = (async () => {
      for (let n = 0; n < 3; n++) {
        await connection.offer(lineOf(String(n).repeat(40)))
        offered.push(n)
      }
    })()
    await settled()
    assert.deepEqual(offered, [0])
    for (let n = 0; n < 3; n++) {
      flush()
      await take()
    }
    await offering
    assert.equal(connection.isOpen, true)
    assert.equal(written.join('').length, 3 * 42)
  })
})
