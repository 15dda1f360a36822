import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Plaza } from '../../src/app/server.ts'
import { Client, demoKeys } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

const PATH = '/2/powerstream'
const RULES = '/2/powerstream/rules'

for (const stage of stages) {
  describe(`the powerstream on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let nodes: Plaza[]
    let clients: Client[]
    let headers: { authorization: string }
    let bearer: string
    const readers: StreamReader[] = []

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', streamConnectionsPerApp: 2 })
      nodes = [opened.plaza, ...(stage.shared ? [await opened.second()] : [])]
      clients = nodes.map((node) => new Client(node))
      bearer = await client().bearer(demoKeys(opened.plaza))
      headers = { authorization: `Bearer ${bearer}` }
    })
    afterEach(async () => {
      for (const reader of readers.splice(0)) reader.close()
      await until('no connection is left', () =>
        nodes.every(({ context }) => context.connections.count === 0),
      )
    })
    after(async () => {
      for (const one of clients ?? []) await one.close()
      await opened?.close()
    })

    const client = (at = 0) => clients[at % clients.length] as Client
    const add = async (...values: string[]) => {
      const json = { rules: values.map((value) => ({ value })) }
      return client().send('POST', RULES, { headers, json })
    }
    /** Replaces the rules. */
    const rules = async (...values: string[]) => {
      const { json } = await client().send('GET', RULES, { headers })
      const old = (json as { data: { rules: { id: string }[] } }).data.rules.map(({ id }) => ({ id }))
      if (old.length > 0) await client().send('DELETE', RULES, { headers, json: { rules: old } })
      const added = await add(...values)
      assert.equal(added.status, 201, added.text)
    }
    const open = async (query = '', at = 0) => {
      const reader = await StreamReader.open(nodes[at % nodes.length] as Plaza, bearer, query, PATH)
      readers.push(reader)
      return reader
    }
    const post = async (text: string, more: object = {}) => {
      const { status, json } = await client().signed('POST', '/2/posts', demoKeys(opened.plaza), {
        json: { text, ...more },
      })
      assert.equal(status, 201, JSON.stringify(json))
      return (json as { data: { id: string } }).data.id
    }
    type Classic = { id_str: string; text: string; [member: string]: unknown }
    const linesOf = ({ items }: StreamReader) => items as unknown as Classic[][]
    const has = (reader: StreamReader, ...texts: string[]) =>
      until(`posts on the stream: ${texts.join(', ')}`, () =>
        texts.every((text) => linesOf(reader).some((line) => Array.isArray(line) && line[0]?.text === text)),
      )

    test('each post that matches is a line: a list with the post in classic form', async () => {
      await rules('heron', 'grey heron')
      const reader = await open('', 1)
      assert.equal(reader.status, 200)
      assert.equal(reader.reply.headers['x-powerstream-datacenter'], undefined)
      await post('a sparrow')
      const id = await post('a grey heron #birds')
      await has(reader, 'a grey heron #birds')
      const lines = linesOf(reader)
      assert.deepEqual(
        lines.map((line) => line.length),
        [1],
      )
      const [{ user, created_at, source, ...shown } = {} as Classic] = lines[0] ?? []
      assert.match(String(created_at), /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/)
      assert.match(String(source), /^<a href="/)
      const author = user as { id_str: string; screen_name: string }
      const me = await client().signed('GET', '/2/users/me', demoKeys(opened.plaza))
      const { data } = me.json as { data: { id: string; username: string } }
      assert.deepEqual([author.id_str, author.screen_name], [data.id, data.username])
      const { text, truncated, favorited, geo, entities } = shown
      assert.deepEqual(
        { id_str: shown.id_str, text, truncated, favorited, geo, entities },
        {
          id_str: id,
          text: 'a grey heron #birds',
          truncated: false,
          favorited: false,
          geo: null,
          entities: {
            hashtags: [{ text: 'birds', indices: [13, 19] }],
            symbols: [],
            user_mentions: [],
            urls: [],
          },
        },
      )
    })

    test('contains: finds text within words, also in quoted posts; has:lang finds recognized languages', async () => {
      await rules('contains:phone', 'contains:"3:15 PM"', '#owl has:lang')
      const reader = await open('', 1)
      const quotedId = await post('My TELEPHONE rings')
      await post('what a sound', { quote_post_id: quotedId })
      await post('leaves at 3:15 pm')
      await post('no such word')
      await post('#owl 12345')
      await post('the #owl sleeps in the old tree all day')
      await has(
        reader,
        'My TELEPHONE rings',
        'what a sound',
        'leaves at 3:15 pm',
        'the #owl sleeps in the old tree all day',
      )
      assert.equal(reader.items.length, 4)
    })

    test('these operators are not those of the filtered stream', async () => {
      const path = '/2/posts/search/stream/rules'
      for (const value of ['contains:phone', 'owl has:lang']) {
        const { status, text } = await client().send('POST', path, { headers, json: { add: [{ value }] } })
        assert.equal(status, 400)
        assert.match(text, /Reference to invalid operator '(contains|has:lang)'/)
      }
    })

    test('rules that change take effect on open streams', async () => {
      await rules('stork')
      const reader = await open('', 1)
      await post('a stork')
      await has(reader, 'a stork')
      await rules('crane')
      await post('another stork')
      await post('a crane')
      await has(reader, 'a crane')
      assert.equal(reader.items.length, 2)
    })

    test('with localDcOnly, headers and a first line name the data center', async () => {
      await rules('plover')
      const reader = await open('?localDcOnly=true')
      const { headers: sent } = reader.reply
      assert.deepEqual(
        [sent['x-powerstream-datacenter'], sent['x-powerstream-localdconly']],
        ['local', 'true'],
      )
      await until('the first line', () => reader.items.length > 0)
      assert.deepEqual(reader.items[0], {
        type: 'connection_metadata',
        datacenter: 'local',
        timestamp: opened.plaza.clock.now(),
      })
      await post('a plover')
      await has(reader, 'a plover')
    })

    test('a backfill sends the posts of the last minutes first, and a recovery a past period', async () => {
      await rules('ibis')
      const from = new Date(opened.plaza.clock.now()).toISOString()
      opened.plaza.clock.advance(1_000)
      await post('an ibis')
      opened.plaza.clock.advance(60_000)
      const filled = await open('?backfillMinutes=2')
      await has(filled, 'an ibis')
      const to = new Date(opened.plaza.clock.now()).toISOString()
      const past = await open(`?startTime=${from}&endTime=${to}`, 1)
      assert.deepEqual(await past.ended(), { end: 'whole', disconnect: undefined })
      assert.deepEqual(
        linesOf(past).map((line) => line.map(({ text }) => text)),
        [['an ibis']],
      )
    })

    test('wrong parameters, no rules and too many connections are errors', async () => {
      const refused = async (query: string) => {
        const { status, text } = await client().send('GET', PATH + query, { headers })
        return { status, text }
      }
      await rules('snipe')
      const cases: [string, string][] = [
        ['?backfillMinutes=6', 'The `backfillMinutes` query parameter value [6] is not between 0 and 5'],
        [
          '?backfillMinutes=1&startTime=2026-01-01T00:00:00Z',
          "'backfillMinutes' can not be used with 'startTime' or 'endTime'.",
        ],
        [
          '?endTime=2026-01-01T00:00:00Z',
          "Invalid 'endTime':'2026-01-01T00:00:00Z'. 'endTime' must be used with 'startTime'.",
        ],
        ['?localDcOnly=perhaps', 'The `localDcOnly` query parameter value [perhaps] is not'],
      ]
      for (const [query, message] of cases) {
        const { status, text } = await refused(query)
        assert.equal(status, 400, query)
        assert.ok(text.includes(message), text)
      }
      await open()
      await open('', 1)
      const many = await refused('')
      assert.equal(many.status, 429)
      assert.match(many.text, /TooManyConnections/)
      const { json } = await client().send('GET', RULES, { headers })
      const all = (json as { data: { rules: { id: string }[] } }).data.rules.map(({ id }) => ({ id }))
      await client().send('DELETE', RULES, { headers, json: { rules: all } })
      const none = await refused('')
      assert.equal(none.status, 409)
      assert.match(none.text, /RuleConfigurationIssue/)
    })
  })
}
