import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newPerson, type Person } from '../support/ads-desk.ts'
import { type Bucket, openBucket } from '../support/bucket.ts'
import { Client, type Reply } from '../support/client.ts'
import { gif, mp4, png, uploaded, vtt } from '../support/media.ts'
import { type Opened, stages } from '../support/stages.ts'
import { sweepMedia } from '../support/tasks.ts'

const PATH = '/1.1/media/upload.json'
const DAY_MS = 86_400_000
const MB = 1024 * 1024

interface Medium {
  media_id: number
  media_id_string: string
  media_key: string
  size?: number
  expires_after_secs: number
  image?: object
  video?: object
  processing_info?: { state: string }
}
const mediumOf = ({ json }: Reply) => json as Medium
/** An error in short: the status and the code. */
const errorOf = ({ status, json }: Reply) => [
  status,
  ...(json as { errors: { code: number }[] }).errors.map(({ code }) => code),
]

/** A multipart body of fields and one file. */
function multipart(fields: Record<string, string>, content?: Buffer) {
  const mark = 'a-boundary'
  const part = (head: string, body: Buffer | string) => [`--${mark}\r\n${head}\r\n\r\n`, body, '\r\n']
  const parts = [
    ...Object.entries(fields).flatMap(([name, value]) =>
      part(`Content-Disposition: form-data; name="${name}"`, value),
    ),
    ...(content
      ? part(
          'Content-Disposition: form-data; name="media"; filename="blob"\r\nContent-Type: application/octet-stream',
          content,
        )
      : []),
    `--${mark}--\r\n`,
  ]
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${mark}` },
    body: Buffer.concat(parts.map((one) => Buffer.from(one))),
  }
}

for (const stage of stages) {
  describe(`uploads on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let bucket: Bucket | undefined
    let ann: Person
    const context = () => opened.plaza.context

    before(async () => {
      const quota = { mediaPerUser: 12 * MB, rateLimits: 'off' as const }
      // Nodes that share a database share a bucket here.
      bucket = stage.shared ? await openBucket() : undefined
      opened = await stage.open({ ...quota, ...bucket?.settings })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
      await bucket?.close()
    })
    beforeEach(async () => {
      ann = await newPerson(opened.plaza)
    })

    const form = (fields: Record<string, string>, who = ann) =>
      client.signed('POST', PATH, who.keys, { form: fields })
    const send = (fields: Record<string, string>, content?: Buffer, who = ann) =>
      client.signed('POST', PATH, who.keys, multipart(fields, content))
    const status = (id: string, who = ann) =>
      client.signed('GET', `${PATH}?command=STATUS&media_id=${id}`, who.keys)
    const init = async (content: Buffer, more: Record<string, string> = {}) => {
      const reply = await form({
        command: 'INIT',
        media_type: 'video/mp4',
        total_bytes: String(content.length),
        ...more,
      })
      assert.equal(reply.status, 202, reply.text)
      return mediumOf(reply).media_id_string
    }
    const append = (id: string, index: number, content: Buffer, who = ann) =>
      send({ command: 'APPEND', media_id: id, segment_index: String(index) }, content, who)
    const finalize = (id: string, who = ann) => form({ command: 'FINALIZE', media_id: id }, who)
    const bytesAt = async (path: string) => {
      const { core } = opened.plaza.urls
      const reply = await client.send('GET', new URL(path, core).href)
      return reply.status
    }

    test('an image in Base64 is a medium with a key', async () => {
      const content = png(30, 20)
      const reply = await form({ media_data: content.toString('base64'), media_category: 'post_image' })
      assert.equal(reply.status, 200, reply.text)
      const medium = mediumOf(reply)
      assert.match(medium.media_id_string, /^[0-9]{19}$/)
      assert.ok(reply.text.includes(`"media_id":${medium.media_id_string},`), 'the number keeps every digit')
      assert.deepEqual(medium, {
        media_id: Number(medium.media_id_string),
        media_id_string: medium.media_id_string,
        media_key: `3_${medium.media_id_string}`,
        size: content.length,
        expires_after_secs: 86_400,
        image: { image_type: 'image/png', w: 30, h: 20 },
      })
    })
    test('a type that implies no kind of file is accepted with any category, and not without one', async () => {
      const announced = { command: 'INIT', media_type: 'text/plain', total_bytes: '9' }
      assert.equal((await form({ ...announced, media_category: 'subtitles' })).status, 202)
      const whole = { media_data: vtt().toString('base64'), media_type: 'text/plain' }
      assert.equal((await form({ ...whole, media_category: 'subtitles' })).status, 200)
      assert.deepEqual(errorOf(await form(announced)), [400, 324])
    })
    test('so it is as the file of a multipart body, with the alias of the path', async () => {
      const { keys } = ann
      const reply = await client.signed('POST', '/1.1/media/upload', keys, multipart({}, png(30, 20)))
      assert.equal(reply.status, 200, reply.text)
      assert.match(mediumOf(reply).media_key, /^3_/)
    })
    test('a part that is called media is the file, with or without a name of its own', async () => {
      const boundary = 'a-boundary'
      const image = png(30, 20)
      const body = Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="media"\r\n\r\n`),
        image,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ])
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
      const reply = await client.signed('POST', PATH, ann.keys, { body, headers })
      assert.equal(reply.status, 200, reply.text)
      assert.equal(mediumOf(reply).size, image.length)
    })
    test('a comma may separate the boundary from the content type', async () => {
      const { headers, body } = multipart({}, png(30, 20))
      for (const separated of [', ', ',']) {
        const type = headers['content-type'].replace(/; boundary=(.*)/, `${separated}boundary="$1"`)
        const sent = { body, headers: { 'content-type': type } }
        const reply = await client.signed('POST', PATH, ann.keys, sent)
        assert.equal(reply.status, 200, reply.text)
        assert.match(mediumOf(reply).media_key, /^3_/)
      }
    })
    for (const name of ['media', 'media_data'])
      test(`a segment may be ${name} in Base64, in a form`, async () => {
        const content = mp4(16, 9)
        const id = await init(content)
        const segment = { [name]: content.toString('base64') }
        const reply = await form({ command: 'APPEND', media_id: id, segment_index: '0', ...segment })
        assert.equal(reply.status, 204, reply.text)
        const done = await finalize(id)
        assert.equal(done.status, 201, done.text)
        assert.equal(mediumOf(done).size, content.length)
      })
    test('categories tell themselves from the file, and are written in both cases', async () => {
      assert.match(mediumOf(await send({}, gif(3, 3))).media_key, /^16_/)
      assert.match(mediumOf(await send({ media_category: 'POST_GIF' }, gif(3, 3))).media_key, /^16_/)
    })
    test('its file is fetched as it was sent, whole or in ranges', async () => {
      const content = png(30, 20)
      const { hash } = await uploaded(context(), ann.id, content)
      const url = `${opened.plaza.urls.core}/media/${hash}.png`
      const whole = await client.send('GET', url)
      assert.deepEqual(
        [whole.status, whole.headers['content-type'], whole.headers['content-length']],
        [200, 'image/png', String(content.length)],
      )
      assert.match(String(whole.headers['cache-control']), /immutable/)
      const range = (text: string) => client.send('GET', url, { headers: { range: text } })
      const first = await range('bytes=1-3')
      assert.deepEqual([first.status, first.text], [206, 'PNG'])
      assert.equal(first.headers['content-range'], `bytes 1-3/${content.length}`)
      const last = await range('bytes=-8')
      assert.deepEqual([last.status, last.headers['content-length']], [206, '8'])
      assert.equal((await range(`bytes=${content.length}-`)).status, 416)
      assert.equal((await range('bytes=5-2')).status, 200)
    })
    test('its file is asked about without being fetched', async () => {
      const content = png(30, 20)
      const { hash } = await uploaded(context(), ann.id, content)
      const url = `${opened.plaza.urls.core}/media/${hash}.png`
      for (const headers of [{}, { range: 'bytes=1-3' }, { range: `bytes=${content.length}-` }]) {
        const [whole, head] = [
          await client.send('GET', url, { headers }),
          await client.send('HEAD', url, { headers }),
        ]
        const told = ({ status, headers }: Reply) => [
          status,
          ...['content-type', 'content-length', 'content-range', 'cache-control'].map((one) => headers[one]),
        ]
        assert.deepEqual([told(head), head.text], [told(whole), ''])
      }
      assert.equal((await client.send('HEAD', url.replace('.png', '.gif'))).status, 404)
    })
    test('a file has one name', async () => {
      const { hash } = await uploaded(context(), ann.id, png(30, 20))
      assert.equal(await bytesAt(`/media/${hash}.gif`), 404)
      assert.equal(await bytesAt(`/media/${'0'.repeat(64)}.png`), 404)
      assert.equal(await bytesAt('/media/..%2fplaza.db'), 404)
    })

    test('a file that is not an image, is truncated, or is of another category is rejected', async () => {
      const content = png(30, 20)
      for (const [fields, bytes] of [
        [{}, Buffer.from('hello')],
        [{}, content.subarray(0, -1)],
        [{ media_category: 'post_gif' }, content],
        [{ media_category: 'post_video' }, gif(3, 3)],
      ] as const)
        assert.deepEqual(errorOf(await send(fields, bytes)), [400, 324])
      assert.deepEqual(errorOf(await form({ media_data: '%%%' })), [400, 324])
    })
    test('a small video may be sent in one request, too', async () => {
      const reply = await send({}, mp4(16, 9))
      assert.equal(reply.status, 200, reply.text)
      assert.match(mediumOf(reply).media_key, /^7_/)
      assert.equal(mediumOf(reply).processing_info?.state, 'pending')
    })
    test('images hold 5 MB, a byte more is rejected', async () => {
      const full = (bytes: number) => {
        const content = png(30, 20)
        return Buffer.concat([content, Buffer.alloc(bytes - content.length)])
      }
      assert.equal((await send({}, full(5 * MB))).status, 200)
      assert.deepEqual(errorOf(await send({}, full(5 * MB + 1))), [400, 324])
    })
    test('a body that is not multipart, or is empty, is rejected', async () => {
      const { headers } = multipart({})
      for (const body of [Buffer.from('hello'), multipart({}, png(3, 3)).body.subarray(0, -20)]) {
        const reply = await client.signed('POST', PATH, ann.keys, { headers, body })
        assert.deepEqual(errorOf(reply), [400, 44])
      }
      assert.deepEqual(errorOf(await form({})), [400, 38])
    })
    test('each user has a quota of their own', async () => {
      for (let count = 0; count < 2; count++)
        await init(Buffer.alloc(6 * MB), { media_category: 'amplify_video' })
      assert.deepEqual(errorOf(await send({}, png(3, 3))), [400, 324])
      assert.equal((await send({}, png(3, 3), await newPerson(opened.plaza))).status, 200)
    })

    test('a video comes in segments, in any order, and is worked on', async () => {
      const content = mp4(1280, 720, { bytes: 5 * MB })
      const id = await init(content)
      const segments = [content.subarray(0, 3 * MB), content.subarray(3 * MB)] as const
      for (const [index, segment] of [
        [1, segments[1]],
        [0, Buffer.from('a slip')],
        [0, segments[0]],
      ] as const) {
        const reply = await append(id, index, segment)
        assert.deepEqual([reply.status, reply.text], [204, ''])
      }
      const done = await finalize(id)
      assert.equal(done.status, 201, done.text)
      const { processing_info, video, size, media_key } = mediumOf(done)
      assert.deepEqual({ processing_info, video, size, media_key }, {
        processing_info: { state: 'pending', check_after_secs: 1 },
        video: { video_type: 'video/mp4' },
        size: content.length,
        media_key: `7_${id}`,
      } as object)
      assert.equal(mediumOf(await status(id)).processing_info?.state, 'pending')
      await opened.plaza.tasks.runDue('process medium')
      assert.deepEqual(mediumOf(await status(id)).processing_info, {
        state: 'succeeded',
        progress_percent: 100,
      } as object)
    })
    test('a client that did not hear that it is finished asks again', async () => {
      const content = mp4(16, 9)
      const id = await init(content)
      await append(id, 0, content)
      assert.deepEqual((await finalize(id)).json, (await finalize(id)).json)
    })
    test('segments that are missing, or hold more than was announced, are rejected', async () => {
      const content = mp4(16, 9)
      const id = await init(content)
      assert.deepEqual(errorOf(await finalize(id)), [400, 324])
      await append(id, 1, content)
      assert.deepEqual(errorOf(await finalize(id)), [400, 324])
      assert.deepEqual(errorOf(await append(id, 0, Buffer.alloc(1))), [400, 324])
      assert.deepEqual(errorOf(await append(id, 2, Buffer.alloc(5 * MB + 1))), [400, 324])
      assert.deepEqual(errorOf(await append(id, 1000, content)), [400, 44])
    })
    test('segments that make up no video are rejected', async () => {
      const content = Buffer.from('not a video at all')
      const id = await init(content)
      await append(id, 0, content)
      assert.deepEqual(errorOf(await finalize(id)), [400, 324])
    })
    test('each step names what it needs', async () => {
      for (const [fields, names] of [
        [{ command: 'INIT' }, ['total_bytes']],
        [{ command: 'INIT', total_bytes: '5' }, ['media_type']],
        [{ command: 'APPEND' }, ['media_id']],
        [{ command: 'APPEND', media_id: '1' }, ['segment_index']],
        [{ command: 'APPEND', media_id: '1', segment_index: '0' }, ['media_data']],
        [{ command: 'FINALIZE' }, ['media_id']],
      ] as const) {
        const reply = await form({ ...fields })
        assert.deepEqual(errorOf(reply), [400, 38], reply.text)
        assert.ok(reply.text.includes(names[0]), reply.text)
      }
      const large = { command: 'INIT', media_type: 'video/mp4', total_bytes: String(512 * MB + 1) }
      assert.deepEqual(errorOf(await form(large)), [400, 44])
      const image = { command: 'INIT', media_type: 'image/png', total_bytes: String(5 * MB + 1) }
      assert.deepEqual(errorOf(await form(image)), [400, 324])
    })
    test('other users cannot send to an upload, finish or see it', async () => {
      const content = mp4(16, 9)
      const id = await init(content)
      const bob = await newPerson(opened.plaza)
      assert.deepEqual(errorOf(await append(id, 0, content, bob)), [400, 325])
      await append(id, 0, content)
      assert.deepEqual(errorOf(await finalize(id, bob)), [400, 325])
      assert.deepEqual(errorOf(await status(id, bob)), [400, 325])
    })
    test('additional owners see it', async () => {
      const bob = await newPerson(opened.plaza)
      const reply = await send({ additional_owners: bob.id }, png(3, 3))
      assert.equal((await status(mediumOf(reply).media_id_string, bob)).status, 200)
    })

    test('an unused media file is deleted after a day, and its stored file when no one else has it', async () => {
      const { clock } = opened.plaza
      const content = png(30, 20)
      const bob = await newPerson(opened.plaza)
      const of = { ann: await uploaded(context(), ann.id, content), bob: undefined as unknown as string }
      clock.advance(DAY_MS / 2)
      of.bob = (await uploaded(context(), bob.id, content)).id
      const url = `${opened.plaza.urls.core}/media/${of.ann.hash}.png`
      clock.advance(DAY_MS / 2)
      await sweepMedia(context())
      assert.deepEqual(errorOf(await status(of.ann.id)), [400, 325])
      assert.equal((await status(of.bob, bob)).status, 200)
      assert.equal(await bytesAt(url), 200)
      clock.advance(DAY_MS / 2)
      await sweepMedia(context())
      assert.deepEqual(errorOf(await status(of.bob, bob)), [400, 325])
      assert.equal(await bytesAt(url), 404)
      assert.equal(await context().files.size(String(of.ann.hash)), undefined)
    })
    test('segments of an upload that was never finished are forgotten with it', async () => {
      const content = mp4(16, 9)
      const id = await init(content)
      await append(id, 0, content)
      const kept = await context().files.put(content, async () => undefined)
      opened.plaza.clock.advance(DAY_MS)
      await sweepMedia(context())
      assert.equal(await context().files.size(kept.hash), undefined)
      assert.deepEqual(errorOf(await finalize(id)), [400, 325])
    })
    test('a medium whose file is gone has failed', async () => {
      const { id, hash } = await uploaded(context(), ann.id, gif(9, 9))
      await context().files.remove(String(hash))
      await opened.plaza.tasks.runDue('process medium')
      assert.equal(mediumOf(await status(id)).processing_info?.state, 'failed')
    })

    if (stage.shared) {
      test('an upload to one node is served by another, and processed once', async () => {
        const node = await opened.second()
        const { id, hash } = await uploaded(context(), ann.id, gif(9, 9))
        await Promise.all([opened, { plaza: node }].map(({ plaza }) => plaza.tasks.runDue('process medium')))
        assert.equal(mediumOf(await status(id)).processing_info?.state, 'succeeded')
        const other = new Client(node)
        assert.equal((await other.send('GET', `/media/${hash}.gif`)).status, 200)
        await other.close()
      })
    }
  })
}
