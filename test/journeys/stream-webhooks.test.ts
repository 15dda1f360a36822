import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { Client, demoKeys, type Keys, type Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

interface Item {
  data: { id: string; text: string; lang?: string }
  includes?: { users: { id: string }[] }
  matching_rules: { id: string; tag?: string }[]
}

const damageLink = query<{ webhook: string }>('testDamageLink', (db, at) =>
  db.updateTable('stream_links').set({ selection: '{' }).where('webhook_id', '=', at.webhook),
)

for (const stage of stages) {
  describe(`webhooks of the filtered stream on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let keys: Required<Keys>
    let ada: Person
    let first: Receiver
    let second: Receiver
    let authorization: string
    const ids: string[] = []

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', shutdownSeconds: 1 }, { backgroundDeliveries: true })
      client = new Client(opened.plaza)
      keys = demoKeys(opened.plaza)
      authorization = `Bearer ${await client.bearer(keys)}`
      ada = await Person.join(opened.plaza, client)
      first = await startReceiver(keys.consumerSecret)
      second = await startReceiver(keys.consumerSecret)
      for (const { url } of [first, second]) {
        const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url } })
        ids.push((reply.json as { data: { id: string } }).data.id)
      }
    })
    after(async () => {
      await client.close()
      await opened.close()
      await Promise.all([first.close(), second.close()])
    })

    const asApp = (method: string, path: string, json?: object) =>
      client.send(method, path, { headers: { authorization }, ...(json && { json }) })
    const isDone = ({ status, text }: Reply) => assert.ok(status < 300, text)
    const post = async (text: string, more: object = {}): Promise<string> => {
      const reply = await ada.core('POST', '/2/posts', { text, ...more })
      assert.equal(reply.status, 201, reply.text)
      return (reply.json as { data: { id: string } }).data.id
    }
    const rule = async (value: string, tag: string): Promise<string> => {
      const reply = await asApp('POST', '/2/posts/search/stream/rules', { add: [{ value, tag }] })
      assert.equal(reply.status, 201, reply.text)
      return (reply.json as { data: [{ id: string }] }).data[0].id
    }
    const arrived = ({ deliveries }: Receiver): Item[] =>
      deliveries.filter(({ trusted }) => trusted).map(({ body }) => JSON.parse(body) as Item)
    const texts = (receiver: Receiver) => arrived(receiver).map(({ data }) => data.text)

    test('each linked webhook receives matching posts with its own fields', async () => {
      const cats = await rule('cats', 'about cats')
      const link = (id: string | undefined, query: string) =>
        asApp('POST', `/2/posts/search/webhooks/${id}?${query}`)
      const linked = await link(ids[0], 'expansions=author_id&post.fields=lang')
      assert.deepEqual([linked.status, linked.json], [200, { data: { provisioned: true } }])
      isDone(await link(ids[1], ''))
      await post('Dogs are fine')
      const id = await post('I like cats')
      await until('both', () => arrived(first).length + arrived(second).length === 2)
      const [rich] = arrived(first)
      const [plain] = arrived(second)
      assert.deepEqual(Object.keys(rich ?? {}).sort(), ['data', 'includes', 'matching_rules'])
      assert.deepEqual([rich?.data.id, rich?.data.lang, rich?.includes?.users[0]?.id], [id, 'en', ada.id])
      assert.deepEqual(rich?.matching_rules, [{ id: cats, tag: 'about cats' }])
      assert.deepEqual(plain, {
        data: { id, text: 'I like cats', edit_history_post_ids: [id] },
        matching_rules: [{ id: cats, tag: 'about cats' }],
      })
    })

    test('links are listed at both paths, with what they show', async () => {
      for (const path of ['/2/posts/search/webhooks', '/2/posts/search/stream/webhooks']) {
        const { data } = (await asApp('GET', path)).json as { data: { links: Record<string, unknown>[] } }
        const { links } = data
        assert.deepEqual(
          links.map(({ webhook_id, fields }) => [webhook_id, fields]),
          [
            [ids[0], ['expansions=author_id', 'post.fields=lang']],
            [ids[1], []],
          ],
        )
        const app = opened.plaza.seeded?.apps[0]?.id
        assert.deepEqual([links[0]?.application_id, links[0]?.instance_id], [app, app])
      }
    })

    test('what a quoted post says that not everyone sees matches no rule', async () => {
      const hidden = await post('cats for subscribers', { for_super_followers_only: true })
      await post('Look at this', { quote_post_id: hidden })
      const open = await post('cats for everyone')
      await post('And at this', { quote_post_id: open })
      await until('the last one', () => texts(first).includes('And at this'))
      assert.deepEqual(texts(first), ['I like cats', 'cats for everyone', 'And at this'])
    })

    test('a new rule, another set of fields and an end take effect in the order of what happens', async () => {
      await rule('birds', 'about birds')
      await post('birds sing')
      await until(
        'the post',
        () => texts(first).includes('birds sing') && texts(second).includes('birds sing'),
      )
      isDone(await asApp('POST', `/2/posts/search/webhooks/${ids[1]}?post.fields=lang`))
      const unlinked = await asApp('DELETE', `/2/posts/search/webhooks/${ids[0]}`)
      assert.deepEqual(unlinked.json, { data: { deleted: true } })
      const again = await asApp('DELETE', `/2/posts/search/webhooks/${ids[0]}`)
      assert.deepEqual([again.status, again.json], [200, { data: { deleted: false } }])
      await post('birds fly')
      await until('the post', () => texts(second).includes('birds fly'))
      assert.equal(arrived(second).find(({ data }) => data.text === 'birds fly')?.data.lang, 'en')
      assert.ok(!texts(first).includes('birds fly'))
    })

    test('a link that cannot be read holds up no other', async () => {
      isDone(await asApp('POST', `/2/posts/search/webhooks/${ids[0]}`))
      const { store } = opened.plaza.context
      await store.write(async (tx) => void (await tx.run(damageLink, { webhook: ids[0] ?? '' })))
      // The links are read again.
      isDone(await asApp('POST', `/2/posts/search/webhooks/${ids[1]}`))
      await post('birds hatch')
      await until('the post', () => texts(second).includes('birds hatch'))
      assert.ok(!texts(first).includes('birds hatch'))
      isDone(await asApp('DELETE', `/2/posts/search/webhooks/${ids[0]}`))
    })

    test('a webhook that is not the own is unknown; one that is deleted receives nothing', async () => {
      const unknown = await asApp('POST', '/2/posts/search/webhooks/7')
      assert.deepEqual(
        [unknown.status, unknown.text.includes('WebhookIdInvalid: this app has no webhook with the id 7')],
        [400, true],
      )
      isDone(await asApp('DELETE', `/2/webhooks/${ids[1]}`))
      const { data } = (await asApp('GET', '/2/posts/search/webhooks')).json as { data: { links: unknown[] } }
      assert.deepEqual(data.links, [])
      const last = ids[0]
      isDone(await asApp('POST', `/2/posts/search/webhooks/${last}`))
      await post('birds nest')
      await until('the post', () => texts(first).includes('birds nest'))
      assert.ok(!texts(second).includes('birds nest'))
    })

    if (stage.shared)
      test('a node that takes over knows the links and rules of then', async () => {
        const node = await opened.second()
        const other = new Client(node)
        const text = 'birds migrate'
        const reply = await other.signed('POST', '/2/posts', ada.keys, { json: { text } })
        assert.equal(reply.status, 201, reply.text)
        await until('the post', () => texts(first).includes(text))
        assert.equal(texts(first).filter((one) => one === text).length, 1)
        await other.close()
      })
  })
}
