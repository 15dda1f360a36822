import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Context } from '../../src/app/start/context.ts'
import { query } from '../../src/app/tables.ts'
import { postUsage, type UsageApp, type UsageCaps } from '../../src/domain/usage/usage.ts'
import { createApp } from '../../src/identity/apps/apps.ts'
import { Client } from '../support/client.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

const DAY_MS = 86_400_000
const NO_CAPS: UsageCaps = {
  usageDailyPerApp: Number.POSITIVE_INFINITY,
  usageMonthlyPerApp: Number.POSITIVE_INFINITY,
  usageDailyPerProject: Number.POSITIVE_INFINITY,
  usageMonthlyPerProject: Number.POSITIVE_INFINITY,
  usageResetDay: 1,
}

const countedRows = query<object, { n: number }>('countedPostsOfTest', (db) =>
  db.selectFrom('counted_posts').select(({ fn }) => fn.countAll<number>().as('n')),
)
const appRows = query<object, { n: number }>('appUsageOfTest', (db) =>
  db.selectFrom('app_usage').select(({ fn }) => fn.countAll<number>().as('n')),
)
const projectRows = query<object, { n: number }>('projectUsageOfTest', (db) =>
  db.selectFrom('project_usage').select(({ fn }) => fn.countAll<number>().as('n')),
)

interface Days {
  usage: { date: string; usage: number }[]
}

interface Report {
  cap_reset_day?: number
  project_id?: string
  project_cap?: number
  project_usage?: number
  daily_project_usage?: Days & { project_id: string }
  daily_client_app_usage?: (Days & { client_app_id: string; usage_result_count: number })[]
}

let projects = 0

