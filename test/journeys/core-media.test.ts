import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { removeLanguage } from '../../src/domain/media/subtitles.ts'
import { isAwaited } from '../support/awaited.ts'
import { Client, type Reply } from '../support/client.ts'
import { gif, mp4, padded, png, srt, uploaded, vtt } from '../support/media.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'
import { sweepMedia } from '../support/tasks.ts'
import { until } from '../support/until.ts'

const MB = 1024 * 1024
const DAY_MS = 86_400_000
/** How long an upload in progress waits for its next segment. */
const IDLE_MS = 1_800_000

interface Uploaded {
  id: string
  media_key: string
  size?: number
  expires_after_secs?: number
  image?: object
  video?: object
  processing_info?: { state: string }
}

const dataOf = ({ status, json, text }: Reply) => {
  assert.equal(status, 200, text)
  return (json as { data: Uploaded }).data
}

/** The only error of a reply: the parameter with its values, and the sentence. */
const errorOf = (reply: Reply) => {
  assert.equal(reply.status, 400, reply.text)
  const { errors, title, detail } = reply.json as {
    errors: { parameters: object; message: string }[]
    title: string
    detail: string
  }
  assert.deepEqual(
    [title, detail, errors.length],
    ['Invalid Request', 'One or more parameters to your request was invalid.', 1],
  )
  return [errors[0]?.parameters, errors[0]?.message]
}

