import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { markPosted } from '../../src/domain/media/queries.ts'
import { classicPosts } from '../../src/domain/posts/classic.ts'
import { insertPoll } from '../../src/domain/posts/poll-object.ts'
import type { PostRow } from '../../src/domain/posts/tables.ts'
import { countryLocationId } from '../../src/domain/reference-data/locations.ts'
import { createAccessToken } from '../../src/identity/tokens/access-tokens.ts'
import type { Query } from '../../src/platform/storage/query.ts'
import type { Store } from '../../src/platform/storage/store.ts'
import { Client, demoKeys, type Keys } from '../support/client.ts'
import { allEventsHandled } from '../support/events.ts'
import { png, uploaded } from '../support/media.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

const protect = query<{ id: string; value: number }>('protectUser', (db, at) =>
  db.updateTable('users').set({ protected: at.value }).where('id', '=', at.id),
)
const suspend = query<{ id: string; value: number }>('suspendAuthor', (db, at) =>
  db.updateTable('users').set({ suspended: at.value }).where('id', '=', at.id),
)
const remove = query<{ id: string }>('removePostOfTest', (db, at) =>
  db.updateTable('posts').set({ deleted: 1, visibility: 4 }).where('id', '=', at.id),
)
const follow = query<{ follower: string; followed: string }>('followOfTest', (db, at) =>
  db.insertInto('relations').values({
    source_id: at.follower,
    target_id: at.followed,
    kind: 'follow',
    created_at: 0,
  }),
)

interface Body {
  data?: Record<string, unknown> & Record<string, unknown>[]
  includes?: Record<string, Record<string, unknown>[]>
  errors?: Record<string, unknown>[]
}

