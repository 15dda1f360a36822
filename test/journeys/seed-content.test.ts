import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { comparisons } from '../../src/app/checks/all.ts'
import { compareAll, type Difference } from '../../src/app/checks/comparison.ts'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

// What a seed contains is shown by the APIs as if users had posted it.

type Data = Record<string, unknown>

for (const stage of stages) {
  describe(`the demo seed on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin

    before(async () => {
      opened = await stage.open(
        { rateLimits: 'off', seed: 'demo' },
        { usesOwnClock: true, backgroundTasks: true },
      )
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const get = (path: string) => client.signed('GET', path, demoKeys(opened.plaza))
    const dataOf = async <T = Data[]>(path: string) => {
      const { status, json, text } = await get(path)
      assert.equal(status, 200, text)
      return (json as { data: T }).data
    }
    const user = (name: string) =>
      dataOf<Data>(
        `/2/users/by/username/${name}?user.fields=public_metrics,description,location,pinned_post_id,verified_type,protected,affiliation,created_at`,
      )

    test('keeps the users, the app and the accounts that can be signed in with', () => {
      const { users, apps, accounts } = opened.plaza.seeded ?? { users: [], apps: [], accounts: [] }
      assert.deepEqual(
        users.map(({ screenName }) => screenName),
        ['demo', 'advertiser'],
      )
      assert.deepEqual(
        apps.map(({ name, grants }) => [name, ...grants.map(({ screenName }) => screenName)]),
        [['Demo app', 'demo', 'advertiser']],
      )
      assert.deepEqual(
        accounts.map(({ name }) => name),
        ['Demo account', 'Demo sandbox account'],
      )
    })

    test('profiles have their fields and counts', async () => {
      const city = await user('harbor_city')
      assert.equal(city.verified_type, 'government')
      assert.equal(city.location, 'Harbor City')
      assert.equal((await user('hanna_berg')).protected, true)
      const demo = await user('demo')
      assert.equal((demo.public_metrics as { following_count: number }).following_count, 8)
      const [pinned] = await dataOf(`/2/posts?ids=${city.pinned_post_id}&post.fields=public_metrics`)
      assert.match(String(pinned?.text), /swing bridge/)
      const metrics = pinned?.public_metrics as Record<string, number>
      assert.deepEqual([metrics.repost_count, metrics.reply_count, metrics.quote_count], [4, 2, 1])
      const likers = await dataOf(`/2/posts/${city.pinned_post_id}/liking_users?max_results=100`)
      assert.equal(metrics.like_count, likers.length)
    })

    test('timelines, conversations and followers show it', async () => {
      const baker = await user('lena_fischer')
      const posts = await dataOf(`/2/users/${baker.id}/posts?max_results=100&post.fields=conversation_id`)
      const thread = posts.filter(({ text }) => /starter|pet that|Rye flour|Gustav/.test(String(text)))
      assert.equal(thread.length, 4)
      assert.equal(new Set(thread.map(({ conversation_id }) => conversation_id)).size, 1)
      const demo = await user('demo')
      const home = await dataOf(`/2/users/${demo.id}/timelines/reverse_chronological?max_results=100`)
      assert.ok(home.some(({ text }) => /sandwich/.test(String(text))))
      const mentions = await dataOf(`/2/users/${baker.id}/mentions`)
      assert.ok(mentions.some(({ text }) => /Gustav made my pizza/.test(String(text))))
      const followers = await dataOf(`/2/users/${demo.id}/followers?max_results=100`)
      const metrics = demo.public_metrics as { followers_count: number }
      assert.equal(followers.length, metrics.followers_count)
      assert.ok(followers.length > 5)
    })

    test('recent search finds it', async () => {
      const bearer = await client.bearer(demoKeys(opened.plaza))
      await until('the posts are indexed', async () => {
        const found = await client.send(
          'GET',
          '/2/posts/search/recent?query=%23SwingBridge%20-is%3Arepost&max_results=100',
          { headers: { authorization: `Bearer ${bearer}` } },
        )
        return (found.json as { meta: { result_count: number } }).meta.result_count === 9
      })
    })

    test('messages and spaces are there', async () => {
      const events = await dataOf('/2/dm_events?event_types=MessageCreate')
      assert.deepEqual(
        events.map(({ text }) => text),
        [
          'I write one today.',
          'The campaign for Saturday needs a second post.',
          'Yes. The stream is quiet at night, which is how I like it.',
          'Did you try the new filter rules?',
        ],
      )
      const spaces = await dataOf('/2/spaces/search?query=bridge&space.fields=title,state')
      assert.deepEqual(
        spaces.map(({ title, state }) => [title, state]),
        [['Swing bridge: your questions', 'live']],
      )
    })

    test('lists and tickets are there', async () => {
      const [owner] = await dataOf('/2/users/by?usernames=harbor_times')
      const fields = 'list.fields=description,follower_count,member_count,private'
      const [list] = await dataOf(`/2/users/${owner?.id}/owned_lists?${fields}`)
      assert.deepEqual(list, {
        ...{ id: list?.id, name: 'Harbor voices', description: 'People who write about the harbor.' },
        ...{ member_count: 3, follower_count: 2, private: false },
      })
      const members = await dataOf(`/2/lists/${list?.id}/members?user.fields=public_metrics`)
      assert.deepEqual(
        members.map(({ username, public_metrics }) => [
          username,
          (public_metrics as { listed_count: number }).listed_count,
        ]),
        [
          ['grace_mbeki', 1],
          ['ines_moreau', 1],
          ['tom_okafor', 1],
        ],
      )
      const [own] = await dataOf('/2/users/by?usernames=demo')
      const private_ = await dataOf(`/2/users/${own?.id}/owned_lists?list.fields=private`)
      assert.deepEqual(
        private_.map(({ name, private: isPrivate }) => [name, isPrivate]),
        [['To read', true]],
      )
      const [space] = await dataOf('/2/spaces/search?query=robots&space.fields=is_ticketed')
      assert.equal(space?.is_ticketed, true)
    })

    test('the burst is a news story', async () => {
      await until('a story appears', async () => {
        await admin.send('POST', '/news/refresh', {})
        const bearer = await client.bearer(demoKeys(opened.plaza))
        const found = await client.send('GET', '/2/news/search?query=bridge', {
          headers: { authorization: `Bearer ${bearer}` },
        })
        return ((found.json as { data?: Data[] }).data ?? []).length > 0
      })
    })

    test('an export is a seed that gives the same export', async () => {
      const first = await admin.call<Data>('GET', '/seed')
      assert.equal((first.users as Data[]).length, 30)
      assert.equal((first.posts as Data[]).length, 39)
      assert.deepEqual(
        (first.lists as Data[]).map(({ name, members }) => [name, members]),
        [
          ['Harbor voices', ['tom_okafor', 'ines_moreau', 'grace_mbeki']],
          ['To read', ['harbor_times', 'joon_park']],
        ],
      )
      const sold = (first.spaces as Data[]).filter(({ buyers }) => buyers !== undefined)
      assert.deepEqual(
        sold.map(({ buyers }) => buyers),
        [['ida_holm', 'ben_carter']],
      )
      assert.doesNotMatch(JSON.stringify(first), /"(password|token|secret|consumer_key)"/)
      const again = await startPlaza({ seed: first, rateLimits: 'off' }, { usesOwnClock: true })
      try {
        const second = await new Admin(again, new Client(again)).call<Data>('GET', '/seed')
        assert.deepEqual(second, first)
      } finally {
        await again.close()
      }
      const few = await admin.call<Data>('GET', '/seed?users=3&posts=2')
      assert.equal((few.users as Data[]).length, 3)
      assert.ok((few.posts as Data[]).length <= 2)
      const open = await admin.call<{ users: Data[]; apps: Data[] }>('GET', '/seed?secrets=true')
      assert.equal(open.apps[0]?.consumer_key, demoKeys(opened.plaza).consumerKey)
      const demo = open.users.find(({ screen_name }) => screen_name === 'demo')
      assert.equal(demo?.password, opened.plaza.seeded?.users[0]?.password)
    })

    test('no count differs from its rows', async () => {
      const { store } = opened.plaza.context
      const found: Difference[] = []
      const options = { repair: false, found: (one: Difference) => void found.push(one) }
      let compared = 0
      for await (const result of compareAll(store, comparisons, options)) compared += result.compared
      assert.deepEqual(found, [])
      assert.ok(compared > 100)
    })
  })
}

for (const stage of stages) {
  describe(`apps of a seed on ${stage.name}`, { skip: stage.skip }, () => {
    const app = {
      ...{ name: 'Tool', website: 'https://tool.example/', owner: 'ann', callbacks: [] },
      ...{ permission: 'read-write', kind: 'web', sign_in: false },
    }
    const seedOf = (more: object) => ({
      users: [{ screen_name: 'ann', name: 'Ann' }],
      apps: [{ ...app, grants: [{ user: 'ann', access: 'read-write' }], ...more }],
    })

    test('have webhooks, subscriptions and rules', async () => {
      const seed = seedOf({
        webhooks: [{ id: 'hook', url: 'https://hooks.example.com/a' }],
        subscriptions: [{ event_type: 'post.create', user: 'ann', tag: 'mine', webhook: 'hook' }],
        rules: [{ value: 'bridge lang:en', tag: 'bridges' }],
      })
      const opened = await stage.open({ seed }, { usesOwnClock: true })
      const client = new Client(opened.plaza)
      try {
        const admin = new Admin(opened.plaza, client)
        const id = opened.plaza.seeded?.apps[0]?.id
        const [webhook] = await admin.call<Data[]>('GET', `/apps/${id}/webhooks`)
        assert.equal(webhook?.url, 'https://hooks.example.com/a')
        const [subscription] = await admin.all<Data>(`/apps/${id}/activity_subscriptions`)
        assert.equal(subscription?.webhook_id, webhook?.id)
        assert.deepEqual(subscription?.filter, { user_id: opened.plaza.seeded?.users[0]?.id })
        const [rule] = await admin.all<Data>(`/apps/${id}/stream_rules`)
        assert.deepEqual([rule?.value, rule?.tag], ['bridge lang:en', 'bridges'])
      } finally {
        await client.close()
        await opened.close()
      }
    })

    test('with a wrong rule or subscription fail the start with its place', async () => {
      const fails = (more: object, message: RegExp) =>
        assert.rejects(stage.open({ seed: seedOf(more) }), message)
      await fails({ rules: [{ value: '(bridge' }] }, /^ConfigError: seed: at \/apps\/0\/rules\/0\/value: ./)
      await fails(
        { subscriptions: [{ event_type: 'post.create' }] },
        /^ConfigError: seed: at \/apps\/0\/subscriptions\/0: events of this type need a user$/,
      )
      await fails(
        { subscriptions: [{ event_type: 'post.create', user: 'bob', webhook: 'x' }] },
        /at \/apps\/0\/subscriptions\/0\/user: .*\n.*at \/apps\/0\/subscriptions\/0\/webhook: the app has no webhook with the id "x"/,
      )
    })
  })
}
