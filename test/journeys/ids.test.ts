import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ManualClock } from '../../src/platform/common/clock.ts'
import { Client, demoKeys, type Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { importLines } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

interface Body {
  data?: { id: string; most_recent_post_id?: string; like_count?: number }[]
  meta?: { result_count: number; newest_id?: string; oldest_id?: string; next_token?: string }
}

const okay = (reply: Reply): Body => {
  assert.ok(reply.status < 300, reply.text)
  return reply.json as Body
}
const idsOf = ({ data = [] }: Body) => data.map(({ id }) => id)
const idOf = (reply: Reply, status: number): string => {
  assert.equal(reply.status, status, reply.text)
  return (reply.json as { data: { id: string } }).data.id
}

/** Ids of those years, of 17 to 19 digits. Each has a time. */
const OLD = {
  2011: '69999999999999999',
  2012: '210000000000000000',
  2015: '600000000000000000',
  2022: '1500000000000000000',
} as const
const OLDER = [OLD[2022], OLD[2015], OLD[2012], OLD[2011]]
const PAST_64_BITS = '9999999999999999999'
const HOME = 'timelines/reverse_chronological'

for (const stage of stages) {
  describe(`posts of earlier years on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ada: Person
    let bob: Person
    /** Today's posts of the author, oldest first. */
    let today: string[]
    /** All posts, newest first. */
    let all: string[]

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      ada = await Person.join(opened.plaza, client)
      bob = await Person.join(opened.plaza, client)
      const publish = async (who: Person, body: object) => {
        opened.plaza.clock.advance(1_000)
        return idOf(await who.core('POST', '/2/posts', body), 201)
      }
      const text = (when: string) => `Heron of ${when} @${bob.screenName}`
      const first = await publish(ada, { text: text('today') })
      const reasons = await importLines(
        opened.plaza.context,
        Object.entries(OLD).map(([year, id]) => ({
          id,
          author_id: ada.id,
          text: text(year),
          lang: 'en',
          ...(year !== '2011' && { referenced_posts: [{ type: 'quoted', id: OLD[2011] }] }),
        })),
      )
      assert.deepEqual(reasons, [])
      const second = await publish(ada, { text: `${text('today')} too`, quote_post_id: OLD[2011] })
      today = [first, second]
      all = [second, first, ...OLDER]
      okay(await bob.core('POST', `/2/users/${bob.id}/following`, { target_user_id: ada.id }))
      await until('every post is found', async () => (await search({})).length === all.length)
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    const search = async (more: Record<string, string>) => {
      const sent = { query: 'heron', start_time: '2010-12-01T00:00:00Z', until_id: PAST_64_BITS, ...more }
      const authorization = `Bearer ${await client.bearer(demoKeys(opened.plaza))}`
      return idsOf(
        okay(
          await client.send('GET', `/2/posts/search/all?${new URLSearchParams(sent)}`, {
            headers: { authorization },
          }),
        ),
      )
    }
    const read = async (path: string, more: Record<string, string> = {}) =>
      okay(await bob.core('GET', `/2/users/${path}?${new URLSearchParams(more)}`))
    const timelines = () => [`${ada.id}/posts`, `${bob.id}/${HOME}`, `${bob.id}/mentions`]

    test('are older than those of today in every timeline', async () => {
      for (const path of timelines()) {
        const page = await read(path)
        assert.deepEqual(idsOf(page), all, path)
        assert.deepEqual(page.meta, { result_count: 6, newest_id: today[1], oldest_id: OLD[2011] }, path)
      }
      assert.deepEqual(await search({}), all)
    })

    test('are paged in that order, in both directions', async () => {
      for (const path of timelines()) {
        const first = await read(path, { max_results: '5' })
        assert.deepEqual(idsOf(first), all.slice(0, 5), path)
        const second = await read(path, { max_results: '5', pagination_token: first.meta?.next_token ?? '' })
        assert.deepEqual(idsOf(second), all.slice(5), path)
        const { previous_token } = second.meta as { previous_token?: string }
        const back = await read(path, { max_results: '5', pagination_token: previous_token ?? '' })
        assert.deepEqual(idsOf(back), all.slice(0, 5), path)
      }
    })

    test('are outside of windows that begin later, and inside of those that end later', async () => {
      const [first = '', second = ''] = today
      const windows: [Record<string, string>, string[]][] = [
        [{ since_id: first }, [second]],
        [{ since_id: OLD[2012] }, all.slice(0, 4)],
        [{ since_id: OLD[2011], until_id: OLD[2015] }, [OLD[2012]]],
        [{ until_id: OLD[2015] }, [OLD[2012], OLD[2011]]],
        [{ end_time: '2016-01-01T00:00:00Z' }, [OLD[2015], OLD[2012], OLD[2011]]],
        [{ start_time: '2012-01-01T00:00:00Z', end_time: '2016-01-01T00:00:00Z' }, [OLD[2015], OLD[2012]]],
        [{ start_time: '2016-01-01T00:00:00Z' }, all.slice(0, 3)],
      ]
      for (const [window, expected] of windows) {
        const { until_id = '', ...rest } = window
        for (const path of timelines())
          assert.deepEqual(idsOf(await read(path, window)), expected, `${path} ${JSON.stringify(window)}`)
        const more = { ...rest, ...(until_id === '' ? {} : { until_id }) }
        // A search cannot have both ends.
        if (rest.end_time === undefined)
          assert.deepEqual(await search(more), expected, `search ${JSON.stringify(window)}`)
      }
    })

    test('bounds of one digit and of more than 64 bits are before and after all posts', async () => {
      const windows: [Record<string, string>, string[]][] = [
        [{ since_id: PAST_64_BITS }, []],
        [{ until_id: PAST_64_BITS }, all],
        [{ since_id: '1' }, all],
        [{ until_id: '1' }, []],
        [{ since_id: '0000000000000000007' }, all],
        [{ end_time: '2099-01-01T00:00:00Z' }, all],
        [{ start_time: '2099-01-01T00:00:00Z' }, []],
        [{ start_time: '2006-03-21T00:00:00Z' }, all],
        [{ end_time: '2006-03-21T00:00:00Z' }, []],
        [{ since_id: '1', until_id: PAST_64_BITS, end_time: '9999-12-31T23:59:59Z' }, all],
      ]
      for (const path of timelines())
        for (const [window, expected] of windows)
          assert.deepEqual(idsOf(await read(path, window)), expected, `${path} ${JSON.stringify(window)}`)
    })

    test('an author’s newest post is not one of those', async () => {
      const { data } = okay(await bob.core('GET', `/2/users?ids=${ada.id}&user.fields=most_recent_post_id`))
      assert.equal(data?.[0]?.most_recent_post_id, today[1])
    })

    test('are older than those of today among the quotes of a post', async () => {
      const path = `/2/posts/${OLD[2011]}/quote_posts`
      const quotes = all.filter((id) => id !== OLD[2011] && id !== today[0])
      assert.deepEqual(idsOf(okay(await bob.core('GET', path))), quotes)
    })

    test('ids that are no ids of posts are reported', async () => {
      for (const id of [PAST_64_BITS, '9223372036854775808', '1', '0']) {
        const reply = await bob.core('GET', `/2/posts/${id}`)
        assert.equal(reply.status, 200, reply.text)
        const { errors } = reply.json as { errors: { title: string; resource_id: string }[] }
        assert.deepEqual(
          errors.map(({ title, resource_id }) => [title, resource_id]),
          [['Not Found Error', id]],
        )
        const like = await bob.core('POST', `/2/users/${bob.id}/likes`, { post_id: id })
        assert.deepEqual((like.json as { errors: { title: string }[] }).errors[0]?.title, 'Not Found Error')
      }
    })
  })

  /** Less than a minute before ids get a 19th digit, at 2018-05-25T13:05:53Z. */
  const BEFORE_MS = Date.UTC(2018, 4, 25, 13, 5)
  const STEP_MS = 20_000

  describe(`ids of 18 and 19 digits on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let headers: { authorization: string }
    let ada: Person
    let bob: Person
    /** Ids of four things of each kind, oldest first: two of 18 digits, and two of 19. */
    const made = { posts: [''], messages: [''], rules: [''], subscriptions: [''] }

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' }, { clock: new ManualClock(BEFORE_MS) })
      client = new Client(opened.plaza)
      headers = { authorization: `Bearer ${await client.bearer(demoKeys(opened.plaza))}` }
      ada = await Person.join(opened.plaza, client)
      bob = await Person.join(opened.plaza, client)
      for (const ids of Object.values(made)) ids.pop()
      for (const event_type of ['post.create', 'post.delete', 'follow.follow', 'follow.unfollow']) {
        opened.plaza.clock.advance(STEP_MS)
        made.posts.push(idOf(await ada.core('POST', '/2/posts', { text: `About ${event_type}` }), 201))
        const sent = await ada.core('POST', `${conversation()}/messages`, { text: event_type })
        made.messages.push((sent.json as { data: { dm_event_id: string } }).data.dm_event_id)
        const { data } = await call('POST', RULES, { add: [{ value: event_type.replace('.', ' ') }] })
        made.rules.push(data?.[0]?.id ?? '')
        const subscribed = await call('POST', SUBSCRIPTIONS, { event_type, filter: { user_id: ada.id } })
        const { subscription } = subscribed.data as unknown as { subscription: { subscription_id: string } }
        made.subscriptions.push(subscription.subscription_id)
      }
      for (const ids of Object.values(made))
        assert.deepEqual(
          ids.map((id) => id.length),
          [18, 18, 19, 19],
        )
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    const RULES = '/2/posts/search/stream/rules'
    const SUBSCRIPTIONS = '/2/activity/subscriptions'
    const conversation = () => `/2/dm_conversations/with/${bob.id}`
    const call = async (method: string, path: string, json?: object) =>
      okay(await client.send(method, path, { headers, ...(json && { json }) }))
    /** The ids of two pages. */
    const twoPages = async (
      read: (more: string) => Promise<Body>,
      idIn = (one: { id: string }) => one.id,
    ) => {
      const first = await read('max_results=3')
      const second = await read(`max_results=3&pagination_token=${first.meta?.next_token}`)
      return [first, second].map(({ data = [] }) => data.map(idIn))
    }
    const pagesOf = (ids: readonly string[]) => [ids.slice(0, 3), ids.slice(3)]

    test('order direct messages, newest first', async () => {
      for (const path of [`${conversation()}/dm_events`, '/2/dm_events'])
        assert.deepEqual(
          await twoPages(async (more) => okay(await ada.core('GET', `${path}?${more}`))),
          pagesOf(made.messages.toReversed()),
          path,
        )
    })

    test('order rules of streams and subscriptions to activities, oldest first', async () => {
      assert.deepEqual(await twoPages((more) => call('GET', `${RULES}?${more}`)), pagesOf(made.rules))
      assert.deepEqual(
        await twoPages(
          (more) => call('GET', `${SUBSCRIPTIONS}?${more}`),
          (one) => (one as unknown as { subscription_id: string }).subscription_id,
        ),
        pagesOf(made.subscriptions),
      )
    })

    test('order posts, newest first', async () => {
      const path = `/2/users/${ada.id}/posts`
      assert.deepEqual(idsOf(okay(await bob.core('GET', path))), made.posts.toReversed())
      const later = okay(await bob.core('GET', `${path}?since_id=${made.posts[1]}`))
      assert.deepEqual(idsOf(later), made.posts.slice(2).toReversed())
    })
  })
}