for (const stage of stages) {
  describe(`posts as objects on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let bearer: string
    /** The first and second user of the demo; the second wrote everything. */
    let reader: { id: string; keys: Keys }
    let author: { id: string; keys: Keys }
    let post: PostRow
    let reply: PostRow

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      const keys = demoKeys(opened.plaza)
      bearer = await client.bearer(keys)
      const [first, second] = opened.plaza.seeded?.users ?? []
      const app = opened.plaza.seeded?.apps[0]
      assert.ok(first && second && app)
      const { store } = opened.plaza.context
      const granted = app.grants.find((one) => one.userId === second.id)
      const token =
        granted ??
        (await store.write((tx) =>
          createAccessToken(tx, { appId: app.id, userId: second.id, access: 'read' }, opened.plaza.context),
        ))
      reader = { id: first.id, keys }
      author = { id: second.id, keys: { ...keys, token: token.token, tokenSecret: token.secret } }
      const context = opened.plaza.context
      opened.plaza.clock.advance(321)
      post = await makePost(context, { authorId: author.id, text: 'Hello #World @demo', appId: app.id })
      reply = await makePost(context, { authorId: author.id, text: 'A reply', inReplyTo: post })
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    const get = async (target: string, as: 'app' | 'reader' | 'author' = 'app'): Promise<Body> => {
      const sent =
        as === 'app'
          ? await client.send('GET', target, { headers: { authorization: `Bearer ${bearer}` } })
          : await client.signed('GET', target, as === 'reader' ? reader.keys : author.keys)
      assert.equal(sent.status, 200, sent.text)
      return sent.json as Body
    }

    test('without parameters a post has its id, text and versions', async () => {
      assert.deepEqual(await get(`/2/posts/${post.id}`), {
        data: { id: post.id, text: 'Hello #World @demo', edit_history_post_ids: [post.id] },
      })
    })

    test('the order of `data` is that of `ids`, and what is missing stands in `errors`', async () => {
      const body = await get(`/2/posts?ids=${reply.id},12345,${post.id}`)
      assert.deepEqual(
        body.data?.map(({ id }) => id),
        [reply.id, post.id],
      )
      assert.deepEqual(body.errors, [
        {
          title: 'Not Found Error',
          type: `${opened.plaza.context.naming.problemBase}/2/problems/resource-not-found`,
          detail: 'Could not find post with ids: [12345].',
          value: '12345',
          parameter: 'ids',
          resource_id: '12345',
          resource_type: 'post',
        },
      ])
    })

    test('fields are shown where they are requested, and only those', async () => {
      const fields = 'author_id,created_at,conversation_id,entities,lang,source,reply_settings,public_metrics'
      const { data } = await get(`/2/posts/${post.id}?post.fields=${fields}`)
      assert.deepEqual(data, {
        id: post.id,
        text: 'Hello #World @demo',
        edit_history_post_ids: [post.id],
        author_id: author.id,
        conversation_id: post.id,
        // The post was made 321 ms later.
        created_at: '2026-03-01T12:00:00.000Z',
        entities: {
          hashtags: [{ start: 6, end: 12, tag: 'World' }],
          mentions: [{ start: 13, end: 18, username: 'demo', id: reader.id }],
        },
        lang: 'en',
        public_metrics: {
          repost_count: 0,
          reply_count: 0,
          like_count: 0,
          quote_count: 0,
          bookmark_count: 0,
          impression_count: 0,
        },
        reply_settings: 'everyone',
        source: 'Demo app',
      })
    })

    test('an expansion shows its reference and the object behind it, each object once', async () => {
      const body = await get(`/2/posts?ids=${post.id},${reply.id}&expansions=author_id&user.fields=verified`)
      assert.deepEqual(
        body.data?.map((one) => one.author_id),
        [author.id, author.id],
      )
      assert.deepEqual(body.includes, {
        users: [{ id: author.id, name: 'Demo Advertiser', username: 'advertiser', verified: false }],
      })
    })

    test('an expansion of what another one includes shows both', async () => {
      const body = await get(`/2/posts/${reply.id}?expansions=referenced_posts.id.author_id`)
      assert.deepEqual(body.data, {
        id: reply.id,
        text: 'A reply',
        edit_history_post_ids: [reply.id],
        author_id: author.id,
        referenced_posts: [{ type: 'replied_to', id: post.id }],
      })
      assert.deepEqual(body.includes, {
        posts: [
          { id: post.id, text: 'Hello #World @demo', edit_history_post_ids: [post.id], author_id: author.id },
        ],
        users: [{ id: author.id, name: 'Demo Advertiser', username: 'advertiser' }],
      })
    })

    test('mentions lead to users, and fields of kinds that are not included have no effect', async () => {
      const body = await get(`/2/posts/${post.id}?expansions=entities.mentions.username&media.fields=url`)
      assert.deepEqual(body.includes, {
        users: [{ id: reader.id, name: 'Demo Developer', username: 'demo' }],
      })
    })

    test('media, polls and places are included', async () => {
      const { context, clock } = opened.plaza
      const medium = await uploaded(context, author.id, png(40, 30))
      const pollId = await context.store.write((tx) =>
        insertPoll(tx, { options: ['Yes', 'No'], durationMinutes: 5 }, context),
      )
      const placeId = countryLocationId('DE')
      const made = await makePost(context, {
        authorId: author.id,
        mediaKeys: [medium.media_key],
        placeId,
        pollId,
      })
      await context.store.write((tx) =>
        tx.run(markPosted, { ids: JSON.stringify([medium.id]), post: made.id }),
      )
      const target = `/2/posts/${made.id}?expansions=attachments.media_keys,attachments.poll_ids,geo.place_id&media.fields=width,height,url&poll.fields=voting_status,duration_minutes,end_datetime&place.fields=country_code,place_type`
      const endsAt = clock.now() + 5 * 60_000
      const included = (voting_status: string) => ({
        media: [
          {
            media_key: medium.media_key,
            type: 'photo',
            width: 40,
            height: 30,
            url: `${context.mediaOrigin}/media/${medium.hash}.png`,
          },
        ],
        places: [{ id: placeId, full_name: 'Germany', country_code: 'DE', place_type: 'country' }],
        polls: [
          {
            id: pollId,
            options: [
              { position: 1, label: 'Yes', votes: 0 },
              { position: 2, label: 'No', votes: 0 },
            ],
            duration_minutes: 5,
            end_datetime: new Date(Math.floor(endsAt / 1000) * 1000).toISOString(),
            voting_status,
          },
        ],
      })
      const open = await get(target)
      assert.deepEqual(open.data?.attachments, { media_keys: [medium.media_key], poll_ids: [pollId] })
      assert.deepEqual(open.data?.geo, { place_id: placeId })
      assert.deepEqual(open.includes, included('open'))
      clock.advance(5 * 60_000)
      assert.deepEqual((await get(target)).includes, included('closed'))
    })

    test('geo of a post shows its place and its point, as far as it has them', async () => {
      const { context } = opened.plaza
      const place_id = countryLocationId('DE')
      const coordinates = [11.575, -48.137] as const
      const shownAs = async (made: { placeId?: string; coordinates?: readonly [number, number] }) => {
        const { id } = await makePost(context, { authorId: author.id, ...made })
        return (await get(`/2/posts/${id}?post.fields=geo`)).data?.geo
      }
      const point = { type: 'Point', coordinates: [11.575, -48.137] }
      assert.deepEqual(await shownAs({ coordinates }), { coordinates: point })
      assert.deepEqual(await shownAs({ coordinates, placeId: place_id }), { place_id, coordinates: point })
      assert.deepEqual(await shownAs({ coordinates: [0, 0] }), {
        coordinates: { type: 'Point', coordinates: [0, 0] },
      })
      assert.equal(await shownAs({}), undefined)
      // The older form says the latitude first in one member, and the longitude in the other.
      const row = await makePost(context, { authorId: author.id, coordinates })
      const [classic] = await classicPosts([row], { mode: 'compat', trimUser: true }, context)
      assert.deepEqual(
        [classic?.geo, classic?.coordinates],
        [
          { type: 'Point', coordinates: [-48.137, 11.575] },
          { type: 'Point', coordinates: [11.575, -48.137] },
        ],
      )
    })

    test('a medium that another post showed first leads to that post', async () => {
      const { context } = opened.plaza
      const medium = await uploaded(context, author.id, png(20, 20))
      const made = { authorId: author.id, mediaKeys: [medium.media_key] }
      const first = await makePost(context, made)
      const second = await makePost(context, made)
      for (const { id } of [first, second])
        await context.store.write((tx) => tx.run(markPosted, { ids: JSON.stringify([medium.id]), post: id }))
      const body = await get(`/2/posts?ids=${first.id},${second.id}&expansions=attachments.media_source_post`)
      assert.deepEqual(
        body.data?.map((one) => one.attachments),
        [
          { media_keys: [medium.media_key] },
          { media_keys: [medium.media_key], media_source_post_id: [first.id] },
        ],
      )
      assert.deepEqual(
        body.includes?.posts?.map(({ id }) => id),
        [first.id],
      )
    })

    test('a long post shows its beginning, and all of it as a note', async () => {
      const text = `${'long '.repeat(60)}@demo`
      const made = await makePost(opened.plaza.context, { authorId: author.id, text })
      const body = await get(
        `/2/posts/${made.id}?post.fields=note_post,entities&expansions=entities.note.mentions.username`,
      )
      assert.equal(body.data?.text, `${'long '.repeat(55)}lon…`)
      assert.deepEqual(body.data?.note_post, {
        text,
        entities: { mentions: [{ start: 300, end: 305, username: 'demo', id: reader.id }] },
      })
      assert.equal(body.data?.entities, undefined)
      assert.deepEqual(
        body.includes?.users?.map(({ id }) => id),
        [reader.id],
      )
    })

    test('private metrics are for the author, for a month', async () => {
      const { clock, context } = opened.plaza
      const made = await makePost(context, { authorId: author.id })
      const target = `/2/posts/${made.id}?post.fields=non_public_metrics`
      assert.deepEqual((await get(target, 'author')).data?.non_public_metrics, {
        ...{ impression_count: 0, url_link_clicks: 0, user_profile_clicks: 0, engagements: 0 },
      })
      const hidden = ['impression_count', 'url_link_clicks', 'user_profile_clicks', 'engagements'].map(
        (member) => ({
          title: 'Field Authorization Error',
          type: `${context.naming.problemBase}/2/problems/not-authorized-for-field`,
          detail: `Sorry, you are not authorized to access 'non_public_metrics.${member}' on the Post with id: [${made.id}].`,
          field: `non_public_metrics.${member}`,
          resource_id: made.id,
          resource_type: 'post',
          section: 'data',
        }),
      )
      for (const caller of ['app', 'reader'] as const) {
        const body = await get(target, caller)
        assert.equal(body.data?.non_public_metrics, undefined)
        assert.deepEqual(body.errors, hidden)
      }
      clock.advance(30 * 86_400_000)
      assert.deepEqual((await get(target, 'author')).errors, hidden)
    })

    test('a deleted object is not found, neither as a main object nor as an included one', async () => {
      const { context } = opened.plaza
      const gone = await makePost(context, { authorId: author.id })
      const quoting = await makePost(context, { authorId: author.id, quotedPostId: gone.id })
      await context.store.write((tx) => tx.run(remove, gone))
      assert.equal(
        (await get(`/2/posts/${gone.id}`)).errors?.[0]?.detail,
        `Could not find post with id: [${gone.id}].`,
      )
      const body = await get(`/2/posts/${quoting.id}?expansions=referenced_posts.id`)
      assert.equal(body.includes, undefined)
      assert.equal(body.errors?.[0]?.detail, `Could not find post with referenced_posts.id: [${gone.id}].`)
    })

    test('posts of a protected user are for followers and the user', async () => {
      const { context } = opened.plaza
      const own = await makePost(context, { authorId: author.id })
      const quoting = await makePost(context, { authorId: reader.id, quotedPostId: own.id })
      const set = (value: number) => context.store.write((tx) => tx.run(protect, { id: author.id, value }))
      const error = (parameter: string, section: string) => [
        {
          title: 'Authorization Error',
          type: `${context.naming.problemBase}/2/problems/not-authorized-for-resource`,
          detail: `Sorry, you are not authorized to see the Post with ${parameter}: [${own.id}].`,
          value: own.id,
          parameter,
          resource_id: own.id,
          resource_type: 'post',
          section,
        },
      ]
      await set(1)
      assert.deepEqual(await get(`/2/posts/${own.id}`), { errors: error('id', 'data') })
      assert.deepEqual(await get(`/2/posts/${own.id}`, 'reader'), { errors: error('id', 'data') })
      assert.equal((await get(`/2/posts/${own.id}`, 'author')).data?.id, own.id)
      const body = await get(`/2/posts/${quoting.id}?expansions=referenced_posts.id`)
      assert.equal(body.data?.id, quoting.id)
      assert.deepEqual(body.errors, error('referenced_posts.id', 'includes'))
      await context.store.write((tx) => tx.run(follow, { follower: reader.id, followed: author.id }))
      assert.equal((await get(`/2/posts/${own.id}`, 'reader')).data?.id, own.id)
      await set(0)
    })

    test('posts of a suspended user are withheld, and so is the user', async () => {
      const { context } = opened.plaza
      const own = await makePost(context, { authorId: author.id })
      const mentioning = await makePost(context, { authorId: reader.id, text: 'See @advertiser' })
      const set = (value: number) => context.store.write((tx) => tx.run(suspend, { id: author.id, value }))
      await set(1)
      assert.equal((await get(`/2/posts/${own.id}`)).errors?.[0]?.title, 'Authorization Error')
      const body = await get(`/2/posts/${mentioning.id}?expansions=entities.mentions.username`)
      assert.equal(body.errors?.[0]?.detail, `User has been suspended: [${author.id}].`)
      await set(0)
    })

    test('the main objects and each kind of included objects take one query, however many there are', async () => {
      const { context } = opened.plaza
      const made: string[] = []
      for (let count = 0; count < 20; count++)
        made.push((await makePost(context, { authorId: author.id, inReplyTo: post })).id)
      const { store } = context
      await allEventsHandled(store)
      const asked: string[] = []
      const { all } = store
      const noting: typeof all = <Args extends object, Row>(statement: Query<Args, Row>, args: Args) => {
        asked.push(statement.name)
        return all.call<Store, [Query<Args, Row>, Args], Promise<Row[]>>(store, statement, args)
      }
      store.all = noting
      try {
        await get(
          `/2/posts?ids=${made.join(',')}&expansions=author_id,referenced_posts.id.author_id,attachments.media_keys&post.fields=source`,
        )
      } finally {
        store.all = all
      }
      assert.deepEqual(
        // Queries of one round run side by side.
        asked.filter((one) => /^(posts|profiles|appNames|media|polls|follows)/.test(one)).sort(),
        ['appNamesByIds', 'appNamesByIds', 'postsSeenBy', 'postsSeenBy', 'profilesByIds'],
      )
    })
  })
}
