import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { grantAccess } from '../../src/api/ads/accounts/open.ts'
import { grantFeature } from '../../src/api/ads/accounts/queries.ts'
import { keepInLibrary } from '../../src/api/ads/media/library.ts'
import { lockEntry } from '../../src/api/ads/media/queries.ts'
import { type MediaCategory, mediaPath } from '../../src/domain/media/media.ts'
import { bytesOfOwner, mediaById, usesOf } from '../../src/domain/media/queries.ts'
import { updateProfile } from '../../src/identity/users/profile.ts'
import { type Data, Desk, dataOf, errorOf, listOf, newPerson } from '../support/ads-desk.ts'
import { Client, type Reply } from '../support/client.ts'
import { heldMedium, mp4, png, uploaded } from '../support/media.ts'
import { type Opened, stages } from '../support/stages.ts'
import { sweepMedia } from '../support/tasks.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const WIDE = [1200, 628] as const

const DETAILS = {
  type: 'DETAILS',
  title: 'Coffee',
  destination: { type: 'WEBSITE', url: 'https://example.com/' },
}
const TALK = { name: 'Talk', title: 'Talk', first_cta: '#a', first_cta_post: 'A', thank_you_text: 'Thanks' }
const POLL = { name: 'Poll', first_choice: 'East', second_choice: 'West', duration_in_minutes: '5' }

/** What was made that uses media, and how it is deleted. */
interface Referencing {
  keys: string[]
  path: string
}

