import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Client, demoKeys, type Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

interface Entry {
  id: string
  sequence: number
  kind: string
  route: string
  method: string
  url: string
  host?: string
  status?: number
  failure?: string
  caller?: { kind: string; app_id?: string; user_id?: string }
  error?: { cause: string; detail: string }
  stream?: { lines: number; open: boolean }
  request: { headers: [string, string][]; body?: string; body_bytes?: number; body_omitted?: string }
  response: { headers: [string, string][]; body?: string; body_bytes?: number; body_omitted?: string }
  explanation: string[]
  signature?: {
    matches: boolean
    expected_base_string: string
    client_base_string?: string
    mistakes: string[]
    first_difference?: number
  }
}

for (const stage of stages) {
  describe(`the journal of the admin API on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let person: Person

    before(async () => {
      opened = await stage.open(
        { journal: 'on', webhooksPerApp: 10 },
        { backgroundTasks: true, usesOwnClock: true },
      )
      client = new Client(opened.plaza)
      person = await Person.join(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const admin = (method: string, path: string, json?: unknown): Promise<Reply> =>
      client.send(method, `${opened.plaza.urls.console}/admin/v1${path}`, json === undefined ? {} : { json })
    async function data<Data>(method: string, path: string, json?: unknown): Promise<Data> {
      const reply = await admin(method, path, json)
      assert.equal(reply.status, 200, reply.text)
      return (reply.json as { data: Data }).data
    }
    const idOf = ({ headers }: Reply) => String(headers['x-transaction-id'])
    const entryOf = (reply: Reply) => data<Entry>('GET', `/journal/${idOf(reply)}`)
    const list = (query = '') => data<Entry[]>('GET', `/journal${query}`)

    test('an entry has the request and the reply, with secrets masked', async () => {
      const reply = await person.core('POST', '/2/posts', { text: 'Kept in the journal' })
      assert.equal(reply.status, 201, reply.text)
      const entry = await entryOf(reply)
      assert.deepEqual(
        [entry.kind, entry.host, entry.route, entry.method, entry.url, entry.status],
        ['request', 'core', 'POST /2/posts', 'POST', '/2/posts', 201],
      )
      assert.deepEqual(entry.caller, {
        kind: 'user',
        app_id: opened.plaza.seeded?.apps[0]?.id,
        user_id: person.id,
      })
      assert.equal(entry.request.body, '{"text":"Kept in the journal"}')
      assert.equal(entry.request.body_bytes, 30)
      assert.equal(entry.response.body, reply.text)
      assert.deepEqual(entry.explanation, ['POST /2/posts was answered with 201.'])
      const [, authorization = ''] =
        entry.request.headers.find(([name]) => name.toLowerCase() === 'authorization') ?? []
      assert.match(authorization, /oauth_consumer_key=/)

      const bearer = await client.bearer(demoKeys(opened.plaza))
      const found = await client.send('GET', '/2/posts?ids=1', {
        headers: { authorization: `Bearer ${bearer}` },
      })
      const { secret, consumerSecret } = {
        secret: person.keys.tokenSecret ?? '',
        consumerSecret: person.keys.consumerSecret,
      }
      const everything = [
        await entryOf(found),
        await list('?limit=1000'),
        (await admin('GET', '/journal/export')).json,
        ...(await Promise.all(
          ['curl', 'har', 'test'].map((format) =>
            data('GET', `/journal/${idOf(found)}/export?format=${format}`),
          ),
        )),
      ]
      const text = JSON.stringify(everything)
      for (const hidden of [bearer, decodeURIComponent(bearer), secret, consumerSecret])
        assert.ok(!text.includes(hidden))
      const token = await data<Entry[]>('GET', '/journal?route=POST%20/oauth2/token')
      const { response } = await data<Entry>('GET', `/journal/${token[0]?.id}`)
      assert.equal(response.body, '{"token_type":"bearer","access_token":"********"}')
    })

    test('a signature that does not match is explained, beside what was expected', async () => {
      const target = '/2/users/me?user.fields=name'
      const url = opened.plaza.urls.core + target
      const keys = { ...person.keys, tokenSecret: '' }
      const reply = await client.send('GET', target, {
        headers: { authorization: client.sign('GET', url.replace('https', 'http'), keys) },
      })
      assert.equal(reply.status, 401)
      const { explanation, signature, error } = await entryOf(reply)
      assert.deepEqual(error, { cause: 'could not authenticate', detail: 'signature mismatch' })
      assert.deepEqual(explanation, [
        `GET ${target} was rejected with 401: could not authenticate.`,
        'The client signed the scheme http, and sent the request with https.',
        'The client signed without the token secret.',
        'The base strings differ from character 9 on.',
      ])
      assert.ok(signature?.expected_base_string.startsWith('GET&https%3A%2F%2F127.0.0.1'))
      assert.ok(signature?.client_base_string?.startsWith('GET&http%3A%2F%2F127.0.0.1'))
      assert.equal(signature?.first_difference, 8)
    })

    test('other rejections are explained in sentences', async () => {
      const explained = async (reply: Reply) => (await entryOf(reply)).explanation.slice(1)
      const none = await client.send('GET', '/2/users/me')
      assert.deepEqual(await explained(none), [
        'The request has no credentials: neither an Authorization header nor the parameters of a signature in the query or the form.',
        'The endpoint accepts OAuth 1.0a User Context or OAuth 2.0 User Context.',
      ])
      const stranger = await client.signed('GET', '/2/users/me', { ...person.keys, consumerKey: 'nobody' })
      assert.deepEqual(await explained(stranger), [
        'No app has the consumer key "nobody". Keys of another Plaza are not valid here, and with --memory each start makes new ones unless a seed names them.',
      ])
      const authorization = client.sign('GET', '/2/users/me', person.keys)
      await client.send('GET', '/2/users/me', { headers: { authorization } })
      const again = await client.send('GET', '/2/users/me', { headers: { authorization } })
      assert.match((await explained(again)).join(), /^The nonce "[^"]+" was used before/)
      const late = await client.send('GET', '/2/users/me', {
        headers: {
          authorization: authorization.replace(/oauth_timestamp="[0-9]+"/, 'oauth_timestamp="1000"'),
        },
      })
      assert.match((await explained(late)).join(), /^The timestamp 1000 of the signature was [0-9]+ s behind/)
      const unknown = await client.send('GET', '/2/postz')
      assert.deepEqual(await explained(unknown), [
        'No endpoint has the path /2/postz.',
        'The nearest is /2/posts.',
      ])
      const method = await client.send('PUT', '/2/posts')
      assert.deepEqual(await explained(method), [
        'The path exists, but not with PUT: it accepts GET and POST.',
      ])
      const invalid = await person.core('POST', '/2/posts', {
        text: 'a',
        reply: { in_reply_to_post_id: 'x' },
      })
      assert.match((await explained(invalid)).join(), /in_reply_to_post_id/)
    })

    test('entries are found by every condition, and in pages', async () => {
      await admin('DELETE', '/journal')
      assert.deepEqual(await list(), [])
      const since = new Date(opened.plaza.context.clock.now()).toISOString()
      const created = await person.core('POST', '/2/posts', { text: 'A needle in the journal' })
      const lookup = await person.core('GET', '/2/users/me')
      const missing = await client.send('GET', '/2/nothing')
      const ads = await person.call('GET', '/accounts')
      assert.equal(ads.status, 200, ads.text)
      const ids = async (query: string) => (await list(query)).map(({ id }) => id)
      const [first, second, third, fourth] = [created, lookup, missing, ads].map(idOf)
      assert.deepEqual(await ids(''), [fourth, third, second, first])
      assert.deepEqual(await ids('?route=POST%20/2/posts'), [first])
      assert.deepEqual(await ids('?route=/2/*'), [second, first])
      assert.deepEqual(await ids('?status=404'), [third])
      assert.deepEqual(await ids('?status=2xx'), [fourth, second, first])
      assert.deepEqual(await ids('?host=ads'), [fourth])
      assert.deepEqual(await ids('?kind=stream'), [])
      assert.deepEqual(await ids(`?user_id=${person.id}`), [fourth, second, first])
      assert.deepEqual(await ids('?user_id=1'), [])
      assert.deepEqual(await ids('?text=NEEDLE'), [first])
      assert.deepEqual(await ids(`?since=${since}`), [fourth, third, second, first])
      assert.deepEqual(await ids(`?until=${since}`), [])
      const page = await list('?limit=2')
      assert.deepEqual(
        page.map(({ id }) => id),
        [fourth, third],
      )
      assert.deepEqual(await ids(`?limit=2&before=${page[1]?.sequence}`), [second, first])
      assert.deepEqual(await ids(`?after=${page[1]?.sequence}`), [fourth])
      const counts = await data('GET', '/journal/counts?host=core')
      assert.deepEqual(
        (counts as { route: string; status: number; count: number }[])
          .map(({ route, status, count }) => [route, status, count])
          .sort(),
        [
          ['', 404, 1],
          ['GET /2/users/me', 200, 1],
          ['POST /2/posts', 201, 1],
        ],
      )
    })

    test('wrong conditions are rejected with a sentence', async () => {
      for (const [query, name] of [
        ['?status=9', 'status'],
        ['?route=posts', 'route'],
        ['?since=yesterday', 'since'],
        ['?limit=0', 'limit'],
        ['?kind=any', 'kind'],
        ['?before=x', 'before'],
      ]) {
        const reply = await admin('GET', `/journal${query}`)
        assert.equal(reply.status, 400, query)
        const { errors } = reply.json as { errors: { message: string }[] }
        assert.ok(errors[0]?.message.includes(String(name)), reply.text)
      }
      const absent = await admin('GET', '/journal/none')
      assert.equal(absent.status, 404)
      assert.match(absent.text, /The journal has no entry \\"none\\"/)
    })

    test('a test waits for a request without sleeping', async () => {
      const { meta } = (await admin('GET', '/journal?limit=1')).json as { meta: { last_sequence: number } }
      const waiting = data<Entry>('POST', '/journal/wait', {
        route: 'POST /2/posts',
        after: meta.last_sequence,
        timeout_seconds: 60,
      })
      const reply = await person.core('POST', '/2/posts', { text: 'Awaited' })
      const entry = await waiting
      assert.equal(entry.id, idOf(reply))
      assert.equal(entry.request.body, '{"text":"Awaited"}')
      // It is there already.
      const known = await data<Entry>('POST', '/journal/wait', {
        route: 'POST /2/posts',
        after: entry.sequence - 1,
      })
      assert.equal(known.id, entry.id)
      const none = await admin('POST', '/journal/wait', {
        route: '/2/spaces',
        after: entry.sequence,
        timeout_seconds: 0,
      })
      assert.deepEqual(none.json, { meta: { found: false, node: opened.plaza.context.config.node } })
    })

    test('a request is sent again, with a new signature', async () => {
      const first = await person.core('POST', '/2/posts', { text: 'Sent twice?' })
      await admin('DELETE', `/journal`)
      const gone = await admin('POST', `/journal/${idOf(first)}/resend`)
      assert.equal(gone.status, 404)
      const lookup = await person.core('GET', '/2/users/me')
      const again = await data<Entry>('POST', `/journal/${idOf(lookup)}/resend`)
      assert.notEqual(again.id, idOf(lookup))
      assert.deepEqual([again.status, again.response.body], [200, lookup.text])
      const posted = await person.core('POST', '/2/posts', { text: 'The same text again' })
      const duplicate = await data<Entry>('POST', `/journal/${idOf(posted)}/resend`)
      assert.equal(duplicate.status, 403, 'the same text is a duplicate')
      assert.match(duplicate.response.body ?? '', /duplicate/i)
    })

    test('outgoing calls are kept, with their answers', async () => {
      const receiver = await startReceiver(person.keys.consumerSecret)
      try {
        const bearer = await client.bearer(demoKeys(opened.plaza))
        const reply = await client.send('POST', '/2/webhooks', {
          headers: { authorization: `Bearer ${bearer}` },
          json: { url: `${receiver.url}/hook` },
        })
        assert.equal(reply.status, 200, reply.text)
        const call = await data<Entry>('POST', '/journal/wait', { kind: 'outgoing', timeout_seconds: 60 })
        assert.deepEqual([call.method, call.status, call.host], ['GET', 200, undefined])
        assert.ok(call.url.startsWith(`${receiver.url}/hook?crc_token=`))
        assert.match(call.response.body ?? '', /response_token/)
        const resent = await admin('POST', `/journal/${call.id}/resend`)
        assert.equal(resent.status, 409)
        await receiver.shut()
        const failed = await client.send('POST', '/2/webhooks', {
          headers: { authorization: `Bearer ${bearer}` },
          json: { url: `${receiver.url}/other` },
        })
        assert.equal(failed.status, 400)
        const [refused] = await list('?kind=outgoing&text=/other')
        assert.equal(refused?.status, undefined)
        assert.match(refused?.failure ?? '', /ECONNREFUSED|refused/i)
      } finally {
        await receiver.close()
      }
    })

    test('a stream is kept with its lines', async () => {
      const bearer = await client.bearer(demoKeys(opened.plaza))
      const added = await client.send('POST', '/2/posts/search/stream/rules', {
        headers: { authorization: `Bearer ${bearer}` },
        json: { add: [{ value: 'journaled' }] },
      })
      assert.equal(added.status, 201, added.text)
      const reader = await StreamReader.open(opened.plaza, bearer)
      try {
        const post = await person.core('POST', '/2/posts', { text: 'A journaled line' })
        assert.equal(post.status, 201)
        await until('a line', () => reader.items.length === 1)
        const [summary] = await list('?kind=stream')
        assert.deepEqual(
          [summary?.route, summary?.status, summary?.stream],
          ['GET /2/posts/search/stream', 200, { lines: 1, open: true }],
        )
        const { response } = await data<Entry>('GET', `/journal/${summary?.id}`)
        assert.deepEqual(JSON.parse(response.body ?? ''), reader.items[0])
        reader.close()
        await until(
          'the end of the stream',
          async () => (await list('?kind=stream'))[0]?.stream?.open === false,
        )
        assert.equal((await admin('POST', `/journal/${summary?.id}/resend`)).status, 409)
      } finally {
        reader.close()
      }
    })

    test('the journal can be followed', async () => {
      const reply = await fetch(`${opened.plaza.urls.console}/admin/v1/journal/stream?route=POST%20/2/posts`)
      const lines = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
      assert.ok(lines)
      try {
        await person.core('GET', '/2/users/me')
        const post = await person.core('POST', '/2/posts', { text: 'Followed' })
        const { value = '' } = await lines.read()
        const { data: shown } = JSON.parse(value) as { data: Entry }
        assert.deepEqual([shown.id, shown.route], [idOf(post), 'POST /2/posts'])
      } finally {
        await lines.cancel()
      }
    })

    test('the signature checker compares without sending', async () => {
      const url = `${opened.plaza.urls.core}/2/users/me?x=a%20b`
      const authorization = client.sign('GET', url, person.keys)
      type Checked = { signature?: Entry['signature']; problem?: string }
      const right = await data<Checked>('POST', '/signature-check', { method: 'get', url, authorization })
      assert.deepEqual([right.signature?.matches, right.signature?.mistakes], [true, []])
      const base = right.signature?.expected_base_string ?? ''
      const sent = /oauth_signature="([^"]+)"/.exec(authorization)?.[1] ?? ''
      const key = `${person.keys.consumerSecret}&${person.keys.tokenSecret}`
      assert.equal(createHmac('sha1', key).update(base).digest('base64'), decodeURIComponent(sent))
      const compared = await data<Checked>('POST', '/signature-check', {
        method: 'GET',
        url,
        authorization,
        base_string: base.replace('%2520', '%2B'),
      })
      assert.equal(compared.signature?.first_difference, base.indexOf('%2520') + 2)
      const stranger = await data<Checked>('POST', '/signature-check', {
        method: 'GET',
        url,
        authorization: authorization.replace(/oauth_consumer_key="[^"]+"/, 'oauth_consumer_key="x"'),
      })
      assert.deepEqual(stranger, { problem: 'No app has the consumer key "x".' })
      const elsewhere = await data<Checked>('POST', '/signature-check', {
        method: 'GET',
        url: 'https://elsewhere.example.com/2/users/me',
        authorization,
      })
      assert.deepEqual(elsewhere, { problem: 'No listener answers for https://elsewhere.example.com.' })
      const wrong = await admin('POST', '/signature-check', { method: 'GET', url: 'nowhere' })
      assert.equal(wrong.status, 400)
      assert.match(wrong.text, /`url` must be an absolute http or https URL/)
    })
  })
}
