import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Plaza } from '../../src/app/server.ts'
import { Desk, type Desk as OpenDesk } from '../support/ads-desk.ts'
import { Client, demoKeys } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { startPlaza } from '../support/plaza.ts'
import { importLines } from '../support/posts.ts'

const VOCABULARY = {
  words: { post: 'memo', posts: 'memos', service: 'hub', webhook: 'hook', webhooks: 'hooks', rp: 'remix' },
  identifiers: { CrcValidationFailed: 'ChallengeFailed' },
  paths: {
    '/12/accounts/{account_id}/custom_audiences': [
      '/12/accounts/{account_id}/custom_audiences',
      '/12/accounts/{account_id}/member_audiences',
    ],
  },
  versions: { '12': ['12', '11'], '2': ['2', '2.1'] },
}

/** Two spellings of requests. */
const SPELLINGS = {
  words: {
    post: ['memo', 'post'],
    posts: ['memos', 'posts'],
    reposted: ['echoed', 'reposted'],
    video: 'clip',
  },
  events: { post: 'post' },
  identifiers: { 'post.fields': ['post.fields', 'memo.fields'], has: ['contains', 'has'] },
}

describe('under a vocabulary with several spellings', () => {
  let folder: string
  let plaza: Plaza
  let client: Client
  const keys = () => demoKeys(plaza)
  const send = (method: string, path: string, json?: object) =>
    client.signed(method, plaza.urls.core + path, keys(), { json })
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-words-'))
    const vocabulary = join(folder, 'vocabulary.json')
    await writeFile(vocabulary, JSON.stringify(SPELLINGS))
    plaza = await startPlaza({ vocabulary })
    client = new Client(plaza)
  })
  after(async () => {
    await client?.close()
    await plaza?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('paths, parameters, members and values are taken in each, and written in the first', async () => {
    for (const [path, fields, value, member] of [
      ['/2/memos', 'post.fields', 'edit_history_memo_ids', 'quote_memo_id'],
      ['/2/posts', 'memo.fields', 'edit_history_post_ids', 'quote_post_id'],
    ] as const) {
      const made = await send('POST', path, { text: `By ${path}` })
      assert.equal(made.status, 201, made.text)
      const { data } = made.json as { data: { id: string; edit_history_memo_ids: string[] } }
      assert.deepEqual(data.edit_history_memo_ids, [data.id])
      const quote = await send('POST', path, { text: `Quoting by ${path}`, [member]: data.id })
      assert.equal(quote.status, 201, quote.text)
      const read = await send('GET', `${path}/${data.id}?${fields}=${value},author_id`)
      assert.deepEqual(Object.keys((read.json as { data: object }).data), [
        'id',
        'text',
        'edit_history_memo_ids',
        'author_id',
      ])
    }
  })

  test('the spellings of the parts of a path combine', async () => {
    const made = await send('POST', '/2/memos', { text: 'Of many paths' })
    const { id } = (made.json as { data: { id: string } }).data
    for (const posts of ['memos', 'posts'])
      for (const by of ['echoed_by', 'reposted_by']) {
        const { status, text } = await send('GET', `/2/${posts}/${id}/${by}`)
        assert.equal(status, 200, text)
      }
  })

  test('types of events keep the word that is renamed elsewhere', async () => {
    const headers = { authorization: `Bearer ${await client.bearer(keys())}` }
    const me = (await send('GET', '/2/users/me')).json as { data: { id: string } }
    const subscribe = (event_type: string) =>
      client.send('POST', '/2/activity/subscriptions', {
        headers,
        json: { event_type, filter: { user_id: me.data.id } },
      })
    const kept = await subscribe('post.create')
    assert.ok(kept.status === 200 || kept.status === 201, kept.text)
    assert.match(kept.text, /"event_type":"post\.create"/)
    assert.equal((await subscribe('memo.create')).status, 400)
  })

  test('both spellings together are a repetition, and an invalid value is reported in the spelling of the call', async () => {
    const twice = await send('GET', '/2/posts?ids=1&memo.fields=text&post.fields=text')
    assert.equal(twice.status, 400)
    assert.match(twice.text, /"post\.fields":\["text"\]/)
    const body = await send('POST', '/2/posts', { text: 'x', quote_post_id: '1', quote_memo_id: '1' })
    assert.equal(body.status, 400)
    assert.match(body.text, /\$\.quote_memo_id/)
    const wrong = await send('GET', '/2/posts?ids=1&memo.fields=nothing')
    assert.match(wrong.text, /`memo\.fields` query parameter value \[nothing\]/)
  })

  test('values that other standards define are not renamed', async () => {
    const upload = (media_type: string) =>
      send('POST', '/2/media/upload/initialize', { media_type, media_category: 'memo_clip', total_bytes: 9 })
    assert.equal((await upload('video/mp4')).status, 200)
    const other = await upload('clip/mp4')
    assert.equal(other.status, 400)
    assert.match(other.text, /\[clip\/mp4\] is not one of \[image\/jpeg,[a-z/,-]*video\/mp4,/)
  })

  test('operators of queries too', async () => {
    const bearer = { authorization: `Bearer ${await client.bearer(keys())}` }
    for (const query of [
      'in_reply_to_memo_id:1',
      'in_reply_to_post_id:1',
      'cat contains:links',
      'cat has:links',
    ]) {
      const found = await client.send('GET', `/2/posts/search/recent?${new URLSearchParams({ query })}`, {
        headers: bearer,
      })
      assert.equal(found.status, 200, `${query}: ${found.text}`)
    }
  })
})

describe('under a vocabulary', () => {
  let folder: string
  let plaza: Plaza
  let client: Client
  let desk: OpenDesk
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-words-'))
    const vocabulary = join(folder, 'vocabulary.json')
    await writeFile(vocabulary, JSON.stringify(VOCABULARY))
    plaza = await startPlaza({ vocabulary })
    client = new Client(plaza)
    desk = await Desk.open(plaza, client)
  })
  after(async () => {
    await client?.close()
    await plaza?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('codes and messages of advertising errors follow it', async () => {
    const { status, json } = await desk.send('GET', '/promoted_memos/abc')
    assert.equal(status, 404)
    assert.deepEqual(json, {
      errors: [
        {
          code: 'PROMOTED_MEMO_NOT_FOUND',
          message: `Promoted Memo abc was not found for Account ${desk.accountId}`,
          parameter: 'promoted_memo_id',
        },
      ],
      request: { params: { account_id: desk.accountId, promoted_memo_id: 'abc' } },
    })
  })

  test('the text of a repost begins with its word, whether it was made or imported', async () => {
    const [author, other] = [await Person.join(plaza, client), await Person.join(plaza, client)]
    const made = await author.core('POST', '/2/memos', { text: 'Words' })
    const { id: memo_id } = (made.json as { data: { id: string } }).data
    const repost = await other.core('POST', `/2/users/${other.id}/reposts`, { memo_id })
    assert.equal(repost.status, 200, repost.text)
    const created_at = new Date(plaza.context.clock.now() - 60_000).toISOString()
    const imported = {
      ...{ username: 'importer', text: 'Whatever', created_at },
      referenced_posts: [{ type: 'reposted', id: memo_id }],
    }
    assert.deepEqual(await importLines(plaza.context, [imported]), [])
    const list = await author.core('GET', `/2/memos/${memo_id}/reposts?memo.fields=entities`)
    const { data } = list.json as { data: { text: string; entities: { mentions: object[] } }[] }
    const username = author.screenName
    const mention = { start: 6, end: 7 + username.length, username, id: author.id }
    for (const { text, entities } of data)
      assert.deepEqual([text, entities.mentions], [`REMIX @${username}: Words`, [mention]])
    assert.equal(data.length, 2)
  })

  test('values from the request are quoted as they were sent', async () => {
    const path = '/promoted_memos?count=my_post_list'
    assert.deepEqual((await desk.send('GET', path)).json, {
      errors: [
        {
          code: 'INVALID_PARAMETER',
          message: 'Expected Int, got "my_post_list" for count',
          parameter: 'count',
        },
      ],
      request: { params: { account_id: desk.accountId } },
    })
    const criteria = await desk.send('POST', '/targeting_criteria', {
      line_item_id: 'post_posts',
      operator_type: 'EQ',
      targeting_type: 'my_post_type',
      targeting_value: 'x',
    })
    const [error] = (criteria.json as { errors: { message: string }[] }).errors
    assert.equal(
      error?.message,
      'Expected an id of the characters 0-9 and a-z, got "post_posts" for line_item_id',
    )
    const name = 'my_post_list'
    assert.equal((await desk.send('POST', '/custom_audiences', { name })).status, 201)
    const second = await desk.send('POST', '/custom_audiences', { name })
    assert.equal(
      (second.json as { errors: { message: string }[] }).errors[0]?.message,
      `Expected a name that no other audience of Account ${desk.accountId} has, got "my_post_list" for name`,
    )
  })

  test('errors of a batch follow it, and its values do not', async () => {
    const { json } = await desk.json('POST', '/line_items', [])
    assert.equal((json as { errors: object[] }).errors.length > 0, true)
    const batch = await client.signed(
      'POST',
      `${plaza.urls.ads}/12/batch/accounts/${desk.accountId}/line_items`,
      desk.person.keys,
      {
        json: [
          {
            operation_type: 'Create',
            params: { campaign_id: 'zz', objective: 'post_goal', product_type: 'PROMOTED_POSTS' },
          },
        ],
      },
    )
    const [errors] = (batch.json as { operation_errors: { code: string; message: string }[][] })
      .operation_errors
    const messages = errors?.map(({ message }) => message) ?? []
    assert.ok(
      messages.some(
        (one) => one.startsWith('Expected a value in ') && one.endsWith('got "post_goal" for objective'),
      ),
      messages.join('\n'),
    )
    // The caller said PROMOTED_POSTS, which is no word here; what it may say is PROMOTED_MEMOS.
    assert.ok(
      messages.some((one) => /PROMOTED_MEMOS.*got "PROMOTED_POSTS" for product_type/.test(one)),
      messages.join('\n'),
    )
  })

  test('problems and their reasons follow it, and statuses keep the words of HTTP', async () => {
    const { app } = { app: demoKeys(plaza) }
    const { status, json } = await client.signed('GET', `${plaza.urls.core}/2/hooks/1`, app, {})
    assert.equal(status, 405)
    assert.deepEqual(json, {
      title: 'Method Not Allowed',
      type: 'about:blank',
      status: 405,
      detail: 'Method Not Allowed',
    })
    const missing = await client.signed('PUT', `${plaza.urls.core}/2/hooks/77`, desk.person.keys, {})
    assert.deepEqual(missing.json, {
      errors: [
        { parameters: { hook_id: ['77'] }, message: 'HookIdInvalid: this app has no hook with the id 77' },
      ],
      title: 'Invalid Request',
      detail: 'One or more parameters to your request was invalid.',
      type: `${plaza.urls.core}/2/problems/invalid-request`,
    })
  })

  test('other versions and former paths lead to the same endpoint', async () => {
    const base = `${plaza.urls.ads}/11/accounts/${desk.accountId}`
    const old = await client.signed('GET', `${base}/promoted_memos`, desk.person.keys, {})
    assert.deepEqual([old.status, (old.json as { data: unknown }).data], [200, []])
    for (const path of ['/12/', '/11/']) {
      for (const name of ['custom_audiences', 'member_audiences']) {
        const url = `${plaza.urls.ads}${path}accounts/${desk.accountId}/${name}`
        const { status, json } = await client.signed('GET', url, desk.person.keys, {})
        assert.equal(status, 200, url)
        assert.equal((json as { data: { name: string }[] }).data[0]?.name, 'my_post_list')
      }
    }
    const gone = await client.signed('GET', `${plaza.urls.ads}/10/accounts`, desk.person.keys, {})
    assert.equal(gone.status, 404)
  })

  test('an unknown path of another version has the protocol of that version', async () => {
    const { headers } = await client.signed('GET', `${plaza.urls.core}/2.1/nothing`, desk.person.keys, {})
    assert.match(String(headers['content-type']), /^application\/problem\+json/)
  })
})

describe('an entry of a vocabulary that names nothing', () => {
  const wrong: [string, object, RegExp][] = [
    [
      'word',
      { words: { psot: 'memo' } },
      /:1:11: at \/words\/psot: the interface has no word "psot"; did you mean "post"\?/,
    ],
    [
      'identifier',
      { identifiers: { resultcount: 'total' } },
      /the interface has no identifier "resultcount"; did you mean "result_count"\?/,
    ],
    [
      'path',
      { paths: { '/2/webhook': '/2/hook' } },
      /no path "\/2\/webhook"; did you mean "\/2\/webhooks"\?/,
    ],
    [
      'header',
      { headers: { 'x-transactionid': 'x-id' } },
      /no header "x-transactionid"; did you mean "x-transaction-id"\?/,
    ],
    ['version', { versions: { '13': '12' } }, /the interface has no version "13"/],
  ]
  for (const [what, vocabulary, message] of wrong) {
    test(`keeps Plaza from starting: a ${what}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'plaza-words-'))
      const file = join(folder, 'vocabulary.json')
      await writeFile(file, JSON.stringify(vocabulary))
      try {
        await assert.rejects(startPlaza({ vocabulary: file }), (error: Error) => {
          assert.match(error.message, message)
          assert.ok(error.message.startsWith(`${file}:1:`), error.message)
          return true
        })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  }
})
