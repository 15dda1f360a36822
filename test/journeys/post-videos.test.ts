import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { Desk, listOf, newPerson, type Person } from '../support/ads-desk.ts'
import { Client, type Reply } from '../support/client.ts'
import { gif, mp4, png, uploaded } from '../support/media.ts'
import { type Opened, stages } from '../support/stages.ts'
import { sweepMedia } from '../support/tasks.ts'

// What posts say about their videos, and the images that stand for these.

const DAY_MS = 86_400_000

const subscribe = query<{ id: string }>('subscribeVideoTest', (db, at) =>
  db.updateTable('users').set({ subscription_type: 'Premium' }).where('id', '=', at.id),
)
const shareWith = query<{ id: string; owners: string }>('shareVideoOfTest', (db, at) =>
  db.updateTable('media').set({ additional_owners: at.owners }).where('id', '=', at.id),
)

const createdId = (reply: Reply): string => {
  assert.equal(reply.status, 201, reply.text)
  return (reply.json as { data: { id: string } }).data.id
}

/** The parameters of the only error, and its sentence. */
const errorOf = (reply: Reply) => {
  assert.equal(reply.status, 400, reply.text)
  const { errors } = reply.json as { errors: { parameters: object; message: string }[] }
  assert.equal(errors.length, 1, reply.text)
  return [errors[0]?.parameters, errors[0]?.message]
}

