import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitForEntry } from './filter.ts'
import { Journal, MAX_BODY_BYTES } from './journal.ts'

const clock = { now: () => 1_000 }
const open = (bounds: { maxEntries?: number; maxBytes?: number } = {}) =>
  new Journal({ clock, machineClock: clock, maxEntries: 3, maxBytes: 1_000_000, ...bounds })

const call = (journal: Journal, path: string, body?: string) =>
  journal.addCall({
    method: 'POST',
    url: `https://hook.example.com/${path}`,
    headers: [],
    body,
    result: { kind: 'answered', status: 200, headers: {}, body: Buffer.alloc(0) },
    durationMs: 1,
  })
const paths = (journal: Journal) => journal.oldestFirst.map(({ url }) => url.split('/').at(-1))

test('it keeps the last entries, and finds only those', () => {
  const journal = open()
  assert.deepEqual([journal.oldestFirst, journal.lastSequence], [[], 0])
  for (const path of ['a', 'b', 'c']) call(journal, path)
  assert.deepEqual(paths(journal), ['a', 'b', 'c'])
  call(journal, 'd')
  assert.deepEqual(paths(journal), ['b', 'c', 'd'])
  assert.deepEqual(
    journal.newestFirst.map(({ sequence }) => sequence),
    [4, 3, 2],
  )
  assert.equal(journal.find('call-1'), undefined)
  assert.equal(journal.find('call-4')?.sequence, 4)
  for (let more = 0; more < 100; more++) call(journal, String(more))
  assert.deepEqual(paths(journal), ['97', '98', '99'])
})

test('entries that take too much memory push out older ones, but never the newest', () => {
  const journal = open({ maxEntries: 1_000, maxBytes: 250_000 })
  for (let at = 0; at < 50; at++) call(journal, String(at), 'x'.repeat(50_000))
  assert.deepEqual(paths(journal), ['46', '47', '48', '49'])
  const tiny = open({ maxBytes: 1 })
  call(tiny, 'a', 'body')
  call(tiny, 'b', 'body')
  assert.deepEqual(paths(tiny), ['b'])
})

test('the beginning of a long body is kept, with its whole length', () => {
  const journal = open()
  call(journal, 'a', `${'x'.repeat(MAX_BODY_BYTES)}yz€`)
  const [record] = journal.oldestFirst
  assert.equal(record?.requestBody?.length, MAX_BODY_BYTES)
  assert.equal(record?.requestLength, MAX_BODY_BYTES + 5)
})

test('after it is cleared, sequence numbers go on', () => {
  const journal = open()
  for (const path of ['a', 'b', 'c', 'd']) call(journal, path)
  journal.clear()
  assert.deepEqual(journal.oldestFirst, [])
  call(journal, 'e')
  assert.deepEqual([paths(journal), journal.lastSequence], [['e'], 5])
})

test('a wait ends with the entry, with its signal, and with the journal', async () => {
  const journal = open()
  call(journal, 'a')
  const { signal } = new AbortController()
  assert.equal((await waitForEntry(journal, {}, signal))?.sequence, 1)
  const next = waitForEntry(journal, { after: 1 }, signal)
  call(journal, 'b')
  assert.equal((await next)?.sequence, 2)
  const never = waitForEntry(journal, { after: 2, status: '404' }, journal.closed)
  call(journal, 'c')
  journal.close()
  assert.equal(await never, undefined)
})
