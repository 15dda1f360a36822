import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client, demoKeys } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

const PATH = '/2/posts/search/stream/rules'
const MAX_RULES = 10

interface Body {
  data?: { id: string; value: string; tag?: string }[]
  meta: { summary: Record<string, number>; result_count: number; next_token?: string }
  errors?: { type: string; id?: string }[]
}

for (const stage of stages) {
  describe(`rules of streams on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    /** One for each node. */
    let clients: Client[]
    let authorization: string

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', streamRulesPerApp: MAX_RULES })
      const nodes = [opened.plaza, ...(stage.shared ? [await opened.second()] : [])]
      clients = nodes.map((node) => new Client(node))
      authorization = `Bearer ${await node(0).bearer(demoKeys(opened.plaza))}`
    })
    after(async () => {
      for (const client of clients) await client.close()
      await opened.close()
    })

    const node = (index: number) => clients[index % clients.length] as Client
    const post = async (body: unknown, { at = 0, query = '' } = {}) => {
      const { status, json } = await node(at).send('POST', PATH + query, {
        headers: { authorization },
        json: body,
      })
      return { status, body: json as Body }
    }
    const list = async (query = '', at = 0) => {
      const { json } = await node(at).send('GET', PATH + query, { headers: { authorization } })
      return json as Body
    }
    const clear = async () => void (await post({}, { query: '?delete_all=true' }))

    test('a rule that one node added is there on every node, and survives until it is deleted', async () => {
      await clear()
      const added = await post({ add: [{ value: 'cat', tag: 'cats' }] })
      assert.equal(added.status, 201)
      assert.deepEqual((await list('', 1)).data, added.body.data)
      const gone = await post({ delete: { values: ['cat'] } }, { at: 1 })
      assert.deepEqual([gone.status, gone.body.meta.summary.deleted], [200, 1])
      assert.equal((await list()).data, undefined)
    })

    test('rules that were loaded come back as they were: each gets a new id', async () => {
      await clear()
      await post({ add: [{ value: 'cat', tag: 'cats' }, { value: 'dog' }] })
      const { data: loaded = [] } = await list()
      await post({ delete: { ids: loaded.map(({ id }) => id) } })
      const changed = loaded.map((rule) => ({ ...rule, value: `${rule.value} has:media` }))
      const { status, body } = await post({ add: changed })
      assert.deepEqual(
        [status, body.data?.map(({ value, tag }) => [value, tag])],
        [
          201,
          [
            ['cat has:media', 'cats'],
            ['dog has:media', undefined],
          ],
        ],
      )
      assert.ok(body.data?.every(({ id }) => loaded.every((one) => one.id !== id)))
    })

    test('of concurrent calls that add the same rule, one adds it', async () => {
      await clear()
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, at) => post({ add: [{ value: 'same' }] }, { at })),
      )
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 200, 201])
      const [rule, ...others] = (await list()).data ?? []
      assert.deepEqual([rule?.value, others], ['same', []])
      for (const { body } of replies)
        for (const error of body.errors ?? [])
          assert.deepEqual([error.id, error.type.endsWith('/duplicate-rules')], [rule?.id, true])
    })

    test('concurrent calls never exceed the limit of rules', async () => {
      await clear()
      const replies = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          post({ add: [1, 2, 3].map((n) => ({ value: `many${at}x${n}` })) }, { at }),
        ),
      )
      // Three calls of three rules fit below ten; a call that does not fit adds none.
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 201, 400, 400, 400])
      assert.equal((await list()).meta.result_count, 9)
      const { json } = await node(1).send('GET', `${PATH}/counts`, { headers: { authorization } })
      const { data } = json as { data: { client_app_rules_count: { rule_count: number } } }
      assert.equal(data.client_app_rules_count.rule_count, 9)
    })

    test('a dry run leaves everything as it was, wherever it would end', async () => {
      await clear()
      await post({ add: [{ value: 'kept' }] })
      const before = (await list()).data
      const dry = { query: '?dry_run=true' }
      assert.equal((await post({ add: [{ value: 'kept' }, { value: 'new' }] }, dry)).status, 201)
      const tooMany = Array.from({ length: MAX_RULES }, (_, n) => ({ value: `dry${n}` }))
      assert.equal((await post({ add: tooMany }, dry)).status, 400)
      assert.equal((await post({ delete: { values: ['kept'] } }, dry)).status, 200)
      assert.deepEqual((await list()).data, before)
    })

    test('a rule that stands twice in a call is added once', async () => {
      await clear()
      const { status, body } = await post({
        add: [
          { value: 'twice', tag: 'a' },
          { value: 'twice', tag: 'b' },
        ],
      })
      assert.equal(status, 201)
      assert.deepEqual(body.meta.summary, { created: 1, not_created: 1, valid: 1, invalid: 1 })
      assert.deepEqual([body.errors?.length, body.errors?.[0]?.id], [1, body.data?.[0]?.id])
    })

    test('pages show each rule once, whatever is added or deleted meanwhile', async () => {
      await clear()
      const { body } = await post({ add: [1, 2, 3, 4, 5].map((n) => ({ value: `page${n}` })) })
      const first = await list('?max_results=2')
      const gone = body.data?.[1]?.id as string
      await post({ delete: { ids: [gone] } })
      await post({ add: [{ value: 'page6' }] })
      const rest = await list(`?pagination_token=${first.meta.next_token}`, 1)
      const seen = [first, rest].flatMap(({ data = [] }) => data.map(({ value }) => value))
      assert.deepEqual(seen, ['page1', 'page2', 'page3', 'page4', 'page5', 'page6'])
      assert.equal(rest.meta.next_token, undefined)
    })

    test('rules of the powerstream are not those of the filtered stream', async () => {
      await clear()
      await post({ add: [{ value: 'filtered' }] })
      const call = { headers: { authorization }, json: { rules: [{ value: 'filtered' }] } }
      assert.equal((await node(0).send('POST', '/2/powerstream/rules', call)).status, 201)
      const listed = await node(1).send('GET', '/2/powerstream/rules', { headers: { authorization } })
      const { data } = listed.json as { data: { rules: { value: string }[] } }
      assert.deepEqual(
        data.rules.map(({ value }) => value),
        ['filtered'],
      )
      assert.equal((await node(1).send('DELETE', '/2/powerstream/rules', call)).status, 200)
      assert.deepEqual(
        (await list()).data?.map(({ value }) => value),
        ['filtered'],
      )
    })
  })
}