for (const stage of stages) {
  describe(`usage of posts on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    /** Of each node. */
    let contexts: Context[]
    let client: Client

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', usageDailyPerApp: 3, usageMonthlyPerProject: 4 })
      const nodes = [opened.plaza, ...(stage.shared ? [await opened.second()] : [])]
      contexts = nodes.map(({ context }) => context)
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    const makeApp = async (owner: string) => {
      const keys = await opened.plaza.context.store.write((tx) =>
        createApp(
          tx,
          {
            name: 'An app',
            website: 'https://example.com',
            ownerUserId: owner,
            callbacks: [],
            permission: 'read',
            kind: 'web',
            signIn: false,
          },
          opened.plaza.context,
        ),
      )
      return { ...keys, ownerUserId: owner }
    }
    const newProject = () => `1900000000000${++projects}`
    /** Counts with other caps than the settings have, as each node would. */
    const countersWith = (caps: Partial<UsageCaps>) =>
      contexts.map(({ store, clock }) => postUsage({ store, clock, config: { ...NO_CAPS, ...caps } }))
    const counterWith = (caps: Partial<UsageCaps>) => countersWith(caps)[0] as ReturnType<typeof postUsage>
    /** The caps that stopped calls, each as often as it did; `counted` for the others. */
    const outcomes = async (calls: readonly Promise<void>[]) => {
      const settled = await Promise.allSettled(calls)
      return settled
        .map((one) => (one.status === 'fulfilled' ? 'counted' : (one.reason as { reason: string }).reason))
        .sort()
    }
    const outcome = async (call: Promise<void>) => (await outcomes([call]))[0]
    const postIds = (...numbers: number[]) => numbers.map((n) => String(10n ** 18n + BigInt(n)))
    const read = async (app: { consumerKey: string; consumerSecret: string }, target: string) => {
      const authorization = `Bearer ${await client.bearer(app)}`
      return client.send('GET', target, { headers: { authorization } })
    }
    const report = async (app: Parameters<typeof read>[0], parameters = '') =>
      ((await read(app, `/2/usage/posts${parameters}`)).json as { data: Report }).data
    const publish = (text: string) => {
      const [author] = opened.plaza.seeded?.users ?? []
      assert.ok(author)
      return makePost(opened.plaza.context, { authorId: author.id, text })
    }

    test('posts of streams count, and a stream that goes beyond a cap ends with its Problem', async () => {
      const app = await makeApp(newProject())
      const bearer = await client.bearer(app)
      const headers = { authorization: `Bearer ${bearer}` }
      const { status } = await client.send('POST', '/2/posts/search/stream/rules', {
        headers,
        json: { add: [{ value: 'snowdrop' }] },
      })
      assert.equal(status, 201)
      const reader = await StreamReader.open(opened.plaza, bearer)
      try {
        assert.equal(reader.status, 200)
        const posts = [await publish('A snowdrop'), await publish('No flower'), await publish('The snowdrop')]
        await reader.has('A snowdrop', 'The snowdrop')
        await until('both are counted', async () => (await report(app)).project_usage === 2)
        assert.equal((await read(app, `/2/posts/${posts[0]?.id}`)).status, 200)
        assert.equal((await report(app)).project_usage, 2, 'a lookup of a streamed post is free')
        assert.equal(reader.end, undefined)

        await publish('Snowdrop three')
        await publish('Snowdrop four')
        assert.equal((await reader.ended()).end, 'whole')
        assert.deepEqual(reader.items.at(-1), {
          errors: [
            {
              title: 'UsageCapExceeded',
              detail: 'Usage cap exceeded: Daily account cap',
              type: `${opened.plaza.urls.core}/2/problems/usage-capped`,
              period: 'Daily',
              scope: 'Account',
              account_id: Number(app.ownerUserId),
              product_name: 'standard-basic',
            },
          ],
        })
        assert.equal((await report(app)).project_usage, 4, 'what was sent counts')
        const { data = [] } = (
          await read(app, '/2/connections?status=inactive&connection.fields=disconnect_reason')
        ).json as { data?: { disconnect_reason?: string }[] }
        assert.deepEqual(
          data.map(({ disconnect_reason }) => disconnect_reason),
          ['usage_capped'],
        )
      } finally {
        reader.close()
      }
      const again = await StreamReader.open(opened.plaza, bearer)
      assert.equal(again.status, 429)
      again.close()
    })

    test('posts of lookups and searches count once, and calls beyond a cap are rejected', async () => {
      const app = await makeApp(newProject())
      const other = await makeApp(app.ownerUserId)
      const posts = [await publish('A fuchsia'), await publish('Two'), await publish('Three')]
      const [one, two, three] = posts.map(({ id }) => id)
      const beyond = await publish('Four')

      assert.equal((await read(app, `/2/posts/${one}`)).status, 200)
      assert.equal((await read(app, `/2/posts?ids=${one},${two},1`)).status, 200)
      await until('the fuchsia is found', async () => {
        const found = await read(app, '/2/posts/search/recent?query=fuchsia&until_id=9223372036854775807')
        return (found.json as { meta: { result_count: number } }).meta.result_count === 1
      })
      assert.equal((await report(app)).project_usage, 2)

      const capped = await read(app, `/2/posts?ids=${two},${three},${beyond.id}`)
      assert.equal(capped.status, 429)
      assert.deepEqual(capped.json, {
        title: 'UsageCapExceeded',
        detail: 'Usage cap exceeded: Daily account cap',
        type: `${opened.plaza.urls.core}/2/problems/usage-capped`,
        period: 'Daily',
        scope: 'Account',
        account_id: Number(app.ownerUserId),
        product_name: 'standard-basic',
      })
      assert.ok(capped.text.includes(`"account_id":${app.ownerUserId},`), capped.text)
      assert.equal((await read(app, `/2/posts/${three}`)).status, 200, 'what fits is answered')
      assert.equal((await read(app, `/2/posts/${beyond.id}`)).status, 429)
      assert.equal((await read(app, `/2/posts/${one}`)).status, 200, 'what was counted is free')

      assert.equal((await read(other, `/2/posts/${beyond.id}`)).status, 200)
      const product = await read(other, `/2/posts/${one}`)
      assert.deepEqual(
        [
          product.status,
          (product.json as { period: string }).period,
          (product.json as { scope: string }).scope,
        ],
        [429, 'Monthly', 'Product'],
      )
      assert.deepEqual(await report(app, '?days=2'), {
        cap_reset_day: 1,
        daily_client_app_usage: [
          {
            client_app_id: app.id,
            usage: [
              { date: '2026-02-28T00:00:00.000Z', usage: 0 },
              { date: '2026-03-01T00:00:00.000Z', usage: 3 },
            ],
            usage_result_count: 2,
          },
          {
            client_app_id: other.id,
            usage: [
              { date: '2026-02-28T00:00:00.000Z', usage: 0 },
              { date: '2026-03-01T00:00:00.000Z', usage: 1 },
            ],
            usage_result_count: 2,
          },
        ],
        daily_project_usage: {
          project_id: app.ownerUserId,
          usage: [
            { date: '2026-02-28T00:00:00.000Z', usage: 0 },
            { date: '2026-03-01T00:00:00.000Z', usage: 4 },
          ],
        },
        project_cap: 4,
        project_id: app.ownerUserId,
        project_usage: 4,
      })
      assert.deepEqual(await report(app, '?usage.fields=project_cap,project_usage'), {
        project_cap: 4,
        project_usage: 4,
      })
    })

    test('posts that are not returned do not count', async () => {
      const app = await makeApp(newProject())
      assert.equal((await read(app, '/2/posts/1')).status, 200)
      assert.equal((await read(app, '/2/posts/counts/recent?query=fuchsia')).status, 200)
      const [user] = opened.plaza.seeded?.users ?? []
      assert.equal((await read(app, `/2/users/${user?.id}`)).status, 200)
      assert.equal((await report(app)).project_usage, 0)
    })

    test('of concurrent calls for the last post under a cap, exactly one succeeds', async () => {
      for (const [name, cap] of [
        ['usageDailyPerApp', 'daily usage of app capped'],
        ['usageMonthlyPerApp', 'monthly usage of app capped'],
        ['usageDailyPerProject', 'daily usage of project capped'],
        ['usageMonthlyPerProject', 'monthly usage of project capped'],
      ] as const) {
        const app = await makeApp(newProject())
        const counters = countersWith({ [name]: 3 })
        const count = (...numbers: number[]) =>
          counters[(numbers[0] ?? 0) % counters.length]?.count(app, postIds(...numbers)) as Promise<void>
        assert.equal(await outcome(count(1, 2)), 'counted')
        const calls = Array.from({ length: 12 }, (_, n) => count(10 + n))
        assert.deepEqual(await outcomes(calls), ['counted', ...Array(11).fill(cap)].sort())
        assert.equal((await report(app)).project_usage, 3)
      }
    })

    test('apps of one project share its cap, also at once', async () => {
      const owner = newProject()
      const apps = [await makeApp(owner), await makeApp(owner)]
      const counters = countersWith({ usageDailyPerProject: 5 })
      const calls = Array.from({ length: 12 }, (_, n) =>
        (counters[n % counters.length] as ReturnType<typeof postUsage>).count(
          apps[Math.floor(n / 2) % 2] as UsageApp,
          postIds(n),
        ),
      )
      const capped = Array(7).fill('daily usage of project capped')
      assert.deepEqual(await outcomes(calls), [...Array(5).fill('counted'), ...capped])
    })

    test('concurrent calls for the same post count it once', async () => {
      const app = await makeApp(newProject())
      const counters = countersWith({ usageDailyPerApp: 1 })
      const calls = Array.from({ length: 8 }, (_, n) =>
        (counters[n % counters.length] as ReturnType<typeof postUsage>).count(app, postIds(1, 1)),
      )
      assert.deepEqual(await outcomes(calls), Array(8).fill('counted'))
      assert.equal((await report(app)).project_usage, 1)
    })

    test('a post that was counted costs no write, also after a restart', async () => {
      const app = await makeApp(newProject())
      await counterWith({}).count(app, postIds(1, 2))
      const { store, clock } = opened.plaza.context
      let writes = 0
      const noting: typeof store = {
        ...store,
        write(work) {
          writes++
          return store.write(work)
        },
      }
      const restarted = postUsage({ store: noting, clock, config: { ...NO_CAPS, usageDailyPerApp: 2 } })
      await restarted.count(app, postIds(1, 2))
      await restarted.count(app, postIds(2))
      assert.equal(writes, 0)
      assert.equal(await outcome(restarted.count(app, postIds(3))), 'daily usage of app capped')
      assert.equal(writes, 1)
    })

    test('a store that fails counts nothing, and the next call is counted', async () => {
      const app = await makeApp(newProject())
      const { store, clock } = opened.plaza.context
      let broken = true
      const failing: typeof store = {
        ...store,
        async write(work) {
          if (broken) throw new Error('not now')
          return store.write(work)
        },
      }
      const counter = postUsage({ store: failing, clock, config: NO_CAPS })
      await assert.rejects(counter.count(app, postIds(1)), /not now/)
      broken = false
      await counter.count(app, postIds(1))
      assert.equal((await report(app)).project_usage, 1)
    })

    test('a new day and a new month begin with nothing', async () => {
      const { clock } = opened.plaza
      const app = await makeApp(newProject())
      const counter = counterWith({ usageDailyPerApp: 2, usageMonthlyPerApp: 5, usageResetDay: 5 })
      const next = (...numbers: number[]) => outcome(counter.count(app, postIds(...numbers)))
      clock.moveTo(Date.UTC(2026, 2, 2, 23, 59, 59, 999))
      assert.equal(await next(1, 2), 'counted')
      assert.equal(await next(3), 'daily usage of app capped')
      clock.advance(1)
      assert.equal(await next(1, 2), 'counted', 'posts of yesterday count again')
      clock.advance(DAY_MS)
      assert.equal(await next(1, 2), 'monthly usage of app capped')
      assert.equal(await next(1), 'counted')
      clock.advance(DAY_MS)
      assert.equal(await next(1, 2), 'counted', 'the fifth begins a month')
      const { daily_client_app_usage: [of] = [], project_usage } = await report(app, '?days=4')
      assert.deepEqual(
        of?.usage.map(({ usage }) => usage),
        [2, 2, 1, 2],
      )
      assert.equal(project_usage, 7, 'the settings of this server begin months on the first')
    })

    test('posts of past days are forgotten, and usage after 90 days', async () => {
      const { clock, context, tasks } = opened.plaza
      // No other test counted on this day.
      clock.advance(DAY_MS)
      const app = await makeApp(newProject())
      await counterWith({}).count(
        app,
        Array.from({ length: 2_500 }, (_, n) => String(10n ** 18n + BigInt(n))),
      )
      clock.advance(DAY_MS)
      await tasks.runDue('remove old usage')
      const rows = async (of: typeof countedRows) => Number((await context.store.first(of, {}))?.n)
      assert.ok((await rows(countedRows)) >= 2_500, 'yesterday may be today for another node')
      clock.advance(DAY_MS)
      await tasks.runDue('remove old usage')
      assert.equal(await rows(countedRows), 0)
      assert.equal((await report(app, '?days=3')).daily_project_usage?.usage[0]?.usage, 2_500)
      clock.advance(87 * DAY_MS)
      await tasks.runDue('remove old usage')
      assert.deepEqual([await rows(appRows), await rows(projectRows)], [1, 1])
      clock.advance(DAY_MS)
      await tasks.runDue('remove old usage')
      assert.deepEqual([await rows(appRows), await rows(projectRows)], [0, 0])
    })
  })
}
