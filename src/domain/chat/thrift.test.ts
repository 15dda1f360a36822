import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeStruct, encodeStruct, listAt, structAt, textAt, textsAt } from './thrift.ts'

test('a structure is encoded in the binary protocol, and decoded again', () => {
  const inner = encodeStruct({ 1: { texts: ['a', 'bc'] }, 2: { i32: -2 } })
  const bytes = encodeStruct({
    1: { text: '7' },
    2: { text: undefined },
    3: { bool: true },
    4: { i64: 5n },
    5: { struct: inner },
  })
  assert.equal(
    bytes.toString('hex'),
    `0b00010000000137020003010a000400000000000000050c0005${inner.toString('hex')}00`,
  )
  const read = decodeStruct(bytes)
  assert.equal(textAt(read, 1), '7')
  assert.equal(read?.has(2), false)
  assert.equal(read?.get(3), true)
  assert.equal(read?.get(4), 5n)
  assert.deepEqual(textsAt(structAt(read, 5), 1), ['a', 'bc'])
  assert.equal(structAt(read, 5)?.get(2), -2)
  assert.equal(listAt(read, 1), undefined)
})

test('malformed bytes are rejected: cut off, too long, too deep, of other types', () => {
  const good = encodeStruct({ 1: { text: 'text' }, 2: { texts: ['a'] } })
  for (let length = 0; length < good.length; length++)
    assert.equal(decodeStruct(good.subarray(0, length)), undefined, String(length))
  assert.equal(decodeStruct(Buffer.concat([good, Buffer.from([0])])), undefined)
  let deep = encodeStruct({})
  for (let level = 0; level < 50; level++) deep = encodeStruct({ 1: { struct: deep } })
  assert.equal(decodeStruct(deep), undefined)
  assert.equal(decodeStruct(Buffer.from('0f00010b7fffffff00', 'hex')), undefined)
  assert.equal(decodeStruct(Buffer.from('0b0001ffffffff00', 'hex')), undefined)
  assert.equal(decodeStruct(Buffer.from('630001000000', 'hex')), undefined)
  // The same field twice.
  assert.equal(decodeStruct(Buffer.from('020001010200010100', 'hex')), undefined)
})