for (const stage of stages) {
  describe(`what uses media on ${stage.name}`, { skip: stage.skip }, () => {
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
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
    })

    const hold = async (content: Buffer, category?: MediaCategory) =>
      (await heldMedium(context(), ann.advertiser, ann.person.id, content, category)).media_key
    const rowOf = (key: string) => context().store.first(mediaById, { id: key.slice(key.indexOf('_') + 1) })
    /** Whether a medium stays; undefined when it is gone. */
    const stays = async (key: string) => {
      const row = await rowOf(key)
      return row && row.expires_at === null
    }
    /** A call of the core API by the user of the account. */
    const core = (method: string, path: string, json?: object) =>
      client.signed(method, path, ann.person.keys, json ? { json } : {})
    const bytesOf = async (owner: string) =>
      Number((await context().store.first(bytesOfOwner, { owner, now: context().clock.now() }))?.total)
    const leaves = async (...keys: string[]) => {
      for (const key of keys) {
        const reply = await ann.delete(`/media_library/${key}`)
        assert.equal(reply.status, 200, reply.text)
      }
    }
    const made = (reply: Reply) => {
      assert.ok(reply.status < 300, reply.text)
      return dataOf(reply)
    }
    const as = () => ({ as_user_id: ann.person.id })
    const card = (key: string) =>
      ann.json('POST', '/cards', { name: 'Card', components: [{ type: 'MEDIA', media_key: key }, DETAILS] })
    const inAnHour = () => new Date(context().clock.now() + HOUR_MS).toISOString()
    const plan = (form: Record<string, string>) =>
      ann.post('/scheduled_posts', { ...as(), scheduled_at: inAnHour(), ...form })
    const referencing: Record<string, () => Promise<Referencing>> = {
      async 'a draft'() {
        const key = await hold(png(9, 9))
        const { id } = made(await ann.post('/draft_posts', { ...as(), text: 'a', media_keys: key }))
        return { keys: [key], path: `/draft_posts/${id}` }
      },
      async 'a scheduled post'() {
        const keys = [await hold(png(9, 9)), await hold(png(9, 9))]
        const { id } = made(await plan({ media_keys: keys.join() }))
        return { keys, path: `/scheduled_posts/${id}` }
      },
      async 'a card'() {
        const key = await hold(png(...WIDE))
        return { keys: [key], path: `/cards/${made(await card(key)).id}` }
      },
      async 'a poll'() {
        const feature = { account_id: ann.accountId, feature_key: 'PROMOTED_MEDIA_POLLS' }
        await context().store.write((tx) => tx.run(grantFeature, feature))
        const key = await hold(png(...WIDE))
        const { id } = made(await ann.post('/cards/poll', { ...POLL, media_key: key }))
        return { keys: [key], path: `/cards/poll/${id}` }
      },
      async 'a conversation about an image'() {
        const [key, unlocked] = [await hold(png(...WIDE)), await hold(png(1000, 400))]
        const form = { ...TALK, media_key: key, unlocked_image_media_key: unlocked }
        const { id } = made(await ann.post('/cards/image_conversation', form))
        return { keys: [key, unlocked], path: `/cards/image_conversation/${id}` }
      },
      async 'a conversation about a video'() {
        const [key, video] = [await hold(mp4(1280, 720)), await hold(mp4(16, 9))]
        const [poster, image] = [await hold(png(9, 9)), await hold(png(9, 9))]
        const { id } = made(
          await ann.post('/cards/video_conversation', {
            ...{ ...TALK, media_key: key, poster_media_key: poster },
            ...{ unlocked_image_media_key: image, unlocked_video_media_key: video },
          }),
        )
        return { keys: [key, video, poster, image], path: `/cards/video_conversation/${id}` }
      },
      async 'an account media'() {
        const key = await hold(png(320, 50))
        const [{ id }] = listOf(await ann.get('/account_media')) as [Data]
        return { keys: [key], path: `/account_media/${id}` }
      },
      async 'a media creative'() {
        const key = await hold(mp4(1280, 720), 'AMPLIFY_VIDEO')
        const [{ id }] = listOf(await ann.get('/account_media')) as [Data]
        const lineItem = await ann.advertiser.lineItem({
          ...{ objective: 'VIDEO_VIEWS', product_type: 'MEDIA', placements: ['ALL_ON_SERVICE'] },
        })
        const form = { line_item_id: lineItem.id, account_media_id: id }
        const creative = made(await ann.post('/media_creatives', form))
        assert.equal((await ann.delete(`/account_media/${id}`)).status, 200)
        return { keys: [key], path: `/media_creatives/${creative.id}` }
      },
    }

    for (const [name, make] of Object.entries(referencing))
      test(`${name} keeps its media until it is deleted`, async () => {
        const { keys, path } = await make()
        await leaves(...keys)
        for (const key of keys) assert.equal(await stays(key), true, key)
        assert.equal((await ann.delete(path)).status, 200)
        for (const key of keys)
          assert.equal((await rowOf(key))?.expires_at, context().clock.now() + DAY_MS, key)
      })

    test('a chosen poster stays until another is chosen, or its video leaves the library', async () => {
      const [video, first, second] = [await hold(mp4(16, 9)), await hold(png(9, 9)), await hold(png(9, 9))]
      const choose = (key: string) => ann.put(`/media_library/${video}`, { poster_media_key: key })
      made(await choose(first))
      await leaves(first, second)
      assert.deepEqual([await stays(first), await stays(second)], [true, false])
      made(await choose(second))
      assert.deepEqual([await stays(first), await stays(second)], [false, true])
      await leaves(video)
      assert.deepEqual([await stays(video), await stays(second)], [false, false])
    })

    test('media that a change removes are released, and the others stay', async () => {
      const [one, two, three] = [await hold(png(9, 9)), await hold(png(9, 9)), await hold(png(...WIDE))]
      const { id } = made(await ann.post('/draft_posts', { ...as(), media_keys: `${one},${two}` }))
      const { id: cardId } = made(await card(three))
      await leaves(one, two, three)
      made(await ann.put(`/draft_posts/${id}`, { name: 'renamed' }))
      made(await ann.json('PUT', `/cards/${cardId}`, { name: 'renamed' }))
      assert.deepEqual([await stays(one), await stays(two), await stays(three)], [true, true, true])
      made(await ann.put(`/draft_posts/${id}`, { media_keys: two }))
      const other = [{ type: 'MEDIA', media_key: await hold(png(...WIDE)) }, DETAILS]
      made(await ann.json('PUT', `/cards/${cardId}`, { components: other }))
      assert.deepEqual([await stays(one), await stays(two), await stays(three)], [false, true, false])
    })

    test('the media of a card that a post shows stay when the card is deleted', async () => {
      const key = await hold(png(...WIDE))
      const { id, card_uri } = made(await card(key))
      made(await ann.post('/post', { ...as(), text: 'a', card_uri: String(card_uri) }))
      await leaves(key)
      assert.equal((await ann.delete(`/cards/${id}`)).status, 200)
      assert.equal(await stays(key), true)
    })

    test('the media of a deleted card are released with the last post that shows it', async () => {
      const key = await hold(png(...WIDE))
      const { id, card_uri } = made(await card(key))
      const show = async (text: string) =>
        String(made(await ann.post('/post', { ...as(), text, card_uri: String(card_uri) })).id_str)
      const posts = [await show('a'), await show('b')]
      await leaves(key)
      assert.equal((await ann.delete(`/cards/${id}`)).status, 200)
      for (const [index, post] of posts.entries()) {
        assert.deepEqual((await core('DELETE', `/2/posts/${post}`)).json, { data: { deleted: true } })
        await opened.plaza.tasks.runDue('release media of card')
        assert.equal(await stays(key), index === 0)
      }
    })

    test('a post keeps its media, and releases them when it is deleted', async () => {
      const [own, drafted] = [await uploaded(context(), ann.person.id, png(9, 9)), await hold(png(9, 9))]
      await ann.post('/draft_posts', { ...as(), text: 'a', media_keys: drafted })
      const ids = [own.id, drafted.slice(drafted.indexOf('_') + 1)]
      const post = async (media_ids: string[]) => {
        const reply = await core('POST', '/2/posts', { media: { media_ids } })
        assert.equal(reply.status, 201, reply.text)
        return (reply.json as { data: { id: string } }).data.id
      }
      const first = await post(ids)
      opened.plaza.clock.advance(1)
      const second = await post([own.id])
      await leaves(drafted)
      const file = () => client.send('GET', mediaPath(own) ?? '')
      const remove = async (id: string) => assert.equal((await core('DELETE', `/2/posts/${id}`)).status, 200)
      await remove(first)
      assert.deepEqual([await stays(own.media_key), await stays(drafted)], [true, true])
      assert.equal((await rowOf(own.media_key))?.source_post_id, second)
      assert.equal((await file()).status, 200)
      await remove(second)
      assert.deepEqual([await stays(own.media_key), await stays(drafted)], [false, true])
      assert.equal((await file()).status, 404)
      assert.equal(await bytesOf(ann.person.id), (await rowOf(drafted))?.bytes)
      await sweepMedia(context())
      assert.equal(await context().files.size(own.hash ?? ''), undefined)
    })

    test('all versions of a post keep their media until it is deleted', async () => {
      await context().store.write((tx) => updateProfile(tx, ann.person.id, { subscription_type: 'Basic' }))
      const media = [
        await uploaded(context(), ann.person.id, png(9, 9)),
        await uploaded(context(), ann.person.id, png(9, 9)),
      ]
      let previous: string | undefined
      for (const { id } of media) {
        const reply = await core('POST', '/2/posts', {
          media: { media_ids: [id] },
          ...(previous !== undefined && { edit_options: { previous_post_id: previous } }),
        })
        assert.equal(reply.status, 201, reply.text)
        previous = (reply.json as { data: { id: string } }).data.id
      }
      for (const { media_key } of media) assert.equal(await stays(media_key), true)
      assert.equal((await core('DELETE', `/2/posts/${previous}`)).status, 200)
      for (const { media_key } of media) assert.equal(await stays(media_key), false)
    })

    test('a scheduled post lets go of its media when a post shows them, and one that failed when it is deleted', async () => {
      const [shown, failed] = [await hold(png(9, 9)), await hold(png(9, 9))]
      const { card_uri, id: cardId } = made(await card(await hold(png(...WIDE))))
      const ids = [
        made(await plan({ media_keys: shown })).id,
        made(await plan({ media_keys: failed, card_uri: String(card_uri) })).id,
      ]
      await leaves(shown, failed)
      assert.equal((await ann.delete(`/cards/${cardId}`)).status, 200)
      opened.plaza.clock.advance(HOUR_MS)
      await opened.plaza.tasks.runDue('publish scheduled post')
      const statuses = await Promise.all(
        ids.map(async (id) => made(await ann.get(`/scheduled_posts/${id}`)).scheduled_status),
      )
      assert.deepEqual(statuses, ['SUCCESS', 'FAILED'])
      const uses = (id: string | undefined) =>
        context().store.all(usesOf, {
          account_id: ann.accountId,
          holder: 'scheduled_posts',
          holder_id: id ?? '',
        })
      assert.deepEqual([await uses(ids[0]), (await uses(ids[1])).length], [[], 1])
      opened.plaza.clock.advance(DAY_MS)
      await sweepMedia(context())
      assert.deepEqual([await stays(shown), await stays(failed)], [true, true])
      // What it shows can be read and used again, until it is deleted.
      assert.deepEqual(made(await ann.get(`/scheduled_posts/${ids[1]}`)).media_keys, [failed])
      made(await ann.delete(`/scheduled_posts/${ids[1]}`))
      assert.deepEqual([await stays(shown), await stays(failed)], [true, false])
    })

    test('a planned post keeps its attachments, whatever left the library and whoever changes it', async () => {
      const key = await hold(png(9, 9))
      const { id: cardId, card_uri } = made(await card(await hold(png(...WIDE))))
      const composer = await newPerson(opened.plaza)
      const roles = ['CREATIVE_MANAGER', 'POST_COMPOSER'] as const
      const at = { accountId: ann.accountId, userId: composer.id, roles, now: context().clock.now() }
      await context().store.write((tx) => grantAccess(tx, at))
      const url = `${opened.plaza.urls.ads}/12/accounts/${ann.accountId}`
      const send = (method: string, path: string, form: Record<string, string>) =>
        client.signed(method, `${url}${path}`, composer.keys, { form })
      const form = { ...as(), text: 'a', media_keys: key }
      const { id: post } = made(await send('POST', '/scheduled_posts', { ...form, scheduled_at: inAnHour() }))
      const withCard = { ...form, card_uri: String(card_uri) }
      const { id: draft } = made(await send('POST', '/draft_posts', withCard))
      await leaves(key)
      assert.equal((await ann.delete(`/cards/${cardId}`)).status, 200)
      const rename = (path: string) => send('PUT', path, { name: 'renamed' })
      for (const path of [`/draft_posts/${draft}`, `/scheduled_posts/${post}`]) {
        assert.equal(made(await rename(path)).name, 'renamed')
        assert.equal(made(await ann.put(path, { name: 'again' })).name, 'again')
        made(await rename(path))
      }
      // It came back into no library, and is new to others.
      assert.deepEqual(
        listOf(await ann.get('/media_library')).filter((one) => one.media_key === key),
        [],
      )
      assert.deepEqual(errorOf(await send('POST', '/draft_posts', form)), [404, 'MEDIA_NOT_FOUND media_keys'])
      opened.plaza.clock.advance(HOUR_MS)
      await opened.plaza.tasks.runDue('publish scheduled post')
      assert.equal(made(await ann.get(`/scheduled_posts/${post}`)).scheduled_status, 'SUCCESS')
    })

    test('a medium stays as long as one of those is there that used it', async () => {
      const key = await hold(png(9, 9))
      const drafts: string[] = []
      for (const text of ['a', 'b', 'c'])
        drafts.push(made(await ann.post('/draft_posts', { ...as(), text, media_keys: key })).id)
      await leaves(key)
      const [first = '', ...others] = drafts
      await ann.delete(`/draft_posts/${first}`)
      assert.equal(await stays(key), true)
      // At once, where a database lets two write at once.
      await Promise.all(others.map((id) => ann.delete(`/draft_posts/${id}`)))
      assert.equal(await stays(key), false)
    })

    test('media of a deleted account are released, and those that others use stay', async () => {
      const owner = await newPerson(opened.plaza)
      ann = await Desk.open(opened.plaza, client, { environment: 'sandbox', person: owner })
      const [inLibrary, inDraft, shared] = [
        await hold(png(9, 9)),
        await hold(png(9, 9)),
        await hold(png(9, 9)),
      ]
      made(await ann.post('/draft_posts', { ...as(), text: 'a', media_keys: inDraft }))
      await leaves(inDraft)
      const bob = await Desk.open(opened.plaza, client, { person: owner })
      const row = await rowOf(shared)
      assert.ok(row)
      await context().store.write((tx) => keepInLibrary(row, {}, bob.advertiser.work(tx)))
      assert.equal((await ann.delete('')).status, 200)
      assert.equal(await stays(inLibrary), true)
      opened.plaza.clock.advance(HOUR_MS)
      await sweepMedia(context())
      assert.deepEqual(
        [await stays(inLibrary), await stays(inDraft), await stays(shared)],
        [false, false, true],
      )
      opened.plaza.clock.advance(DAY_MS)
      await sweepMedia(context())
      assert.deepEqual(
        [await stays(inLibrary), await stays(inDraft), await stays(shared)],
        [undefined, undefined, true],
      )
    })

    test('an expired medium comes into no library and no post, even before it is deleted', async () => {
      const { media_key: key } = await uploaded(context(), ann.person.id, png(9, 8))
      opened.plaza.clock.advance(DAY_MS)
      const post = { ...as(), text: 'Too late', media_keys: key }
      assert.deepEqual(errorOf(await ann.post('/media_library', { media_key: key })), [
        404,
        'MEDIA_NOT_FOUND media_key',
      ])
      for (const path of ['/post', '/draft_posts'])
        assert.deepEqual(errorOf(await ann.post(path, post)), [404, 'MEDIA_NOT_FOUND media_keys'])
      assert.equal(await stays(key), false)
      const kept = await uploaded(context(), ann.person.id, png(9, 7))
      opened.plaza.clock.advance(DAY_MS - 1)
      made(await ann.post('/media_library', { media_key: kept.media_key }))
      assert.equal(await stays(kept.media_key), true)
    })

    test('nothing is left of a medium in a library when it is forgotten', async () => {
      const key = await hold(png(9, 9))
      const at = { account: ann.accountId, mediaId: key.slice(key.indexOf('_') + 1) }
      const entry = () => context().store.write((tx) => tx.first(lockEntry, at))
      await leaves(key)
      assert.equal((await entry())?.deleted, 1)
      opened.plaza.clock.advance(DAY_MS)
      await sweepMedia(context())
      assert.equal(await entry(), undefined)
    })
  })
}
