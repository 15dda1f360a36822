import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Agent, fetch } from 'undici'
import { grantFeature } from '../../src/api/ads/accounts/queries.ts'
import { type Data, Desk, dataOf, errorOf, listOf, paramsOf } from '../support/ads-desk.ts'
import { Client, type Reply } from '../support/client.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DOLLAR = 1_000_000
const GROUPS =
  'ENGAGEMENT,BILLING,VIDEO,WEB_CONVERSION,MOBILE_CONVERSION,LIFE_TIME_VALUE_MOBILE_CONVERSION,MEDIA'
const SIX = ['engagements', 'impressions', 'reposts', 'replies', 'likes', 'follows']

type Series = Record<string, number[] | null>
interface Stats extends Data {
  id_data: { segment: { segment_name: string; segment_value: string } | null; metrics: Series }[]
}

const isoOf = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')
const done = (reply: Reply): Data => {
  assert.ok(reply.status < 300, reply.text)
  return dataOf(reply)
}
const total = (list: number[] | null | undefined) => (list ?? []).reduce((sum, value) => sum + value, 0)

for (const stage of stages) {
  describe(`analytics on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    let agent: Agent
    /** The midnight of the account before everything. */
    let start: number
    let end: number
    const ids = {
      funding: [] as string[],
      campaigns: [] as string[],
      lineItems: [] as string[],
      posts: [] as string[],
    }

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', adPeoplePerUser: 5_000 })
      client = new Client(opened.plaza)
      agent = new Agent({ connect: { ca: opened.plaza.caPem ?? '' } })
      ann = await Desk.open(opened.plaza, client)
      const { clock } = opened.plaza
      // The account is in Los Angeles.
      start = Math.ceil(clock.now() / DAY_MS) * DAY_MS + 8 * HOUR_MS
      clock.advance(start - clock.now())
      for (const amount of [500, 800]) {
        const { id } = await ann.advertiser.fund({ credit_limit_local_micro: amount * DOLLAR })
        ids.funding.push(id)
      }
      for (const [at, values] of [
        { daily_budget_amount_local_micro: 10 * DOLLAR },
        {
          objective: 'REACH',
          daily_budget_amount_local_micro: 6 * DOLLAR,
          frequency_cap: 3,
          duration_in_days: 1,
        },
        { objective: 'WEBSITE_CLICKS', total_budget_amount_local_micro: 9 * DOLLAR },
      ].entries()) {
        const funding_instrument_id = ids.funding[at % 2]
        const { id: campaign_id } = await ann.advertiser.campaign({ funding_instrument_id })
        const { id } = await ann.advertiser.lineItem({ campaign_id, ...values })
        ids.campaigns.push(campaign_id)
        ids.lineItems.push(id)
        for (let post = 0; post < 2; post++) {
          const { id: post_id } = await makePost(opened.plaza.context, { authorId: ann.person.id })
          const [made] = listOf(await ann.post('/promoted_posts', { line_item_id: id, post_ids: post_id }))
          ids.posts.push(String(made?.id))
        }
      }
      end = start + 3 * DAY_MS
      clock.advance(3 * DAY_MS)
    })
    after(async () => {
      await client?.close()
      await agent?.close()
      await opened?.close()
    })

    const now = () => opened.plaza.clock.now()
    const ads = (path: string) => `${opened.plaza.urls.ads}/12${path}`
    const call = (method: string, path: string, query: Record<string, string> = {}) =>
      client.signed(method, `${ads(path)}?${new URLSearchParams(query)}`, ann.person.keys)
    const asked = (entity: string, of: readonly string[], more: Record<string, string> = {}) => ({
      entity,
      entity_ids: of.join(),
      start_time: isoOf(start),
      end_time: isoOf(end),
      granularity: 'TOTAL',
      placement: 'ALL_ON_SERVICE',
      metric_groups: GROUPS,
      ...more,
    })
    const stats = async (entity: string, of: readonly string[], more: Record<string, string> = {}) => {
      const reply = await call('GET', `/stats/accounts/${ann.accountId}`, asked(entity, of, more))
      assert.equal(reply.status, 200, reply.text)
      return listOf(reply) as Stats[]
    }
    const metricsOf = async (entity: string, id: string, more: Record<string, string> = {}) =>
      (await stats(entity, [id], more))[0]?.id_data[0]?.metrics ?? {}

    /** Creates a job, lets it run, and resolves to it. */
    async function job(query: Record<string, string>): Promise<Data> {
      const made = await call('POST', `/stats/jobs/accounts/${ann.accountId}`, query)
      assert.equal(made.status, 201, made.text)
      await opened.plaza.tasks.runDue('run analytics job')
      const [listed] = listOf(
        await call('GET', `/stats/jobs/accounts/${ann.accountId}`, { job_ids: String(dataOf(made).id_str) }),
      )
      return listed as Data
    }
    async function fileOf({ url }: Data) {
      const headers = { 'accept-encoding': 'gzip' }
      const reply = await fetch(String(url), { headers, dispatcher: agent })
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.get('content-encoding'), null)
      assert.equal(reply.headers.get('content-type'), 'application/gzip')
      return JSON.parse(gunzipSync(Buffer.from(await reply.arrayBuffer())).toString())
    }

    test('every metric is the sum of its days, and these of their hours', async () => {
      for (const [entity, of] of Object.entries({
        LINE_ITEM: ids.lineItems,
        CAMPAIGN: ids.campaigns,
        PROMOTED_POST: ids.posts,
        FUNDING_INSTRUMENT: ids.funding,
        ACCOUNT: [ann.accountId],
      }))
        for (const id of of) {
          const whole = await metricsOf(entity, id)
          const days = await metricsOf(entity, id, { granularity: 'DAY' })
          const hours = await metricsOf(entity, id, { granularity: 'HOUR' })
          for (const [name, value] of Object.entries(whole)) {
            const [day, hour] = [days[name], hours[name]]
            if (value === null) {
              assert.deepEqual([day, hour], [null, null], name)
              continue
            }
            assert.deepEqual([value.length, day?.length, hour?.length], [1, 3, 72])
            for (let at = 0; at < 3; at++)
              assert.equal(day?.[at], total(hour?.slice(at * 24, at * 24 + 24)), name)
            assert.equal(value[0], total(day), name)
          }
        }
    })

    test('the account is the sum of its funding instruments, campaigns, line items and promoted posts', async () => {
      const sums = async (entity: string, of: readonly string[]) => {
        const items = await stats(entity, of, { granularity: 'HOUR' })
        assert.deepEqual(
          items.map(({ id }) => id),
          of,
        )
        return (name: string) => total(items.flatMap(({ id_data: [data] }) => data?.metrics[name] ?? []))
      }
      const account = await sums('ACCOUNT', [ann.accountId])
      const levels = [
        await sums('FUNDING_INSTRUMENT', ids.funding),
        await sums('CAMPAIGN', ids.campaigns),
        await sums('LINE_ITEM', ids.lineItems),
        await sums('PROMOTED_POST', ids.posts),
      ]
      for (const name of SIX) for (const level of levels) assert.equal(level(name), account(name), name)
      assert.ok(account('impressions') > 1_000)
      const spent = levels.map((level) => level('billed_charge_local_micro'))
      assert.deepEqual(new Set(spent).size, 1)
      let left = 0
      for (const id of ids.funding)
        left += Number(done(await ann.get(`/funding_instruments/${id}`)).credit_remaining_local_micro)
      assert.equal(1_300 * DOLLAR - left, spent[0])
    })

    test('accounts have six metrics, and a metric without activity is null', async () => {
      const account = await metricsOf('ACCOUNT', ann.accountId)
      for (const [name, value] of Object.entries(account))
        if (!SIX.includes(name)) assert.equal(value, null, name)
      const reach = await metricsOf('LINE_ITEM', String(ids.lineItems[1]))
      assert.deepEqual(
        [
          reach.video_total_views,
          reach.app_clicks,
          reach.unfollows,
          reach.conversion_purchases,
          reach.media_views,
        ],
        [null, null, null, null, null],
      )
      assert.deepEqual(reach.billed_engagements, reach.impressions)
      const later = { start_time: isoOf(end), end_time: isoOf(end + HOUR_MS) }
      const unshown = await metricsOf('LINE_ITEM', String(ids.lineItems[0]), later)
      assert.deepEqual(new Set(Object.values(unshown)), new Set([null]))
      for (const placement of ['SPOTLIGHT', 'TREND', 'PUBLISHER_NETWORK']) {
        const elsewhere = await metricsOf('LINE_ITEM', String(ids.lineItems[0]), { placement })
        assert.deepEqual(new Set(Object.values(elsewhere)), new Set([null]))
      }
    })

    test('the reply repeats what was understood, and leaves out what the account does not have', async () => {
      const [first = '', second = ''] = ids.lineItems
      const bob = await Desk.open(opened.plaza, client)
      const { id: foreign } = await bob.advertiser.lineItem()
      const [campaign = ''] = ids.campaigns
      const of = [second, 'zzzzzzzzzzzz', foreign, first, campaign, second]
      const reply = await call(
        'GET',
        `/stats/accounts/${ann.accountId}`,
        asked('LINE_ITEM', of, {
          start_time: isoOf(start).slice(0, 10),
          end_time: '2026-03-04T02:00:00+02:00',
          segmentation_type: 'AGE',
          metric_groups: 'BILLING',
        }),
      )
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(
        listOf(reply).map(({ id }) => id),
        [second, first],
      )
      assert.deepEqual(paramsOf(reply), {
        start_time: isoOf(start),
        end_time: '2026-03-04T00:00:00Z',
        segmentation_type: null,
        entity_ids: [...new Set(of)],
        country: null,
        placement: 'ALL_ON_SERVICE',
        granularity: 'TOTAL',
        entity: 'LINE_ITEM',
        platform: null,
        metric_groups: ['BILLING'],
      })
      assert.deepEqual(Object.keys((listOf(reply)[0] as Stats).id_data[0]?.metrics ?? {}), [
        'billed_engagements',
        'billed_charge_local_micro',
      ])
    })

    test('calls are checked in their order', async () => {
      const [id = ''] = ids.lineItems
      const error = async (more: Record<string, string>) =>
        errorOf(await call('GET', `/stats/accounts/${ann.accountId}`, asked('LINE_ITEM', [id], more)))
      const missing = errorOf(await call('GET', `/stats/accounts/${ann.accountId}`, { entity: 'LINE_ITEM' }))
      assert.equal(missing[0], 400)
      assert.deepEqual(
        new Set(missing.slice(1)),
        new Set(
          ['entity_ids', 'start_time', 'end_time', 'granularity', 'placement', 'metric_groups'].map(
            (name) => `MISSING_PARAMETER ${name}`,
          ),
        ),
      )
      assert.deepEqual(await error({ entity: 'AD' }), [400, 'INVALID_PARAMETER entity'])
      assert.deepEqual(await error({ start_time: '' }), [400, 'INVALID_PARAMETER start_time'])
      assert.deepEqual(await error({ entity_ids: '' }), [400, 'INVALID_PARAMETER entity_ids'])
      assert.deepEqual(await error({ metric_groups: '' }), [400, 'INVALID_PARAMETER metric_groups'])
      const many = Array.from({ length: 21 }, (_, n) => `a${n}`).join()
      assert.deepEqual(await error({ entity_ids: many }), [400, 'INVALID_PARAMETER entity_ids'])
      const half = isoOf(start + HOUR_MS / 2)
      assert.deepEqual(await error({ start_time: half, granularity: 'DAY' }), [
        400,
        'INVALID_PARAMETER start_time',
      ])
      assert.deepEqual(await error({ end_time: isoOf(end + HOUR_MS), granularity: 'DAY' }), [
        400,
        'INVALID_PARAMETER end_time',
      ])
      assert.deepEqual(await error({ end_time: isoOf(start) }), [400, 'INVALID_TIME_WINDOW end_time'])
      const week = (hours: number) => ({ end_time: isoOf(start + 7 * DAY_MS + hours * HOUR_MS) })
      assert.deepEqual(await error(week(2)), [400, 'INVALID_TIME_WINDOW end_time'])
      assert.equal((await stats('LINE_ITEM', [id], week(1))).length, 1)
    })

    test('a job has the same figures, in a file that its address alone opens for two days', async () => {
      const query = asked('CAMPAIGN', ids.campaigns, { granularity: 'HOUR' })
      const made = await call('POST', `/stats/jobs/accounts/${ann.accountId}`, query)
      const fresh = dataOf(made)
      assert.deepEqual(
        [made.status, fresh.status, fresh.url, fresh.expires_at],
        [201, 'PROCESSING', null, null],
      )
      assert.match(made.text, new RegExp(`"id":${fresh.id_str}[,}]`))
      assert.equal(made.headers['x-concurrent-job-limit'], '100')
      assert.equal(made.headers['x-concurrent-job-limit-remaining'], '99')
      await opened.plaza.tasks.runDue('run analytics job')
      const [ready] = listOf(await call('GET', `/stats/jobs/accounts/${ann.accountId}`))
      assert.ok(ready)
      assert.deepEqual([ready.id_str, ready.status], [fresh.id_str, 'SUCCESS'])
      assert.equal(Date.parse(String(ready.expires_at)) - now(), 2 * DAY_MS)
      const file = await fileOf(ready)
      const direct = await call('GET', `/stats/accounts/${ann.accountId}`, query)
      assert.deepEqual(file, direct.json)
      const wrong = String(ready.url).replace(/[^/]+\/stats_job/, `${'x'.repeat(60)}/stats_job`)
      assert.equal((await client.send('GET', wrong)).status, 404)
      const signed = await client.signed('GET', String(ready.url), ann.person.keys)
      assert.equal(signed.status, 200)
      opened.plaza.clock.advance(2 * DAY_MS)
      assert.equal((await client.send('GET', String(ready.url))).status, 404)
      await opened.plaza.tasks.runDue('run analytics job')
      assert.equal((await client.send('GET', String(ready.url))).status, 404)
      const list = (form: Record<string, string>) =>
        call('GET', `/stats/jobs/accounts/${ann.accountId}`, form)
      assert.deepEqual(listOf(await list({})), [])
      const [expired] = listOf(await list({ job_ids: String(ready.id_str) }))
      assert.deepEqual([expired?.status, expired?.url], ['SUCCESS', null])
    })

    test('segments sum to the whole, and only targeted ones have figures', async () => {
      const [lineItem = ''] = ids.lineItems
      const groups = { metric_groups: 'ENGAGEMENT,BILLING,VIDEO', granularity: 'DAY' }
      const whole = await metricsOf('LINE_ITEM', lineItem, groups)
      for (const [type, more] of Object.entries({
        AGE: {},
        GENDER: {},
        PLATFORMS: {},
        METROS: { country: '96683cc9126741d1' },
      })) {
        const query = asked('LINE_ITEM', [lineItem], { ...groups, segmentation_type: type, ...more })
        const file = await fileOf(await job(query))
        const [item] = file.data as Stats[]
        const segments = item?.id_data ?? []
        assert.ok(segments.length > 1, type)
        for (const { segment } of segments) assert.ok(segment?.segment_name && segment.segment_value)
        for (const [name, value] of Object.entries(whole))
          assert.deepEqual(
            [0, 1, 2].map((day) => total(segments.map(({ metrics }) => metrics[name]?.[day] ?? 0))),
            value ?? [0, 0, 0],
            `${type} ${name}`,
          )
        assert.equal(file.request.params.segmentation_type, type)
      }
      const keywords = await fileOf(
        await job(asked('LINE_ITEM', [lineItem], { ...groups, segmentation_type: 'KEYWORDS' })),
      )
      assert.deepEqual(keywords.data, [{ id: lineItem, id_data: [] }])
    })

    test('jobs are checked like calls, and segments need what they need', async () => {
      const [id = ''] = ids.lineItems
      const error = async (more: Record<string, string>) =>
        errorOf(await call('POST', `/stats/jobs/accounts/${ann.accountId}`, asked('LINE_ITEM', [id], more)))
      const days = (count: number) => ({
        end_time: isoOf(start + count * DAY_MS),
        metric_groups: 'ENGAGEMENT',
      })
      assert.deepEqual(await error(days(91)), [400, 'INVALID_TIME_WINDOW end_time'])
      assert.deepEqual(await error({ ...days(46), segmentation_type: 'AGE' }), [
        400,
        'INVALID_TIME_WINDOW end_time',
      ])
      const engaged = { metric_groups: 'ENGAGEMENT' }
      assert.deepEqual(await error({ ...engaged, segmentation_type: 'METROS' }), [
        400,
        'MISSING_PARAMETER country',
      ])
      assert.deepEqual(await error({ ...engaged, segmentation_type: 'METROS', country: 'nowhere' }), [
        400,
        'INVALID_PARAMETER country',
      ])
      assert.deepEqual(await error({ ...engaged, segmentation_type: 'DEVICES' }), [
        400,
        'MISSING_PARAMETER platform',
      ])
      assert.deepEqual(await error({ ...engaged, segmentation_type: 'CONVERSION_TAGS' }), [
        400,
        'INVALID_PARAMETER metric_groups',
      ])
      assert.deepEqual(await error({ metric_groups: 'WEB_CONVERSION', segmentation_type: 'AGE' }), [
        400,
        'INVALID_PARAMETER metric_groups',
      ])
    })

    test('a job that is cancelled has no result, and the hundredth is the last', async () => {
      const path = `/stats/jobs/accounts/${ann.accountId}`
      const query = asked('LINE_ITEM', ids.lineItems, { metric_groups: 'BILLING' })
      const made = await Promise.all(Array.from({ length: 101 }, () => call('POST', path, query)))
      const refused = made.filter(({ status }) => status !== 201)
      assert.deepEqual(refused.map(errorOf), [[400, 'TOO_MANY_JOBS undefined']])
      const full = await call('GET', path, { count: '1' })
      assert.equal(full.headers['x-concurrent-job-limit-remaining'], '0')
      const first = dataOf(made.find(({ status }) => status === 201) as Reply)
      const cancelled = await call('DELETE', `${path}/${first.id_str}`)
      assert.deepEqual([cancelled.status, dataOf(cancelled).status], [200, 'CANCELLED'])
      assert.equal((await call('POST', path, query)).status, 201)
      await opened.plaza.tasks.runDue('run analytics job')
      assert.deepEqual(errorOf(await call('DELETE', `${path}/${first.id_str}`)), [400, 'INVALID of status'])
      assert.deepEqual(errorOf(await call('DELETE', `${path}/1`)), [404, 'NOT_FOUND job_id'])
      const bob = await Desk.open(opened.plaza, client)
      const foreign = `${ads(`/stats/jobs/accounts/${bob.accountId}`)}/${first.id_str}`
      const reply = await client.signed('DELETE', foreign, bob.person.keys)
      assert.deepEqual(errorOf(reply), [404, 'NOT_FOUND job_id'])
      const listed: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Reply = await call('GET', path, { count: '40', ...(cursor && { cursor }) })
        listed.push(...listOf(page).map(({ id_str }) => String(id_str)))
        cursor = (page.json as { next_cursor: string | null }).next_cursor
      }
      assert.equal(new Set(listed).size, listed.length)
      assert.deepEqual(listed, [...listed].sort().reverse())
      assert.ok(listed.length >= 101)
    })

    test('active entities have the times of what was delivered', async () => {
      const path = `/stats/accounts/${ann.accountId}/active_entities`
      const window = { start_time: isoOf(start - DAY_MS), end_time: isoOf(end) }
      for (const [entity, of] of Object.entries({
        LINE_ITEM: ids.lineItems,
        CAMPAIGN: ids.campaigns,
        PROMOTED_POST: ids.posts,
        FUNDING_INSTRUMENT: ids.funding,
      })) {
        const reply = await call('GET', path, { entity, ...window })
        assert.equal(reply.status, 200, reply.text)
        const found = listOf(reply) as unknown as Record<string, string>[]
        assert.deepEqual(found.map(({ entity_id }) => entity_id).sort(), [...of].sort())
        for (const { activity_start_time = '', activity_end_time = '' } of found) {
          assert.ok(Date.parse(activity_start_time) >= start)
          assert.ok(Date.parse(activity_end_time) < end)
        }
      }
      const inHour = {
        entity: 'LINE_ITEM',
        start_time: isoOf(start + 20 * HOUR_MS + 900_000),
        end_time: isoOf(start + 20 * HOUR_MS + 1_800_000),
      }
      const [, second = ''] = ids.campaigns
      const reply = await call('GET', path, { ...inHour, campaign_ids: second })
      assert.deepEqual(listOf(reply), [
        {
          entity_id: ids.lineItems[1],
          activity_start_time: isoOf(start + 20 * HOUR_MS),
          activity_end_time: isoOf(start + 21 * HOUR_MS - 1_000),
          placements: ['ALL_ON_SERVICE'],
        },
      ])
      const both = { ...inHour, campaign_ids: second, line_item_ids: String(ids.lineItems[0]) }
      assert.deepEqual(errorOf(await call('GET', path, both)), [400, 'EXCLUSIVE_PARAMETERS line_item_ids'])
      assert.deepEqual(errorOf(await call('GET', path, { ...inHour, entity: 'ACCOUNT' })), [
        400,
        'INVALID_PARAMETER entity',
      ])
    })

    test('reach needs a feature, is at most the audience, and no more than a sum', async () => {
      const path = `/stats/accounts/${ann.accountId}/reach`
      const window = { start_time: isoOf(start), end_time: isoOf(end) }
      const read = (of: readonly string[], more = {}) =>
        call('GET', `${path}/campaigns`, { campaign_ids: of.join(), ...window, ...more })
      const half = { start_time: isoOf(start + 1_800_000) }
      assert.deepEqual(errorOf(await read(ids.campaigns, half)), [400, 'FEATURE_NOT_AVAILABLE '])
      const feature = { account_id: ann.accountId, feature_key: 'REACH_AND_FREQUENCY_ANALYTICS' }
      await opened.plaza.context.store.write((tx) => tx.run(grantFeature, feature))
      assert.deepEqual(errorOf(await read(ids.campaigns, half)), [400, 'INVALID_PARAMETER start_time'])
      const campaigns = listOf(await read(ids.campaigns)) as unknown as Record<string, number>[]
      const impressions = await Promise.all(
        ids.campaigns.map(async (id) => total((await metricsOf('CAMPAIGN', id)).impressions)),
      )
      for (const [at, { total_audience_reach: people = 0, average_frequency = 0 }] of campaigns.entries()) {
        assert.ok(people > 0 && people <= (impressions[at] ?? 0))
        assert.ok(Math.abs(average_frequency - (impressions[at] ?? 0) / people) < 0.006)
      }
      const first = { end_time: isoOf(start + 12 * HOUR_MS) }
      const [capped] = listOf(await read([String(ids.campaigns[1])], first)) as unknown as Record<
        string,
        number
      >[]
      assert.ok((capped?.average_frequency ?? 9) <= 3)
      const funding = { funding_instrument_ids: ids.funding.join(), ...window }
      const both = listOf(await call('GET', `${path}/funding_instruments`, funding)) as unknown as Record<
        string,
        number
      >[]
      const [one = {}, , three = {}] = campaigns
      const most = Number(one.total_audience_reach) + Number(three.total_audience_reach)
      assert.ok((both[0]?.total_audience_reach ?? 0) <= most)
      assert.ok((both[0]?.total_audience_reach ?? 0) >= Number(one.total_audience_reach))
      const none = listOf(
        await read(ids.campaigns, { start_time: isoOf(start - DAY_MS), end_time: isoOf(start) }),
      )
      for (const { id, ...zero } of none)
        assert.deepEqual(zero, { total_audience_reach: 0, average_frequency: 0 })
    })

    test('others of the account read the figures; strangers do not', async () => {
      const bob = await Desk.open(opened.plaza, client)
      const foreign = await client.signed(
        'GET',
        `${ads(`/stats/accounts/${ann.accountId}`)}?${new URLSearchParams(asked('LINE_ITEM', ids.lineItems))}`,
        bob.person.keys,
      )
      assert.deepEqual(errorOf(foreign), [403, 'ACCOUNT_NOT_FOUND account_id'])
    })
  })
}