for (const stage of stages) {
  describe(`posts with videos on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let desk: Desk
    let ann: Person

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      desk = await Desk.open(opened.plaza, client)
      ann = desk.person
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const upload = (content: Buffer, who = ann) => uploaded(opened.plaza.context, who.id, content)
    const write = (json: object, who = ann) => client.signed('POST', '/2/posts', who.keys, { json })
    const work = () => opened.plaza.tasks.runDue('process medium')
    /** The medium of a post, as the core API shows it. */
    const mediumOf = async (id: string) => {
      const target = `/2/posts/${id}?expansions=attachments.media_keys&media.fields=preview_image_url,type`
      const reply = await client.signed('GET', target, ann.keys)
      return (reply.json as { includes: { media: Record<string, string>[] } }).includes.media[0]
    }
    const previewOf = async (id: string) => (await mediumOf(id))?.preview_image_url
    /** What a post says about its video, in the form of the advertising API. */
    const saidBy = async (id: string) => {
      const [post] = listOf(await desk.get(`/posts?post_type=PUBLISHED&post_ids=${id}`))
      assert.ok(post)
      const { media } = post.extended_entities as { media: { additional_media_info?: object }[] }
      return media[0]?.additional_media_info
    }
    /** The path of the file that an image is. */
    const urlOf = async ({ media_key }: { media_key: string }) => {
      const reply = await client.signed('GET', `/2/media/${media_key}?media.fields=url`, ann.keys)
      return (reply.json as { data: { url: string } }).data.url
    }
    const isFetched = async (url: string) => (await client.send('GET', new URL(url).pathname)).status

    test('a post says what its video is and what to do, in every member', async () => {
      const video = await upload(mp4(16, 9))
      await work()
      const about = {
        title: 'A title',
        description: 'About it',
        embeddable: false,
        call_to_actions: {
          app_install: { app_store_id: '123', ipad_app_store_id: '456', play_store_id: 'com.example.app' },
          visit_site: { url: 'https://example.com/site' },
          watch_now: { url: 'https://example.com/watch' },
        },
      }
      const id = createdId(await write({ media: { media_ids: [video.id], ...about } }))
      assert.deepEqual(await saidBy(id), {
        title: 'A title',
        description: 'About it',
        embeddable: false,
        call_to_actions: {
          app_install: { app_store_id: '123', ipad_app_store_id: '456', play_store_id: 'com.example.app' },
          visit_site: { url: 'https://example.com/site' },
          watch_now: { url: 'https://example.com/watch' },
        },
      })
      const other = createdId(
        await write({ text: 'Embed it', media: { media_ids: [video.id], embeddable: true, title: null } }),
      )
      assert.deepEqual(await saidBy(other), { embeddable: true })
      const plain = createdId(await write({ text: 'No words', media: { media_ids: [video.id] } }))
      assert.equal(await saidBy(plain), undefined)
    })

    test('a new version says what it is sent with, and keeps the preview of the video', async () => {
      await opened.plaza.context.store.write((tx) => tx.run(subscribe, { id: ann.id }))
      const [video, image] = [await upload(mp4(16, 9)), await upload(png(16, 9))]
      const media = { media_ids: [video.id], title: 'First', preview_media_id: image.id }
      const first = createdId(await write({ text: 'First words', media }))
      assert.deepEqual(await saidBy(first), { title: 'First' })
      const edit = { edit_options: { previous_post_id: first } }
      const second = createdId(
        await write({
          ...edit,
          text: 'Second words',
          media: { media_ids: [video.id], description: 'Second' },
        }),
      )
      assert.deepEqual(await saidBy(second), { description: 'Second' })
      assert.equal(await previewOf(second), await urlOf(image))
    })

    test('the preview that is chosen stays: while the video is processed, and when the image expires', async () => {
      for (const moving of [mp4(16, 9), gif(9, 9)]) {
        const [medium, image] = [await upload(moving), await upload(png(16, 9))]
        const url = await urlOf(image)
        const media = { media_ids: [medium.id], preview_media_id: image.id }
        const id = createdId(await write({ media }))
        assert.equal(await previewOf(id), url)
        await work()
        assert.equal(await previewOf(id), url)
        opened.plaza.clock.advance(DAY_MS + 1)
        await sweepMedia(opened.plaza.context)
        await opened.plaza.tasks.runDue('delete file')
        assert.equal(await previewOf(id), url)
        assert.equal(await isFetched(url), 200)
      }
    })

    test('a preview takes the place of the first frame, and another one its place', async () => {
      const [video, image, next] = [
        await upload(mp4(16, 9)),
        await upload(png(16, 9)),
        await upload(png(8, 8)),
      ]
      await work()
      const media_ids = [video.id]
      const id = createdId(await write({ text: 'Frame', media: { media_ids } }))
      const frame = await previewOf(id)
      assert.match(String(frame), /\/media\/[0-9a-f]{64}\.(png|jpg)$/)
      createdId(await write({ text: 'Chosen', media: { media_ids, preview_media_id: image.id } }))
      assert.equal(await previewOf(id), await urlOf(image))
      createdId(await write({ text: 'Chosen again', media: { media_ids, preview_media_id: next.id } }))
      assert.equal(await previewOf(id), await urlOf(next))
    })

    test('values that are wrong change nothing', async () => {
      const bob = await newPerson(opened.plaza)
      const [video, moving, image] = [
        await upload(mp4(16, 9)),
        await upload(gif(9, 9)),
        await upload(png(8, 8)),
      ]
      const foreign = await upload(png(8, 8), bob)
      await work()
      const shown = createdId(await write({ text: 'Before', media: { media_ids: [video.id] } }))
      const preview = await previewOf(shown)
      const film = { media_ids: [video.id] }
      const cases: [media: object, parameters: object, message: string][] = [
        [
          { media_ids: [image.id], title: 'A title' },
          { 'media.title': ['A title'] },
          'title needs a video in media_ids.',
        ],
        [
          { media_ids: [moving.id], embeddable: false },
          { 'media.embeddable': ['false'] },
          'embeddable needs a video in media_ids.',
        ],
        [
          { media_ids: [image.id], call_to_actions: { watch_now: { url: 'https://a.test/' } } },
          { 'media.call_to_actions': ['{"watch_now":{"url":"https://a.test/"}}'] },
          'call_to_actions needs a video in media_ids.',
        ],
        [
          { ...film, call_to_actions: {} },
          { 'media.call_to_actions': ['{}'] },
          'call_to_actions needs one of app_install, visit_site, watch_now.',
        ],
        [
          { ...film, call_to_actions: { app_install: {} } },
          { 'media.call_to_actions.app_install': ['{}'] },
          'app_install needs one of app_store_id, ipad_app_store_id, play_store_id.',
        ],
        [
          { media_ids: [image.id], preview_media_id: image.id },
          { 'media.preview_media_id': [image.id] },
          'preview_media_id needs a video or GIF in media_ids.',
        ],
        ...['1', foreign.id].map((id): [object, object, string] => [
          { ...film, preview_media_id: id },
          { 'media.preview_media_id': [id] },
          'Your preview media ID is invalid.',
        ]),
        [
          { ...film, preview_media_id: moving.id },
          { 'media.preview_media_id': [moving.id] },
          'The preview of a video or GIF is an image.',
        ],
      ]
      for (const [media, parameters, message] of cases)
        assert.deepEqual(errorOf(await write({ text: 'Wrong', media })), [parameters, message])
      // The form of values, which the schema says.
      const malformed: [media: object, parameter: string][] = [
        [{ title: '' }, 'media.title'],
        [{ title: 'a'.repeat(71) }, 'media.title'],
        [{ description: 'a'.repeat(201) }, 'media.description'],
        [{ embeddable: 'yes' }, 'media.embeddable'],
        [{ preview_media_id: 'x' }, 'media.preview_media_id'],
        [
          { call_to_actions: { visit_site: { url: 'javascript:1' } } },
          'media.call_to_actions.visit_site.url',
        ],
        [{ call_to_actions: { visit_site: {} } }, 'media.call_to_actions.visit_site.url'],
        [
          { call_to_actions: { app_install: { play_store_id: 'a b' } } },
          'media.call_to_actions.app_install.play_store_id',
        ],
      ]
      for (const [more, parameter] of malformed) {
        const [parameters] = errorOf(await write({ text: 'Wrong', media: { ...film, ...more } }))
        assert.deepEqual(Object.keys(parameters as object), [parameter])
      }
      assert.equal(await previewOf(shown), preview)
      assert.equal(await saidBy(shown), undefined)
      // No post was made of these words: they are no duplicate.
      createdId(await write({ text: 'Wrong', media: film }))
    })

    test('only who uploaded a video chooses its preview', async () => {
      const bob = await newPerson(opened.plaza)
      const [video, image] = [await upload(mp4(16, 9)), await upload(png(8, 8), bob)]
      await opened.plaza.context.store.write((tx) =>
        tx.run(shareWith, { id: video.id, owners: JSON.stringify([bob.id]) }),
      )
      const media = { media_ids: [video.id], preview_media_id: image.id }
      assert.deepEqual(errorOf(await write({ media }, bob)), [
        { 'media.preview_media_id': [image.id] },
        'Only the user who uploaded a video or GIF can choose its preview image.',
      ])
      createdId(await write({ media: { media_ids: [video.id], title: 'Shared' } }, bob))
    })
  })
}
