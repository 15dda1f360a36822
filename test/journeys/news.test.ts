import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { refreshNews } from '../../src/domain/news/refresh.ts'
import { POSTS } from '../../src/domain/news/stories.fixture.ts'
import type { LoggedEvent } from '../../src/platform/events/event.ts'
import { readEvents } from '../../src/platform/events/log.ts'
import { Client, demoKeys } from '../support/client.ts'
import { allEventsHandled } from '../support/events.ts'
import { Person } from '../support/person.ts'
import { importLines, makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const newsPost = query<{ id: string }, { post_id: string }>('newsPostOfTest', (db, at) =>
  db.selectFrom('news_posts').select('post_id').where('post_id', '=', at.id),
)
const protect = query<{ id: string; hidden: number }>('protectAuthorOfNews', (db, at) =>
  db.updateTable('users').set({ protected: at.hidden }).where('id', '=', at.id),
)

interface Story {
  id: string
  rest_id: string
  name: string
  summary?: string
  updated_at?: string
  last_updated_at_ms?: string
  cluster_posts_results?: { post_id: string }[]
}
interface Body {
  data?: Story[]
  meta: { result_count: number }
}

for (const stage of stages) {
  describe(`news on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let bearer: { authorization: string }
    let authors: Record<'ann' | 'bob' | 'cid', Person>
    const posted: string[] = []

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      // Indexes that catch up make stories of what they find.
      await opened.plaza.caughtUp
      client = new Client(opened.plaza)
      bearer = { authorization: `Bearer ${await client.bearer(demoKeys(opened.plaza))}` }
      const join = () => Person.join(opened.plaza, client)
      authors = { ann: await join(), bob: await join(), cid: await join() }
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    const publish = async (author: keyof typeof authors, text: string) => {
      const { id } = await makePost(opened.plaza.context, { authorId: authors[author].id, text })
      await until(`post ${id} is read`, () => opened.plaza.context.store.first(newsPost, { id }))
      return id
    }
    const refresh = async () => {
      opened.plaza.clock.advance(MINUTE_MS)
      assert.equal(await opened.plaza.tasks.runDue('refresh news'), 1)
    }
    const get = async <T>(path: string): Promise<T> => {
      const reply = await client.send('GET', `/2/news/${path}`, { headers: bearer })
      assert.equal(reply.status, 200, reply.text)
      return reply.json as T
    }
    const search = (words: string, more: Record<string, string> = {}) =>
      get<Body>(`search?${new URLSearchParams({ query: words, ...more })}`)
    const remove = async (author: keyof typeof authors, id: string) => {
      const url = `${opened.plaza.urls.core}/2/posts/${id}`
      const reply = await client.signed('DELETE', url, authors[author].keys)
      assert.equal(reply.status, 200, reply.text)
    }
    const newsEvents = async (): Promise<LoggedEvent[]> =>
      (await readEvents(opened.plaza.context.store, { after: 0, limit: 1_000 })).filter(({ kind }) =>
        kind.startsWith('news.'),
      )

    test('stories appear within a minute of the posts that they are made of, with an event each', async () => {
      for (const [author, text] of POSTS) posted.push(await publish(author, text))
      assert.deepEqual(await search('bridge'), { meta: { result_count: 0 } })
      await refresh()
      const { data = [], meta } = await search('HARBOR bridge', { 'news.fields': ALL })
      const [story] = data
      assert.ok(story)
      const at = '2026-03-01T12:01:00.000Z'
      assert.deepEqual(meta, { result_count: 1 })
      assert.deepEqual(data, [
        {
          id: story.id,
          rest_id: story.id,
          name: 'Harbor Bridge, RivertonFlood, closed',
          category: 'News',
          cluster_posts_results: posted.slice(0, 3).map((post_id) => ({ post_id })),
          contexts: {
            topics: ['RivertonFlood'],
            entities: { events: [], organizations: [], people: [], places: ['Harbor Bridge'], products: [] },
            finance: { tickers: [] },
            sports: { teams: [] },
          },
          disclaimer:
            'This story is a summary that was made from posts automatically. It changes as posts are added, and it may be wrong.',
          hook: 'The Harbor Bridge in Riverton is closed after the flood.',
          keywords: ['Harbor Bridge', 'RivertonFlood', 'closed', 'flood'],
          last_updated_at_ms: at,
          summary:
            'The Harbor Bridge in Riverton is closed after the flood. Harbor Bridge closed again, the flood took two pillars #RivertonFlood. Mayor Jane Ortiz says the Harbor Bridge stays closed until the flood is over.',
          updated_at: at,
        },
      ])
      assert.deepEqual(
        (await newsEvents()).map(({ kind, data }) => [kind, data.name, data.category, data.keywords]),
        [
          [
            'news.appeared',
            'Harbor Bridge, RivertonFlood, closed',
            'News',
            'Harbor Bridge,RivertonFlood,closed,flood',
          ],
          [
            'news.appeared',
            'Lakeside Rovers, Riverton United, cup',
            'Sports',
            'Lakeside Rovers,Riverton United,cup,final',
          ],
          ['news.appeared', 'ACME X200, recall', 'Other', 'ACME X200,recall'],
        ],
      )
    })

    test('what is in no post is not found, and a story is found by all of its words', async () => {
      for (const words of ['harbor coffee', 'coffee', 'comet', '!!!'])
        assert.deepEqual(await search(words), { meta: { result_count: 0 } }, words)
      const found = await search('riverton', { max_results: '1' })
      assert.equal(found.meta.result_count, 1)
      const both = await search('riverton')
      assert.deepEqual(both.data?.map(({ name }) => name).sort(), [
        'Harbor Bridge, RivertonFlood, closed',
        'Lakeside Rovers, Riverton United, cup',
      ])
    })

    test('a story is read by its id, by a user too', async () => {
      const [story] = (await search('lakeside')).data ?? []
      assert.ok(story)
      const url = `${opened.plaza.urls.core}/2/news/${story.id}?news.fields=last_updated_at_ms`
      const reply = await client.signed('GET', url, authors.ann.keys)
      const { id, rest_id, name } = story
      const last_updated_at_ms = '2026-03-01T12:01:00.000Z'
      assert.deepEqual(reply.json, { data: { id, rest_id, name, last_updated_at_ms } })
    })

    test('a refresh without new posts changes nothing, and a new post updates its story', async () => {
      const [before] = (await search('harbor', { 'news.fields': 'updated_at' })).data ?? []
      const events = (await newsEvents()).length
      await refresh()
      assert.deepEqual((await search('harbor', { 'news.fields': 'updated_at' })).data, [before])
      assert.equal((await newsEvents()).length, events)
      posted.push(await publish('ann', 'Flood: the Harbor Bridge is closed for a month #RivertonFlood'))
      await refresh()
      const [after] =
        (await search('harbor', { 'news.fields': 'updated_at,cluster_posts_results' })).data ?? []
      assert.equal(after?.id, before?.id)
      assert.equal(after?.cluster_posts_results?.length, 4)
      assert.equal(after?.updated_at, '2026-03-01T12:03:00.000Z')
      const last = (await newsEvents()).at(-1)
      assert.deepEqual([last?.kind, last?.data.story_id], ['news.updated', before?.id])
    })

    test('of two concurrent refreshes, one writes', async () => {
      for (const author of ['ann', 'bob', 'cid'] as const)
        await publish(author, `A heron nests on the Clock Tower, says ${author}`)
      const { context } = opened.plaza
      const [one, other] = await Promise.all([refreshNews(context), refreshNews(context)])
      assert.equal(one.appeared + other.appeared, 1)
      assert.equal((await search('heron')).meta.result_count, 1)
    })

    test('a post that is deleted, or whose author is protected or suspended, is in no story from then on', async () => {
      const [story] = (await search('harbor')).data ?? []
      assert.ok(story)
      await remove('bob', posted[1] ?? '')
      const fields = `${story.id}?news.fields=cluster_posts_results,summary`
      const { data } = await get<{ data: Story }>(fields)
      assert.deepEqual(
        data.cluster_posts_results?.map(({ post_id }) => post_id).includes(posted[1] ?? ''),
        false,
      )
      assert.doesNotMatch(data.summary ?? '', /pillars/)
      const { store } = opened.plaza.context
      await store.write((tx) => tx.run(protect, { id: authors.cid.id, hidden: 1 }))
      // Two posts of one author are left.
      const gone = await get<object>(story.id)
      assert.deepEqual(gone, {
        errors: [
          {
            title: 'Not Found Error',
            type: `${opened.plaza.urls.core}/2/problems/resource-not-found`,
            detail: `Could not find news with id: [${story.id}].`,
            value: story.id,
            parameter: 'id',
            resource_id: story.id,
            resource_type: 'news',
          },
        ],
      })
      assert.deepEqual(await search('harbor'), { meta: { result_count: 0 } })
      await store.write((tx) => tx.run(protect, { id: authors.cid.id, hidden: 0 }))
    })

    test('imported posts make stories, too, if they are of the last day', async () => {
      const { clock } = opened.plaza
      const lines = (words: string, hours: number) =>
        ['one', 'two', 'three'].map((author, n) => ({
          text: `${words}, ${['reports', 'says', 'writes'][n]} number ${author} #${words.replaceAll(' ', '')}`,
          username: `importer_${author}`,
          created_at: new Date(clock.now() - hours * 60 * MINUTE_MS + n * 1_000).toISOString(),
        }))
      const sent = [...lines('Quarry Tunnel', 2), ...lines('Windmill Pier', 30)]
      assert.deepEqual(await importLines(opened.plaza.context, sent), [])
      await allEventsHandled(opened.plaza.context.store)
      await refresh()
      assert.equal((await search('quarry tunnel')).meta.result_count, 1)
      assert.equal((await search('windmill pier')).meta.result_count, 0)
    })

    test('stories are found for as long as they are asked for, and are removed after 30 days', async () => {
      opened.plaza.clock.advance(2 * DAY_MS)
      assert.equal((await search('lakeside', { max_age_hours: '47' })).meta.result_count, 0)
      const [story] = (await search('lakeside', { max_age_hours: '49' })).data ?? []
      assert.ok(story)
      opened.plaza.clock.advance(29 * DAY_MS)
      await refresh()
      const { errors } = await get<{ errors?: object[] }>(story.id)
      assert.equal(errors?.length, 1)
      assert.equal(await opened.plaza.context.store.first(newsPost, { id: posted[0] ?? '' }), undefined)
    })
  })
}

const ALL =
  'category,cluster_posts_results,contexts,disclaimer,hook,id,keywords,last_updated_at_ms,name,summary,updated_at'
