import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys, type Keys } from '../support/client.ts'
import { importLines } from '../support/posts.ts'
import { seededApp } from '../support/seeded-app.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

// What posts are about and whom they name: found by the dictionary, or given by the operator.

type Data = Record<string, unknown>

const CHESS = { domain: { id: '66', name: 'Hobbies' }, entity: { id: '77', name: 'Chess' } }

for (const stage of stages) {
  describe(`annotations of posts on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    let keys: Keys
    let bearer: string

    before(async () => {
      opened = await stage.open(
        {
          rateLimits: 'off',
          seed: {
            users: [
              { screen_name: 'ann', name: 'Ann', subscription_type: 'Premium' },
              { screen_name: 'bob', name: 'Bob' },
            ],
            apps: [seededApp('ann')],
            posts: [
              { author: 'bob', text: 'Marie Curie again', created_at: '-3h', lang: 'en' },
              {
                ...{ author: 'bob', text: 'Nothing here', created_at: '-2h', lang: 'en' },
                context_annotations: [CHESS],
                entities: { annotations: [{ type: 'Other', normalized_text: 'here' }] },
              },
            ],
          },
        },
        { usesOwnClock: true, backgroundTasks: true },
      )
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
      keys = demoKeys(opened.plaza)
      bearer = await client.bearer(keys)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const read = async (id: unknown, expansions = '') => {
      const fields = 'post.fields=context_annotations,entities,note_post,referenced_posts'
      const { status, json, text } = await client.signed('GET', `/2/posts/${id}?${fields}${expansions}`, keys)
      assert.equal(status, 200, text)
      return (json as { data: Data }).data
    }
    const annotationsOf = ({ entities }: Data) =>
      (entities as { annotations?: object[] } | undefined)?.annotations
    const write = async (text: string) => {
      const { status, json, text: said } = await client.signed('POST', '/2/posts', keys, { json: { text } })
      assert.equal(status, 201, said)
      return (json as { data: Data }).data.id
    }
    const found = async (query: string) => {
      const path = `/2/posts/search/recent?query=${encodeURIComponent(query)}`
      const headers = { authorization: `Bearer ${bearer}` }
      const { status, json, text } = await client.send('GET', path, { headers })
      assert.equal(status, 200, text)
      return ((json as { data?: Data[] }).data ?? []).map(({ id }) => id)
    }

    test('a post has the names and topics of the dictionary; reposts have those of their original', async () => {
      const id = await write('I saw Ada Lovelace in Berlin, playing chess 🎲')
      const post = await read(id)
      assert.deepEqual(annotationsOf(post), [
        { start: 6, end: 17, probability: 1, type: 'Person', normalized_text: 'Ada Lovelace' },
        { start: 22, end: 27, probability: 1, type: 'Place', normalized_text: 'Berlin' },
      ])
      const contexts = post.context_annotations as { domain: Data; entity: Data }[]
      assert.deepEqual(
        contexts.map(({ domain, entity }) => [domain.id, domain.name, entity.name]),
        [
          ['10', 'Person', 'Ada Lovelace'],
          ['160', 'Place', 'Berlin'],
          ['66', 'Interests and Hobbies Category', 'Chess'],
        ],
      )
      const { repost_id } = await admin.call('PUT', `/users/bob/posts/${id}/reposts`)
      const repost = await read(repost_id)
      assert.deepEqual(repost.context_annotations, contexts)
      assert.deepEqual((annotationsOf(repost) as { start: number }[])[0]?.start, 6 + 'RP @ann: '.length)

      const plain = await read(await write('nothing of note'))
      assert.deepEqual([plain.context_annotations, plain.entities], [undefined, undefined])
      const long = await read(await write(`${'word '.repeat(70)}Berlin`))
      assert.equal(annotationsOf(long), undefined, 'it is beyond the beginning')
      assert.equal((long.context_annotations as object[]).length, 1)
      const past = await admin.call('POST', '/posts', {
        ...{ author: 'bob', text: 'Ada Lovelace, São Paulo', created_at: '-1h' },
      })
      await until('a search finds it', async () => (await found('entity:"ada lovelace"')).length > 0)
      const ada = contexts[0]?.entity.id
      assert.deepEqual(await found(`context:10.${ada} entity:"sao paulo"`), [past.id])
      assert.deepEqual(await found(`context:11.${ada}`), [])
      await admin.call('DELETE', `/posts/${past.id}`)
    })

    test('rules match names, contexts and titles of linked pages', async () => {
      await admin.call('PUT', '/link_previews', { url: 'https://a.example.com/', title: 'The annual report' })
      const check = async (value: string, text: string) => {
        const { json } = await client.send('POST', '/2/posts/search/stream/rules', {
          headers: { authorization: `Bearer ${bearer}` },
          json: { add: [{ value }] },
        })
        assert.equal((json as { meta: { summary: Data } }).meta.summary.created, 1, value)
        const stream = await StreamReader.open(opened.plaza, bearer)
        try {
          const id = await write(text)
          await until('the post arrives', () => stream.items.some(({ data }) => data?.id === id))
        } finally {
          stream.close()
        }
      }
      await check('context:160.*', 'Vienna, one')
      await check('url_title:"annual report"', 'https://a.example.com/ two')
      await check('entity:"Marie Curie"', 'Marie Curie, three')
    })

    test('what is given replaces what the dictionary finds: in seeds, imports and the admin API', async () => {
      const rows = (await admin.all<Data>('/users/bob/posts')).filter(
        ({ repost_of_post_id: of }) => of === null,
      )
      const [given, seeded] = await Promise.all(rows.map(({ id }) => read(id)))
      assert.deepEqual(
        [given?.context_annotations, annotationsOf(given ?? {})],
        [[CHESS], [{ start: 8, end: 11, type: 'Other', normalized_text: 'here' }]],
      )
      assert.equal(annotationsOf(seeded ?? {})?.length, 1)

      const made = await admin.call('POST', '/posts', {
        ...{ author: 'ann', text: 'Berlin', context_annotations: [] },
        entities: { annotations: [{ start: 0, end: 5, probability: 0.5, type: 'Place' }] },
      })
      const post = await read(made.id)
      assert.deepEqual(
        [post.context_annotations, annotationsOf(post)],
        [undefined, [{ start: 0, end: 5, probability: 0.5, type: 'Place' }]],
      )
      const [status, says] = await admin.wrong('POST', '/posts', {
        ...{ author: 'ann', text: 'x', context_annotations: [{ domain: { id: 'x' }, entity: { id: '1' } }] },
      })
      assert.deepEqual([status, says.includes('domain')], [400, true])

      const line = { username: 'bob', created_at: '2026-01-01T00:00:00Z' }
      const reasons = await importLines(opened.plaza.context, [
        {
          ...line,
          text: 'Imported',
          context_annotations: [{ ...CHESS, more: 1 }],
          entities: { annotations: [] },
        },
        { ...line, text: 'Wrong', context_annotations: [{ domain: { id: 1 } }] },
      ])
      assert.deepEqual([reasons.length, /context_annotations/.test(reasons[0] ?? '')], [1, true])
      const last = (await admin.all<Data>('/users/bob/posts')).at(-1)
      assert.deepEqual((await read(last?.id)).context_annotations, [CHESS])

      const seed = await admin.call<{ posts: Data[] }>('GET', '/seed')
      const exported = seed.posts.find(({ text }) => text === 'Nothing here')
      assert.deepEqual(
        [exported?.context_annotations, exported?.entities],
        [[CHESS], { annotations: [{ start: 8, end: 11, type: 'Other', normalized_text: 'here' }] }],
      )
    })
  })
}
