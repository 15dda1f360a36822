import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { inspect, sourceOf } from '../../src/domain/media/inspect/inspect.ts'
import { box, jpeg, mp4, png } from '../support/media.ts'

const found = (content: Buffer) => inspect(sourceOf(content), 'somebody')

describe('what a file of media is', () => {
  test('the size of a JPEG is that of its frame, turned as its camera was', async () => {
    const size = { kind: 'IMAGE', contentType: 'image/jpeg', durationMs: null }
    assert.deepEqual(await found(jpeg(60, 40)), { ...size, width: 60, height: 40 })
    assert.deepEqual(await found(jpeg(60, 40, { orientation: 3 })), { ...size, width: 60, height: 40 })
    assert.deepEqual(await found(jpeg(60, 40, { orientation: 6 })), { ...size, width: 40, height: 60 })
  })

  test('a JPEG without a frame before its scan is rejected, whatever follows', async () => {
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

  const videos: Record<string, { width: number; height: number; contentType?: string }> = {
    'plain.mp4': { width: 64, height: 36 },
    'plain.mov': { width: 64, height: 36, contentType: 'video/quicktime' },
    'pieces.mp4': { width: 64, height: 36 },
    'turned.mp4': { width: 36, height: 64 },
    'wide-points.mp4': { width: 85, height: 36 },
    'sound-first.mp4': { width: 64, height: 36 },
  }
  for (const [name, expected] of Object.entries(videos)) {
    test(`what an encoder made is a video as it is shown, and no part of it is: ${name}`, async () => {
      const content = await readFile(new URL(`../data/videos/${name}`, import.meta.url))
      const video = { kind: 'VIDEO', contentType: 'video/mp4', durationMs: 2000 }
      assert.deepEqual(await found(content), { ...video, ...expected })
      for (const part of [0.999, 0.9, 0.5, 0.1])
        assert.equal(await found(content.subarray(0, content.length * part)), undefined, `${part} of it`)
    })
  }

  test('sound without pictures is not a video', async () => {
    assert.equal(
      await found(await readFile(new URL('../data/videos/sound-only.mp4', import.meta.url))),
      undefined,
    )
  })

  const whole = mp4(64, 36)
  const movieAt = whole.indexOf('moov') - 4
  const withMovie = (...parts: Buffer[]) =>
    Buffer.concat([whole.subarray(0, movieAt), box('moov', ...parts, whole.subarray(movieAt + 8))])

  test('a video that requires reading the whole file is rejected, and the next is inspected', async () => {
    const free = box('free')
    const withFree = (bytes: number) => {
      const content = withMovie(Buffer.alloc(bytes, free))
      return { bytes: content.length, read: async (from: number, to: number) => content.subarray(from, to) }
    }
    assert.ok(await inspect(withFree(8 * 1024 ** 2), 'somebody'))
    const large = withFree(40 * 1024 ** 2)
    let bytes = 0
    const counting = {
      ...large,
      read(from: number, to: number) {
        bytes += to - from
        return large.read(from, to)
      },
    }
    assert.equal(await inspect(counting, 'somebody'), undefined)
    assert.ok(bytes < 34 * 1024 ** 2, `${bytes} bytes were read`)
    assert.ok(await found(whole))
  })

  test('a storage failure is reported as such, and the next video is inspected', async () => {
    let calls = 0
    const source = {
      bytes: 1000,
      read: async (start: number, end: number) => {
        // The first look at the head tells that it is a video.
        if (calls++ === 0) return whole.subarray(start, end)
        throw new Error('no storage')
      },
    }
    await assert.rejects(inspect(source, 'somebody'), /no storage/)
    assert.ok(await found(whole))
  })

  test('videos of an owner wait for each other, and too many are rejected, while those of others are inspected', async () => {
    const all = Promise.allSettled(Array.from({ length: 60 }, () => found(whole)))
    assert.ok(await inspect(sourceOf(whole), 'somebody else'))
    const rejected = (await all).filter(({ status }) => status === 'rejected')
    assert.equal(rejected.length, 54)
    assert.ok(await found(whole))
  })
})