/** A multipart body of fields and one file. */
function multipart(fields: Record<string, string>, content: Buffer) {
  const parts = [
    ...Object.entries(fields).map(
      ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    '--b\r\ncontent-disposition: form-data; name="media"; filename="blob"\r\n\r\n',
    content,
    '\r\n--b--\r\n',
  ]
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  return { headers, body: Buffer.concat(parts.map((one) => Buffer.from(one))) }
}

for (const stage of stages) {
  describe(`uploads of the core API on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Person
    let bob: Person

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', mediaPerUser: 600 * MB })
      client = new Client(opened.plaza)
      ann = await Person.join(opened.plaza, client)
      bob = await Person.join(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const whole = (json: object, who = ann) => who.core('POST', '/2/media/upload', json)
    const send = (fields: Record<string, string>, content: Buffer) =>
      client.signed('POST', '/2/media/upload', ann.keys, multipart(fields, content))
    const initialize = (json: object, who = ann) => who.core('POST', '/2/media/upload/initialize', json)
    const append = (id: string, index: number, content: Buffer, who = ann) => {
      const body = multipart({ segment_index: String(index) }, content)
      return client.signed('POST', `/2/media/upload/${id}/append`, who.keys, body)
    }
    const finalize = (id: string, who = ann) => who.core('POST', `/2/media/upload/${id}/finalize`)
    const status = (id: string, who = ann) => who.core('GET', `/2/media/upload?command=STATUS&media_id=${id}`)
    const video = (content: Buffer, more: object = {}) =>
      initialize({ media_type: 'video/mp4', total_bytes: content.length, ...more })

    test('an image is sent in one request: as JSON, as a form, and as a file', async () => {
      const content = png(30, 20)
      const shown = (data: Uploaded) => ({
        id: data.id,
        media_key: `3_${data.id}`,
        size: content.length,
        expires_after_secs: 86_400,
        image: { image_type: 'image/png', w: 30, h: 20 },
      })
      const media = content.toString('base64')
      const form = { form: { media, media_category: 'post_image' } }
      for (const reply of [
        await whole({ media, media_category: 'post_image', media_type: 'image/png', shared: false }),
        await whole({ media }),
        await client.signed('POST', '/2/media/upload', ann.keys, form),
        await send({ media_category: 'dm_image', additional_owners: bob.id }, content),
      ]) {
        const data = dataOf(reply)
        assert.deepEqual(data, shown(data))
      }
    })

    test('a GIF of 15 MB fits into one request, in Base64 too', async () => {
      const content = padded(gif(9, 9), 15 * MB)
      const data = dataOf(await whole({ media: content.toString('base64'), media_category: 'post_gif' }))
      assert.deepEqual(
        [data.media_key, data.size, data.processing_info],
        [`16_${data.id}`, 15 * MB, { state: 'pending', check_after_secs: 1 }],
      )
      assert.equal(dataOf(await send({}, content)).size, 15 * MB)
      assert.deepEqual(errorOf(await send({}, padded(content, 15 * MB + 1))), [
        { media: [] },
        'post_gif holds files of up to 15728640 bytes, this one has 15728641.',
      ])
      const larger = await send({}, padded(content, 16 * MB))
      assert.deepEqual([larger.status, (larger.json as { title: string }).title], [413, 'Payload Too Large'])
    })

    test('a GIF in a category of images is an image, whatever type was declared', async () => {
      const content = gif(9, 7)
      const image = { size: content.length, image: { image_type: 'image/gif', w: 9, h: 7 } }
      for (const media_type of [undefined, 'image/gif', 'image/jpeg', 'image/png']) {
        const fields = { media_category: 'post_image', ...(media_type && { media_type }) }
        const data = dataOf(await send(fields, content))
        assert.deepEqual(data, {
          id: data.id,
          media_key: `3_${data.id}`,
          ...image,
          expires_after_secs: 86_400,
        })
        const { id } = dataOf(await initialize({ ...fields, total_bytes: content.length }))
        assert.equal((await append(id, 0, content)).status, 200)
        assert.deepEqual(dataOf(await finalize(id)), { ...data, id, media_key: `3_${id}` })
      }
      const { id } = dataOf(await send({ media_category: 'post_image' }, gif(3, 3)))
      const posted = await ann.core('POST', '/2/posts', { media: { media_ids: [id] } })
      const postId = (posted.json as { data: { id: string } }).data.id
      const shown = await bob.core('GET', `/2/posts/${postId}?expansions=attachments.media_keys`)
      assert.deepEqual((shown.json as { includes: object }).includes, {
        media: [{ media_key: `3_${id}`, type: 'photo' }],
      })
    })

    test('a still image that is announced as a GIF by its type alone is an image', async () => {
      const content = png(6, 4)
      const { id } = dataOf(await initialize({ media_type: 'image/gif', total_bytes: content.length }))
      assert.equal((await append(id, 0, content)).status, 200)
      const expected = {
        id,
        media_key: `3_${id}`,
        size: content.length,
        expires_after_secs: 86_400,
        image: { image_type: 'image/png', w: 6, h: 4 },
      }
      assert.deepEqual(dataOf(await finalize(id)), expected)
      assert.deepEqual(dataOf(await status(id)), expected)
    })

    test('the declared type of an image or GIF does not need to be that of its file', async () => {
      for (const [content, media_category, media_type, prefix] of [
        [png(4, 4), 'post_image', 'image/gif', '3'],
        [png(4, 4), 'post_image', 'image/webp', '3'],
        [gif(4, 4), 'post_gif', 'image/png', '16'],
      ] as const) {
        const fields = { media_category, media_type }
        const whole = dataOf(await send(fields, content))
        assert.equal(whole.media_key, `${prefix}_${whole.id}`)
        const { id } = dataOf(await initialize({ ...fields, total_bytes: content.length }))
        assert.equal((await append(id, 0, content)).status, 200)
        assert.equal(dataOf(await finalize(id)).media_key, `${prefix}_${id}`)
      }
    })

    test('a video comes in segments, in any order and sent again, and is worked on', async () => {
      const content = mp4(1280, 720, { bytes: 5 * MB })
      const begun = dataOf(await video(content, { media_category: 'amplify_video' }))
      assert.deepEqual(begun, {
        id: begun.id,
        media_key: `13_${begun.id}`,
        expires_after_secs: 1_800,
      })
      const [first, second] = [content.subarray(0, 3 * MB), content.subarray(3 * MB)]
      const expires_at = Math.floor((opened.plaza.clock.now() + IDLE_MS) / 1000)
      for (const [index, segment] of [
        [1, second],
        [0, Buffer.from('a slip')],
        [0, first],
      ] as const)
        assert.deepEqual((await append(begun.id, index, segment)).json, { data: { expires_at } })
      const done = await finalize(begun.id)
      assert.deepEqual(dataOf(done), {
        ...begun,
        expires_after_secs: 86_400,
        size: content.length,
        video: { video_type: 'video/mp4' },
        processing_info: { state: 'pending', check_after_secs: 1 },
      })
      // A client that did not hear the answer asks again.
      assert.deepEqual((await finalize(begun.id)).json, done.json)
      assert.equal(dataOf(await status(begun.id)).processing_info?.state, 'pending')
      await opened.plaza.tasks.runDue('process medium')
      assert.deepEqual(dataOf(await status(begun.id)).processing_info, {
        state: 'succeeded',
        progress_percent: 100,
      } as object)
      assert.deepEqual(errorOf(await append(begun.id, 0, first)), [
        { id: [begun.id] },
        `The upload ${begun.id} is finished: it takes no more segments.`,
      ])
    })

    test('a video that lasts less than 0.5 or more than 140 seconds fails, and its state says why', async () => {
      const lasting = async (ms: number, media_category = 'post_video') => {
        const content = mp4(64, 36, { ms })
        const { id } = dataOf(await video(content, { media_category }))
        await append(id, 0, content)
        assert.deepEqual(dataOf(await finalize(id)).processing_info, {
          state: 'pending',
          check_after_secs: 1,
        } as object)
        return id
      }
      const post = (id: string) =>
        ann.core('POST', '/2/posts', { text: `A video ${id}`, media: { media_ids: [id] } })
      const long = await lasting(149_350)
      assert.deepEqual(errorOf(await post(long))[1], 'Your media IDs are invalid.')
      const [short, amplified] = [await lasting(499), await lasting(499, 'amplify_video')]
      const message = await lasting(140_001, 'dm_video')
      const good = await Promise.all([lasting(500), lasting(140_000), lasting(140_001, 'amplify_video')])
      await opened.plaza.tasks.runDue('process medium')
      for (const [id, why] of [
        [long, 'The video lasts 149.35 seconds. The maximum is 140 seconds.'],
        [message, 'The video lasts 140.001 seconds. The maximum is 140 seconds.'],
        [short, 'The video lasts 0.499 seconds. The minimum is 0.5 seconds.'],
        [amplified, 'The video lasts 0.499 seconds. The minimum is 0.5 seconds.'],
      ] as const) {
        const failed = {
          state: 'failed',
          progress_percent: 100,
          error: { code: 3, name: 'UnsupportedMedia', message: why },
        }
        assert.deepEqual(dataOf(await status(id)).processing_info, failed as object)
        const classic = await ann.core('GET', `/1.1/media/upload.json?command=STATUS&media_id=${id}`)
        assert.deepEqual((classic.json as Uploaded).processing_info, failed as object)
        assert.deepEqual(errorOf(await post(id))[1], 'Your media IDs are invalid.')
      }
      for (const id of good) assert.equal(dataOf(await status(id)).processing_info?.state, 'succeeded')
    })

    test('a message refuses a medium of a post, and a post one of a message', async () => {
      const message = (id: string) =>
        ann.core('POST', `/2/dm_conversations/with/${bob.id}/messages`, { attachments: [{ media_id: id }] })
      const post = (id: string) =>
        ann.core('POST', '/2/posts', { text: `Look ${id}`, media: { media_ids: [id] } })
      const upload = async (media_category: string | undefined) =>
        dataOf(await send(media_category === undefined ? {} : { media_category }, png(6, 6)))
      const refused = {
        title: 'Forbidden',
        detail: 'You are not permitted to attach this media to a DM event.',
        type: 'about:blank',
        status: 403,
      }
      const image = await upload('post_image')
      assert.deepEqual((await message(image.id)).json, refused)
      assert.equal((await post(image.id)).status, 201)
      const shown = await upload(undefined)
      assert.equal((await post(shown.id)).status, 201)
      assert.deepEqual((await message(shown.id)).json, refused)
      const whole = {
        conversation_type: 'Group',
        participant_ids: [bob.id, (await Person.join(opened.plaza, client)).id],
        message: { attachments: [{ media_id: image.id }] },
      }
      assert.deepEqual((await ann.core('POST', '/2/dm_conversations', whole)).json, refused)

      const sent = await upload('dm_image')
      assert.deepEqual(errorOf(await post(sent.id)), [
        { 'media.media_ids': [sent.id] },
        'Your media IDs are invalid.',
      ])
      const accounts = (await ann.try('POST', '/accounts', {})).json as { data: { id: string } }
      const kept = await ann.try('POST', `/accounts/${accounts.data.id}/media_library`, {
        media_key: sent.media_key,
      })
      assert.equal(kept.status, 404, kept.text)
      assert.equal((await message(sent.id)).status, 201)
      // Published clients also send what they uploaded without a category.
      assert.equal((await message((await upload(undefined)).id)).status, 201)
    })

    test('a segment may be Base64 in JSON', async () => {
      const content = png(8, 8)
      const { id } = dataOf(await initialize({ media_category: 'post_image', total_bytes: content.length }))
      const segment = { segment_index: 0, media: content.toString('base64') }
      assert.equal((await ann.core('POST', `/2/media/upload/${id}/append`, segment)).status, 200)
      assert.equal(dataOf(await finalize(id)).size, content.length)
    })

    test('an upload attaches to a post, which shows it; the library of an account takes it', async () => {
      const { id, media_key } = dataOf(await send({}, png(1200, 628)))
      const described = await ann.core('POST', '/2/media/metadata', {
        id,
        metadata: { alt_text: { text: 'A wall' } },
      })
      assert.equal(described.status, 200, described.text)
      const post = await ann.core('POST', '/2/posts', { media: { media_ids: [id] } })
      assert.equal(post.status, 201, post.text)
      const postId = (post.json as { data: { id: string } }).data.id
      const fields = 'expansions=attachments.media_keys&media.fields=alt_text,width,height,url'
      const { includes } = (await bob.core('GET', `/2/posts/${postId}?${fields}`)).json as {
        includes: { media: { url: string }[] }
      }
      assert.deepEqual(includes.media, [
        {
          media_key,
          type: 'photo',
          alt_text: 'A wall',
          height: 628,
          url: includes.media[0]?.url,
          width: 1200,
        },
      ])
      assert.equal((await client.send('GET', new URL(includes.media[0]?.url ?? '').pathname)).status, 200)
      const accounts = (await ann.try('POST', '/accounts', {})).json as { data: { id: string } }
      const kept = await ann.try('POST', `/accounts/${accounts.data.id}/media_library`, { media_key })
      assert.equal(kept.status, 201, kept.text)
    })

    test('files that are invalid or of another category are rejected', async () => {
      const image = png(30, 20)
      for (const [json, message] of [
        [{ media: '%%%' }, 'The file is not in Base64.'],
        [{ media: '' }, 'The file is empty.'],
        [
          { media: Buffer.from('hello').toString('base64') },
          'The file is not a complete image, GIF or video, and not subtitles.',
        ],
        [
          { media: image.subarray(0, -1).toString('base64') },
          'The file is not a complete image, GIF or video, and not subtitles.',
        ],
        [
          { media: image.toString('base64'), media_category: 'post_gif' },
          'The file is an image, which post_gif does not hold.',
        ],
        [
          { media: gif(3, 3).toString('base64'), media_category: 'dm_video' },
          'The file is a GIF, which post_video does not hold.',
        ],
        [
          { media: padded(image, 5 * MB + 1).toString('base64') },
          'post_image holds files of up to 5242880 bytes, this one has 5242881.',
        ],
      ] as const)
        assert.deepEqual(errorOf(await whole(json)), [{ media: [] }, message])
      assert.deepEqual(errorOf(await whole({ media_category: 'post_image' })), [
        { media: [] },
        'The `media` parameter can not be empty',
      ])
    })

    test('optional members that are null or empty lists are absent, and required ones are missing', async () => {
      const content = png(30, 20)
      const media = content.toString('base64')
      const none = { media_category: null, media_type: null, shared: null, additional_owners: null }
      for (const absent of [none, { ...none, additional_owners: [] }])
        assert.equal(dataOf(await whole({ media, ...absent })).size, content.length)
      dataOf(await video(mp4(16, 9), { media_category: null, shared: null, additional_owners: [] }))
      assert.deepEqual(errorOf(await initialize({ media_type: null, total_bytes: 5 })), [
        { media_type: [] },
        'The `media_type` parameter can not be empty',
      ])
    })

    test('what is announced wrongly is rejected', async () => {
      for (const [json, name, value, message] of [
        [
          { media_type: 'video/mp4' },
          'total_bytes',
          undefined,
          'The `total_bytes` parameter can not be empty',
        ],
        [{ total_bytes: 5 }, 'media_type', undefined, 'The `media_type` parameter can not be empty'],
        [
          { media_type: 'video/webm', total_bytes: 5 },
          'media_type',
          'video/webm',
          'The `media_type` parameter value [video/webm] is not one of [image/jpeg,image/jpg,image/pjpeg,image/png,image/webp,image/bmp,image/gif,video/mp4,video/quicktime,text/srt,text/vtt]',
        ],
        [
          { media_type: 'image/png', media_category: 'post_video', total_bytes: 5 },
          'media_type',
          'image/png',
          'image/png is not a type of post_video.',
        ],
        [
          { media_type: 'application/octet-stream', total_bytes: 5 },
          'media_type',
          'application/octet-stream',
          'The `media_type` parameter value [application/octet-stream] is not one of [image/jpeg,image/jpg,image/pjpeg,image/png,image/webp,image/bmp,image/gif,video/mp4,video/quicktime,text/srt,text/vtt]',
        ],
        [
          { media_type: 'image/png', total_bytes: 5 * MB + 1 },
          'total_bytes',
          '5242881',
          'post_image holds files of up to 5242880 bytes, this one has 5242881.',
        ],
        [
          { media_type: 'video/mp4', total_bytes: 512 * MB + 1 },
          'total_bytes',
          '536870913',
          'The `total_bytes` parameter value [536870913] is not between 1 and 536870912',
        ],
      ] as const)
        assert.deepEqual(errorOf(await initialize(json)), [
          { [name]: value === undefined ? [] : [value] },
          message,
        ])
    })

    test('segments that are missing, too large, or more than was announced are rejected', async () => {
      const content = mp4(16, 9)
      const { id } = dataOf(await video(content))
      assert.deepEqual(errorOf(await finalize(id)), [
        { id: [id] },
        `The segments of the upload ${id} have 0 of the ${content.length} bytes of total_bytes.`,
      ])
      assert.equal((await append(id, 1, content)).status, 200)
      assert.deepEqual(errorOf(await finalize(id)), [
        { id: [id] },
        `The upload ${id} has no segment 0, but a later one.`,
      ])
      assert.deepEqual(errorOf(await append(id, 0, Buffer.alloc(1))), [
        { media: [] },
        `With this segment the upload has ${content.length + 1} bytes, more than the ${content.length} of total_bytes.`,
      ])
      assert.deepEqual(errorOf(await append(id, 2, Buffer.alloc(5 * MB + 1))), [
        { media: [] },
        'A segment has up to 5242880 bytes, this one has 5242881.',
      ])
      assert.deepEqual(errorOf(await append(id, 1000, content)), [
        { segment_index: ['1000'] },
        'The `segment_index` parameter value [1000] is not between 0 and 999',
      ])
      assert.deepEqual(
        errorOf(
          await client.signed('POST', `/2/media/upload/${id}/append`, ann.keys, multipart({}, content)),
        ),
        [{ segment_index: [] }, 'The `segment_index` parameter can not be empty'],
      )
    })

    test('segments that make up no video end the upload', async () => {
      const content = Buffer.from('not a video at all')
      const { id } = dataOf(await video(content))
      await append(id, 0, content)
      assert.deepEqual(errorOf(await finalize(id)), [
        { id: [id] },
        'The file is not a complete image, GIF or video, and not subtitles.',
      ])
      assert.deepEqual(errorOf(await finalize(id)), [
        { id: [id] },
        `There is no upload ${id} of this user, or it has expired.`,
      ])
    })

    test('only its user can send to, finish or see an upload; the user that it is for can see it', async () => {
      const content = mp4(16, 9)
      const { id } = dataOf(await video(content))
      const none = (name: string) => [
        { [name]: [id] },
        `There is no upload ${id} of this user, or it has expired.`,
      ]
      assert.deepEqual(errorOf(await append(id, 0, content, bob)), none('id'))
      assert.deepEqual(errorOf(await finalize(id, bob)), none('id'))
      assert.deepEqual(errorOf(await status(id, bob)), none('media_id'))
      for (const owners of [[bob.id], bob.id]) {
        const shared = dataOf(await video(content, { additional_owners: owners }))
        assert.equal(dataOf(await status(shared.id, bob)).id, shared.id)
      }
    })

    test('an upload that has expired takes nothing, whether it was removed yet or not', async () => {
      const content = mp4(16, 9)
      const { id } = dataOf(await video(content))
      await append(id, 0, content)
      const none = { id: [id] }
      for (let round = 0; round < 2; round++) {
        opened.plaza.clock.advance(IDLE_MS - 1)
        assert.equal((await append(id, 0, content)).status, 200)
      }
      opened.plaza.clock.advance(IDLE_MS)
      const message = `There is no upload ${id} of this user, or it has expired.`
      const rejected = async () => {
        assert.deepEqual(errorOf(await append(id, 0, content)), [none, message])
        assert.deepEqual(errorOf(await finalize(id)), [none, message])
        assert.deepEqual(errorOf(await status(id)), [{ media_id: [id] }, message])
      }
      await rejected()
      await sweepMedia(opened.plaza.context)
      await rejected()
    })

    test('each user has a quota of their own', async () => {
      const cid = await Person.join(opened.plaza, client)
      const large = { media_type: 'video/mp4', total_bytes: 512 * MB }
      assert.equal((await initialize(large, cid)).status, 200)
      assert.deepEqual(errorOf(await initialize(large, cid)), [
        { total_bytes: ['536870912'] },
        'The media of this user take 536870912 of 629145600 bytes: there is no room for 536870912 more.',
      ])
    })

    test('a medium of several messages is announced as shared', async () => {
      const message = (id: string, who: Person) =>
        ann.core('POST', `/2/dm_conversations/with/${who.id}/messages`, { attachments: [{ media_id: id }] })
      const cid = await Person.join(opened.plaza, client)
      const own = dataOf(await send({ media_category: 'dm_image' }, png(5, 5)))
      assert.equal((await message(own.id, bob)).status, 201)
      assert.equal((await message(own.id, cid)).status, 400)
      const shared = dataOf(await send({ media_category: 'dm_image', shared: 'true' }, png(5, 5)))
      assert.equal((await message(shared.id, bob)).status, 201)
      assert.equal((await message(shared.id, cid)).status, 201)
    })

    test('media are looked up by who uploaded them, and by all who see a post of them', async () => {
      const lookUp = (keys: string[], who: Person) =>
        who.core('GET', `/2/media?media_keys=${keys.join(',')}&media.fields=width`)
      const { id, media_key: key } = dataOf(await send({}, png(7, 5)))
      const open = dataOf(await video(mp4(16, 9)))
      const missing = (one: string, parameter = 'media_keys') => ({
        value: one,
        detail: `Could not find media with ${parameter}: [${one}].`,
        title: 'Not Found Error',
        resource_type: 'media',
        parameter,
        resource_id: one,
        type: `${opened.plaza.urls.core}/2/problems/resource-not-found`,
      })
      assert.deepEqual((await lookUp([key, open.media_key, '7_1'], ann)).json, {
        data: [{ media_key: key, type: 'photo', width: 7 }],
        errors: [missing(open.media_key), missing('7_1')],
      })
      assert.deepEqual((await lookUp([key], bob)).json, { errors: [missing(key)] })
      const made = await ann.core('POST', '/2/posts', { media: { media_ids: [id] } })
      assert.deepEqual((await lookUp([key], bob)).json, {
        data: [{ media_key: key, type: 'photo', width: 7 }],
      })
      assert.deepEqual((await bob.core('GET', `/2/media/${key}`)).json, {
        data: { media_key: key, type: 'photo' },
      })
      await ann.core('DELETE', `/2/posts/${(made.json as { data: { id: string } }).data.id}`)
      assert.deepEqual((await bob.core('GET', `/2/media/${key}`)).json, {
        errors: [missing(key, 'media_key')],
      })
      assert.deepEqual((await lookUp([key], ann)).json, { errors: [missing(key)] })
    })

    test('a video has subtitles in several languages, which stay as long as it does', async () => {
      const { context, clock } = opened.plaza
      const film = await uploaded(context, ann.id, mp4(16, 9))
      const file = async (content: Buffer) =>
        dataOf(await whole({ media: content.toString('base64'), media_category: 'subtitles' }))
      const english = await file(vtt())
      assert.deepEqual(english, {
        id: english.id,
        media_key: `37_${english.id}`,
        size: english.size,
        expires_after_secs: 86_400,
      })
      const add = (id: string, language_code: string, display_name: string, more: object = {}) =>
        ann.core('POST', '/2/media/subtitles', {
          id: film.id,
          subtitles: { id, language_code, display_name },
          ...more,
        })
      const french = await file(srt())
      const first = await add(english.id, 'en', 'English', { media_category: 'PostVideo' })
      assert.deepEqual(first.json, {
        data: {
          id: film.id,
          media_category: 'PostVideo',
          associated_subtitles: [{ id: english.id, language_code: 'en', display_name: 'English' }],
        },
      })
      await add(french.id, 'FR', 'Français')
      clock.advance(DAY_MS - 1)
      const other = await file(vtt())
      const replaced = await add(other.id, 'EN', 'English again')
      assert.deepEqual(
        (replaced.json as { data: { associated_subtitles: object[] } }).data.associated_subtitles,
        [
          { id: other.id, language_code: 'EN', display_name: 'English again' },
          { id: french.id, language_code: 'FR', display_name: 'Français' },
        ],
      )
      const post = await ann.core('POST', '/2/posts', { media: { media_ids: [film.id] } })
      assert.equal(post.status, 201, post.text)
      const remove = (language_code: string) =>
        ann.core('DELETE', '/2/media/subtitles', { id: film.id, language_code })
      assert.deepEqual((await remove('fr')).json, { data: { deleted: true } })
      assert.deepEqual(errorOf(await remove('fr')), [
        { language_code: ['fr'] },
        `The video ${film.id} has no subtitles in fr.`,
      ])
      clock.advance(DAY_MS)
      await sweepMedia(context)
      assert.equal((await status(french.id)).status, 400)
      assert.equal((await status(english.id)).status, 400)
      assert.equal((await status(other.id)).status, 200)
    })

    test('subtitles go with a video that expires, and are shown by no post', async () => {
      const { context, clock } = opened.plaza
      const film = await uploaded(context, ann.id, mp4(16, 9))
      clock.advance(DAY_MS / 2)
      const words = await uploaded(context, ann.id, vtt())
      const subtitles = { id: words.id, language_code: 'en', display_name: 'English' }
      const added = await ann.core('POST', '/2/media/subtitles', { id: film.id, subtitles })
      assert.equal(added.status, 200, added.text)
      assert.deepEqual(errorOf(await ann.core('POST', '/2/posts', { media: { media_ids: [words.id] } })), [
        { 'media.media_ids': [words.id] },
        'Your media IDs are invalid.',
      ])
      clock.advance(DAY_MS / 2)
      await sweepMedia(context)
      assert.equal((await status(film.id)).status, 400)
      assert.equal((await status(words.id)).status, 400)
      assert.equal(await context.files.size(String(words.hash)), undefined)
    })

    test('subtitles that two videos lose at once expire', {
      skip: !stage.shared && 'one at a time',
    }, async () => {
      const { context } = opened.plaza
      const { store } = context
      const [one, other, words] = [
        await uploaded(context, ann.id, mp4(16, 9)),
        await uploaded(context, ann.id, mp4(16, 9)),
        await uploaded(context, ann.id, vtt()),
      ]
      const subtitles = { id: words.id, language_code: 'en', display_name: 'English' }
      for (const { id } of [one, other])
        dataOf(await ann.core('POST', '/2/media/subtitles', { id, subtitles }))
      const taken = Promise.withResolvers<void>()
      const awaited = Promise.withResolvers<void>()
      const first = store.write(async (tx) => {
        await removeLanguage(tx, one.id, 'en')
        taken.resolve()
        await awaited.promise
      })
      await taken.promise
      const second = store.write((tx) => removeLanguage(tx, other.id, 'en'))
      await until('the second transaction waits', () => isAwaited(opened.plaza, 'media'))
      awaited.resolve()
      await Promise.all([first, second])
      assert.equal(dataOf(await status(words.id)).expires_after_secs, 86_400)
    })

    test('an expired medium is neither shown nor described, even before it is deleted', async () => {
      const { context, clock } = opened.plaza
      const { id, media_key } = await uploaded(context, ann.id, png(5, 5))
      assert.equal(dataOf(await ann.core('GET', `/2/media/${media_key}`)).media_key, media_key)
      clock.advance(DAY_MS)
      const { json } = await ann.core('GET', `/2/media/${media_key}`)
      assert.equal(
        (json as { errors: { detail: string }[] }).errors[0]?.detail,
        `Could not find media with media_key: [${media_key}].`,
      )
      const metadata = { alt_text: { text: 'A wall' } }
      assert.deepEqual(errorOf(await ann.core('POST', '/2/media/metadata', { id, metadata })), [
        { id: [id] },
        'Your media IDs are invalid.',
      ])
    })

    test('no post or message shows an expired medium, even before it is deleted', async () => {
      const { context, clock } = opened.plaza
      const { id } = await uploaded(context, ann.id, png(5, 6))
      const post = () =>
        ann.core('POST', '/2/posts', { text: `Now at ${clock.now()}`, media: { media_ids: [id] } })
      const send = () =>
        ann.core('POST', `/2/dm_conversations/with/${bob.id}/messages`, { attachments: [{ media_id: id }] })
      clock.advance(DAY_MS)
      assert.deepEqual(errorOf(await post()), [{ 'media.media_ids': [id] }, 'Your media IDs are invalid.'])
      assert.deepEqual(errorOf(await send()), [{ 'attachments.media_id': [id] }, 'Your media ID is invalid.'])
      const kept = await uploaded(context, ann.id, png(5, 7))
      clock.advance(DAY_MS - 1)
      const media = { media_ids: [kept.id] }
      assert.equal((await ann.core('POST', '/2/posts', { text: 'In time', media })).status, 201)
    })

    test('subtitles need a video and a file of subtitles, both of the user', async () => {
      const { context } = opened.plaza
      const [film, image, words, foreign] = [
        await uploaded(context, ann.id, mp4(16, 9)),
        await uploaded(context, ann.id, png(3, 3)),
        await uploaded(context, ann.id, vtt()),
        await uploaded(context, bob.id, vtt()),
      ]
      const add = (id: string, subtitles: string, more: object = {}) =>
        ann.core('POST', '/2/media/subtitles', {
          id,
          subtitles: { id: subtitles, language_code: 'en', display_name: 'English' },
          ...more,
        })
      for (const [reply, name, value, message] of [
        [await add(image.id, words.id), 'id', image.id, `The medium ${image.id} is not a video.`],
        [await add('1', words.id), 'id', '1', 'There is no medium 1 of this user, or it has expired.'],
        [
          await add(film.id, image.id),
          'subtitles.id',
          image.id,
          `The medium ${image.id} is not a file of subtitles.`,
        ],
        [
          await add(film.id, foreign.id),
          'subtitles.id',
          foreign.id,
          `There is no medium ${foreign.id} of this user, or it has expired.`,
        ],
        [
          await add(film.id, words.id, { media_category: 'AmplifyVideo' }),
          'media_category',
          'AmplifyVideo',
          `The video ${film.id} is of another category.`,
        ],
      ] as const)
        assert.deepEqual(errorOf(reply), [{ [name]: [value] }, message])
      for (const text of [
        'WEBVTT\n\nno cue',
        '1\n00:00:05,000 --> 00:00:04,000\nbackwards',
        'WEBVTT\n\n00:01 --> 00:02',
      ])
        assert.deepEqual(
          errorOf(await whole({ media: Buffer.from(text).toString('base64'), media_category: 'subtitles' })),
          [{ media: [] }, 'The file is not a complete image, GIF or video, and not subtitles.'],
        )
    })
  })
}
