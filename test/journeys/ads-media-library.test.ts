import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { keepInLibrary } from '../../src/api/ads/media/library.ts'
import { addTerms, putEntry } from '../../src/api/ads/media/queries.ts'
import type { Context } from '../../src/app/start/context.ts'
import { mediaById, removeMedia } from '../../src/domain/media/queries.ts'
import { cursorOf, Desk, errorOf, listOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { heldMedium, png, uploaded } from '../support/media.ts'
import { type Opened, stages } from '../support/stages.ts'
import { sweepMedia } from '../support/tasks.ts'

const DAY_MS = 86_400_000

for (const stage of stages) {
  describe(`media libraries on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    const context = () => opened.plaza.context as Context

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
    })

    const held = (width = 40, height = 40) =>
      heldMedium(context(), ann.advertiser, ann.person.id, png(width, height))
    const expiryOf = async (id: string) => (await context().store.first(mediaById, { id }))?.expires_at
    const lastly = async () => {
      opened.plaza.clock.advance(DAY_MS + 1)
      await sweepMedia(context())
    }

    test('a medium that leaves its last library stops counting towards the quota a day later', async () => {
      const { id, media_key: key } = await held()
      assert.equal(await expiryOf(id), null)
      assert.equal((await ann.delete(`/media_library/${key}`)).status, 200)
      const now = context().clock.now()
      assert.equal(await expiryOf(id), now + DAY_MS)
      await lastly()
      assert.equal(await expiryOf(id), undefined)
    })

    test('a medium that is used again in time stays', async () => {
      const { id, media_key: key } = await held()
      await ann.delete(`/media_library/${key}`)
      assert.equal((await ann.post('/media_library', { media_key: key })).status, 201)
      assert.equal(await expiryOf(id), null)
    })

    test('a medium stays as long as another library has it', async () => {
      const medium = await held()
      const bob = await Desk.open(opened.plaza, client)
      await context().store.write((tx) => keepInLibrary(medium, {}, bob.advertiser.work(tx)))
      await ann.delete(`/media_library/${medium.media_key}`)
      assert.equal(await expiryOf(medium.id), null)
      await bob.delete(`/media_library/${medium.media_key}`)
      assert.notEqual(await expiryOf(medium.id), null)
    })

    test('media used by a card, a post, a draft or account media are kept without a library entry', async () => {
      const [inCard, inPost, inDraft, asBanner] = [
        await held(800, 800),
        await held(),
        await held(),
        await held(320, 50),
      ]
      const components = [
        { type: 'MEDIA', media_key: inCard.media_key },
        {
          type: 'DETAILS',
          title: 'Coffee',
          destination: { type: 'WEBSITE', url: 'https://example.com/' },
        },
      ]
      const card = await ann.json('POST', '/cards', { name: 'Card', components })
      assert.ok(card.status < 300, card.text)
      const as = { as_user_id: ann.person.id }
      const post = await ann.post('/post', { ...as, text: 'a', media_keys: inPost.media_key })
      assert.equal(post.status, 201, post.text)
      const draft = await ann.post('/draft_posts', { ...as, text: 'b', media_keys: inDraft.media_key })
      assert.ok(draft.status < 300, draft.text)
      for (const { id, media_key: key } of [inCard, inPost, inDraft, asBanner]) {
        assert.equal((await ann.delete(`/media_library/${key}`)).status, 200)
        assert.equal(await expiryOf(id), null, key)
      }
    })

    test('a medium that was forgotten since it was looked up comes into no library', async () => {
      const medium = await uploaded(context(), ann.person.id, png(40, 40))
      await context().store.write((tx) => tx.run(removeMedia, { ids: JSON.stringify([medium.id]) }))
      await assert.rejects(
        context().store.write((tx) => keepInLibrary(medium, {}, ann.advertiser.work(tx))),
        (error: Error) => JSON.stringify(error).includes('MEDIA_NOT_FOUND'),
      )
      assert.deepEqual(errorOf(await ann.get(`/media_library/${medium.media_key}`)), [
        404,
        'MEDIA_NOT_FOUND media_key',
      ])
    })

    test('a search examines a limited number of entries per page, and its cursor continues', async () => {
      const media = [await held(), await held()]
      const [rare, common] = media.map(({ id }) => id) as [string, string]
      const account_id = ann.accountId
      const many = 2_500
      await context().store.write(async (tx) => {
        for (let index = 0; index < many; index++) {
          const entry = { account_id, media_id: common, media_type: 'IMAGE', entry_id: context().ids.next() }
          await tx.run(addTerms, { ...entry, terms: JSON.stringify(['coffee']) })
        }
      })
      // Behind all the others.
      const entry_id = context().ids.next()
      await context().store.write(async (tx) => {
        const now = context().clock.now()
        await tx.run(putEntry, {
          ...{ account_id, media_id: rare, media_type: 'IMAGE', entry_id, name: 'Coffee cups' },
          ...{ file_name: null, title: null, description: null, poster_media_key: null },
          ...{ created_at: now, updated_at: now, deleted: 0 },
        })
        const terms = JSON.stringify(['coffee', 'late'])
        await tx.run(addTerms, { account_id, media_id: rare, media_type: 'IMAGE', entry_id, terms })
      })
      const pages: string[][] = []
      let cursor: string | null = ''
      while (cursor !== null && pages.length < 10) {
        const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const page = await ann.get(`/media_library?q=coffee%20late${after}`)
        assert.equal(page.status, 200, page.text)
        pages.push(listOf(page).map((one) => String(one.media_key)))
        cursor = cursorOf(page)
      }
      assert.deepEqual(pages, [[], [], [media[0]?.media_key]])
    })
  })
}
