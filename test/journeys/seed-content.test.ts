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

    test('a campaign runs, and posts show pictures', async () => {
      const { urls, seeded } = opened.plaza
      const account = `${urls.ads}/12/accounts/${seeded?.accounts[0]?.id}`
      const [lineItem] = await dataOf(`${account}/line_items`)
      assert.deepEqual(
        [lineItem?.name, lineItem?.servable, lineItem?.effective_status],
        ['Cyclists near by', true, 'RUNNING'],
      )
      const criteria = await dataOf(`${account}/targeting_criteria?line_item_ids=${lineItem?.id}`)
      assert.deepEqual(criteria.map(({ name, operator_type }) => `${operator_type} ${name}`).sort(), [
        'EQ United States',
        'EQ bicycle',
        'EQ groceries',
        'NE racing',
      ])
      const [promoted] = await dataOf(`${account}/promoted_posts`)
      const reply = await get(
        `/2/posts/${promoted?.post_id}?expansions=attachments.media_keys&media.fields=alt_text,url`,
      )
      const { data, includes } = reply.json as { data: Data; includes: { media: Data[] } }
      assert.match(String(data.text), /^A cargo bicycle carries/)
      assert.equal(includes.media[0]?.alt_text, 'A cargo bicycle with fruit in its box')
      const picture = await client.send('GET', String(includes.media[0]?.url))
      assert.deepEqual([picture.status, picture.headers['content-type']], [200, 'image/png'])
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
      assert.equal((first.posts as Data[]).length, 41)
      assert.deepEqual(
        (first.communities as Data[]).map(({ name, members, access }) => [name, members, access]),
        [
          ['Tide watchers', ['grace_mbeki', 'ben_carter', 'demo'], undefined],
          ['Kitchen gardens', ['ines_moreau', 'tom_okafor'], 'Closed'],
        ],
      )
      assert.deepEqual(
        (first.posts as Data[]).flatMap(({ author, community }) =>
          community === undefined ? [] : [[author, community]],
        ),
        [
          ['grace_mbeki', 'community1'],
          ['tom_okafor', 'community2'],
        ],
      )
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
      assert.deepEqual(
        (first.broadcasts as Data[]).map(({ title, chat }) => [
          title,
          (chat as Data[] | undefined)?.[0]?.author,
        ]),
        [
          ['The harbor at dawn', 'tom_okafor'],
          ['Questions about the API', undefined],
        ],
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
        rules: [
          { value: 'bridge lang:en', tag: 'bridges' },
          { value: 'harbor', stream: 'powerstream' },
        ],
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
        const [other] = await admin.all<Data>(`/apps/${id}/stream_rules?stream=powerstream`)
        assert.equal(other?.value, 'harbor')
        const first = await admin.call<{ apps: Data[] }>('GET', '/seed')
        const [exported] = first.apps
        assert.deepEqual(exported?.webhooks, [{ id: 'webhook1', url: 'https://hooks.example.com/a' }])
        assert.deepEqual(exported?.subscriptions, [
          { event_type: 'post.create', user: 'ann', tag: 'mine', webhook: 'webhook1' },
        ])
        assert.deepEqual(exported?.rules, [
          { value: 'bridge lang:en', tag: 'bridges' },
          { value: 'harbor', stream: 'powerstream' },
        ])
        const again = await startPlaza({ seed: first }, { usesOwnClock: true })
        try {
          assert.deepEqual(await new Admin(again, new Client(again)).call('GET', '/seed'), first)
        } finally {
          await again.close()
        }
      } finally {
        await client.close()
        await opened.close()
      }
    })

    test('have OAuth 2.0 tokens of users, given or generated', async () => {
      const scopes = ['post.read', 'users.read', 'offline.access']
      const given = {
        access_token: 'given-access-token-of-ann-0001',
        refresh_token: 'given-refresh-token-of-ann-0001',
      }
      const seed = seedOf({
        client_id: 'tool-client',
        client_secret: 'tool-client-secret',
        user_tokens: [
          { user: 'ann', scopes, ...given, expires_at: '+30m' },
          { user: 'ann', scopes: ['users.read'] },
          { user: 'ann', scopes, access_token: 'ended-access-token-of-ann-0001', expires_at: '-1m' },
        ],
      })
      const opened = await stage.open({ seed }, { usesOwnClock: true })
      const client = new Client(opened.plaza)
      try {
        const tokens = opened.plaza.seeded?.apps[0]?.userTokens ?? []
        assert.deepEqual(
          tokens.map(({ accessToken, refreshToken }) => [accessToken.length, refreshToken?.length]),
          [
            [30, 31],
            [44, undefined],
            [30, 66],
          ],
        )
        const statusOf = async (token: string | undefined) => {
          const headers = { authorization: `Bearer ${token}` }
          return (await client.send('GET', '/2/users/me', { headers })).status
        }
        assert.equal(await statusOf(given.access_token), 200)
        assert.equal(await statusOf(tokens[1]?.accessToken), 403, 'it lacks a scope')
        assert.equal(await statusOf('ended-access-token-of-ann-0001'), 401)
        const admin = new Admin(opened.plaza, client)
        const granted = async () => {
          const first = await admin.call<{ apps: Data[] }>('GET', '/seed?secrets=true')
          return first.apps[0]?.user_tokens as Data[]
        }
        const before = await granted()
        assert.deepEqual(
          before.map(({ user, scopes, access_token, refresh_token }) => [
            user,
            scopes,
            access_token,
            refresh_token,
          ]),
          [
            ['ann', scopes, given.access_token, given.refresh_token],
            ['ann', ['users.read'], tokens[1]?.accessToken, undefined],
            ['ann', scopes, 'ended-access-token-of-ann-0001', tokens[2]?.refreshToken],
          ],
        )
        const exported = await admin.call<Data>('GET', '/seed')
        assert.doesNotMatch(JSON.stringify(exported), /_token"|given-/)
        for (const secrets of ['false', 'true']) {
          const first = await admin.call<Data>('GET', `/seed?secrets=${secrets}`)
          const again = await startPlaza({ seed: first }, { usesOwnClock: true })
          try {
            const second = await new Admin(again, new Client(again)).call('GET', `/seed?secrets=${secrets}`)
            assert.deepEqual(second, first)
          } finally {
            await again.close()
          }
        }

        const basic = Buffer.from('tool-client:tool-client-secret').toString('base64')
        const refreshed = await client.send('POST', '/2/oauth2/token', {
          headers: { authorization: `Basic ${basic}` },
          form: { grant_type: 'refresh_token', refresh_token: given.refresh_token },
        })
        assert.equal(refreshed.status, 200, refreshed.text)
        assert.equal((refreshed.json as { scope: string }).scope, scopes.join(' '))
        // A token that was replaced since is not exported.
        const [after] = await granted()
        assert.deepEqual([after?.access_token, after?.refresh_token], [undefined, undefined])
      } finally {
        await client.close()
        await opened.close()
      }
    })

    test('with a wrong OAuth 2.0 token fail the start with its place', async () => {
      const token = { user: 'ann', scopes: ['users.read', 'offline.access'] }
      const more = {
        user_tokens: [
          { ...token, user: 'bob', access_token: 'the-same-access-token' },
          { ...token, scopes: ['users.read'], refresh_token: 'a-refresh-token-of-ann-1' },
          { ...token, access_token: 'the-same-access-token', refresh_token: 'a-refresh-token-of-ann-2' },
          { ...token, expires_at: '+9999d' },
        ],
      }
      await assert.rejects(stage.open({ seed: seedOf(more) }), ({ message }: Error) => {
        assert.deepEqual(message.replaceAll(/ up to .*/g, '').split('\n'), [
          'seed: at /apps/0/user_tokens/0/user: the user "bob" is not among the users of this file',
          'seed: at /apps/0/user_tokens/1/refresh_token: needs the scope offline.access',
          'seed: at /apps/0/user_tokens/3/expires_at: "+9999d" is not a time such as 2026-03-01T12:00:00Z or -2h,',
          'seed: at /apps/0/user_tokens/2/access_token: is the same token as at /apps/0/user_tokens/0/access_token',
          'seed: at /apps/0/user_tokens/2/refresh_token: is the same beginning as at /apps/0/user_tokens/1/refresh_token',
        ])
        return true
      })
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
