import assert from 'node:assert/strict'
import fs, { closeSync, openSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { mountSmallDisk, NO_SMALL_DISK } from '../../../test/support/small-disk.ts'
import { LogWriter } from './log-writer.ts'

const disk = mountSmallDisk(2)

test('lines that find the disk full are written once it has space', {
  skip: disk ? false : NO_SMALL_DISK,
}, (t) => {
  t.after(() => disk?.[Symbol.dispose]())
  const path = join(disk?.folder ?? '', 'log')
  const descriptor = openSync(path, 'a')
  t.after(() => closeSync(descriptor))
  const writer = new LogWriter(descriptor)
  writer.write('before\n')
  writer.flush()
  disk?.fill()
  // Some of them still fit into the last page of the file.
  const during = Array.from({ length: 2_000 }, (_, n) => `during ${n}\n`)
  for (const line of during) writer.write(line)
  writer.flush()
  assert.notEqual(readFileSync(path, 'utf8'), ['before\n', ...during].join(''))
  disk?.free()
  writer.write('after\n')
  writer.flush()
  assert.equal(readFileSync(path, 'utf8'), ['before\n', ...during, 'after\n'].join(''))
})

test('what was refused is not tried again with each line', (t) => {
  const write = t.mock.method(fs, 'writeSync', () => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  })
  syncBuiltinESMExports()
  t.after(() => {
    write.mock.restore()
    syncBuiltinESMExports()
  })
  const writer = new LogWriter(1_000)
  const line = `${'x'.repeat(99)}\n`
  for (let n = 0; n < 300; n++) writer.write(line)
  assert.equal(write.mock.callCount(), 3)
})
