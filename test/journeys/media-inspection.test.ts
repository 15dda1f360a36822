import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { inspect, sourceOf } from '../../src/core/media/inspect/inspect.ts'
import { box, jpeg, mp4, png } from '../support/media.ts'

const found = (content: Buffer) => inspect(sourceOf(content))

describe('what a file of media is', () => {
  test('the size of a JPEG is that of its frame, turned as its camera was', async () => {
    const size = { kind: 'IMAGE', contentType: 'image/jpeg', durationMs: null }
    assert.deepEqual(await found(jpeg(60, 40)), { ...size, width: 60, height: 40 })
    assert.deepEqual(await found(jpeg(60, 40, { orientation: 3 })), { ...size, width: 60, height: 40 })
    assert.deepEqual(await found(jpeg(60, 40, { orientation: 6 })), { ...size, width: 40, height: 60 })
  })

  test('a JPEG without a frame before its scan is none, whatever stands behind', async () => {
    const whole = jpeg(60, 40)
    const frame = whole.subarray(2, whole.indexOf(Buffer.from([0xff, 0xda])))
    const scan = Buffer.from([0xff, 0xda, 0, 2])
    const start = whole.subarray(0, 2)
    const end = Buffer.from([0xff, 0xd9])
    assert.ok(await found(Buffer.concat([start, frame, scan, end])))
    assert.equal(await found(Buffer.concat([start, scan, frame, end])), undefined)
    assert.equal(await found(Buffer.concat([start, Buffer.from([0xff, 0xda]), frame, end])), undefined)
  })

  test('a JPEG whose end is missing is not whole', async () => {
    assert.equal(await found(jpeg(60, 40).subarray(0, -2)), undefined)
  })

  test('a PNG of more chunks than any writer makes is not looked through', async () => {
    const whole = png(2, 2)
    const empty = Buffer.alloc(12)
    empty.write('tEXt', 4, 'latin1')
    empty.writeUInt32BE(crc32(Buffer.from('tEXt')), 8)
    const withChunks = (count: number) =>
      Buffer.concat([whole.subarray(0, 33), Buffer.alloc(12 * count, empty), whole.subarray(33)])
    assert.ok(await found(withChunks(1_000)))
    assert.equal(await found(withChunks(100_000)), undefined)
  })

  test('a video has so many boxes in all, however they are nested', async () => {
    const whole = mp4(64, 36)
    const at = whole.indexOf('moov') - 4
    const withTracks = (tracks: number, boxes: number) => {
      const track = box('trak', Buffer.alloc(8 * boxes, box('free')))
      const movie = whole.subarray(at + 8)
      return Buffer.concat([whole.subarray(0, at), box('moov', ...Array(tracks).fill(track), movie)])
    }
    assert.ok(await found(withTracks(2, 1_000)))
    assert.equal(await found(withTracks(3, 9_000)), undefined)
    assert.ok(await found(withTracks(99, 0)))
    assert.equal(await found(withTracks(100, 0)), undefined)
  })
})
