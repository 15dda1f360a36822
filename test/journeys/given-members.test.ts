import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys, type Keys } from '../support/client.ts'
import { until } from '../support/until.ts'
import { png } from '../support/media.ts'
import { seededApp } from '../support/seeded-app.ts'
import { type Opened, stages } from '../support/stages.ts'

// Members that the core API shows and that no call of it sets: topics of spaces, votes in polls,
// labels of users, and texts of media.

type Data = Record<string, unknown>
interface Reply {
  data: Data
  includes?: Record<string, Data[]>
}

for (const stage of stages) {
  describe(`members that only the operator gives on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    let keys: Keys

    before(async () => {
      opened = await stage.open(
        {
          rateLimits: 'off',
          seed: {
            users: [
              { screen_name: 'ann', name: 'Ann', parody: true },
              { screen_name: 'bob', name: 'Bob', is_identity_verified: true },
              { screen_name: 'cyd', name: 'Cyd', protected: true },
              { screen_name: 'dot', name: 'Dot' },
            ],
            apps: [seededApp('ann')],
            spaces: [
              {
                ...{ creator: 'bob', title: 'Bread', subscriber_count: 7 },
                topics: [{ name: 'Baking', description: 'Of bread' }, { name: 'Bridges' }],
              },
            ],
          },
        },
        { usesOwnClock: true, backgroundTasks: true },
      )
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
      keys = demoKeys(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const get = async (path: string): Promise<Reply> => {
      const { status, json, text } = await client.signed('GET', path, keys)
      assert.equal(status, 200, text)
      return json as Reply
    }

    test('a space has topics and subscribers; an expansion includes the topics', async () => {
      const space = await admin.call('POST', '/spaces', {
        ...{
          creator: 'bob',
          title: 'More bread',
          topics: [{ name: 'Baking' }, { name: 'Rye' }, { name: 'Rye' }],
        },
      })
      const fields = 'space.fields=topic_ids,subscriber_count&expansions=topic_ids'
      const { data, includes } = await get(`/2/spaces/${space.id}?${fields}`)
      const [baking, rye] = data.topic_ids as string[]
      assert.deepEqual(data, {
        ...{ id: space.id, state: 'live', topic_ids: [baking, rye], subscriber_count: 0 },
      })
      assert.deepEqual(includes, {
        topics: [
          { id: baking, name: 'Baking', description: 'Of bread' },
          { id: rye, name: 'Rye' },
        ],
      })
      const [seeded] = (await admin.all<Data>('/spaces')).filter(({ title }) => title === 'Bread')
      const shown = await get(`/2/spaces/${seeded?.id}?${fields}&topic.fields=name`)
      assert.deepEqual([shown.data.subscriber_count, (shown.data.topic_ids as string[])[0]], [7, baking])
      assert.deepEqual(
        shown.includes?.topics?.map(({ name, description }) => [name, description]),
        [
          ['Baking', 'Of bread'],
          ['Bridges', undefined],
        ],
      )
      const plain = await admin.call('POST', '/spaces', { creator: 'ann', title: 'No topic' })
      assert.deepEqual((await get(`/2/spaces/${plain.id}?${fields}`)).data, {
        ...{ id: plain.id, state: 'live', subscriber_count: 0 },
      })
      const seed = await admin.call<{ spaces: Data[] }>('GET', '/seed')
      assert.deepEqual(seed.spaces[0]?.topics, [
        { name: 'Baking', description: 'Of bread' },
        { name: 'Bridges' },
      ])
      assert.equal(seed.spaces[0]?.subscriber_count, 7)
    })

    test('a vote counts once for each user, while the poll is open and the user sees it', async () => {
      const poll = { options: ['yes', 'no'], duration_minutes: 60 }
      const post = await admin.call('POST', '/posts', { author: 'bob', text: 'Well?', poll })
      const path = (user: string, id = post.id) => `/users/${user}/posts/${id}/vote`
      const votes = async () => {
        const { includes } = await get(`/2/posts/${post.id}?expansions=attachments.poll_ids`)
        const [shown] = includes?.polls ?? []
        return ((shown?.options ?? []) as { votes: number }[]).map((option) => option.votes)
      }
      const voted = await admin.call('PUT', path('ann'), { position: 2 })
      assert.deepEqual(voted, { user_id: voted.user_id, post_id: post.id, position: 2 })
      await admin.call('PUT', path('ann'), { position: 2 })
      await admin.call('PUT', path('cyd'), { position: 1 })
      assert.deepEqual(await votes(), [1, 1])
      assert.deepEqual(await admin.wrong('PUT', path('ann'), { position: 1 }), [
        409,
        '@ann has chosen another answer.',
      ])
      assert.deepEqual(await admin.wrong('PUT', path('bob'), { position: 3 }), [
        400,
        'The poll has no answer 3.',
      ])
      const hidden = await admin.call('POST', '/posts', { author: 'cyd', text: 'Friends?', poll })
      const none = await admin.call('POST', '/posts', { author: 'bob', text: 'No poll' })
      for (const id of [hidden.id, none.id, '17'])
        assert.deepEqual(await admin.wrong('PUT', path('ann', id), { position: 1 }), [
          404,
          `@ann sees no poll of a post ${id}.`,
        ])
      const old = await admin.call('POST', '/posts', { author: 'bob', text: 'Old', poll, created_at: '-2h' })
      assert.deepEqual(await admin.wrong('PUT', path('ann', old.id), { position: 1 }), [
        409,
        'The poll is closed.',
      ])
      await admin.call('DELETE', '/users/cyd')
      await until('the vote of the deleted user is taken back', async () => (await votes())[0] === 0)
      assert.deepEqual(await votes(), [0, 1])
    })

    test('a post shows what requests for a community note suggest', async () => {
      const post = await admin.call('POST', '/posts', { author: 'bob', text: 'The moon is bread' })
      const fields =
        'post.fields=note_request_suggestions,suggested_source_links,suggested_source_links_with_counts'
      const members = async () => {
        const { id, text, edit_history_post_ids, ...more } = (await get(`/2/posts/${post.id}?${fields}`)).data
        return more
      }
      const ask = (user: string, body?: object) =>
        until('the post can be noted', async () => {
          const { status } = await admin.send('PUT', `/posts/${post.id}/note_requests/${user}`, body ?? {})
          return status === 200
        })
      await ask('ann')
      assert.deepEqual(await members(), {})
      await ask('ann', { source_link: 'https://moon.example.com/a' })
      await ask('bob', { source_link: 'https://moon.example.com/b', suggestion: 'It is rock.' })
      await ask('dot', { source_link: 'https://moon.example.com/b' })
      const link = (url: string) => ({
        ...{ start: 0, end: url.length, url, expanded_url: url, display_url: url.slice(8) },
      })
      const [a, b] = [link('https://moon.example.com/a'), link('https://moon.example.com/b')]
      const shown = await members()
      const suggestion = shown.note_request_suggestions as Data
      assert.deepEqual(shown, {
        note_request_suggestions: {
          ...{ suggestion_id: suggestion.suggestion_id, suggestion: 'It is rock.', source_link: b },
        },
        suggested_source_links: [b, a],
        suggested_source_links_with_counts: { count: 2, url: b },
      })
      const wrong = await admin.wrong('PUT', `/posts/${post.id}/note_requests/ann`, { source_link: 'moon' })
      assert.deepEqual([wrong[0], wrong[1].includes('source_link')], [400, true])
    })

    test('users have labels, and posts the texts of their media', async () => {
      const { data } = await get('/2/users/by?usernames=ann,bob&user.fields=parody,is_identity_verified')
      const labels = () => (data as unknown as Data[]).map((user) => [user.parody, user.is_identity_verified])
      assert.deepEqual(labels(), [
        [true, false],
        [false, true],
      ])
      const bob = await admin.call('PUT', '/users/bob', { parody: true })
      assert.deepEqual([bob.parody, bob.is_identity_verified], [true, true])
      const seed = await admin.call<{ users: Data[] }>('GET', '/seed')
      assert.deepEqual(
        seed.users.map((user) => [user.parody, user.is_identity_verified]),
        [
          [true, undefined],
          [true, true],
          [undefined, undefined],
        ],
      )

      const medium = await client.send('POST', `${opened.plaza.urls.console}/admin/v1/media?user=ann`, {
        headers: { 'content-type': 'image/png' },
        body: png(20, 20),
      })
      const { id } = (medium.json as { data: Data }).data
      const metadata = { id, metadata: { alt_text: { text: 'A wall' } } }
      assert.equal((await client.signed('POST', '/2/media/metadata', keys, { json: metadata })).status, 200)
      const made = await admin.call('POST', '/posts', { author: 'ann', media_ids: [id] })
      const shown = await get(`/2/posts/${made.id}?post.fields=media_metadata,attachments`)
      const [media_key] = (shown.data.attachments as { media_keys: string[] }).media_keys
      assert.deepEqual(shown.data.media_metadata, [{ media_key, alt_text: 'A wall' }])
      const without = await admin.call('POST', '/posts', { author: 'ann', text: 'No medium' })
      assert.equal(
        (await get(`/2/posts/${without.id}?post.fields=media_metadata`)).data.media_metadata,
        undefined,
      )
    })
  })
}
