import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Admin } from '../support/admin.ts'
import { type Data, Desk, dataOf, errorOf, listOf, paramsOf } from '../support/ads-desk.ts'
import { addUp, Figures, isoOf, total } from '../support/ads-figures.ts'
import { Client } from '../support/client.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DOLLAR = 1_000_000
const APP = 'com.example.game'
const APP_ON_IOS = '333903271'
const GERMANY = '6389d58d4f7fc8c0'
const BOTH = 'MOBILE_CONVERSION,LIFE_TIME_VALUE_MOBILE_CONVERSION'
const NOTHING = { post_view: null, post_engagement: null, assisted: null }

interface Click {
  click_id: string
  clicked_at: string
}
interface MadeApp {
  consumer_key: string
  consumer_secret: string
  tokens: { access_token: string; access_token_secret: string }[]
}
interface Promoted {
  campaign: string
  lineItem: string
  post: string
  promoted: string
}

const deviceOf = (name: string) => createHmac('sha256', 'shared key').update(name).digest('base64')

for (const stage of stages) {
  describe(`conversions in apps on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    let ann: Desk
    let bob: Desk
    let figures: Figures
    let ofBob: Figures
    let start: number
    let game: Promoted
    let other: Promoted
    const tags: Record<string, string> = {}

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', adPeoplePerUser: 10_000 }, { usesOwnClock: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
      ann = await Desk.open(opened.plaza, client)
      bob = await Desk.open(opened.plaza, client)
      // The accounts are in Los Angeles.
      start = Math.ceil(now() / DAY_MS) * DAY_MS + 8 * HOUR_MS
      await setClock(start)
      figures = new Figures(ann, opened.plaza, client, { from: start, groups: BOTH })
      ofBob = new Figures(bob, opened.plaza, client, { from: start, groups: BOTH })
      game = await promote(ann, { objective: 'APP_INSTALLS', android_app_store_identifier: APP })
      other = await promote(bob, {})
      tags.INSTALL = await tag(ann, 'INSTALL', {})
      tags.PURCHASE = await tag(ann, 'PURCHASE', {
        post_engagement_attribution_window: '1',
        post_view_attribution_window: '0',
      })
      await setClock(start + 3 * DAY_MS)
    })
    after(async () => {
      await figures?.close()
      await ofBob?.close()
      await client?.close()
      await opened?.close()
    })

    const now = () => opened.plaza.context.clock.now()
    const setClock = (timeMs: number) => admin.call('PUT', '/clock', { now: isoOf(timeMs), frozen: true })
    async function promote(desk: Desk, values: object): Promise<Promoted> {
      const campaign_id = (await desk.advertiser.campaign({ name: 'Spring' })).id
      const money = { daily_budget_amount_local_micro: 80 * DOLLAR }
      const line_item_id = (await desk.advertiser.lineItem({ campaign_id, ...money, ...values })).id
      const { id: post_ids } = await makePost(opened.plaza.context, {
        authorId: desk.person.id,
        text: 'Play: https://games.example.com/',
      })
      await desk.post('/targeting_criteria', {
        line_item_id,
        targeting_type: 'LOCATION',
        targeting_value: GERMANY,
      })
      const [made] = listOf(await desk.post('/promoted_posts', { line_item_id, post_ids }))
      return { campaign: campaign_id, lineItem: line_item_id, post: post_ids, promoted: String(made?.id) }
    }
    const tag = async (desk: Desk, conversion_type: string, more: Record<string, string>) =>
      dataOf(
        await desk.post('/app_event_tags', {
          app_store_identifier: APP,
          os_type: 'ANDROID',
          conversion_type,
          provider_app_event_id: '1',
          provider_app_event_name: conversion_type,
          ...more,
        }),
      ).id
    const usual = (more: Record<string, string> = {}): Record<string, string> => ({
      app_id: APP,
      os_type: 'ANDROID',
      conversion_type: 'INSTALL',
      conversion_time: isoOf(now()),
      hashed_device_id: deviceOf('nobody'),
      ...more,
    })
    const report = (more: Record<string, string> = {}) =>
      figures.call('POST', '/conversion_event', usual(more))
    const ask = (more: Record<string, string> = {}) =>
      figures.call('GET', '/conversion_attribution', usual(more))
    const creditIn = (data: Data) =>
      data.service_attribution as (Record<string, unknown> & { promoted_properties: Data }) | null
    /** What was reported has led to something. */
    async function credited(more: Record<string, string>, send = report) {
      const reply = await send(more)
      assert.equal(reply.status, 200, reply.text)
      return creditIn(dataOf(reply))
    }
    const clicksOf = (desk = ann, { promoted } = game) =>
      admin.call<Click[]>(
        'GET',
        `/accounts/${desk.accountId}/ad_clicks?promoted_post_id=${promoted}&limit=40`,
      )
    const at = (click: Click | undefined, afterMs: number) =>
      isoOf(Date.parse(String(click?.clicked_at)) + afterMs)
    const figuresOf = async (name: string, more: Record<string, string> = {}) =>
      (await figures.of('LINE_ITEM', game.lineItem, more))[`mobile_conversion_${name}`]
    const statusOf = async (type: string) => {
      const { status, last_tracked_at } = dataOf(await ann.get(`/app_event_tags/${tags[type]}`))
      return [status, last_tracked_at]
    }

    test('only the provider of an account that counts conversions of the app may call', async () => {
      const [click] = await clicksOf()
      const named = { hashed_device_id: String(click?.click_id) }
      for (const send of [report, ask]) {
        assert.deepEqual(errorOf(await send({ app_id: 'com.example.unknown' })), [
          404,
          'MACT_APP_NOT_FOUND app_id',
        ])
        assert.deepEqual(errorOf(await send({ app_id: APP_ON_IOS, os_type: 'IOS' })), [
          404,
          'MACT_APP_NOT_FOUND app_id',
        ])
        assert.deepEqual(errorOf(await send(named)), [403, 'UNAUTHORIZED_CLIENT_APPLICATION undefined'])
      }
      const path = '/app_event_provider_configurations'
      const provider = { provider_advertiser_id: 'a-17' }
      const { id } = dataOf(await ann.post(path, provider))
      assert.equal((await ask()).status, 200)
      await ann.delete(`${path}/${id}`)
      assert.equal((await ask()).status, 403)
      await ann.post(path, provider)
      assert.equal((await ask()).status, 200)
      // Another client application is not the provider.
      const made = await admin.call<MadeApp>('POST', '/apps', {
        ...{ name: 'Another partner', website: 'https://partner.example/' },
        ...{ owner: 'demo', grants: [ann.person.screenName] },
      })
      const url = `${opened.plaza.urls.ads}/12/conversion_event?${new URLSearchParams(usual())}`
      const reply = await client.signed('POST', url, {
        consumerKey: made.consumer_key,
        consumerSecret: made.consumer_secret,
        token: String(made.tokens[0]?.access_token),
        tokenSecret: String(made.tokens[0]?.access_token_secret),
      })
      assert.deepEqual(errorOf(reply), [403, 'UNAUTHORIZED_CLIENT_APPLICATION undefined'])
      assert.deepEqual(await statusOf('INSTALL'), ['UNVERIFIED', null])
    })

    test('a call that is wrong says what is, and changes nothing', async () => {
      for (const [change, expected] of [
        [{ app_id: APP_ON_IOS }, [404, 'INVALID_APP_ID app_id']],
        [{ os_type: 'WINDOWS' }, [400, 'INVALID_PARAMETER os_type']],
        [{ conversion_type: 'DOWNLOAD' }, [400, 'INVALID_PARAMETER conversion_type']],
        [{ conversion_time: '2026-03-01' }, [400, 'INVALID_PARAMETER conversion_time']],
        [{ conversion_time: '2026-03-01T12:00:00.000' }, [400, 'INVALID_PARAMETER conversion_time']],
        [{ conversion_time: isoOf(now() + DAY_MS + 1) }, [400, 'INVALID_PARAMETER conversion_time']],
        [{ hashed_device_id: '' }, [400, 'INVALID_PARAMETER hashed_device_id']],
        [{ click_window: '60' }, [400, 'INVALID_PARAMETER click_window']],
        [{ view_through_window: '2' }, [400, 'INVALID_PARAMETER view_through_window']],
        [{ click_window: '7', view_through_window: '14' }, [400, 'INVALID_PARAMETER click_window']],
        [{ view_through_window: '30' }, [400, 'INVALID_PARAMETER click_window']],
        [{ conversion_time: '2026-02-29T12:00:00+0530' }, [400, 'INVALID_PARAMETER conversion_time']],
        [
          { non_service_engagement_time: '2026-04-31T12:00:00Z' },
          [400, 'INVALID_PARAMETER non_service_engagement_time'],
        ],
        [{ non_service_engagement_time: 'then' }, [400, 'INVALID_PARAMETER non_service_engagement_time']],
        [{ non_service_engagement_type: 'HOVER' }, [400, 'INVALID_PARAMETER non_service_engagement_type']],
        [{ limit_ad_tracking: 'maybe' }, [400, 'INVALID_PARAMETER limit_ad_tracking']],
        [
          { app_id: 'x', click_window: '1', view_through_window: '7' },
          [404, 'INVALID_APP_ID app_id', 'INVALID_PARAMETER click_window'],
        ],
      ] as const)
        for (const send of [report, ask])
          assert.deepEqual(
            errorOf(await send(change as Record<string, string>)),
            expected,
            JSON.stringify(change),
          )
      for (const [name, value] of [
        ['price_currency', 'usd'],
        ['price_micro', '-1'],
        ['price_micro', '1.5'],
        ['price_micro', '1000000000000001'],
        ['number_items', '0'],
        ['number_items', '1000001'],
        ['level', '-1'],
        ['user_payment_info', 'cash'],
        ['device_ip_address', 'home'],
      ] as const) {
        assert.deepEqual(errorOf(await report({ [name]: value })), [400, `INVALID_PARAMETER ${name}`], value)
        // They say nothing of what led to a conversion.
        assert.equal((await ask({ [name]: value })).status, 200)
      }
      for (const name of Object.keys(usual()))
        for (const method of ['POST', 'GET']) {
          const { [name]: _, ...rest } = usual()
          const path = method === 'POST' ? '/conversion_event' : '/conversion_attribution'
          assert.deepEqual(errorOf(await figures.call(method, path, rest)), [
            400,
            `MISSING_PARAMETER ${name}`,
          ])
        }
      assert.deepEqual(await statusOf('INSTALL'), ['UNVERIFIED', null])
      assert.equal(await figuresOf('installs'), null)
    })

    test('a device that names a click is that of the person who clicked, and asking records nothing', async () => {
      const [click] = await clicksOf()
      const delivered = (await figures.of('PROMOTED_POST', game.promoted, {
        metric_groups: 'ENGAGEMENT',
      })) as unknown as Record<string, number[] | null>
      const all = await admin.all<Click>(
        `/accounts/${ann.accountId}/ad_clicks?promoted_post_id=${game.promoted}`,
      )
      assert.ok(total(delivered.app_clicks) > 0)
      assert.equal(all.length, total(delivered.app_clicks) + total(delivered.url_clicks))
      const sent = {
        ...usual(),
        conversion_time: at(click, 1_000),
        hashed_device_id: String(click?.click_id),
        non_service_engagement_time: at(click, 500),
        non_service_engagement_type: 'VIEW',
        extra_device_ids: `${deviceOf('tablet')},${deviceOf('watch')}`,
        limit_ad_tracking: 'true',
      }
      const service_attribution = {
        country_code: 'DE',
        engagement_time: at(click, 0),
        engagement_type: 'CLICK',
        attribution_type: 'PROMOTED',
        post_id: game.post,
        promoted_properties: {
          account_id: ann.accountId,
          campaign_id: game.campaign,
          campaign_name: 'Spring',
          line_item_id: game.lineItem,
          line_item_objective: 'APP_INSTALLS',
          publisher_app_id: null,
        },
      }
      const data = {
        app_id: APP,
        os_type: 'ANDROID',
        hashed_device_id: click?.click_id,
        conversion_type: 'INSTALL',
        conversion_time: at(click, 1_000),
        // Those of the tag.
        click_window: 30,
        view_through_window: 1,
        non_service_engagement_time: at(click, 500),
        non_service_engagement_type: 'VIEW',
        partner_client_id: String(opened.plaza.seeded?.apps[0]?.id),
        conversion_value_micro: 0,
        limit_ad_tracking: true,
        event_metadata: null,
        network_attribution: null,
        service_attribution,
      }
      const { extra_device_ids } = sent
      const devices = extra_device_ids.split(',')
      assert.deepEqual((await ask(sent)).json, {
        request: { params: { ...sent, version_number: '12' } },
        data_type: 'conversion_attribution',
        data: { ...data, extra_device_ids: devices },
      })
      assert.equal(await figuresOf('installs'), null)
      assert.deepEqual(await statusOf('INSTALL'), ['UNVERIFIED', null])

      const event = {
        ...sent,
        click_window: '7',
        level: '3',
        number_items: '2',
        price_currency: 'EUR',
        price_micro: '1990000',
        user_payment_info: 'false',
        device_ip_address: '2001:db8::1',
      }
      const reply = await report(event)
      assert.deepEqual(reply.json, {
        request: { params: { ...event, version_number: '12' } },
        data: {
          ...data,
          click_window: 7,
          conversion_value_micro: 1_990_000,
          event_metadata: {
            level: 3,
            number_items: 2,
            price_currency: 'EUR',
            price_micro: 1_990_000,
            user_payment_info: false,
          },
        },
      })
      assert.deepEqual(paramsOf(reply), { ...event, version_number: '12' })
      for (const [entity, id] of [
        ['PROMOTED_POST', game.promoted],
        ['LINE_ITEM', game.lineItem],
        ['CAMPAIGN', game.campaign],
      ] as const) {
        const { mobile_conversion_installs, ...others } = await figures.of(entity, id)
        assert.deepEqual(mobile_conversion_installs, {
          ...NOTHING,
          post_engagement: [1],
          order_quantity: [2 * DOLLAR],
          sale_amount: [1_990_000],
        })
        assert.equal(Object.keys(others).length, 37)
        assert.deepEqual(new Set(Object.values(others)), new Set([null]))
      }
      assert.deepEqual(new Set(Object.values(await figures.of('ACCOUNT', ann.accountId))), new Set([null]))
      assert.equal(await figuresOf('installs', { placement: 'TREND' }), null)
      assert.deepEqual(await statusOf('INSTALL'), ['TRACKING', `${isoOf(now()).slice(0, 19)}Z`])
      assert.deepEqual(await statusOf('PURCHASE'), ['UNVERIFIED', null])
    })

    test('the windows are those of the call, or else those of the tag, or else 14 days and 1 day', async () => {
      const clicks = await clicksOf()
      const click = clicks.at(-1)
      const of = (afterMs: number, more: Record<string, string>) =>
        credited(
          { hashed_device_id: String(click?.click_id), conversion_time: at(click, afterMs), ...more },
          ask,
        )
      assert.equal(await of(-1, {}), null)
      assert.ok(await of(0, {}))
      // The tag of purchases has one day.
      assert.ok(await of(DAY_MS, { conversion_type: 'PURCHASE' }))
      assert.equal(await of(DAY_MS + 1, { conversion_type: 'PURCHASE' }), null)
      assert.ok(await of(DAY_MS + 1, { conversion_type: 'PURCHASE', click_window: '7' }))
      assert.ok(await of(DAY_MS + 1, { conversion_type: 'INSTALL' }))
      assert.equal(await of(DAY_MS + 1, { conversion_type: 'INSTALL', click_window: '1' }), null)
      const windows = async (more: Record<string, string>) => {
        const { click_window, view_through_window } = dataOf(await ask(more))
        return [click_window, view_through_window]
      }
      assert.deepEqual(await windows({ conversion_type: 'INSTALL' }), [30, 1])
      assert.deepEqual(await windows({ conversion_type: 'PURCHASE' }), [1, 0])
      assert.deepEqual(await windows({ conversion_type: 'LOGIN' }), [14, 1])
      assert.deepEqual(await windows({ view_through_window: '14' }), [14, 14])
      assert.deepEqual(await windows({ click_window: '1' }), [1, 1])
      // The newest of several tags.
      const newer = await tag(ann, 'PURCHASE', { post_engagement_attribution_window: '7' })
      assert.deepEqual(await windows({ conversion_type: 'PURCHASE' }), [7, 1])
      await ann.delete(`/app_event_tags/${newer}`)
      assert.deepEqual(await windows({ conversion_type: 'PURCHASE' }), [1, 0])
    })

    test('people are found by their devices: as often as what was promoted reached them, and always again', async () => {
      const devices = Array.from({ length: 200 }, (_, n) => deviceOf(`phone ${n}`))
      const time = {
        conversion_type: 'SIGN_UP',
        conversion_time: isoOf(now() - 60_000),
        price_micro: '10000000',
      }
      const ways = new Map<string, unknown>()
      for (const hashed_device_id of devices) {
        const asked = await credited({ ...time, hashed_device_id }, ask)
        assert.deepEqual(await credited({ ...time, hashed_device_id }), asked)
        ways.set(hashed_device_id, asked?.engagement_type)
      }
      const of = (way: unknown) => devices.filter((device) => ways.get(device) === way)
      const [clicked, viewed, others] = [of('CLICK'), of('VIEW'), of(undefined)]
      assert.ok(
        clicked.length > 0 && viewed.length > 0 && others.length > 0,
        `${clicked.length} ${viewed.length}`,
      )
      const count = clicked.length + viewed.length
      assert.deepEqual(await figuresOf('sign_ups'), {
        assisted: null,
        post_engagement: [clicked.length],
        post_view: [viewed.length],
        order_quantity: [count * DOLLAR],
        sale_amount: [count * 10 * DOLLAR],
      })
      // Another device of the same person.
      const person = { ...time, hashed_device_id: String(others[0]) }
      assert.equal(await credited(person, ask), null)
      const known = await credited({ ...person, extra_device_ids: `${others[1]},${clicked[0]}` }, ask)
      assert.deepEqual(known, await credited({ ...time, hashed_device_id: String(clicked[0]) }, ask))
      // Not even a view at the time of the conversion counts in a window of no days.
      for (const device of viewed) {
        const view = await credited({ ...time, hashed_device_id: device }, ask)
        const atOnce = { hashed_device_id: device, conversion_time: String(view?.engagement_time) }
        const credit = await credited({ ...time, ...atOnce, view_through_window: '0' }, ask)
        assert.notEqual(credit?.engagement_type, 'VIEW')
      }
      // Views count for a day, or not at all.
      assert.equal(
        await credited(
          { ...time, hashed_device_id: String(viewed[0]), click_window: '1', view_through_window: '0' },
          ask,
        ),
        null,
      )
    })

    test('what people who installed the app do later counts for their installation, however late', async () => {
      const [click, second] = await clicksOf()
      const person = { hashed_device_id: String(click?.click_id) }
      const value = async (name: string) => await figuresOf(`lifetime_value_${name}`)
      const spends = { ...person, conversion_type: 'PURCHASE', price_micro: '5000000', number_items: '3' }
      const before = { ...spends, conversion_time: at(click, 500) }
      // Before the installation, which was a second after the click.
      assert.ok(await credited(before))
      assert.equal(await value('purchases'), null)
      await setClock(start + 5 * DAY_MS)
      // After the window of the tag.
      const later = { ...spends, conversion_time: isoOf(start + 5 * DAY_MS - HOUR_MS) }
      assert.equal(await credited(later), null)
      assert.deepEqual(await value('purchases'), {
        ...NOTHING,
        post_engagement: [1],
        order_quantity: [3 * DOLLAR],
        sale_amount: [5 * DOLLAR],
      })
      assert.deepEqual((await figuresOf('purchases'))?.post_engagement, [1])
      // By another device of the person; of others, and of types that have no value, nothing.
      await credited({ ...later, hashed_device_id: 'x', extra_device_ids: person.hashed_device_id })
      await credited({ ...later, hashed_device_id: String(second?.click_id) })
      await credited({ ...later, conversion_type: 'LOGIN', click_window: '30' })
      assert.deepEqual((await value('purchases'))?.post_engagement, [2])
      const metrics = await figures.of('LINE_ITEM', game.lineItem)
      const valued = Object.entries(metrics).filter(([name, one]) => name.includes('lifetime') && one)
      assert.deepEqual(
        valued.map(([name]) => name),
        ['mobile_conversion_lifetime_value_purchases'],
      )
      assert.deepEqual((await figuresOf('logins'))?.post_engagement, [1])
      const divided = { segmentation_type: 'AGE', metric_groups: BOTH }
      assert.deepEqual(errorOf(await figures.create('LINE_ITEM', game.lineItem, divided)), [
        400,
        'INVALID_PARAMETER metric_groups',
      ])
    })

    test('any two ways of asking agree', async () => {
      const whole = await figures.agree('LINE_ITEM', game.lineItem)
      const [job] = await figures.job('LINE_ITEM', game.lineItem, {})
      assert.deepEqual(job, { segment: null, metrics: whole })
      const groups = { metric_groups: 'MOBILE_CONVERSION' }
      const counted = await figures.agree('LINE_ITEM', game.lineItem, groups)
      const ages = await figures.job('LINE_ITEM', game.lineItem, { ...groups, segmentation_type: 'AGE' })
      assert.deepEqual(
        ages.map(({ segment }) => segment),
        [
          { segment_name: '13-24', segment_value: 'AGE_13_TO_24' },
          { segment_name: '25-34', segment_value: 'AGE_25_TO_34' },
          { segment_name: '35-49', segment_value: 'AGE_35_TO_49' },
          { segment_name: '50+', segment_value: 'AGE_OVER_50' },
        ],
      )
      addUp(ages, counted)
      for (const [type, values] of [
        ['GENDER', ['1', '2']],
        // The line item targets the platform of its app, and Germany.
        ['PLATFORMS', ['1']],
        ['LOCATIONS', [GERMANY]],
      ] as const) {
        const parts = await figures.job('LINE_ITEM', game.lineItem, { ...groups, segmentation_type: type })
        assert.deepEqual(
          parts.map(({ segment }) => segment?.segment_value),
          values,
        )
        addUp(parts, counted)
      }
      const metros = await figures.job('LINE_ITEM', game.lineItem, {
        ...groups,
        segmentation_type: 'METROS',
        country: '96683cc9126741d1',
      })
      assert.ok(metros.length > 1)
      addUp(metros, counted)
      // A type of targeting that the line item does not use.
      assert.deepEqual(
        await figures.job('LINE_ITEM', game.lineItem, { ...groups, segmentation_type: 'INTERESTS' }),
        [],
      )
      const byDay = await figures.job('CAMPAIGN', game.campaign, {
        ...groups,
        segmentation_type: 'GENDER',
        granularity: 'DAY',
      })
      addUp(byDay, counted)
    })

    test('of several accounts that count the app, the one that reached the person last is credited', async () => {
      await admin.call('POST', `/accounts/${bob.accountId}/account_apps`, { app_store_identifier: APP })
      const reach = { hashed_device_id: String((await clicksOf(bob, other))[0]?.click_id) }
      // It is registered, and its conversions are not counted.
      await bob.post('/app_event_provider_configurations', { provider_advertiser_id: 'b-1' })
      assert.equal(await credited(reach, ask), null)
      await tag(bob, 'UPDATE', {})
      const [, , , mine] = await clicksOf()
      const [his] = await clicksOf(bob, other)
      assert.ok(String(mine?.clicked_at) < String(his?.clicked_at))
      const both = {
        conversion_type: 'UPDATE',
        hashed_device_id: String(mine?.click_id),
        extra_device_ids: String(his?.click_id),
      }
      const credit = async (time: string) =>
        (await credited({ ...both, conversion_time: time }, ask))?.promoted_properties.account_id
      assert.equal(await credit(at(his, 1)), bob.accountId)
      assert.equal(await credit(at(his, -1)), ann.accountId)
      const posted = await credited({
        ...both,
        conversion_time: at(his, 1),
        hashed_device_id: String(his?.click_id),
      })
      assert.equal(posted?.promoted_properties.account_id, bob.accountId)
      const { mobile_conversion_updates } = await ofBob.of('LINE_ITEM', other.lineItem)
      assert.deepEqual(mobile_conversion_updates?.post_engagement, [1])
      assert.equal(await figuresOf('updates'), null)
    })

    test('an app is found on the platforms that are targeted', async () => {
      const app = { app_store_identifier: APP_ON_IOS, os_type: 'iOS', conversion_tracking_enabled: true }
      for (const desk of [ann, bob]) await admin.call('POST', `/accounts/${desk.accountId}/account_apps`, app)
      const ios = { app_id: APP_ON_IOS, os_type: 'IOS' }
      const [mine] = await clicksOf()
      const [his] = await clicksOf(bob, other)
      // The line item of ann is shown on Android only.
      const named = (click: Click | undefined) => ({
        ...ios,
        hashed_device_id: String(click?.click_id),
        conversion_time: at(click, 1),
      })
      const credit = await credited(named(mine))
      assert.notEqual(credit?.promoted_properties.account_id, ann.accountId)
      assert.equal((await credited(named(his)))?.promoted_properties.account_id, bob.accountId)
      const parts = await ofBob.job('LINE_ITEM', other.lineItem, {
        metric_groups: 'MOBILE_CONVERSION',
        segmentation_type: 'PLATFORMS',
      })
      assert.deepEqual(
        parts.map(({ segment, metrics }) => [
          segment?.segment_name,
          total(metrics.mobile_conversion_installs?.post_engagement) > 0,
        ]),
        [
          ['iOS', true],
          ['Android', false],
        ],
      )
    })

    test('amounts need the feature for them', async () => {
      const [, , , click] = await clicksOf()
      const sent = {
        conversion_type: 'RESERVATION',
        hashed_device_id: String(click?.click_id),
        conversion_time: at(click, 1),
        price_micro: '1000000',
      }
      await admin.call('PUT', `/accounts/${ann.accountId}`, {
        remove_features: ['MOBILE_CONVERSION_TRANSACTION_VALUE'],
      })
      assert.ok(await credited(sent))
      assert.deepEqual(await figuresOf('reservations'), {
        ...NOTHING,
        post_engagement: [1],
        order_quantity: [DOLLAR],
        sale_amount: null,
      })
    })

    test('a conversion that arrives later is activity of now, and after 30 days nothing led to it', async () => {
      await ann.put(`/line_items/${game.lineItem}`, { entity_status: 'PAUSED' })
      await setClock(start + 6 * DAY_MS)
      const [click] = await clicksOf()
      const clicked = Date.parse(String(click?.clicked_at))
      const hour = Math.floor(now() / HOUR_MS) * HOUR_MS
      const active = async () =>
        listOf(
          await figures.call('GET', `/stats/accounts/${ann.accountId}/active_entities`, {
            entity: 'LINE_ITEM',
            start_time: isoOf(hour),
            end_time: isoOf(hour + HOUR_MS),
          }),
        )
      assert.deepEqual(await active(), [])
      const sent = {
        conversion_type: 'TUTORIAL_COMPLETE',
        hashed_device_id: String(click?.click_id),
        conversion_time: at(click, 5_000),
        click_window: '30',
      }
      assert.ok(await credited(sent))
      const times = isoOf(Math.floor((clicked + 5_000) / 1_000) * 1_000).replace('.000', '')
      assert.deepEqual(await active(), [
        {
          entity_id: game.lineItem,
          activity_start_time: times,
          activity_end_time: times,
          placements: ['ALL_ON_SERVICE'],
        },
      ])
      const counted = await figuresOf('tutorials_completed')
      const lifetime = await figuresOf('lifetime_value_tutorials_completed')
      await setClock(clicked + 5_000 + 30 * DAY_MS)
      assert.ok(await credited(sent, ask))
      await setClock(clicked + 5_001 + 30 * DAY_MS)
      assert.equal(await credited(sent), null)
      assert.deepEqual(await figuresOf('tutorials_completed'), counted)
      assert.deepEqual(await figuresOf('lifetime_value_tutorials_completed'), lifetime)
    })

    test('sandbox accounts deliver nothing that could lead to a conversion', async () => {
      const desk = await Desk.open(opened.plaza, client, { environment: 'sandbox', person: ann.person })
      await tag(desk, 'INSTALL', {})
      await desk.post('/app_event_provider_configurations', { provider_advertiser_id: 's-1' })
      const reply = await client.signed(
        'POST',
        `${opened.plaza.urls.adsSandbox}/12/conversion_event?${new URLSearchParams(usual())}`,
        ann.person.keys,
      )
      assert.equal(reply.status, 200, reply.text)
      assert.equal(creditIn(dataOf(reply)), null)
    })
  })
}
