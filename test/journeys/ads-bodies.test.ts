import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client } from '../support/client.ts'
import { Desk, dataOf, paramsOf } from '../support/ads-desk.ts'
import type { Opened } from '../support/stages.ts'
import { stages } from '../support/stages.ts'

const [memory] = stages

describe('bodies of advertising calls', () => {
  let opened: Opened
  let client: Client
  let desk: Desk
  before(async () => {
    opened = await (memory as (typeof stages)[number]).open()
    client = new Client(opened.plaza)
    desk = await Desk.open(opened.plaza, client)
  })
  after(async () => {
    await client?.close()
    await opened?.close()
  })

  const url = (path: string) => `${opened.plaza.urls.ads}/12/accounts/${desk.accountId}${path}`
  const put = (path: string, body: Buffer | string, type?: string) =>
    client.signed('PUT', url(path), desk.person.keys, {
      body: Buffer.from(body),
      ...(type !== undefined && { headers: { 'content-type': type } }),
    })
  const aCampaign = async () => (await desk.advertiser.campaign()).id
  type Rejected = { errors: { code: string; message: string; parameter?: string }[]; request: object }

  for (const [type, named] of [
    ['text/plain', 'The content type "text/plain" of the body is not supported'],
    ['application/xml; charset=utf-8', 'The content type "application/xml" of the body is not supported'],
    [
      'multipart/form-data; boundary=x',
      'The content type "multipart/form-data" of the body is not supported',
    ],
    [undefined, 'The body has no content type'],
  ] as const)
    test(`a body of the type ${type} is rejected with those that are read, and changes nothing`, async () => {
      const id = await aCampaign()
      const reply = await put(`/campaigns/${id}`, '{"name":"Other"}', type)
      assert.equal(reply.status, 415)
      assert.deepEqual(reply.json, {
        errors: [
          {
            code: 'INVALID_PARAMETER',
            message: `${named}: use application/x-www-form-urlencoded or application/json`,
          },
        ],
        request: { params: { account_id: desk.accountId, campaign_id: id } },
      })
      assert.notEqual(dataOf(await desk.get(`/campaigns/${id}`)).name, 'Other')
    })

  test('a packed body is rejected with what can be read', async () => {
    const reply = await client.signed('PUT', url(`/campaigns/${await aCampaign()}`), desk.person.keys, {
      body: Buffer.from('{}'),
      headers: { 'content-type': 'application/json', 'content-encoding': 'br' },
    })
    assert.equal(reply.status, 415)
    assert.equal(
      (reply.json as Rejected).errors[0]?.message,
      'The content encoding "br" of the body is not supported: use identity',
    )
  })

  for (const [body, got] of [
    ['[NaN]', '[NaN]'],
    ['{"name":"x"} and more', '{"name":"x"} and more'],
    ['{"name":', '{"name":'],
    [Buffer.from([0x7b, 0x22, 0x61, 0xff, 0x22, 0x7d]), '{"a\ufffd"}'],
    [`{"a":${'1'.repeat(90)}x${'2'.repeat(90)}}`, `…${'1'.repeat(40)}x${'2'.repeat(39)}…`],
  ] as const)
    test(`what is not JSON is quoted: ${got.slice(0, 30)}`, async () => {
      const reply = await put(`/campaigns/${await aCampaign()}`, body, 'application/json')
      assert.equal(reply.status, 400)
      assert.deepEqual((reply.json as Rejected).errors, [
        {
          code: 'INVALID_PARAMETER',
          message: `Expected JSON in UTF-8, got "${got}" for body`,
          parameter: 'body',
        },
      ])
    })

  test('a list or an object in place of an object or a text is shown as one', async () => {
    const list = await put(`/campaigns/${await aCampaign()}`, '[1]', 'application/json')
    assert.deepEqual((list.json as Rejected).errors, [
      { code: 'INVALID_PARAMETER', message: 'Expected object, got "[…]" for body', parameter: 'body' },
    ])
    const card = await desk.json('POST', '/cards', { name: { a: 1 }, components: [] })
    assert.deepEqual((card.json as Rejected).errors, [
      { code: 'INVALID_PARAMETER', message: 'Expected string, got "{…}" for name', parameter: 'name' },
    ])
  })

  test('a body with a byte order mark is read, and an empty one without a type counts as absent', async () => {
    const id = await aCampaign()
    assert.equal((await put(`/campaigns/${id}`, '\ufeff{"name":"Marked"}', 'application/json')).status, 200)
    assert.equal(dataOf(await desk.get(`/campaigns/${id}`)).name, 'Marked')
    assert.equal((await put(`/campaigns/${id}`, '')).status, 200)
  })

  test('every error behind the routing repeats the ids of the path', async () => {
    const id = await aCampaign()
    const ids = { account_id: desk.accountId, campaign_id: id }
    const unsigned = await client.send('GET', url(`/campaigns/${id}`))
    assert.deepEqual([unsigned.status, paramsOf(unsigned)], [401, ids])
    const stranger = await Desk.open(opened.plaza, client)
    const foreign = await client.signed('GET', url(`/campaigns/${id}`), stranger.person.keys)
    assert.deepEqual([foreign.status, paramsOf(foreign)], [403, ids])
    const malformed = await client.send('GET', `${url(`/campaigns/${id}`)}?a=%zz`)
    assert.deepEqual([malformed.status, paramsOf(malformed)], [400, ids])
  })

  test('lists may come in parts, and booleans in any case', async () => {
    const ids = [await aCampaign(), await aCampaign()]
    const reply = await client.signed(
      'GET',
      `${url('/campaigns')}?campaign_ids=${ids[0]}&with_deleted=True&campaign_ids=${ids[1]}&with_draft=FALSE`,
      desk.person.keys,
    )
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(paramsOf(reply), {
      account_id: desk.accountId,
      campaign_ids: ids,
      with_deleted: true,
      with_draft: false,
    })
    assert.deepEqual((dataOf(reply) as unknown as { id: string }[]).map(({ id }) => id).sort(), ids.sort())
    const twice = await client.signed('GET', `${url('/campaigns')}?count=1&count=2`, desk.person.keys)
    assert.equal((twice.json as Rejected).errors[0]?.message, 'count may be given only once')
  })
})
