import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { DELETED } from '../../src/api/ads/entity/queries.ts'
import { adHocQuery } from '../../src/app/tables.ts'
import { setSuspended } from '../../src/identity/apps/suspension.ts'
import { updateProfile } from '../../src/identity/users/profile.ts'
import { Desk, dataOf, errorOf, listOf, newPerson, type Person, paramsOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { heldMedium, mp4, png } from '../support/media.ts'
import { letRepost, makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

const HOUR_MS = 3_600_000

const removePromotable = adHocQuery<{ account: string; user: string }>('test_remove_promotable', (db, at) =>
  db
    .updateTable('promotable_users' as never)
    .set({ visibility: DELETED } as never)
    .where('account_id' as never, '=', at.account as never)
    .where('user_id' as never, '=', at.user as never),
)

interface Preview {
  post_id: string
  preview: string
}

for (const stage of stages) {
  describe(`previews on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk

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

    const post = (text: string, more: Record<string, string> = {}) =>
      ann.post('/post', { as_user_id: ann.person.id, text, ...more })
    const published = async (text: string, more?: Record<string, string>) => {
      const reply = await post(text, more)
      assert.equal(reply.status, 201, reply.text)
      return String((dataOf(reply) as unknown as { id_str: string }).id_str)
    }
    const draft = async (text: string) => dataOf(await ann.post('/draft_posts', { text })).id
    const scheduled = async (text: string) => {
      const scheduled_at = new Date(opened.plaza.clock.now() + 2 * HOUR_MS).toISOString()
      return dataOf(await ann.post('/scheduled_posts', { text, scheduled_at })).id
    }
    const previews = async (type: string, ids: string[], desk = ann) => {
      const reply = await desk.get(`/post_previews?post_type=${type}&post_ids=${ids.join()}`)
      assert.equal(reply.status, 200, reply.text)
      return listOf(reply) as unknown as Preview[]
    }
    const addressIn = (text: string) => /https?:\/\/[^" ]+\/post-preview\/[^" ]+/.exec(text)?.[0] ?? ''
    const addressOf = async (type: string, id: string) =>
      addressIn((await previews(type, [id]))[0]?.preview ?? '')
    /** As a browser opens it: without signing in. */
    const open = (address: string) => client.send('GET', address)

    test('are frames for posts, in the order in which they are asked for', async () => {
      const [one, two] = [await published('First'), await published('Second')]
      const reply = await ann.get(`/post_previews?post_type=PUBLISHED&post_ids=${two},12345,${one}`)
      assert.deepEqual(paramsOf(reply), {
        account_id: ann.accountId,
        post_type: 'PUBLISHED',
        post_ids: [two, '12345', one],
      })
      assert.deepEqual(Object.keys(reply.json as object).sort(), ['data', 'request'])
      const listed = listOf(reply) as unknown as Preview[]
      assert.deepEqual(
        listed.map((each) => [each.post_id, Object.keys(each).length]),
        [
          [two, 2],
          [one, 2],
        ],
      )
      assert.match(
        listed[0]?.preview ?? '',
        /^<iframe class="post-preview" src="https?:\/\/127\.0\.0\.1:[0-9]+\/post-preview\/[A-Za-z0-9_-]+" [^<>]+><\/iframe>$/,
      )
    })

    test('are of one type of posts at a time', async () => {
      const ids = { PUBLISHED: await published('Out'), DRAFT: await draft('Some day'), SCHEDULED: '' }
      ids.SCHEDULED = await scheduled('Soon')
      for (const [type, id] of Object.entries(ids)) {
        const found = await previews(type, Object.values(ids))
        assert.deepEqual(
          found.map((one) => one.post_id),
          [id],
        )
      }
      for (const query of [
        '',
        `post_ids=1&post_type=REPOST`,
        `post_type=DRAFT&post_ids=${Array.from({ length: 201 }, (_, n) => n + 1)}`,
      ]) {
        const reply = await ann.get(`/post_previews?${query}`)
        assert.equal(reply.status, 400)
      }
    })

    test('show the author and the text, with links, to anyone with the URL', async () => {
      const id = await published('Look: https://example.com/a?b=1&c=2 <b>#big</b> & more')
      const page = await open(await addressOf('PUBLISHED', id))
      assert.equal(page.status, 200)
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
      assert.ok(page.text.includes(`@${ann.person.screenName}`))
      assert.ok(page.text.includes('<a href="https://example.com/a?b=1&amp;c=2"'))
      assert.ok(page.text.includes('&lt;b&gt;<span class="tag">#big</span>&lt;/b&gt; &amp; more'))
      assert.ok(!page.text.includes('<script'))
      const policy = String(page.headers['content-security-policy'])
      assert.ok(policy.includes("default-src 'none'") && policy.includes('frame-ancestors *'))
      assert.equal(page.headers['x-frame-options'], undefined)
    })

    test('show media and the card', async () => {
      const { context } = opened.plaza
      const image = (await heldMedium(context, ann.advertiser, ann.person.id, png(1200, 628))).media_key
      const video = (await heldMedium(context, ann.advertiser, ann.person.id, mp4(1280, 720))).media_key
      const made = await ann.json('POST', '/cards', {
        name: 'A card',
        components: [
          { type: 'MEDIA', media_key: image },
          {
            type: 'DETAILS',
            title: 'Shop now',
            destination: { type: 'WEBSITE', url: 'https://shop.example.com/new' },
          },
        ],
      })
      const card_uri = String((dataOf(made) as unknown as { card_uri: string }).card_uri)
      const withCard = await open(await addressOf('PUBLISHED', await published('Card', { card_uri })))
      assert.match(withCard.text, /<a class="card" href="https:\/\/shop\.example\.com\/new"/)
      assert.match(withCard.text, /<img src="https?:\/\/[^"]+\/media\/[0-9a-f]{64}\.png" alt="">/)
      assert.ok(withCard.text.includes('<strong>Shop now</strong>'))
      const picture = await open(
        await addressOf('PUBLISHED', await published('Picture', { media_keys: image })),
      )
      assert.match(picture.text, /<div class="media"><img src="[^"]+\.png" alt="">/)
      const film = await open(await addressOf('PUBLISHED', await published('Film', { media_keys: video })))
      assert.match(film.text, /<video controls preload="none" src="[^"]+\.mp4"/)
    })

    test('of drafts and scheduled posts show them as they are when they are opened', async () => {
      const id = await draft('Before')
      const address = await addressOf('DRAFT', id)
      assert.match((await open(address)).text, />Before<\/p>/)
      await ann.put(`/draft_posts/${id}`, { text: 'Afterwards' })
      assert.match((await open(address)).text, />Afterwards<\/p>[\s\S]*>Draft<\/p>/)
      await ann.delete(`/draft_posts/${id}`)
      const gone = await open(address)
      assert.equal(gone.status, 410)
      assert.ok(gone.text.includes('This post is no longer available.'))
      const later = await open(await addressOf('SCHEDULED', await scheduled('Later')))
      assert.match(later.text, />Later<\/p>[\s\S]*>Scheduled for [0-9T:-]+Z<\/p>/)
    })

    test('expire after an hour, and cannot be made up', async () => {
      const address = await addressOf('PUBLISHED', await published('Here'))
      opened.plaza.clock.advance(HOUR_MS - 1)
      assert.equal((await open(address)).status, 200)
      opened.plaza.clock.advance(1)
      const expired = await open(address)
      assert.equal(expired.status, 410)
      assert.ok(expired.text.includes('This preview has expired.'))
      const middle = address.length - 20
      const other = address[middle] === 'A' ? 'B' : 'A'
      const changed = address.slice(0, middle) + other + address.slice(middle + 1)
      for (const wrong of [changed, `${address}AAAA`, address.slice(0, -20)])
        assert.equal((await open(wrong)).status, 404)
    })

    test('are of posts that the account may promote', async () => {
      const bob = await Desk.open(opened.plaza, client)
      const { context } = opened.plaza
      const foreign = await makePost(context, { authorId: bob.person.id, text: 'Not yours' })
      assert.deepEqual(await previews('PUBLISHED', [foreign.id]), [])
      const own = await draft('Mine')
      assert.deepEqual(await previews('DRAFT', [own], bob), [])
    })

    test('show nothing that became hidden after they were made', async () => {
      const { context } = opened.plaza
      const bob = await newPerson(opened.plaza)
      await letRepost(context, ann.advertiser, bob.id)
      const theirs = await makePost(context, { authorId: bob.id, text: 'By another' })
      const own = await makePost(context, { authorId: ann.person.id, text: 'For everyone' })
      const page = async (type: string, id: string) => {
        const address = await addressOf(type, id)
        return async () => (await open(address)).status
      }
      const [ofBob, ofAnn, advertised, drafted] = [
        await page('PUBLISHED', theirs.id),
        await page('PUBLISHED', own.id),
        await page('PUBLISHED', await published('Only for advertisements')),
        await page('DRAFT', await draft('Some day')),
      ]
      const all = async () => [await ofBob(), await ofAnn(), await advertised(), await drafted()]
      const change = (who: Person, changes: Parameters<typeof updateProfile>[2]) =>
        context.store.write((tx) => updateProfile(tx, who.id, changes))
      const suspend = (who: Person, suspended: boolean) =>
        context.store.write((tx) => setSuspended(tx, { kind: 'user', id: who.id, suspended }))
      assert.deepEqual(await all(), [200, 200, 200, 200])
      for (const who of [bob, ann.person]) await change(who, { protected: 1 })
      assert.deepEqual(await all(), [410, 410, 200, 200])
      assert.deepEqual(await previews('PUBLISHED', [theirs.id, own.id]), [])
      for (const who of [bob, ann.person]) await change(who, { protected: 0 })
      assert.deepEqual(await all(), [200, 200, 200, 200])
      for (const who of [bob, ann.person]) await suspend(who, true)
      assert.deepEqual(await all(), [410, 410, 410, 410])
      for (const who of [bob, ann.person]) await suspend(who, false)
      const removed = { account: ann.accountId, user: bob.id }
      await context.store.write((tx) => tx.run(removePromotable, removed))
      assert.deepEqual(await all(), [410, 200, 200, 200])
    })

    test('of one draft come with a sentence that says where', async () => {
      const id = await draft('Almost')
      const reply = await ann.post(`/draft_posts/preview/${id}`, {})
      assert.equal(reply.status, 200, reply.text)
      const { request, message, ...rest } = reply.json as { request: unknown; message: string }
      assert.deepEqual(request, { params: { account_id: ann.accountId, draft_post_id: id } })
      assert.deepEqual(rest, {})
      assert.match(message, /^Open https?:\S+ within an hour to see the draft\.$/)
      assert.match((await open(addressIn(message))).text, />Almost<\/p>/)
      const bob = await Desk.open(opened.plaza, client)
      const missing = [404, 'NOT_FOUND draft_post_id']
      assert.deepEqual(errorOf(await bob.post(`/draft_posts/preview/${id}`, {})), missing)
      assert.deepEqual(errorOf(await ann.post('/draft_posts/preview/12345', {})), missing)
    })
  })
}
