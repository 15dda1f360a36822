import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Admin } from '../support/admin.ts'
import { Desk, dataOf, listOf } from '../support/ads-desk.ts'
import { addUp, Figures, isoOf, type Metrics, total } from '../support/ads-figures.ts'
import { Client, type Reply } from '../support/client.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DOLLAR = 1_000_000
const MEMBERS = [
  'metric',
  'post_view',
  'post_engagement',
  'order_quantity',
  'order_quantity_view',
  'order_quantity_engagement',
  'sale_amount',
  'sale_amount_view',
  'sale_amount_engagement',
] as const

interface Click {
  click_id: string
  clicked_at: string
}

const hashOf = (address: string) => createHash('sha256').update(address).digest('hex')

for (const stage of stages) {
  describe(`attribution of conversions on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    let admin: Admin
    let figures: Figures
    let start: number
    let source: string
    let campaign: string
    let lineItem: string
    let post: string
    const tags: Record<string, string> = {}

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', adPeoplePerUser: 10_000 }, { usesOwnClock: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
      ann = await Desk.open(opened.plaza, client)
      // The account is in Los Angeles.
      start = Math.ceil(now() / DAY_MS) * DAY_MS + 8 * HOUR_MS
      await setClock(start)
      figures = new Figures(ann, opened.plaza, client, { from: start, groups: 'WEB_CONVERSION' })
      campaign = (await ann.advertiser.campaign()).id
      lineItem = (
        await ann.advertiser.lineItem({
          campaign_id: campaign,
          daily_budget_amount_local_micro: 80 * DOLLAR,
        })
      ).id
      const { id: post_id } = await makePost(opened.plaza.context, {
        authorId: ann.person.id,
        text: 'Bicycles: https://bicycles.example.com/',
      })
      const [made] = listOf(await ann.post('/promoted_posts', { line_item_id: lineItem, post_ids: post_id }))
      post = String(made?.id)
      for (const [name, type, click_window, view_through_window] of [
        ['bought', 'PURCHASE', '30', '1'],
        ['tried', 'START_TRIAL', '1', '0'],
      ] as const) {
        const values = { name, type, click_window, view_through_window, retargeting_enabled: 'false' }
        const tag = dataOf(await ann.post('/web_event_tags', values))
        tags[name] = tag.id
        source = String(tag.website_tag_id)
      }
      await setClock(start + 3 * DAY_MS)
    })
    after(async () => {
      await client?.close()
      await figures?.close()
      await opened?.close()
    })

    const now = () => opened.plaza.context.clock.now()
    const setClock = (timeMs: number) => admin.call('PUT', '/clock', { now: isoOf(timeMs), frozen: true })
    const clickPath = (account = ann.accountId) => `/accounts/${account}/ad_clicks?promoted_post_id=${post}`
    const clicksOf = (account?: string) => admin.call<Click[]>('GET', clickPath(account))
    const report = async (conversions: object[]): Promise<Reply> => {
      const reply = await client.signed(
        'POST',
        `${opened.plaza.urls.ads}/12/measurement/conversions/${source}`,
        ann.person.keys,
        { json: { conversions } },
      )
      assert.equal(reply.status, 200, reply.text)
      return reply
    }
    const metricsOf = (entity: string, id: string, more: Record<string, string> = {}): Promise<Metrics> =>
      figures.of(entity, id, more)
    /** The segments of a job. */
    const segmentsOf = (type: string) => figures.job('LINE_ITEM', lineItem, { segmentation_type: type })

    test('a click identifier names a click, and the conversion counts within the click window', async () => {
      const all = await admin.all<Click>(clickPath())
      const delivered = await metricsOf('PROMOTED_POST', post, { metric_groups: 'ENGAGEMENT' })
      assert.equal(all.length, total(delivered.url_clicks as unknown as number[]))
      assert.equal(new Set(all.map(({ click_id }) => click_id)).size, all.length)
      assert.deepEqual(
        all.map(({ clicked_at }) => clicked_at),
        all
          .map(({ clicked_at }) => clicked_at)
          .sort()
          .reverse(),
      )
      const late = await admin.call<Click[]>('GET', `${clickPath()}&pagination_token=99999999.99999999`)
      assert.deepEqual(late[0], all[0], 'a place that is not reached yet')
      const [last, old] = [all[0], all.at(-1)] as [Click, Click]
      const at = (time: string, afterMs: number) => isoOf(Date.parse(time) + afterMs)
      await report([
        {
          conversion_time: at(last.clicked_at, 1_000),
          event_id: tags.bought,
          identifiers: [{ click_id: last.click_id }],
          value: '99.95',
          number_items: 3,
        },
        // Before the click, after its window, and of nobody.
        {
          conversion_time: at(last.clicked_at, -1_000),
          event_id: tags.bought,
          identifiers: [{ click_id: last.click_id }],
        },
        {
          conversion_time: at(old.clicked_at, DAY_MS + 1),
          event_id: tags.tried,
          identifiers: [{ click_id: old.click_id }],
        },
        {
          conversion_time: at(last.clicked_at, 1_000),
          event_id: tags.bought,
          identifiers: [{ click_id: 'f00' }],
        },
        {
          conversion_time: at(old.clicked_at, DAY_MS),
          event_id: tags.tried,
          identifiers: [{ click_id: old.click_id }],
          value: 5,
        },
      ])
      const none = { assisted: null, post_view: null, order_quantity_view: null, sale_amount_view: null }
      for (const [entity, id] of [
        ['PROMOTED_POST', post],
        ['LINE_ITEM', lineItem],
        ['CAMPAIGN', campaign],
      ] as const) {
        const { conversion_purchases, conversion_custom, ...others } = await metricsOf(entity, id)
        assert.deepEqual(conversion_purchases, {
          ...none,
          metric: [1],
          post_engagement: [1],
          order_quantity: [3_000_000],
          order_quantity_engagement: [3_000_000],
          sale_amount: [99_950_000],
          sale_amount_engagement: [99_950_000],
        })
        assert.deepEqual(conversion_custom?.sale_amount, [5_000_000])
        assert.deepEqual(new Set(Object.values(others)), new Set([null]))
      }
      for (const entity of ['ACCOUNT', 'FUNDING_INSTRUMENT', 'PROMOTED_ACCOUNT'])
        for (const value of Object.values(await metricsOf(entity, ann.accountId))) assert.equal(value, null)
      const elsewhere = await metricsOf('LINE_ITEM', lineItem, { placement: 'TREND' })
      assert.equal(elsewhere.conversion_purchases, null)
    })

    test('people are found by their hashes: as often as what was promoted reached them, and always again', async () => {
      const people = Array.from({ length: 400 }, (_, at) => hashOf(`person-${at}@example.com`))
      const before = (await metricsOf('LINE_ITEM', lineItem)).conversion_purchases
      const one = (hash: string, at: number) => ({
        conversion_time: isoOf(now() - 60_000),
        event_id: tags.bought,
        identifiers: [at % 2 ? { hashed_email: hash.toUpperCase() } : { hashed_phone_number: hash }],
        value: 10,
      })
      await report(people.map(one))
      const after = (await metricsOf('LINE_ITEM', lineItem)).conversion_purchases
      const added = (name: (typeof MEMBERS)[number]) => total(after?.[name]) - total(before?.[name])
      assert.equal(added('metric'), added('post_view') + added('post_engagement'))
      assert.ok(added('post_view') > 0 && added('post_engagement') > 0, JSON.stringify(after))
      assert.ok(added('metric') < 400)
      assert.equal(added('sale_amount'), added('metric') * 10 * DOLLAR)
      // The tag that counts no views.
      await report(people.map((hash, at) => ({ ...one(hash, at), event_id: tags.tried, value: 0 })))
      const tried = (await metricsOf('LINE_ITEM', lineItem)).conversion_custom
      assert.equal(tried?.post_view, null)
      assert.ok(total(tried?.post_engagement) - 1 <= added('post_engagement'))
      // The same people again, at the same time.
      await report(people.map(one))
      const again = (await metricsOf('LINE_ITEM', lineItem)).conversion_purchases
      for (const name of MEMBERS) assert.equal(total(again?.[name]) - total(after?.[name]), added(name), name)
      const pair = { ip_address: '192.0.2.1', user_agent: 'Mozilla/5.0' }
      await report([{ conversion_time: isoOf(now()), event_id: tags.bought, identifiers: [pair] }])
      assert.deepEqual((await metricsOf('LINE_ITEM', lineItem)).conversion_purchases, again)
    })

    test('any two ways of asking agree', async () => {
      const whole = await figures.agree('LINE_ITEM', lineItem)
      const platforms = await segmentsOf('PLATFORMS')
      assert.ok(platforms.length > 1)
      const ofTags = await segmentsOf('CONVERSION_TAGS')
      assert.deepEqual(
        ofTags.map(({ segment }) => segment),
        ['bought', 'tried'].map((name) => ({ segment_name: name, segment_value: tags[name] })),
      )
      assert.equal(ofTags[0]?.metrics.conversion_custom, null)
      for (const segments of [platforms, ofTags]) addUp(segments, whole)
    })

    test('a conversion that arrives later counts when it happened, and is activity of now', async () => {
      await setClock(start + 5 * DAY_MS)
      await metricsOf('LINE_ITEM', lineItem)
      await ann.put(`/line_items/${lineItem}`, { entity_status: 'PAUSED' })
      await setClock(start + 6 * DAY_MS)
      const clicks = await clicksOf()
      const clicked = Date.parse(String(clicks[0]?.clicked_at))
      const hour = Math.floor(now() / HOUR_MS) * HOUR_MS
      const active = async () =>
        listOf(
          await figures.call('GET', `/stats/accounts/${ann.accountId}/active_entities`, {
            entity: 'CAMPAIGN',
            start_time: isoOf(hour),
            end_time: isoOf(hour + HOUR_MS),
          }),
        )
      assert.deepEqual(await active(), [])
      await report([
        {
          conversion_time: isoOf(clicked + 5_000),
          event_id: tags.bought,
          identifiers: [{ click_id: clicks[0]?.click_id }],
        },
      ])
      const times = isoOf(Math.floor((clicked + 5_000) / 1_000) * 1_000).replace('.000', '')
      assert.deepEqual(await active(), [
        {
          entity_id: campaign,
          activity_start_time: times,
          activity_end_time: times,
          placements: ['ALL_ON_SERVICE'],
        },
      ])
      // The windows and the type of the tag are those of the time at which it arrived.
      const bought = async () => total((await metricsOf('CAMPAIGN', campaign)).conversion_purchases?.metric)
      const counted = await bought()
      await ann.put(`/web_event_tags/${tags.bought}`, { type: 'SIGN_UP', click_window: '1' })
      assert.equal(await bought(), counted)
    })

    test('a conversion that arrives after more than 30 days is taken, and attributed to nothing', async () => {
      const bought = async () =>
        Number(total((await metricsOf('CAMPAIGN', campaign)).conversion_purchases?.metric))
      const before = await bought()
      const clicks = await clicksOf()
      const clicked = Date.parse(String(clicks[0]?.clicked_at))
      await ann.put(`/web_event_tags/${tags.bought}`, { type: 'PURCHASE', click_window: '30' })
      const late = (id: number) => ({
        conversion_time: isoOf(clicked + 60_000 + id),
        event_id: tags.bought,
        identifiers: [{ click_id: clicks[0]?.click_id }],
      })
      await setClock(clicked + 29 * DAY_MS)
      await report([late(1)])
      assert.equal(await bought(), before + 1)
      await setClock(clicked + 31 * DAY_MS)
      await report([late(2)])
      assert.equal(await bought(), before + 1)
    })

    test('clicks are those of the account', async () => {
      const bob = await Desk.open(opened.plaza, client)
      assert.deepEqual(await clicksOf(bob.accountId), [])
      assert.equal((await admin.wrong('GET', clickPath('nosuch')))[0], 404)
      const before = await metricsOf('LINE_ITEM', lineItem)
      const [click] = await clicksOf()
      const tag = dataOf(
        await bob.post('/web_event_tags', {
          name: 'x',
          type: 'PURCHASE',
          click_window: '30',
          view_through_window: '30',
          retargeting_enabled: 'false',
        }),
      )
      const reply = await client.signed(
        'POST',
        `${opened.plaza.urls.ads}/12/measurement/conversions/${tag.website_tag_id}`,
        bob.person.keys,
        {
          json: {
            conversions: [
              {
                conversion_time: isoOf(now()),
                event_id: tag.id,
                identifiers: [{ click_id: click?.click_id }],
              },
            ],
          },
        },
      )
      assert.equal(reply.status, 200)
      assert.deepEqual(await metricsOf('LINE_ITEM', lineItem), before)
    })
  })
}
