import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { MediaCategory } from '../../src/domain/media/media.ts'
import {
  cursorOf,
  type Data,
  Desk,
  dataOf,
  errorOf,
  listOf,
  newPerson,
  paramsOf,
} from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { gif, mp4, png, uploaded } from '../support/media.ts'
import { type Opened, stages } from '../support/stages.ts'
import { sweepMedia } from '../support/tasks.ts'

const names = (media: readonly Data[]) => media.map(({ name }) => name)

for (const stage of stages) {
  describe(`media of advertisers on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    const context = () => opened.plaza.context

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    /** Every test advertises for itself. */
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
    })

    const upload = async (content: Buffer, category?: MediaCategory, desk = ann) =>
      (await uploaded(context(), desk.person.id, content, category)).media_key
    const add = (media_key: string, more: Record<string, string> = {}) =>
      ann.post('/media_library', { media_key, ...more })
    const added = async (content: Buffer, more: Record<string, string> = {}, category?: MediaCategory) => {
      const reply = await add(await upload(content, category), more)
      assert.equal(reply.status, 201, reply.text)
      return dataOf(reply)
    }
    const work = () => opened.plaza.tasks.runDue('process medium')
    const keyOf = ({ media_key }: Data) => String(media_key)

    describe('the library', () => {
      test('an image has no members of a video', async () => {
        const content = png(30, 20)
        const key = await upload(content)
        const reply = await add(key, { name: 'A picture', file_name: 'picture.png' })
        assert.equal(reply.status, 201, reply.text)
        const { media_url, ...data } = dataOf(reply)
        assert.deepEqual(data, {
          media_key: key,
          name: 'A picture',
          file_name: 'picture.png',
          media_category: 'POST_IMAGE',
          media_type: 'IMAGE',
          media_status: 'TRANSCODE_COMPLETED',
          posted: false,
          created_at: '2026-03-01T12:00:00Z',
          updated_at: '2026-03-01T12:00:00Z',
          deleted: false,
        } as unknown as Data)
        assert.deepEqual(paramsOf(reply), {
          account_id: ann.accountId,
          media_key: key,
          name: 'A picture',
          file_name: 'picture.png',
        })
        const file = await client.send('GET', String(media_url))
        assert.deepEqual([file.status, file.headers['content-length']], [200, String(content.length)])
      })
      test('a video has all of them, with its first poster once it is worked on', async () => {
        const data = await added(mp4(1280, 720, { ms: 39_973 }), {
          title: 'Buildings',
          description: 'Of a city',
        })
        const key = keyOf(data)
        assert.deepEqual(
          [data.media_status, data.poster_media_url, data.poster_media_key],
          ['PENDING_TRANSCODE', null, null],
        )
        await work()
        const { media_url, poster_media_url, ...now } = dataOf(await ann.get(`/media_library/${key}`))
        assert.deepEqual(now, {
          media_key: key,
          name: null,
          file_name: null,
          title: 'Buildings',
          description: 'Of a city',
          media_category: 'POST_VIDEO',
          media_type: 'VIDEO',
          media_status: 'TRANSCODE_COMPLETED',
          poster_media_key: key.replace('7_', '3_'),
          duration: 39_973,
          aspect_ratio: '16:9',
          posted: false,
          created_at: '2026-03-01T12:00:00Z',
          updated_at: '2026-03-01T12:00:00Z',
          deleted: false,
        } as unknown as Data)
        const [file, poster] = await Promise.all(
          [media_url, poster_media_url].map((url) => client.send('GET', String(url))),
        )
        assert.equal(file?.headers['content-type'], 'video/mp4')
        assert.equal(poster?.headers['content-type'], 'image/png')
      })
      test('a GIF has no duration, and its first picture stands for it', async () => {
        const data = await added(gif(125, 79), { title: 'Round and round' })
        await work()
        const now = dataOf(await ann.get(`/media_library/${keyOf(data)}`))
        assert.deepEqual([now.media_type, now.duration, now.aspect_ratio], ['GIF', null, '125:79'])
        const poster = await client.send('GET', String(now.poster_media_url))
        assert.deepEqual([poster.status, poster.headers['content-type']], [200, 'image/gif'])
      })
      test('a video whose file is gone has failed, and cannot be added', async () => {
        const { media_key, hash } = await uploaded(context(), ann.person.id, mp4(16, 9, { bytes: 99 }))
        await context().files.remove(String(hash))
        await work()
        assert.deepEqual(errorOf(await add(media_key)), [400, 'INVALID_MEDIA media_key'])
      })
      test('returned members of a media file can be sent back', async () => {
        for (const content of [mp4(16, 9), gif(3, 3)]) {
          const path = `/media_library/${keyOf(await added(content, { name: 'a' }))}`
          await work()
          const { poster_media_key, name } = dataOf(await ann.get(path))
          const reply = await ann.put(path, {
            poster_media_key: String(poster_media_key),
            name: String(name),
          })
          assert.equal(reply.status, 200, reply.text)
          assert.equal(dataOf(reply).poster_media_key, poster_media_key)
        }
        const path = `/media_library/${keyOf(await added(mp4(16, 9)))}`
        await work()
        const own = String(dataOf(await ann.get(path)).poster_media_key)
        await ann.put(path, { poster_media_key: await upload(png(30, 20)) })
        assert.equal(dataOf(await ann.put(path, { poster_media_key: own })).poster_media_key, own)
        const image = await added(png(3, 3))
        assert.deepEqual(
          errorOf(
            await ann.put(`/media_library/${image.media_key}`, { poster_media_key: String(image.media_key) }),
          ),
          [400, 'INVALID_PARAMETER poster_media_key'],
        )
      })
      test('a poster is an image of the caller', async () => {
        const poster = await upload(png(30, 20))
        const video = await added(mp4(16, 9), { poster_media_key: poster })
        assert.equal(video.poster_media_key, poster)
        assert.equal((await client.send('GET', String(video.poster_media_url))).status, 200)
        const key = await upload(mp4(16, 9))
        for (const [chosen, error] of [
          ['3_1', [404, 'MEDIA_NOT_FOUND poster_media_key']],
          [await upload(gif(3, 3)), [400, 'INVALID_MEDIA poster_media_key']],
        ] as const)
          assert.deepEqual(errorOf(await add(key, { poster_media_key: chosen })), error)
      })
      test('titles and descriptions are for what moves, posters for videos', async () => {
        const image = await upload(png(3, 3))
        assert.deepEqual(
          errorOf(await add(image, { title: 'a', description: 'b', poster_media_key: '3_1' })),
          [
            400,
            'INVALID_PARAMETER title',
            'INVALID_PARAMETER description',
            'INVALID_PARAMETER poster_media_key',
          ],
        )
        const moving = await upload(gif(3, 3))
        assert.deepEqual(errorOf(await add(moving, { poster_media_key: '3_1' })), [
          400,
          'INVALID_PARAMETER poster_media_key',
        ])
        assert.equal((await add(moving, { title: 'a', description: 'b' })).status, 201)
      })
      test('someone else’s medium, one that is not there, or not all there, is not found', async () => {
        const bob = await Desk.open(opened.plaza, client)
        const open = await client.signed('POST', '/1.1/media/upload.json', ann.person.keys, {
          form: { command: 'INIT', media_type: 'video/mp4', total_bytes: '9' },
        })
        const { media_key } = open.json as { media_key: string }
        for (const [key, error] of [
          [await upload(png(3, 3), undefined, bob), [404, 'MEDIA_NOT_FOUND media_key']],
          ['3_1', [404, 'MEDIA_NOT_FOUND media_key']],
          [(await upload(png(3, 3))).replace('3_', '7_'), [404, 'MEDIA_NOT_FOUND media_key']],
          [media_key, [400, 'INVALID_MEDIA media_key']],
        ] as const)
          assert.deepEqual(errorOf(await add(key)), error)
      })
      test('a medium that was uploaded for the caller can be added', async () => {
        const bob = await newPerson(opened.plaza)
        const reply = await client.signed('POST', '/1.1/media/upload.json', bob.keys, {
          form: { media_data: png(3, 3).toString('base64'), additional_owners: ann.person.id },
        })
        assert.equal((await add((reply.json as { media_key: string }).media_key)).status, 201)
      })
      test('one that is there already is changed', async () => {
        const data = await added(png(3, 3), { name: 'a', file_name: 'b' })
        opened.plaza.clock.advance(1000)
        const again = dataOf(await add(keyOf(data), { name: 'c' }))
        assert.deepEqual([again.name, again.file_name, again.created_at], ['c', 'b', data.created_at])
        assert.equal(listOf(await ann.get('/media_library')).length, 1)
      })
      test('a change leaves what it does not name, and takes away what is empty', async () => {
        const data = await added(gif(3, 3), { name: 'a', title: 'b', description: 'c' })
        const path = `/media_library/${keyOf(data)}`
        opened.plaza.clock.advance(1000)
        const now = dataOf(await ann.put(path, { title: '', description: 'd' }))
        assert.deepEqual([now.name, now.title, now.description], ['a', null, 'd'])
        assert.notEqual(now.updated_at, data.updated_at)
        opened.plaza.clock.advance(1000)
        assert.equal(dataOf(await ann.put(path, { name: 'a' })).updated_at, now.updated_at)
      })
      test('one that was deleted is found nowhere, until it is added again', async () => {
        const data = await added(png(3, 3), { name: 'short lived' })
        const path = `/media_library/${keyOf(data)}`
        assert.equal(dataOf(await ann.delete(path)).deleted, true)
        for (const reply of [await ann.get(path), await ann.delete(path), await ann.put(path, { name: 'x' })])
          assert.deepEqual(errorOf(reply), [404, 'MEDIA_NOT_FOUND media_key'])
        assert.deepEqual(listOf(await ann.get('/media_library')), [])
        assert.deepEqual(listOf(await ann.get('/media_library?q=lived')), [])
        const again = dataOf(await add(keyOf(data)))
        assert.deepEqual([again.name, again.deleted], [null, false])
      })
      test('accounts see their own', async () => {
        const data = await added(png(3, 3))
        const bob = await Desk.open(opened.plaza, client, { person: ann.person })
        assert.deepEqual(errorOf(await bob.get(`/media_library/${keyOf(data)}`)), [
          404,
          'MEDIA_NOT_FOUND media_key',
        ])
        assert.deepEqual(listOf(await bob.get('/media_library')), [])
      })
      test('added entries are kept', async () => {
        const data = await added(png(3, 3))
        opened.plaza.clock.advance(7 * 86_400_000)
        await sweepMedia(context())
        assert.equal((await client.send('GET', String(data.media_url))).status, 200)
      })
    })

    describe('lists of the library', () => {
      test('come oldest first, a page at a time, by type', async () => {
        for (const [name, content] of [
          ['a', png(3, 3)],
          ['b', gif(3, 3)],
          ['c', png(3, 3)],
          ['d', mp4(16, 9)],
          ['e', png(3, 3)],
        ] as const)
          await added(content, { name })
        const first = await ann.get('/media_library?count=2')
        assert.deepEqual(names(listOf(first)), ['a', 'b'])
        const second = await ann.get(`/media_library?count=2&cursor=${cursorOf(first)}`)
        assert.deepEqual(names(listOf(second)), ['c', 'd'])
        const last = await ann.get(`/media_library?count=2&cursor=${cursorOf(second)}`)
        assert.deepEqual([names(listOf(last)), cursorOf(last)], [['e'], null])
        const images = await ann.get('/media_library?media_type=IMAGE&count=2')
        assert.deepEqual(names(listOf(images)), ['a', 'c'])
        const more = await ann.get(`/media_library?media_type=IMAGE&count=2&cursor=${cursorOf(images)}`)
        assert.deepEqual(names(listOf(more)), ['e'])
        const wrong = await ann.get(`/media_library?cursor=${cursorOf(images)}`)
        assert.deepEqual(errorOf(wrong), [400, 'INVALID_PARAMETER cursor'])
      })
      test('hold 20 unless asked for more, and 50 at most', async () => {
        for (let count = 0; count < 21; count++) await added(png(3, 3))
        assert.equal(listOf(await ann.get('/media_library')).length, 20)
        assert.equal(listOf(await ann.get('/media_library?count=50')).length, 21)
        assert.deepEqual(errorOf(await ann.get('/media_library?count=51')), [400, 'INVALID_PARAMETER count'])
      })
      test('are searched for words, in any case and order, wherever they were said', async () => {
        await added(gif(3, 3), { name: 'Buildings of Ulm', title: 'GRÜN' })
        await added(mp4(16, 9), { file_name: 'buildings_2.mp4', description: 'In the morning' })
        await added(png(3, 3), { name: 'A building' })
        const found = async (q: string, more = '') =>
          listOf(await ann.get(`/media_library?q=${encodeURIComponent(q)}${more}`)).map(
            (one) => one.media_type,
          )
        assert.deepEqual(await found('BUILDINGS'), ['GIF', 'VIDEO'])
        assert.deepEqual(await found('buildings', '&media_type=VIDEO'), ['VIDEO'])
        assert.deepEqual(await found('ulm buildings'), ['GIF'])
        assert.deepEqual(await found('grün, ulm!'), ['GIF'])
        assert.deepEqual(await found('morning mp4 2'), ['VIDEO'])
        assert.deepEqual(await found('ulm morning'), [])
        assert.deepEqual(await found('build'), [])
        assert.deepEqual(await found('?!'), [])
      })
      test('are searched a page at a time', async () => {
        for (const name of ['one cat', 'two cat', 'dog', 'three cat']) await added(png(3, 3), { name })
        const first = await ann.get('/media_library?q=cat&count=2')
        assert.deepEqual(names(listOf(first)), ['one cat', 'two cat'])
        const second = await ann.get(`/media_library?q=cat&count=2&cursor=${cursorOf(first)}`)
        assert.deepEqual([names(listOf(second)), cursorOf(second)], [['three cat'], null])
      })
    })

    describe('account media', () => {
      const list = async (query = '') => listOf(await ann.get(`/account_media${query}`))

      test('an in-stream video of the library is a preroll', async () => {
        const data = await added(mp4(1280, 720), {}, 'AMPLIFY_VIDEO')
        assert.match(keyOf(data), /^13_/)
        const [medium, ...others] = await list()
        assert.deepEqual(others, [])
        const { id, ...rest } = medium as Data
        assert.match(id, /^[0-9a-z]+$/)
        assert.deepEqual(rest, {
          creative_type: 'PREROLL',
          media_url: null,
          video_id: keyOf(data),
          created_at: data.created_at,
          updated_at: data.created_at,
          deleted: false,
        })
      })
      test('an image of the exact size of an advertisement is one', async () => {
        const data = await added(png(300, 250))
        await added(png(728, 90))
        const [medium] = await list('?creative_types=MEDIUM_RECTANGLE,PREROLL')
        assert.deepEqual(
          [medium?.creative_type, medium?.video_id, medium?.media_url],
          ['MEDIUM_RECTANGLE', null, data.media_url],
        )
        const both = (await list()).map((one) => one.creative_type)
        assert.deepEqual(both, ['MEDIUM_RECTANGLE', 'BANNER_TABLET'])
      })
      test('nothing else is, and no medium is one twice', async () => {
        await added(png(301, 250))
        await added(mp4(1280, 720))
        await added(gif(300, 250))
        assert.deepEqual(await list(), [])
        const data = await added(png(320, 50))
        await add(keyOf(data), { name: 'again' })
        await ann.delete(`/media_library/${keyOf(data)}`)
        await add(keyOf(data))
        assert.equal((await list()).length, 1)
      })
      test('one is got and deleted; it is still shown to who asks', async () => {
        await added(png(320, 480))
        const [{ id }] = (await list()) as [Data]
        assert.equal(dataOf(await ann.get(`/account_media/${id}`)).creative_type, 'INTERSTITIAL')
        assert.equal(dataOf(await ann.delete(`/account_media/${id}`)).deleted, true)
        for (const reply of [await ann.get(`/account_media/${id}`), await ann.delete(`/account_media/${id}`)])
          assert.deepEqual(errorOf(reply), [404, 'ACCOUNT_MEDIA_NOT_FOUND account_media_id'])
        assert.deepEqual(await list(), [])
        assert.equal((await list(`?with_deleted=true&account_media_ids=${id},nosuch`)).length, 1)
      })
      test('line items show it', async () => {
        await added(mp4(1280, 720), {}, 'AMPLIFY_VIDEO')
        const [{ id }] = (await list()) as [Data]
        const lineItem = await ann.advertiser.lineItem({
          objective: 'VIDEO_VIEWS',
          product_type: 'MEDIA',
          placements: ['ALL_ON_SERVICE'],
        })
        const reply = await ann.post('/media_creatives', { line_item_id: lineItem.id, account_media_id: id })
        assert.equal(reply.status, 201, reply.text)
        assert.equal(dataOf(reply).creative_type, 'PREROLL')
      })
    })

    describe('posts', () => {
      const write = (form: Record<string, string>) =>
        ann.post('/post', { as_user_id: ann.person.id, ...form })

      test('a post shows its images, and they were posted', async () => {
        const keys = [await upload(png(30, 20)), await upload(png(40, 20))]
        const reply = await write({ text: 'Look', media_keys: keys.join() })
        assert.equal(reply.status, 201, reply.text)
        const { entities, extended_entities } = dataOf(reply) as unknown as Record<string, { media: Data[] }>
        assert.deepEqual(
          [entities, extended_entities].map((one) => one?.media.map((medium) => medium.media_key)),
          [keys.slice(0, 1), keys],
        )
        assert.equal(extended_entities?.media[0]?.type, 'photo')
        const library = listOf(await ann.get('/media_library'))
        assert.deepEqual(
          library.map((one) => [one.media_key, one.posted]),
          keys.map((key) => [key, true]),
        )
        const [shown] = listOf(await ann.get('/posts?post_type=PUBLISHED')) as unknown as Record<
          string,
          { media: Data[] }
        >[]
        assert.equal(shown?.extended_entities?.media.length, 2)
      })
      test('a post needs no text when it shows something', async () => {
        const reply = await write({ media_keys: await upload(gif(3, 3)) })
        assert.equal(reply.status, 201, reply.text)
        assert.equal(dataOf(reply).text, '')
        // Another picture makes another post of no text.
        assert.equal((await write({ media_keys: await upload(gif(3, 3)) })).status, 201)
      })
      test('the same picture with the same words makes no second post', async () => {
        const form = { text: 'Again', media_keys: await upload(png(3, 3)) }
        assert.equal((await write(form)).status, 201)
        assert.deepEqual(errorOf(await write(form)), [400, 'DUPLICATE_POST text'])
        assert.equal((await write({ text: 'Again' })).status, 201)
      })
      test('a video says more', async () => {
        const form = {
          media_keys: await upload(mp4(1280, 720)),
          video_title: 'A title',
          video_description: 'Words',
          video_cta: 'VISIT_SITE',
          video_cta_value: 'https://example.com',
        }
        const reply = await write(form)
        assert.equal(reply.status, 201, reply.text)
        const { extended_entities } = dataOf(reply) as unknown as Record<string, { media: Data[] }>
        const [medium] = extended_entities?.media ?? []
        assert.deepEqual(medium?.additional_media_info, {
          title: 'A title',
          description: 'Words',
          call_to_actions: { visit_site: { url: 'https://example.com' } },
        })
        const video = (medium as Data).video_info as { aspect_ratio: number[]; duration_millis: number }
        assert.deepEqual([video.aspect_ratio, video.duration_millis], [[16, 9], 8000])
      })
      test('words about a video need one', async () => {
        const form = { text: 'a', media_keys: await upload(png(3, 3)), video_title: 'A title' }
        assert.deepEqual(errorOf(await write(form)), [400, 'INVALID_PARAMETER video_title'])
      })
      test('up to four images, or one GIF, or one video', async () => {
        const images = await Promise.all([1, 2, 3, 4, 5].map(() => upload(png(3, 3))))
        const [moving, video] = [await upload(gif(3, 3)), await upload(mp4(16, 9))]
        assert.equal((await write({ media_keys: images.slice(0, 4).join() })).status, 201)
        for (const keys of [images, [images[0], moving], [moving, video], [video, await upload(mp4(16, 9))]])
          assert.deepEqual(errorOf(await write({ media_keys: keys.join() })), [
            400,
            'INVALID_MEDIA media_keys',
          ])
      })
      test('the medium of another user is not found', async () => {
        const bob = await Desk.open(opened.plaza, client)
        const key = await upload(png(3, 3), undefined, bob)
        assert.deepEqual(errorOf(await write({ text: 'a', media_keys: key })), [
          404,
          'MEDIA_NOT_FOUND media_keys',
        ])
      })
    })
  })
}
