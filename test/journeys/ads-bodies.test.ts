import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { endpoints } from '../../src/app/endpoints.ts'
import { plain, type Schema } from '../../src/platform/http/schema.ts'
import { Desk, dataOf, paramsOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { heldMedium, png } from '../support/media.ts'
import { type Opened, stages } from '../support/stages.ts'

const [memory] = stages

/** The objects of a body that reject members that they do not declare. */
const closedIn = ({ properties = {}, items, additionalProperties }: Schema, at: string): string[] => [
  ...(additionalProperties === false ? [at] : []),
  ...Object.entries(properties).flatMap(([name, one]) => closedIn(one, `${at}.${name}`)),
  ...(items ? closedIn(items, `${at}[]`) : []),
]

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

  test('a list is no text, and is read only where a parameter is a list', async () => {
    const id = await aCampaign()
    const changed = (path: string, body: object) => desk.json('PUT', path, body)
    for (const [value, got] of [
      [['a', 'b'], '[…]'],
      [['a'], '[…]'],
      [[null], '[…]'],
      [[], '[]'],
      [{ a: 1 }, '{…}'],
    ] as const) {
      const reply = await changed(`/campaigns/${id}`, { name: value })
      assert.equal(reply.status, 400, reply.text)
      assert.deepEqual((reply.json as Rejected).errors, [
        {
          code: 'INVALID_PARAMETER',
          message: `Expected text, a number or a boolean, got "${got}" for name`,
          parameter: 'name',
        },
      ])
    }
    assert.equal(dataOf(await desk.get(`/campaigns/${id}`)).name, 'Test campaign')
    const created = await desk.json('POST', '/campaigns', { name: ['a', 'b'], funding_instrument_id: 'x' })
    assert.deepEqual(
      (created.json as Rejected).errors.map(({ parameter }) => parameter),
      ['name'],
    )
    const { id: item } = await desk.advertiser.lineItem({ campaign_id: id })
    const listed = await changed(`/line_items/${item}`, { categories: ['IAB1-1', 'IAB2'] })
    assert.deepEqual(dataOf(listed).categories, ['IAB1-1', 'IAB2'], listed.text)
    const nothing = await changed(`/line_items/${item}`, { categories: [null] })
    assert.deepEqual((nothing.json as Rejected).errors, [
      {
        code: 'INVALID_PARAMETER',
        message: 'Expected text, a number, a boolean or a list of these, got "[…]" for categories',
        parameter: 'categories',
      },
    ])
    const sentBack = await changed(`/line_items/${item}`, { objective: ['ENGAGEMENTS'] })
    assert.equal((sentBack.json as Rejected).errors[0]?.parameter, 'objective')
  })

  test('unknown members are ignored at every level of every body', async () => {
    const closed = endpoints.flatMap(({ id, protocol, body }) =>
      protocol.name === 'ads' && body ? closedIn(plain(body), id) : [],
    )
    assert.deepEqual(closed, [])
    const more = { unknown: { a: [1] } }
    const audience = await desk.json('POST', '/custom_audiences', { name: 'Some people', ...more })
    assert.equal(audience.status, 201, audience.text)
    assert.deepEqual(paramsOf(audience), { account_id: desk.accountId, name: 'Some people' })
    const { media_key } = await heldMedium(
      opened.plaza.context,
      desk.advertiser,
      desk.person.id,
      png(1200, 628),
    )
    const destination = { type: 'WEBSITE', url: 'https://example.com', ...more }
    const components = [
      { type: 'MEDIA', media_key, ...more },
      { type: 'DETAILS', title: 'A title', destination, ...more },
    ]
    const card = await desk.json('POST', '/cards', { name: 'A card', components, ...more })
    assert.equal(card.status, 201, card.text)
    assert.deepEqual(dataOf(card).components, [
      { type: 'MEDIA', media_key },
      { type: 'DETAILS', title: 'A title', destination: { type: 'WEBSITE', url: 'https://example.com' } },
    ])
    const renamed = await desk.json('PUT', `/cards/${dataOf(card).id}`, { name: 'Renamed', ...more })
    assert.equal(dataOf(renamed).name, 'Renamed', renamed.text)
  })

  test('the fixed members of a custom audience accept their own values only', async () => {
    const audience = dataOf(await desk.post('/custom_audiences', { name: 'Known people' }))
    const path = `/custom_audiences/${audience.id}`
    for (const [name, value] of [
      ['audience_type', 'WEB'],
      ['owner_account_id', 'zz9'],
      ['partner_source', 'AGENCY'],
    ] as const) {
      const reply = await desk.json('PUT', path, { name: 'Renamed', [name]: value })
      assert.equal(reply.status, 400, reply.text)
      assert.deepEqual((reply.json as Rejected).errors, [
        { code: 'INVALID_PARAMETER', message: `setting ${name} is not allowed`, parameter: name },
      ])
    }
    assert.equal(dataOf(await desk.get(path)).name, 'Known people')
    const saved = await desk.json('PUT', path, { ...audience, name: 'Renamed' })
    assert.equal(dataOf(saved).name, 'Renamed', saved.text)
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
