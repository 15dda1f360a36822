import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Admin } from '../support/admin.ts'
import { Client, type Keys } from '../support/client.ts'
import { png } from '../support/media.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

// Posts, reactions, messages, accounts, campaigns, webhooks, rules, subscriptions and activities
// that the admin API makes are those that the APIs show.

interface MadeApp {
  id: string
  consumer_key: string
  consumer_secret: string
  tokens: { access_token: string; access_token_secret: string }[]
}

type Data = Record<string, unknown>

for (const stage of stages) {
  describe(`content that the admin API makes on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    let app: MadeApp
    const keys: Record<string, Keys> = {}
    const ids: Record<string, string> = {}

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' }, { usesOwnClock: true, backgroundTasks: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
      for (const screen_name of ['ann', 'bob', 'cyd']) {
        const user = await admin.call('POST', '/users', {
          screen_name,
          name: screen_name,
          password: 'secret',
        })
        ids[screen_name] = String(user.id)
      }
      app = await admin.call<MadeApp>('POST', '/apps', {
        ...{ name: 'Tool', website: 'https://tool.example/', owner: 'ann', grants: ['ann', 'bob'] },
        permission: 'read-write-directmessages',
      })
      for (const [index, name] of ['ann', 'bob'].entries())
        keys[name] = {
          consumerKey: app.consumer_key,
          consumerSecret: app.consumer_secret,
          token: app.tokens[index]?.access_token as string,
          tokenSecret: app.tokens[index]?.access_token_secret as string,
        }
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const as = (who: string, path: string) => client.signed('GET', path, keys[who] as Keys)

    test('a past post, a reply, a quote and a poll are in timelines and searches', async () => {
      const old = await admin.call('POST', '/posts', {
        ...{ author: 'ann', text: 'The old quokka bridge', created_at: '-3d', lang: 'en' },
        possibly_sensitive: true,
      })
      const age = Date.now() - Date.parse(String(old.created_at))
      assert.ok(age >= 3 * 86_400_000 && age < 3 * 86_400_000 + 300_000)
      const same = await admin.call('POST', '/posts', {
        author: 'bob',
        text: 'twice',
        created_at: old.created_at,
      })
      assert.equal(same.created_at, old.created_at)
      assert.notEqual(same.id, old.id)
      const reply = await admin.call('POST', '/posts', {
        ...{ author: 'bob', text: 'It is a quokka', in_reply_to_post_id: old.id, created_at: '-2d' },
      })
      const quote = await admin.call('POST', '/posts', { author: 'cyd', text: 'See', quote_post_id: old.id })
      const poll = { options: ['yes', 'no'], duration_minutes: 60 }
      await admin.call('POST', '/posts', { author: 'ann', text: 'Well?', poll })
      const fields = 'post.fields=created_at,conversation_id,public_metrics,possibly_sensitive,lang'
      const seen = await as('bob', `/2/posts?ids=${old.id},${reply.id},${quote.id}&${fields}`)
      const { data } = seen.json as { data: Data[] }
      assert.deepEqual(
        data.map((post) => [post.id, post.text, post.conversation_id]),
        [
          [old.id, 'The old quokka bridge', old.id],
          [reply.id, 'It is a quokka', old.id],
          [quote.id, quote.text, quote.id],
        ],
      )
      assert.equal(data[0]?.possibly_sensitive, true)
      assert.equal(
        Date.parse(String(data[0]?.created_at)),
        Math.floor(Date.parse(String(old.created_at)) / 1000) * 1000,
      )
      const metrics = data[0]?.public_metrics as { reply_count: number; quote_count: number }
      assert.deepEqual([metrics.reply_count, metrics.quote_count], [1, 1])
      const bearer = await client.bearer(keys.ann as Keys)
      await until('both are found', async () => {
        const found = await client.send('GET', '/2/posts/search/recent?query=quokka', {
          headers: { authorization: `Bearer ${bearer}` },
        })
        return (found.json as { meta: { result_count: number } }).meta.result_count === 2
      })
      const texts = (await admin.all<Data>('/users/ann/posts')).map(({ text }) => text)
      // A token that no page has: the first page, and no error.
      assert.ok((await admin.send('GET', '/users/ann/posts?pagination_token=x9')).status < 500)
      assert.deepEqual(texts, ['Well?', 'The old quokka bridge'])
      await admin.call('DELETE', `/posts/${reply.id}`)
      assert.deepEqual(await admin.wrong('GET', `/posts/${reply.id}`), [404, `There is no post ${reply.id}.`])
      assert.equal((await admin.call('GET', `/posts/${old.id}`)).reply_count, 0)
    })

    test('users follow, block, mute, like and repost', async () => {
      const post = await admin.call('POST', '/posts', { author: 'ann', text: 'Like me' })
      const liked = await admin.call('PUT', `/users/bob/posts/${post.id}/likes`)
      assert.deepEqual(liked, { user_id: ids.bob, post_id: post.id })
      await admin.call('PUT', `/users/bob/posts/${post.id}/likes`)
      const { repost_id } = await admin.call('PUT', `/users/cyd/posts/${post.id}/reposts`)
      assert.equal((await admin.call('GET', `/posts/${repost_id}`)).repost_of_post_id, post.id)
      await admin.call('PUT', `/users/cyd/posts/${post.id}/bookmarks`)
      const counts = await admin.call('GET', `/posts/${post.id}`)
      assert.deepEqual([counts.like_count, counts.repost_count, counts.bookmark_count], [1, 1, 1])
      await admin.call('DELETE', `/users/bob/posts/${post.id}/likes`)
      await admin.call('DELETE', `/users/cyd/posts/${post.id}/reposts`)
      const after = await admin.call('GET', `/posts/${post.id}`)
      assert.deepEqual([after.like_count, after.repost_count], [0, 0])

      assert.equal((await admin.call('PUT', '/users/bob/following/ann')).pending, false)
      await admin.call('PUT', '/users/bob/following/cyd')
      const names = async (path: string) =>
        (await admin.all<Data>(path)).map(({ screen_name }) => screen_name)
      assert.deepEqual(new Set(await names('/users/bob/following')), new Set(['ann', 'cyd']))
      await admin.call('PUT', '/users/ann', { protected: true })
      assert.equal((await admin.call('PUT', '/users/cyd/following/ann')).pending, true)
      await admin.call('POST', '/users/ann/accept_follow', { follower: 'cyd' })
      assert.equal((await admin.call('GET', '/users/ann')).followers_count, 2)
      await admin.call('DELETE', '/users/cyd/following/ann')
      assert.equal((await admin.call('PUT', '/users/cyd/following/ann', { accept: true })).pending, false)
      await admin.call('PUT', '/users/ann', { protected: false })
      await admin.call('PUT', '/users/ann/blocking/cyd')
      assert.deepEqual(await admin.wrong('PUT', '/users/cyd/following/ann'), [
        400,
        '@cyd is blocked by @ann.',
      ])
      assert.deepEqual(await names('/users/ann/blocking'), ['cyd'])
      await admin.call('DELETE', '/users/ann/blocking/cyd')
      await admin.call('PUT', '/users/ann/muting/bob')
      assert.deepEqual(await names('/users/ann/muting'), ['bob'])
      assert.deepEqual(await admin.wrong('PUT', '/users/ann/muting/ann'), [
        400,
        'Users have no relation to themselves.',
      ])
    })

    test('messages go to one user and to a group, now and in the past', async () => {
      const past = await admin.call('POST', '/direct_messages', {
        ...{ from: 'ann', to: ['bob'], text: 'Long ago', created_at: '-5d' },
      })
      const now = await admin.call('POST', '/direct_messages', {
        ...{ from: 'bob', conversation_id: past.conversation_id, text: 'Just now' },
      })
      assert.equal(now.conversation_id, past.conversation_id)
      const group = await admin.call('POST', '/direct_messages', {
        from: 'ann',
        to: ['bob', 'cyd'],
        text: 'All',
      })
      const seen = await as('bob', '/2/dm_events?event_types=MessageCreate&dm_event.fields=text')
      assert.deepEqual(
        new Set((seen.json as { data: Data[] }).data.map(({ text }) => text)),
        new Set(['Long ago', 'Just now', 'All']),
      )
      const listed = await admin.all<Data>('/users/bob/direct_messages')
      assert.deepEqual(
        listed.map(({ text }) => text),
        ['All', 'Just now', 'Long ago'],
      )
      assert.equal(listed[0]?.conversation_id, group.conversation_id)
    })

    test('an account with its funding, campaign and line item is that of the advertising API', async () => {
      const account = await admin.call('POST', '/accounts', {
        ...{ name: 'Bridges', owner: 'ann', timezone: 'Europe/Berlin', features: ['BRAND_TPN'] },
        users: [{ user: 'bob', roles: ['AD_MANAGER'] }],
        funding: [{ currency: 'EUR', type: 'CREDIT_LINE', credit_limit_local_micro: 5_000_000_000 }],
      })
      const path = `/accounts/${account.id}`
      const [funding] = account.funding_instrument_ids as string[]
      const campaign = await admin.call('POST', `${path}/campaigns`, {
        ...{ name: 'First', funding_instrument_id: funding, daily_budget_amount_local_micro: 1_000_000 },
      })
      const lineItem = await admin.call('POST', `${path}/line_items`, {
        ...{ campaign_id: campaign.id, objective: 'ENGAGEMENTS', product_type: 'PROMOTED_POSTS' },
        ...{ placements: ['ALL_ON_SERVICE'], bid_amount_local_micro: 500_000, name: 'Item' },
        ...{ start_time: '2031-01-01T00:00:00Z', end_time: '2031-02-01T00:00:00Z' },
      })
      const ads = (what: string) =>
        client.signed('GET', `${opened.plaza.urls.ads}/12${path}/${what}`, keys.ann as Keys)
      for (const [what, made] of [
        ['campaigns', campaign],
        ['line_items', lineItem],
      ] as const) {
        const { data } = (await ads(what)).json as { data: Data[] }
        assert.deepEqual(
          data.map(({ id, name }) => [id, name]),
          [[made.id, made.name]],
        )
      }
      const [status, says] = await admin.wrong('POST', `${path}/campaigns`, {
        ...{ name: 'Second', funding_instrument_id: funding, daily_budget_amount_local_micro: 1_000_001 },
        total_budget_amount_local_micro: 1,
      })
      assert.equal(status, 400)
      assert.match(says, /budget/i)
      assert.match(
        (await admin.wrong('POST', `${path}/campaigns`, { name: 'X' }))[1],
        /funding_instrument_id/,
      )
      const ofCampaign = `${path}/campaigns/${campaign.id}`
      const paused = await admin.call('PUT', ofCampaign, {
        ...{ name: 'Renamed', entity_status: 'PAUSED', as_user: 'bob' },
      })
      assert.deepEqual([paused.name, paused.entity_status], ['Renamed', 'PAUSED'])
      const { data: shown } = (await ads(`campaigns/${campaign.id}`)).json as { data: Data }
      assert.deepEqual([shown.name, shown.entity_status], ['Renamed', 'PAUSED'])
      const [broken, why] = await admin.wrong('PUT', ofCampaign, { total_budget_amount_local_micro: 1 })
      assert.equal(broken, 400)
      assert.match(why, /budget/i)
      assert.deepEqual(await admin.wrong('PUT', ofCampaign, { colour: 'red' }), [
        400,
        'colour: is not one of [name,budget_optimization,daily_budget_amount_local_micro,total_budget_amount_local_micro,entity_status,purchase_order_number,standard_delivery,as_user]',
      ])
      const other = await admin.call('POST', `${path}/campaigns`, {
        ...{ name: 'Third', funding_instrument_id: funding, daily_budget_amount_local_micro: 1_000_000 },
      })
      assert.deepEqual(
        (await admin.all<Data>(`${path}/campaigns`)).map(({ name }) => name),
        ['Renamed', 'Third'],
      )
      const ofItem = `${path}/line_items/${lineItem.id}`
      assert.equal((await admin.call('PUT', ofItem, { bid_amount_local_micro: 700_000 })).id, lineItem.id)
      const [item] = await admin.all<Data>(`${path}/line_items`)
      assert.equal(item?.bid_amount_local_micro, 700_000)
      assert.equal((await admin.call('DELETE', ofItem)).deleted, true)
      assert.deepEqual(await admin.all(`${path}/line_items`), [])
      assert.equal((await admin.all(`${path}/line_items?with_deleted=true`)).length, 1)
      assert.deepEqual(await admin.wrong('DELETE', ofItem), [
        404,
        `The account ${account.id} has no line item ${lineItem.id}.`,
      ])
      await admin.call('DELETE', `${path}/campaigns/${other.id}`)
      assert.deepEqual(await admin.wrong('PUT', `${path}/campaigns/${other.id}`, { name: 'X' }), [
        404,
        `The account ${account.id} has no campaign ${other.id}.`,
      ])
      assert.deepEqual(await admin.wrong('GET', '/accounts/x1/campaigns'), [404, 'There is no account x1.'])
      await admin.call('DELETE', `${path}/users/bob`)
      assert.deepEqual(await admin.wrong('DELETE', `${path}/users/bob`), [
        404,
        `@bob has no access to ${account.id}.`,
      ])
      assert.deepEqual(
        await admin.wrong('POST', '/accounts', { name: 'X', owner: 'ann', timezone: 'Atlantis' }),
        [400, 'There is no time zone "Atlantis".'],
      )
    })

    test('a webhook that the admin API registers gets what is emitted and posted, at once', async () => {
      const receiver = await startReceiver(app.consumer_secret)
      try {
        const webhook = await admin.call('POST', '/webhooks', { app_id: app.id, url: receiver.url })
        const path = `/apps/${app.id}/activity_subscriptions`
        for (const event_type of ['post.create', 'follow.follow'])
          await admin.call('POST', path, { event_type, filter: { user_id: ids.bob }, webhook_id: webhook.id })
        assert.equal((await admin.all(path)).length, 2)
        const emitted = await admin.call('POST', '/emit', { event_type: 'follow.follow', user: 'bob' })
        assert.equal(emitted.event_type, 'follow.follow')
        await admin.call('POST', '/posts', { author: 'bob', text: 'Breaking' })
        await admin.call('POST', '/posts', { author: 'bob', text: 'Long ago', created_at: '-1d' })
        await until('both are delivered', () => receiver.deliveries.length >= 2)
        const types = () =>
          receiver.deliveries.map(({ body }) => (JSON.parse(body) as { data: Data }).data.event_type).sort()
        assert.deepEqual(new Set(types()), new Set(['follow.follow', 'post.create']))
        const deliveries = await until('both have ended', async () => {
          const all = await admin.all<Data>(`/deliveries?webhook_id=${webhook.id}&state=delivered`)
          return all.length === 2 && all
        })
        const whole = await admin.call('GET', `/deliveries/${deliveries[0]?.id}`)
        assert.equal(whole.url, receiver.url)
        await admin.call('POST', `/deliveries/${deliveries[0]?.id}/resend`)
        await until('it is sent again', () => receiver.deliveries.length >= 3)
        assert.equal((await admin.call('POST', `/webhooks/${webhook.id}/check`)).valid, true)
        assert.deepEqual(await admin.wrong('POST', '/webhooks', { app_id: app.id, url: receiver.url }), [
          400,
          'DuplicateUrlFailed: this app has already registered the URL',
        ])
        await admin.call('DELETE', `/webhooks/${webhook.id}`)
        assert.deepEqual(await admin.call('GET', `/apps/${app.id}/webhooks`), [])
      } finally {
        await receiver.close()
      }
      assert.match(
        (await admin.wrong('POST', '/emit', { event_type: 'x' }))[1],
        /^"x" is not an event type\./,
      )
      assert.match((await admin.wrong('POST', '/emit', { event_type: 'post.create' }))[1], /needs `user`/)
      assert.match(
        (await admin.wrong('POST', '/emit', { event_type: 'post.create', user: 'bob', with: { x: 1 } }))[1],
        /\$\.x/,
      )
    })

    test('a webhook that is subscribed to users gets what they do', async () => {
      const receiver = await startReceiver(app.consumer_secret)
      try {
        const webhook = await admin.call('POST', '/webhooks', { app_id: app.id, url: receiver.url })
        const path = `/webhooks/${webhook.id}/account_subscriptions`
        const subscribed = { webhook_id: webhook.id, user_id: ids.bob }
        assert.deepEqual(await admin.call('PUT', `${path}/bob`), subscribed)
        assert.deepEqual(await admin.call('PUT', `${path}/${ids.bob}`), subscribed)
        assert.deepEqual(await admin.call('GET', path), [subscribed])
        const post = await admin.call('POST', '/posts', { author: 'bob', text: 'Subscribed' })
        const [first] = await until(
          'it is delivered',
          () => receiver.deliveries.length > 0 && receiver.deliveries,
        )
        const sent = JSON.parse(first?.body ?? '') as { for_user_id: string; post_create_events: Data[] }
        assert.deepEqual([sent.for_user_id, sent.post_create_events[0]?.id_str], [ids.bob, post.id])
        assert.deepEqual(await admin.wrong('PUT', `${path}/cyd`), [
          409,
          `@cyd has not given the app ${app.id} access to posts and users.`,
        ])
        assert.deepEqual(await admin.wrong('PUT', `${path}/nobody`), [404, 'There is no user nobody.'])
        assert.deepEqual(await admin.call('DELETE', `${path}/bob`), { deleted: true })
        assert.deepEqual(await admin.wrong('DELETE', `${path}/bob`), [
          404,
          `The webhook ${webhook.id} has no subscription to the user bob.`,
        ])
        assert.deepEqual(await admin.call('GET', path), [])
        await admin.call('DELETE', `/webhooks/${webhook.id}`)
        assert.deepEqual(await admin.wrong('GET', path), [404, `There is no webhook ${webhook.id}.`])
      } finally {
        await receiver.close()
      }
    })

    test('a post shows a picture that was uploaded as its author', async () => {
      const picture = png(40, 30)
      const upload = async (query: string, body: Buffer, type = 'image/png') => {
        const url = `${opened.plaza.urls.console}/admin/v1/media?${query}`
        const reply = await client.send('POST', url, { body, headers: { 'content-type': type } })
        const { data, errors } = reply.json as { data: Data; errors?: { message: string }[] }
        return { status: reply.status, data, says: errors?.map(({ message }) => message) }
      }
      const { status, data: medium } = await upload('user=ann&alt_text=A+bridge', picture)
      assert.equal(status, 201)
      assert.deepEqual(
        [medium.type, medium.width, medium.height, medium.alt_text, medium.media_key],
        ['IMAGE', 40, 30, 'A bridge', `3_${medium.id}`],
      )
      const post = await admin.call('POST', '/posts', { author: 'ann', text: 'See', media_ids: [medium.id] })
      const query = 'expansions=attachments.media_keys&media.fields=alt_text,url'
      const seen = (await as('bob', `/2/posts/${post.id}?${query}`)).json as {
        includes: { media: Data[] }
      }
      const [shown] = seen.includes.media
      assert.deepEqual([shown?.media_key, shown?.alt_text], [medium.media_key, 'A bridge'])
      const file = await client.send('GET', String(shown?.url))
      assert.deepEqual([file.status, file.headers['content-type']], [200, 'image/png'])
      const others = await admin.wrong('POST', '/posts', { author: 'bob', text: 'x', media_ids: [medium.id] })
      assert.equal(others[0], 400)

      assert.deepEqual(await upload('user=nobody', picture).then(({ status, says }) => [status, says]), [
        400,
        ['There is no user nobody.'],
      ])
      assert.equal((await upload('user=ann', Buffer.from('no picture'))).status, 400)
      assert.equal((await upload('user=ann', picture, 'text/plain')).status, 415)
      assert.equal((await upload('user=ann', Buffer.alloc(16 * 1024 * 1024))).status, 400)
    })

    test('rules are added, listed and deleted, and a wrong one is explained', async () => {
      const path = `/apps/${app.id}/stream_rules`
      const rule = await admin.call('POST', path, { value: 'bridge lang:en', tag: 'bridges' })
      assert.deepEqual(await admin.all(path), [rule])
      assert.deepEqual(await admin.wrong('POST', path, { value: 'bridge lang:en' }), [
        400,
        `The app has this rule already: ${rule.id}.`,
      ])
      const [status, says] = await admin.wrong('POST', path, { value: '(bridge' })
      assert.equal(status, 400)
      assert.ok(says.length > 10, says)
      await admin.call('DELETE', `${path}/${rule.id}`)
      assert.equal((await admin.wrong('DELETE', `${path}/${rule.id}`))[0], 404)
    })

    test('wrong values of posts and messages are named and change nothing', async () => {
      const posts = await admin.all('/users/ann/posts')
      for (const [path, body, says] of [
        ['/posts', { author: 'nobody', text: 'x' }, /^There is no user nobody\.$/],
        ['/posts', { author: 'ann' }, /^A post needs text/],
        ['/posts', { author: 'ann', text: 'x', in_reply_to_post_id: '1' }, /^There is no post 1\.$/],
        [
          '/posts',
          {
            author: 'ann',
            text: 'x',
            quote_post_id: '1',
            poll: { options: ['a', 'b'], duration_minutes: 9 },
          },
          /not several/,
        ],
        [
          '/posts',
          { author: 'ann', text: 'x', created_at: '2999-01-01T00:00:00Z' },
          /^`created_at` must be from/,
        ],
        ['/posts', { author: 'ann', text: 'x', media_ids: ['1'] }, /^The author cannot show the medium 1/],
        ['/posts', { author: 'ann', text: 'x', place_id: '0000000000000000' }, /^There is no place/],
        ['/posts', { author: 'ann', text: 'x', app_id: '1' }, /^There is no app with the id 1\.$/],
        [
          '/direct_messages',
          { from: 'ann', to: ['ann'], text: 'x' },
          /^Users cannot send messages to themselves/,
        ],
        ['/direct_messages', { from: 'ann', text: 'x' }, /either `to` or `conversation_id`/],
        [
          '/direct_messages',
          { from: 'ann', conversation_id: '1', text: 'x' },
          /^@ann is in no conversation 1\.$/,
        ],
      ] as const) {
        const [status, said] = await admin.wrong('POST', path, body)
        assert.equal(status, 400, said)
        assert.match(said, says)
      }
      assert.deepEqual(await admin.all('/users/ann/posts'), posts)
      await admin.call('POST', '/users', { screen_name: 'dan', name: 'Dan', password: 'secret' })
      await admin.call('PUT', '/users/dan', { direct_messages_from: 'followed' })
      assert.deepEqual(
        await admin.wrong('POST', '/direct_messages', { from: 'cyd', to: ['dan'], text: 'x' }),
        [400, '@dan accepts no messages from @cyd.'],
      )
    })
  })
}
