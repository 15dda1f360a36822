import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gif, mp4, png, webp } from '../../../../test/support/media.ts'
import { StoreUnavailable } from '../../../platform/storage/store.ts'
import { firstFrame } from './gif.ts'
import { inspect, sourceOf } from './inspect.ts'

const look = (content: Buffer) => inspect(sourceOf(content), 'somebody')

/** The markers of a JPEG with almost no data: enough to determine its size. */
function jpeg(width: number, height: number, orientation?: number): Buffer {
  const segment = (marker: number, content: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(content.length + 2, 2)
    return Buffer.concat([head, content])
  }
  const exif = Buffer.from(
    '457869660000' + '49492a0008000000' + '0100' + '120103000100000000000000' + '00000000',
    'hex',
  )
  if (orientation !== undefined) exif.writeUInt16LE(orientation, 24)
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...(orientation === undefined ? [] : [segment(0xe1, exif)]),
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 2, 3, 0xff, 0xd9]),
  ])
}

function bmp(width: number, height: number): Buffer {
  const file = Buffer.alloc(58)
  file.write('BM', 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  return file
}

const files: readonly [name: string, content: Buffer, found: object][] = [
  ['PNG', png(12, 5), { kind: 'IMAGE', contentType: 'image/png' }],
  ['JPEG', jpeg(12, 5), { kind: 'IMAGE', contentType: 'image/jpeg' }],
  ['WebP', webp(12, 5), { kind: 'IMAGE', contentType: 'image/webp' }],
  ['BMP', bmp(12, 5), { kind: 'IMAGE', contentType: 'image/bmp' }],
  ['GIF', gif(12, 5), { kind: 'GIF', contentType: 'image/gif' }],
  ['MP4', mp4(12, 5), { kind: 'VIDEO', contentType: 'video/mp4', durationMs: 8000 }],
]

describe('what a file is', () => {
  for (const [name, content, found] of files) {
    test(`the size of a ${name} is found`, async () => {
      assert.deepEqual(await look(content), { durationMs: null, ...found, width: 12, height: 5 })
    })
    test(`a truncated ${name} is rejected`, async () => {
      for (let length = 0; length < content.length; length++)
        assert.equal(
          await look(content.subarray(0, length)),
          undefined,
          `${length} of ${content.length} bytes`,
        )
    })
  }

  test('the orientation of an upright camera is applied', async () => {
    const found = await look(jpeg(12, 5, 6))
    assert.deepEqual([found?.width, found?.height], [5, 12])
  })
  test('a PNG whose pixels were changed is rejected', async () => {
    const content = png(12, 5)
    const at = content.indexOf('IDAT') + 6
    content[at] = (content[at] as number) ^ 1
    assert.equal(await look(content), undefined)
  })
  test('a video without pictures, or of no length, is rejected', async () => {
    assert.equal(await look(mp4(12, 5, { ms: 0 })), undefined)
    const sound = mp4(12, 5)
    sound.write('soun', sound.indexOf('vide'), 'latin1')
    assert.equal(await look(sound), undefined)
  })
  test('text, archives and empty files are rejected', async () => {
    for (const content of [
      '',
      'hello',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'PK\u0003\u0004'.repeat(20),
    ])
      assert.equal(await look(Buffer.from(content)), undefined)
  })
  test('the first picture of a GIF is a GIF', async () => {
    const content = gif(12, 5)
    const first = await firstFrame(content)
    assert.ok(first && first.length < content.length)
    assert.deepEqual(await look(first), await look(content))
  })
  test('a box without a size ends', async () => {
    const content = mp4(12, 5)
    content.writeUInt32BE(0, content.indexOf('mvhd') - 4)
    assert.equal(await look(content), undefined)
  })
  test('a video that is read slowly keeps no other owner waiting, and only for a limited time', async (t) => {
    const video = sourceOf(mp4(12, 5))
    const reading = Promise.withResolvers<void>()
    const slow = {
      ...video,
      read: (start: number, end: number) => {
        // The head is read to know what it is.
        if (end <= 32) return video.read(start, end)
        reading.resolve()
        return new Promise<Buffer>(() => undefined)
      },
    }
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const stuck = inspect(slow, 'slow')
    await reading.promise
    assert.equal((await inspect(video, 'other'))?.kind, 'VIDEO')
    t.mock.timers.tick(60_000)
    await assert.rejects(stuck, StoreUnavailable)
    assert.equal((await inspect(video, 'slow'))?.kind, 'VIDEO')
  })
})
