import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { refreshTrends } from '../../src/domain/trends/refresh.ts'
import { change, edit, okay, publish, relate, suspend } from '../support/actions.ts'
import { Client, demoKeys } from '../support/client.ts'
import { allEventsHandled } from '../support/events.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

interface Body {
  data?: { trend_name?: string; post_count?: number; category?: string; trending_since?: string }[]
  errors?: { resource_type: string }[]
  meta?: object
}

for (const stage of stages) {
  describe(`trends on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let bearer: { authorization: string }
    let people: Person[]

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      await opened.plaza.caughtUp
      client = new Client(opened.plaza)
      bearer = { authorization: `Bearer ${await client.bearer(demoKeys(opened.plaza))}` }
      people = []
      for (let n = 0; n < 5; n++) people.push(await Person.join(opened.plaza, client))
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    const person = (n: number) => people[n] as Person
    async function refresh(): Promise<void> {
      await allEventsHandled(opened.plaza.context.store)
      await refreshTrends(opened.plaza.context)
    }
    async function place(woeid: number, query = ''): Promise<Body> {
      const reply = await client.send('GET', `/2/trends/by/woeid/${woeid}${query}`, { headers: bearer })
      assert.equal(reply.status, 200, reply.text)
      return reply.json as Body
    }
    const names = async (woeid = 1) => (await place(woeid)).data?.map(({ trend_name }) => trend_name) ?? []
    const say = (n: number, text: string, more = {}) => publish(person(n), { text, ...more })

    test('what several authors write about trends, by place', async () => {
      assert.deepEqual(await place(1), { meta: { result_count: 0 } })
      await change(opened.plaza, person(0), { location: 'Tokyo, Japan' })
      await change(opened.plaza, person(1), { location: '東京' })
      await change(opened.plaza, person(2), { location: 'JAPAN' })
      const posts = [
        await say(0, 'Off to #Harbour now'),
        await say(1, 'We love #harbour'),
        await say(2, 'At #HARBOUR again'),
        await say(3, 'Nice #harbour'),
      ]
      await refresh()
      const full = await place(1, '?trend.fields=trend_name,post_count&max_trends=1')
      assert.deepEqual(
        full.data?.map(({ post_count }) => post_count),
        [4],
      )
      assert.equal(full.data?.[0]?.trend_name?.toLowerCase(), '#harbour')
      assert.equal((await names(23424856)).length, 1)
      assert.deepEqual([await names(1118370), await names(44418)], [[], []])
      okay(await person(3).core('DELETE', `/2/posts/${posts[3]}`))
      await change(opened.plaza, person(2), { subscription_type: 'Premium' })
      await edit(person(2), posts[2] as string, { text: 'Nothing at all' })
      await refresh()
      assert.deepEqual([await names(), await names(23424856)], [[], []])
      assert.equal((await place(2)).errors?.[0]?.resource_type, 'place')
    })

    test('one author, one text, protected and suspended authors make no trend', async () => {
      for (let n = 0; n < 5; n++) await say(0, `Post ${n} of #spam`)
      for (let n = 0; n < 4; n++) await say(n, 'Buy $SAME')
      for (let n = 0; n < 3; n++) await say(n, `About #quiet ${n}`)
      await refresh()
      assert.deepEqual(await names(), ['#quiet'])
      await suspend(opened.plaza, person(0), true)
      await refresh()
      assert.deepEqual(await names(), [])
      await suspend(opened.plaza, person(0), false)
      await say(4, 'Also #quiet')
      await refresh()
      assert.deepEqual(await names(), ['#quiet'])
    })

    test('what was always written about is no trend, and trends end after a day', async () => {
      const { clock } = opened.plaza
      for (let day = 0; day < 8; day++) {
        for (let n = 0; n < 3; n++) await say(n, `Good #morning ${day} ${n}`)
        await refresh()
        if (day < 7) clock.advance(DAY_MS)
      }
      assert.deepEqual(await names(), [])
      for (let n = 0; n < 4; n++) await say(n, `See the #eclipse ${n}`)
      await refresh()
      assert.deepEqual(await names(), ['#eclipse'])
      clock.advance(DAY_MS + HOUR_MS)
      await refresh()
      assert.deepEqual(await names(), [])
    })

    test('trends for a user begin with those of the users they follow', async () => {
      const reader = await Person.join(opened.plaza, client)
      for (let n = 0; n < 4; n++) await say(n, `#football ${n}`)
      for (let n = 2; n < 5; n++) await say(n, `#painting ${n}`)
      await refresh()
      assert.deepEqual(await names(), ['#football', '#painting'])
      const path = '/2/users/personalized_trends'
      assert.equal((await reader.core('GET', path)).status, 403)
      await change(opened.plaza, reader, { subscription_type: 'Premium' })
      const own = async (query = '') => okay(await reader.core('GET', path + query)) as never as Body
      assert.deepEqual((await own()).data, [
        { trend_name: '#football', post_count: 4 },
        { trend_name: '#painting', post_count: 3 },
      ])
      await relate(reader, 'following', person(4))
      const fields = '?personalized_trend.fields=category,trend_name,trending_since'
      assert.deepEqual((await own(fields)).data?.[0], {
        category: 'Other',
        trend_name: '#painting',
        trending_since: 'Trending now',
      })
    })
  })
}
