import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOfWord, NO_TERM, TermTable } from './term-table.ts'
import { pairOf, type Term } from './terms.ts'

const word = (key: string): Term => ({ kind: 'word', key })

test('terms are found while thousands come and go, and others are not', () => {
  const table = new TermTable()
  const held = new Map<string, number>()
  // Each is there for 3,000 steps, so that places are filled, left and moved to again and again.
  for (let n = 0; n < 20_000; n++) {
    held.set(`w${n}`, table.hold(word(`w${n}`)))
    const gone = `w${n - 3_000}`
    const slot = held.get(gone)
    if (slot === undefined) continue
    table.release(slot)
    held.delete(gone)
    assert.equal(table.find('word', gone), NO_TERM)
    if (n % 500 === 0) for (const [key, term] of held) assert.equal(table.find('word', key), term)
  }
  assert.equal(new Set(held.values()).size, 3_000)
  assert.equal(table.find('hashtag', 'w19999'), NO_TERM)
  for (const slot of held.values()) table.release(slot)
  assert.equal(table.has('word'), false)
  assert.ok(table.capacity <= 3_002, `${table.capacity} terms take room, after 3,001 at once`)
})

test('a term that two hold stays until both have let go', () => {
  const table = new TermTable()
  const slot = table.hold(word('cat'))
  assert.equal(table.hold(word('cat')), slot)
  table.release(slot)
  assert.equal(table.find('word', 'cat'), slot)
  table.release(slot)
  assert.equal(table.find('word', 'cat'), NO_TERM)
})

test('the same key is another term in each kind, and two words are found by their hashes', () => {
  const table = new TermTable()
  const cat = table.hold(word('cat'))
  const tag = table.hold({ kind: 'hashtag', key: 'cat' })
  const pair = table.hold({ kind: 'pair', key: pairOf('big', 'cat') })
  assert.equal(new Set([NO_TERM, cat, tag, pair]).size, 4)
  assert.equal(table.find('hashtag', 'cat'), tag)
  const found = (first: string, second: string) =>
    table.findPair(first, hashOfWord(first), second, hashOfWord(second))
  assert.deepEqual([found('big', 'cat'), found('cat', 'big'), found('big', 'dog')], [pair, NO_TERM, NO_TERM])
  table.release(pair)
  assert.equal(found('big', 'cat'), NO_TERM)
})
