import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './parse.ts'
import { encodeAddress, PostingLists } from './posting-lists.ts'
import { postOf } from './posts.fixture.ts'
import { RuleIndex } from './rule-index.ts'

test('slots are reused: lists that grow, shrink and are emptied need no more of them', () => {
  const lists = new PostingLists()
  const fillAndEmpty = () => {
    for (let list = 1; list <= 50; list++)
      for (let rule = 0; rule < 200; rule++) {
        if (rule % 2 === 0) lists.addUnconditional(list, rule)
        else lists.addConditional(list, 7, rule, [1, 2, 3])
      }
    for (let list = 1; list <= 50; list++) for (let rule = 0; rule < 200; rule++) lists.remove(list, rule)
  }
  fillAndEmpty()
  const chunks = lists.arena.chunks.length
  for (let round = 0; round < 20; round++) fillAndEmpty()
  assert.equal(lists.arena.chunks.length, chunks)
})

test('a program that is stored separately has an address, and its slot is reused', () => {
  const lists = new PostingLists()
  const program = lists.takeProgram([4, 5, 6])
  assert.equal(encodeAddress(encodeAddress(program)), program)
  lists.freeProgram(program)
  assert.equal(lists.takeProgram([7, 8, 9]), program)
})

test('a list of 20,000 rules has a chunk of its own, and any rule can be removed from it', () => {
  const index = new RuleIndex()
  const ids = Array.from({ length: 20_000 }, (_, n) => String(n))
  for (const id of ids) {
    // Every other one has a program.
    const text = Number(id) % 2 === 0 ? 'cat' : 'cat -dog -mouse'
    const parsed = parseQuery(text, { for: 'stream', access: 'enterprise' })
    assert.ok(parsed.ok)
    index.add({ id }, parsed.query)
  }
  const found = (text: string) => new Set(index.match(postOf({ text })).map(({ id }) => id))
  assert.deepEqual(found('a cat'), new Set(ids))
  assert.equal(found('a cat and a dog').size, 10_000)
  const left = ids.filter((id) => Number(id) % 3 === 0)
  for (const id of ids) if (Number(id) % 3 !== 0) index.delete(id)
  assert.deepEqual(found('a cat'), new Set(left))
  for (const id of left) index.delete(id)
  assert.deepEqual([found('a cat').size, index.size], [0, 0])
})
