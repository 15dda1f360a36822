import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { addSetting, settingByName } from '../../src/platform/storage/settings.ts'
import { StoreUnavailable } from '../../src/platform/storage/store.ts'
import { Advertiser } from '../support/advertiser.ts'
import { Client, demoKeys, type Reply } from '../support/client.ts'
import { allEventsHandled } from '../support/events.ts'
import { padded, png } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'
import { makePost } from '../support/posts.ts'
import { mountSmallDisk, NO_SMALL_DISK } from '../support/small-disk.ts'
import { until } from '../support/until.ts'

const disk = mountSmallDisk(32)
const skip = disk ? false : NO_SMALL_DISK
/**
 * More than enough writes of each kind to use up what files had room for before the disk was full.
 */
const MANY = 400

const dataOf = (reply: Reply) => (reply.json as { data: { id: string } }).data

describe('a disk that is full', { skip }, () => {
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let client: Client
  let base: string
  let bearer: string
  let userId: string
  let postId: string
  const send = (method: string, path: string, sent: object = {}) =>
    client.signed(method, path.startsWith('http') ? path : base + path, demoKeys(plaza), sent)

  before(async () => {
    const healthListen = { address: '127.0.0.1', port: 0 }
    plaza = await startPlaza({ data: join(disk?.folder ?? '', 'data'), rateLimits: 'off', healthListen })
    await plaza.caughtUp
    client = new Client(plaza)
    bearer = `Bearer ${await client.bearer(demoKeys(plaza))}`
    userId = plaza.seeded?.apps[0]?.grants[0]?.userId ?? ''
    const advertiser = await Advertiser.open(plaza.context, userId)
    base = `${plaza.urls.ads}/12/accounts/${advertiser.account.id}`
  })
  after(async () => {
    await client?.close()
    await plaza?.close()
    disk?.[Symbol.dispose]()
  })

  const probe = async (at: string, path: string) => {
    const response = await fetch(at + path)
    return [response.status, await response.json()]
  }

  const read = (path: string) =>
    client.send('GET', `${plaza.urls.core}${path}`, { headers: { authorization: bearer } })
  let names = 0
  const audience = () => send('POST', '/custom_audiences', { form: { name: `Audience ${names++}` } })
  const upload = (id: string) => {
    const users = Array.from({ length: 200 }, () => ({ partner_user_id: [`p${names++}`] }))
    return send('POST', `/custom_audiences/${id}/users`, {
      json: [{ operation_type: 'Update', params: { users } }],
    })
  }
  const image = () =>
    send('POST', `${plaza.urls.core}/1.1/media/upload.json`, {
      form: { media_data: padded(png(64, 64), 20_000).toString('base64') },
    })

  test('answers writes 503 and is not ready, and recovers once space is free', {
    timeout: 120_000,
  }, async () => {
    const kept = dataOf(await audience()).id
    assert.equal((await upload(kept)).status, 200)
    assert.equal((await image()).status, 200)
    assert.deepEqual(await probe(plaza.urls.console, '/ready'), [200, { status: 'ready' }])
    postId = (await makePost(plaza.context, { authorId: userId, text: 'A fountain' })).id
    await allEventsHandled(plaza.context.store)
    plaza.clock.advance(60_000)
    disk?.fill()

    // The embedded database by itself: requests that are signed fail before, when their nonce
    // cannot be kept.
    const outcomes: unknown[] = []
    for (let n = 0; n < MANY && !(outcomes.at(-1) instanceof Error); n++)
      outcomes.push(
        await plaza.context.store
          .write((tx) => tx.run(addSetting, { name: `full ${n}`, value: 'x'.repeat(20_000) }))
          .catch((error) => error),
      )
    assert.ok(outcomes.at(-1) instanceof StoreUnavailable, String(outcomes.at(-1)))
    // Some of a group of writes fit, one does not: each is told what became of it.
    const group = await Promise.allSettled(
      [10, 3_000_000, 10].map((length, n) =>
        plaza.context.store.write((tx) =>
          tx.run(addSetting, { name: `group ${n}`, value: 'x'.repeat(length) }),
        ),
      ),
    )
    for (const one of group)
      if (one.status === 'rejected') assert.ok(one.reason instanceof StoreUnavailable, String(one.reason))
    assert.equal(group[1]?.status, 'rejected')

    for (const write of [audience, () => upload(kept), image]) {
      const statuses = new Set<number>()
      for (let n = 0; n < MANY && !statuses.has(503); n++) {
        const reply = await write()
        assert.ok([200, 201, 503].includes(reply.status), `${reply.status} ${reply.text}`)
        statuses.add(reply.status)
      }
      assert.ok(statuses.has(503))
    }
    for (const path of [
      `/2/users/${userId}`,
      `/2/users/${userId}/posts`,
      `/2/posts/${postId}`,
      '/2/posts/search/recent?query=fountain',
    ])
      assert.match((await read(path)).text, new RegExp(`"id":"(${userId}|${postId})"`))
    assert.match((await read('/2/posts/counts/recent?query=fountain')).text, /"total_post_count":1/)
    assert.equal((await read(`/2/users/${userId}/followers`)).status, 200)
    const { health: healthUrl = '' } = plaza.urls
    const [status, body] = await until('a check after the last one', async () => {
      const [now, said] = await probe(plaza.urls.console, '/ready')
      return now === 503 ? ([now, said] as const) : undefined
    })
    assert.equal(status, 503)
    assert.match(JSON.stringify(body), /"status":"not ready","reason":".+"/)
    assert.deepEqual(await probe(healthUrl, '/ready'), [503, { status: 'not ready' }])
    assert.equal((await probe(healthUrl, '/health'))[0], 200)
    assert.equal((await probe(plaza.urls.console, '/health'))[0], 200)

    disk?.free()
    await until('readiness', async () => (await probe(healthUrl, '/ready'))[0] === 200)
    const again = await audience()
    assert.equal(again.status, 201, again.text)
    assert.equal((await upload(kept)).status, 200)
    assert.equal((await image()).status, 200)
    const written = outcomes.filter((one) => !(one instanceof Error)).length
    for (let n = 0; n < written; n++)
      assert.ok(await plaza.context.store.first(settingByName, { name: `full ${n}` }), `full ${n}`)
    for (const [n, one] of group.entries())
      assert.equal(
        (await plaza.context.store.first(settingByName, { name: `group ${n}` })) !== undefined,
        one.status === 'fulfilled',
      )
  })
})
