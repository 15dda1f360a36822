import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { change, countsOfPost, edit, publish, react, read, relate, takeBack } from '../support/actions.ts'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys } from '../support/client.ts'
import { mp4, png, uploaded } from '../support/media.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Metrics = Record<string, number>
interface Item {
  id?: string
  media_key?: string
  timestamp?: string
  timestamped_metrics: { timestamp: string; metrics: Metrics }[]
}
interface Body {
  data?: Item[]
  errors?: { title: string; resource_id: string; resource_type: string; parameter: string; field?: string }[]
}

const utc = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 19)}Z`

for (const stage of stages) {
  describe(`analytics on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    let ann: Person
    let bob: Person

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' }, { usesOwnClock: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
      ann = await Person.join(opened.plaza, client)
      bob = await Person.join(opened.plaza, client)
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    const now = () => opened.plaza.context.clock.now()
    const flush = () => opened.plaza.context.views.flush()
    /** A span that ends in an hour. */
    const lately = (ms = DAY_MS) => `start_time=${utc(now() - ms)}&end_time=${utc(now() + HOUR_MS)}`
    async function analytics(who: Person, ids: string, more = '', span = lately()): Promise<Body> {
      return (await read(who, `/2/posts/analytics?ids=${ids}&${span}${more}`)) as unknown as Body
    }
    async function total(who: Person, id: string): Promise<Metrics> {
      const [item] = (await analytics(who, id)).data ?? []
      assert.equal(item?.timestamped_metrics.length, 1)
      assert.deepEqual(
        item?.timestamped_metrics[0]?.metrics.impressions,
        (item as unknown as Metrics).impressions,
      )
      return item?.timestamped_metrics[0]?.metrics ?? {}
    }

    test('a view is counted when somebody else than the author gets a post, once written', async () => {
      const post = await publish(ann)
      await read(ann, `/2/posts/${post}`)
      await read(bob, `/2/posts/${post}`)
      await read(bob, `/2/posts?ids=${post}`)
      await read(bob, `/2/users/${ann.id}/posts`)
      await react(bob, 'reposts', post)
      await read(ann, `/2/users/${bob.id}/posts`)
      await client.send('GET', `/2/posts/${post}`, {
        headers: { authorization: `Bearer ${await client.bearer(demoKeys(opened.plaza))}` },
      })
      assert.equal((await countsOfPost(ann, post)).impression_count, 0)
      await flush()
      assert.equal((await countsOfPost(ann, post)).impression_count, 4)
      assert.equal((await total(ann, post)).impressions, 4)
    })

    test('actions count in the hour in which they happen, undone ones too', async () => {
      const post = await publish(ann)
      await react(bob, 'likes', post)
      await react(bob, 'likes', post)
      await takeBack(bob, 'likes', post)
      await react(ann, 'likes', post)
      await react(bob, 'bookmarks', post)
      await react(bob, 'reposts', post)
      const reply = await publish(bob, { reply: { in_reply_to_post_id: post } })
      await publish(bob, { quote_post_id: post })
      const { likes, unlikes, bookmarks, reposts, replies, quote_posts, engagements } = await total(ann, post)
      assert.deepEqual(
        { likes, unlikes, bookmarks, reposts, replies, quote_posts, engagements },
        { likes: 2, unlikes: 1, bookmarks: 1, reposts: 1, replies: 1, quote_posts: 1, engagements: 6 },
      )
      const hours = await analytics(ann, post, '&granularity=hourly&analytics.fields=likes,unlikes')
      const buckets = hours.data?.[0]?.timestamped_metrics ?? []
      assert.ok(buckets.length === 25 || buckets.length === 24, String(buckets.length))
      assert.deepEqual(buckets.at(-1)?.metrics, { likes: 2, unlikes: 1 })
      assert.deepEqual(buckets[0]?.metrics, { likes: 0, unlikes: 0 })
      await bob.core('DELETE', `/2/posts/${reply}`)
      assert.equal((await total(ann, post)).replies, 1)
    })

    test('counts of the past are in their hours, days and weeks; all ways of asking agree', async () => {
      const post = await publish(ann)
      for (const [at, impressions, url_clicks] of [
        ['-1h', 5, 1],
        ['-30h', 7, 2],
        ['-9d', 11, 4],
        ['-25d', 13, 8],
      ] as const)
        await admin.send('POST', `/posts/${post}/metrics`, { at, metrics: { impressions, url_clicks } })
      const span = lately(28 * DAY_MS)
      for (const granularity of ['hourly', 'daily', 'weekly', 'total']) {
        const [item] = (await analytics(ann, post, `&granularity=${granularity}`, span)).data ?? []
        const buckets = item?.timestamped_metrics ?? []
        const sum = (metric: string) => buckets.reduce((all, { metrics }) => all + (metrics[metric] ?? 0), 0)
        assert.deepEqual(
          [sum('impressions'), sum('url_clicks'), sum('engagements')],
          [36, 15, 15],
          granularity,
        )
        const starts = buckets.map(({ timestamp }) => timestamp)
        assert.deepEqual(starts, starts.toSorted())
        const weekday = new Date(starts.at(-1) ?? '').getUTCDay()
        if (granularity === 'weekly') assert.equal(weekday, 1)
      }
      assert.equal((await countsOfPost(bob, post)).impression_count, 36)
      const shown = (await read(
        ann,
        `/2/posts/${post}?post.fields=non_public_metrics,organic_metrics,promoted_metrics,public_metrics`,
      )) as unknown as { data: Record<string, Metrics>; errors: { field: string }[] }
      assert.deepEqual(shown.data.non_public_metrics, {
        ...{ impression_count: 36, url_link_clicks: 15, user_profile_clicks: 0, engagements: 15 },
      })
      assert.equal(shown.data.organic_metrics?.impression_count, shown.data.public_metrics?.impression_count)
      // It was never promoted.
      assert.equal(shown.data.promoted_metrics, undefined)
      assert.ok(shown.errors.some(({ field }) => field === 'promoted_metrics.impression_count'))
    })

    test('the metrics of others are not shown', async () => {
      const [own, foreign] = [await publish(ann), await publish(bob)]
      const body = await analytics(ann, `${own},${foreign},123`)
      assert.deepEqual(
        body.data?.map(({ id }) => id),
        [own],
      )
      assert.deepEqual(
        body.errors?.map(({ title, resource_id, resource_type, parameter }) => [
          ...[title, resource_id, resource_type, parameter],
        ]),
        [
          ['Not Found Error', '123', 'post', 'ids'],
          ['Authorization Error', foreign, 'post', 'ids'],
        ],
      )
      const none = await analytics(bob, own)
      assert.deepEqual([none.data, none.errors?.length], [undefined, 1])
    })

    test('all versions of a post count as one, and a deleted post has no analytics', async () => {
      const post = await publish(ann)
      await change(opened.plaza, ann, { subscription_type: 'Premium' })
      const later = await edit(ann, post)
      await react(bob, 'likes', later)
      assert.equal((await total(ann, post)).likes, 1)
      assert.equal((await total(ann, later)).likes, 1)
      await read(bob, `/2/posts/${later}`)
      await ann.core('DELETE', `/2/posts/${later}`)
      await flush()
      await opened.plaza.tasks.runDue('remove reactions to post')
      assert.equal((await analytics(ann, later)).errors?.[0]?.title, 'Not Found Error')
    })

    test('videos count views over all posts; photos have none', async () => {
      const { context } = opened.plaza
      const video = await uploaded(context, ann.id, mp4(64, 64))
      const photo = await uploaded(context, ann.id, png(8, 8))
      const post = await publish(ann, { media: { media_ids: [video.id] } })
      const other = await publish(ann, { media: { media_ids: [photo.id] } })
      await read(bob, `/2/posts?ids=${post},${other}`)
      await flush()
      const { status } = await admin.send('POST', `/media/${video.media_key}/metrics`, {
        metrics: { video_views: 3, playback_start: 3, playback25: 2, playback_complete: 0 },
      })
      assert.equal(status, 204)
      assert.equal((await total(ann, post)).media_views, 1)
      const keys = `${video.media_key},${photo.media_key}`
      const fields = 'media_analytics.fields=video_views,playback25'
      const { data } = (await read(
        ann,
        `/2/media/analytics?media_keys=${keys}&${lately()}&granularity=total&${fields}`,
      )) as unknown as Body
      assert.deepEqual(
        data?.map(({ media_key, timestamped_metrics: [only] }) => [media_key, only?.metrics]),
        [
          [video.media_key, { playback25: 2, video_views: 4 }],
          [photo.media_key, { playback25: 0, video_views: 0 }],
        ],
      )
      const media = `/2/media/${video.media_key}?media.fields=public_metrics,non_public_metrics,organic_metrics`
      const own = (await read(ann, media)) as unknown as { data: Record<string, Metrics> }
      assert.deepEqual(own.data.public_metrics, { view_count: 4 })
      assert.equal(own.data.non_public_metrics?.playback_25_count, 2)
      assert.equal(own.data.organic_metrics?.view_count, 4)
      const foreign = (await read(bob, media)) as unknown as Body
      assert.equal(foreign.errors?.length, 5 + 6)
      const insights = (await read(
        ann,
        `/2/insights/28hr?post_ids=${post}&granularity=Total&requested_metrics=VideoViews,MediaViews`,
      )) as unknown as { data: { measurement: { metrics_total: { value: object[] }[] } }[] }
      assert.deepEqual(insights.data[0]?.measurement.metrics_total[0]?.value, [
        { metric_type: 'VideoViews', metric_value: 4 },
        { metric_type: 'MediaViews', metric_value: 1 },
      ])
      const [, says] = await admin.wrong('POST', `/media/${video.media_key}/metrics`, {
        metrics: { playback_start: 1, playback25: 2 },
      })
      assert.match(says, /playback25/)
    })

    test('insights have totals and a time series, and say which posts they leave out', async () => {
      const [own, foreign] = [await publish(ann), await publish(bob)]
      await react(bob, 'likes', own)
      const path = `post_ids=${own},${foreign},123&requested_metrics=Likes,Engagements`
      const daily = (await read(
        ann,
        `/2/insights/historical?${path}&granularity=Daily&${lately(2 * DAY_MS)}`,
      )) as unknown as {
        data: {
          errors: { posts: string[] }[]
          measurement: { metrics_total: object[]; metrics_time_series: { post_id: string }[] }
        }[]
      }
      const [item] = daily.data
      assert.deepEqual(
        item?.errors.map(({ posts }) => posts),
        [['123'], [foreign]],
      )
      assert.deepEqual(item?.measurement.metrics_total, [
        {
          post_id: own,
          value: [
            { metric_type: 'Likes', metric_value: 1 },
            { metric_type: 'Engagements', metric_value: 1 },
          ],
        },
      ])
      assert.equal(item?.measurement.metrics_time_series.length, 3)
      const hours = (await read(
        ann,
        `/2/insights/28hr?${path}&granularity=Hourly`,
      )) as unknown as typeof daily
      assert.equal(hours.data[0]?.measurement.metrics_time_series.length, 29)
    })

    test('wrong spans are rejected', async () => {
      const post = await publish(ann)
      const status = async (path: string) => (await ann.core('GET', path)).status
      const at = (from: number, to: number) => `start_time=${utc(now() + from)}&end_time=${utc(now() + to)}`
      const posts = `/2/posts/analytics?ids=${post}`
      const history = `/2/insights/historical?post_ids=${post}&granularity=Daily&requested_metrics=Likes`
      for (const path of [
        `${posts}&${at(-HOUR_MS, -2 * HOUR_MS)}`,
        `${posts}&${at(-HOUR_MS, -HOUR_MS)}`,
        `${posts}&${at(HOUR_MS, 2 * HOUR_MS)}`,
        `${posts}&${at(-32 * DAY_MS, 0)}&granularity=hourly`,
        `${posts}&${at(-DAY_MS, 0)}&granularity=Hourly`,
        `${posts}&start_time=1999-01-01T00:00:00Z&end_time=2020-01-01T00:00:00Z`,
        posts,
        `${history}&${at(-29 * DAY_MS, 0)}`,
        `${history}&${at(-366 * DAY_MS, -360 * DAY_MS)}`,
      ])
        assert.equal(await status(path), 400, path)
      assert.equal(await status(`${posts}&${at(-9_000 * 7 * HOUR_MS, 0)}`), 200)
    })

    test('over its whole life, analytics are the counters, whatever happens', async () => {
      const post = await publish(ann)
      const step = [
        () => react(bob, 'likes', post),
        () => takeBack(bob, 'likes', post),
        () => react(ann, 'likes', post),
        () => react(bob, 'bookmarks', post),
        () => read(bob, `/2/posts/${post}`),
        () => publish(bob, { reply: { in_reply_to_post_id: post } }),
        () => relate(bob, 'following', ann),
      ]
      let state = 7
      for (let n = 0; n < 40; n++) {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        await step[Math.floor((state / 2_147_483_648) * step.length)]?.()
      }
      await flush()
      const counts = await countsOfPost(ann, post)
      const sums = await total(ann, post)
      assert.deepEqual(
        [sums.impressions, (sums.likes ?? 0) - (sums.unlikes ?? 0), sums.bookmarks, sums.replies],
        [counts.impression_count, counts.like_count, counts.bookmark_count, counts.reply_count],
      )
    })
  })
}
