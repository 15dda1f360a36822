import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { grantAccess } from '../../src/api/ads/accounts/open.ts'
import type { Role } from '../../src/api/ads/scope.ts'
import {
  cursorOf,
  type Data,
  Desk,
  dataOf,
  errorOf,
  listOf,
  newPerson,
  type Person,
  paramsOf,
} from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { letRepost, makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

const DAY_MS = 86_400_000

const texts = (posts: readonly Data[]) => posts.map((one) => one.full_text)

for (const stage of stages) {
  describe(`posts of advertisers on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    const context = () => opened.plaza.context

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    /** Every test advertises for itself. */
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
    })

    const write = (form: Record<string, string>, desk = ann) =>
      desk.post('/post', { as_user_id: desk.person.id, ...form })
    /** Lets someone work with the account of a desk. */
    const employ = async (desk: Desk, roles: readonly Role[]): Promise<Person> => {
      const person = await newPerson(opened.plaza)
      const at = { accountId: desk.accountId, userId: person.id, roles, now: context().clock.now() }
      await context().store.write((tx) => grantAccess(tx, at))
      return person
    }

    test('a new post is answered in classic form', async () => {
      const bob = await newPerson(opened.plaza)
      const reply = await write({
        text: ` The best #coffee of @${bob.screenName}, $COF at https://example.com/a `,
        trim_user: 'true',
        name: 'Coffee',
      })
      assert.equal(reply.status, 201, reply.text)
      const { id, id_str, ...data } = dataOf(reply)
      const at = bob.screenName.length
      assert.match(String(id_str), /^[0-9]{19}$/)
      assert.ok(reply.text.includes(`"id":${id_str},`), 'the number keeps every digit')
      assert.equal(id, Number(id_str))
      const user = { id: Number(ann.person.id), id_str: ann.person.id }
      assert.deepEqual(data, {
        created_at: 'Sun Mar 01 12:00:00 +0000 2026',
        text: `The best #coffee of @${bob.screenName}, $COF at https://example.com/a`,
        truncated: false,
        entities: {
          hashtags: [{ text: 'coffee', indices: [9, 16] }],
          symbols: [{ text: 'COF', indices: [23 + at, 27 + at] }],
          user_mentions: [
            {
              screen_name: bob.screenName,
              name: 'Somebody',
              id: Number(bob.id),
              id_str: bob.id,
              indices: [20, 21 + at],
            },
          ],
          urls: [
            {
              url: 'https://example.com/a',
              expanded_url: 'https://example.com/a',
              display_url: 'example.com/a',
              indices: [31 + at, 52 + at],
            },
          ],
        },
        source: '<a href="https://app.example.com/" rel="nofollow">Demo app</a>',
        in_reply_to_status_id: null,
        in_reply_to_status_id_str: null,
        in_reply_to_user_id: null,
        in_reply_to_user_id_str: null,
        in_reply_to_screen_name: null,
        user,
        geo: null,
        coordinates: null,
        place: null,
        contributors: null,
        repost_count: 0,
        favorite_count: 0,
        favorited: false,
        reposted: false,
        scopes: { followers: false },
        lang: 'en',
        name: 'Coffee',
      })
      assert.equal(paramsOf(reply).as_user_id, ann.person.id)
      assert.equal(paramsOf(reply).account_id, ann.accountId)
      assert.equal(paramsOf(reply).trim_user, true)
    })

    test('an id may be a number in JSON, with every digit', async () => {
      const body = `{"as_user_id":${ann.person.id},"text":"By number","nullcast":true}`
      const headers = { 'content-type': 'application/json' }
      const url = `${opened.plaza.urls.ads}/12/accounts/${ann.accountId}/post`
      const reply = await client.signed('POST', url, ann.person.keys, { headers, body: Buffer.from(body) })
      assert.equal(reply.status, 201, reply.text)
      assert.equal(paramsOf(reply).as_user_id, ann.person.id)
    })

    test('the user comes whole unless it is trimmed', async () => {
      const { user } = dataOf(await write({ text: 'Hello' })) as unknown as { user: Data }
      assert.deepEqual(
        [user.screen_name, user.name, user.description, user.url, user.followers_count, user.verified],
        [ann.person.screenName, 'Somebody', '', null, 0, false],
      )
      assert.equal(user.created_at, 'Sun Mar 01 12:00:00 +0000 2026')
    })

    test('compat cuts a long text, extended shows all of it', async () => {
      const compat = dataOf(await write({ text: `${'a'.repeat(150)} #end` }))
      assert.deepEqual(
        [compat.text, compat.truncated, compat.entities],
        [`${'a'.repeat(138)}…`, true, { hashtags: [], symbols: [], user_mentions: [], urls: [] }],
      )
      const extended = dataOf(await write({ text: `${'b'.repeat(150)} #end`, post_mode: 'extended' }))
      assert.deepEqual(
        [extended.full_text, extended.truncated, extended.display_text_range, 'text' in extended],
        [`${'b'.repeat(150)} #end`, false, [0, 155], false],
      )
      assert.equal((extended.entities as { hashtags: unknown[] }).hashtags.length, 1)
    })

    test('the reply settings are stored, and not repeated in the reply', async () => {
      const reply = await write({ text: 'Quiet', conversation_settings: 'MENTIONED_USERS' })
      assert.equal(reply.status, 201)
      assert.doesNotMatch(reply.text, /conversation_settings|MENTIONED_USERS/)
      await write({ text: 'Loud' })
      const listed = listOf(await ann.get('/posts?post_type=PUBLISHED'))
      assert.deepEqual(
        listed.map((one) => one.conversation_settings),
        ['EVERYONE', 'MENTIONED_USERS'],
      )
    })

    test('what is optional may be empty', async () => {
      const empty = {
        ...{ card_uri: '', media_keys: '', name: '' },
        ...{ video_cta: '', video_cta_value: '', video_description: '', video_title: '' },
      }
      const reply = await write({ text: 'Sent by a form', ...empty })
      assert.equal(reply.status, 201, reply.text)
      assert.deepEqual(
        [dataOf(reply).name, dataOf(reply).card_uri, dataOf(reply).extended_entities],
        [null, undefined, undefined],
      )
      const { media_keys, video_title, name } = paramsOf(reply)
      assert.deepEqual([media_keys, video_title, name], [[], null, null])
    })

    const rejected: [string, Record<string, string>, unknown[]][] = [
      ['no text', {}, [400, 'POST_CANNOT_BE_BLANK text']],
      ['an empty text', { text: '' }, [400, 'POST_CANNOT_BE_BLANK text']],
      ['nothing but space', { text: ' \n\u3000' }, [400, 'POST_CANNOT_BE_BLANK text']],
      ['281 letters', { text: 'a'.repeat(281) }, [400, 'INVALID_POST text']],
      ['141 Chinese characters', { text: '中'.repeat(141) }, [400, 'INVALID_POST text']],
      ['a null character', { text: 'a\0b' }, [400, 'INVALID_PARAMETER text']],
      ['a character that is none', { text: 'a\ufffeb' }, [400, 'INVALID_POST text']],
      ['25,001 letters', { text: 'a'.repeat(25_001) }, [400, 'INVALID_PARAMETER text']],
      ['an unknown image', { text: 'a', media_keys: '3_1' }, [404, 'MEDIA_NOT_FOUND media_keys']],
      ['an unknown image alone', { media_keys: '3_1' }, [404, 'MEDIA_NOT_FOUND media_keys']],
      ['a key of no kind', { text: 'a', media_keys: '4_1' }, [400, 'INVALID_MEDIA_ID media_keys']],
      ['an unknown card', { text: 'a', card_uri: 'card://1' }, [404, 'CARD_NOT_FOUND card_uri']],
      ['no card', { text: 'a', card_uri: 'https://1' }, [400, 'INVALID_PARAMETER card_uri']],
      [
        'an image and a video',
        { text: 'a', media_keys: '3_1,13_2' },
        [400, 'INVALID_MEDIA media_keys', 'MEDIA_NOT_FOUND media_keys', 'MEDIA_NOT_FOUND media_keys'],
      ],
      ['a title of no video', { text: 'a', video_title: 'b' }, [400, 'INVALID_PARAMETER video_title']],
      [
        'a call to no address',
        { text: 'a', video_cta: 'VISIT_SITE' },
        [400, 'INCLUSIVE_PARAMETERS video_cta_value', 'INVALID_PARAMETER video_cta'],
      ],
      [
        'a call to what is no address',
        { text: 'a', video_cta: 'VISIT_SITE', video_cta_value: 'javascript:alert(1)' },
        [400, 'INVALID_PARAMETER video_cta_value'],
      ],
      ['another call', { text: 'a', video_cta: 'BUY' }, [400, 'INVALID_PARAMETER video_cta']],
      ['a name of 81 letters', { text: 'a', name: 'b'.repeat(81) }, [400, 'INVALID_PARAMETER name']],
      ['a user that is no number', { text: 'a', as_user_id: 'me' }, [400, 'INVALID_PARAMETER as_user_id']],
    ]
    for (const [what, form, expected] of rejected) {
      test(`${what} makes no post`, async () => {
        const reply = await write(form)
        assert.deepEqual(errorOf(reply), expected, reply.text)
        assert.deepEqual(listOf(await ann.get('/posts?post_type=PUBLISHED&timeline_type=ALL')), [])
      })
    }

    test('a text as heavy as it may be is a post: letters, links of any length, emoji', async () => {
      for (const text of [
        'a'.repeat(280),
        `${'b'.repeat(256)} https://example.com/${'c'.repeat(600)}`,
        '中'.repeat(140),
        '👩‍👩‍👧‍👦'.repeat(140),
      ]) {
        const reply = await write({ text, post_mode: 'extended' })
        assert.equal(reply.status, 201, reply.text)
        assert.equal(dataOf(reply).full_text, text)
      }
    })

    test('a user cannot publish the same text twice within a day', async () => {
      assert.equal((await write({ text: 'Buy one' })).status, 201)
      const again = await write({ text: ' Buy  one' })
      assert.deepEqual(errorOf(again), [400, 'DUPLICATE_POST text'])
      assert.equal((await write({ text: 'Buy two' })).status, 201)
      const bob = await Desk.open(opened.plaza, client)
      assert.equal((await write({ text: 'Buy one' }, bob)).status, 201)
      const sandbox = await Desk.open(opened.plaza, client, { environment: 'sandbox', person: ann.person })
      assert.equal((await write({ text: 'Buy one' }, sandbox)).status, 201)
      opened.plaza.clock.advance(DAY_MS - 1)
      assert.deepEqual(errorOf(await write({ text: 'Buy one' })), [400, 'DUPLICATE_POST text'])
      opened.plaza.clock.advance(1)
      assert.equal((await write({ text: 'Buy one' })).status, 201)
    })

    test('of many concurrent posts with the same text, one is published', async () => {
      // More than one round: a database opens its connections in the first.
      for (const text of ['One', 'Two', 'Three', 'Four']) {
        const replies = await Promise.all(Array.from({ length: 10 }, () => write({ text })))
        assert.deepEqual(replies.map(({ status }) => status).sort(), [
          201,
          ...Array.from({ length: 9 }, () => 400),
        ])
      }
      assert.equal(listOf(await ann.get('/posts?post_type=PUBLISHED')).length, 4)
    })

    test('an account can post only in the name of its own user', async () => {
      const bob = await newPerson(opened.plaza)
      const stranger = await ann.post('/post', { as_user_id: bob.id, text: 'Hello' })
      assert.deepEqual(errorOf(stranger), [400, 'INVALID_USER_ID as_user_id'])
      await letRepost(context(), ann.advertiser, bob.id)
      const friend = await ann.post('/post', { as_user_id: bob.id, text: 'Hello' })
      assert.deepEqual(errorOf(friend), [400, 'INVALID_USER_ID as_user_id'])
    })

    test('in the name of another user writes who is a POST_COMPOSER, and only for advertisements', async () => {
      const form = { as_user_id: ann.person.id, text: 'From the team' }
      const manager = await employ(ann, ['AD_MANAGER'])
      assert.deepEqual(errorOf(await ann.post('/post', form, manager.keys)), [
        403,
        'ACTION_NOT_ALLOWED as_user_id',
      ])
      const composer = await employ(ann, ['CREATIVE_MANAGER', 'POST_COMPOSER'])
      const organic = await ann.post('/post', { ...form, nullcast: 'false' }, composer.keys)
      assert.deepEqual(errorOf(organic), [403, 'ACTION_NOT_ALLOWED nullcast'])
      const reply = await ann.post('/post', form, composer.keys)
      assert.equal(reply.status, 201, reply.text)
      assert.deepEqual(dataOf(reply).contributors, [Number(composer.id)])
      assert.ok(reply.text.includes(`"contributors":[${composer.id}]`))
      const analyst = await employ(ann, ['ANALYST', 'POST_COMPOSER'])
      assert.deepEqual(errorOf(await ann.post('/post', { ...form, text: 'No' }, analyst.keys)), [
        403,
        'ACTION_NOT_ALLOWED undefined',
      ])
    })

    test('no one can post on behalf of a suspended user', async () => {
      const mute = await newPerson(opened.plaza, true)
      const desk = await Desk.open(opened.plaza, client, { person: mute })
      const colleague = await employ(desk, ['ACCOUNT_ADMIN', 'POST_COMPOSER'])
      const reply = await desk.post('/post', { as_user_id: mute.id, text: 'Hello' }, colleague.keys)
      assert.deepEqual(errorOf(reply), [403, 'ACTION_NOT_ALLOWED as_user_id'])
    })

    test('a profile counts what everyone sees', async () => {
      await write({ text: 'For ads' })
      await write({ text: 'For all', nullcast: 'false' })
      const sandbox = await Desk.open(opened.plaza, client, { environment: 'sandbox', person: ann.person })
      const played = await write({ text: 'For nobody', nullcast: 'false' }, sandbox)
      const { user } = dataOf(played) as unknown as { user: Data }
      assert.equal(user.statuses_count, 1)
    })

    test('a list shows what only advertisements show, newest first, unless asked otherwise', async () => {
      await write({ text: 'One' })
      await write({ text: 'Two', nullcast: 'false' })
      await write({ text: `@${ann.person.screenName} three` })
      await write({ text: `@${ann.person.screenName} four`, nullcast: 'false' })
      await write({ text: 'Five' })
      const list = async (query: string) => texts(listOf(await ann.get(`/posts?post_type=PUBLISHED${query}`)))
      const [three, four] = [`@${ann.person.screenName} three`, `@${ann.person.screenName} four`]
      assert.deepEqual(await list(''), ['Five', 'One'])
      assert.deepEqual(await list('&timeline_type=ORGANIC'), ['Two'])
      assert.deepEqual(await list('&timeline_type=ALL'), ['Five', 'Two', 'One'])
      const all = '&include_mentions_and_replies=true'
      assert.deepEqual(await list(all), ['Five', three, 'One'])
      assert.deepEqual(await list(`${all}&timeline_type=ORGANIC`), [four, 'Two'])
      assert.deepEqual(await list(`${all}&timeline_type=ALL`), ['Five', four, three, 'Two', 'One'])
      assert.deepEqual(listOf(await ann.get('/posts?post_type=DRAFT')), [])
      assert.deepEqual(listOf(await ann.get('/posts?post_type=SCHEDULED')), [])
      assert.deepEqual(errorOf(await ann.get('/posts')), [400, 'MISSING_PARAMETER post_type'])
    })

    test('a list shows posts in extended form, with what an advertiser wants to know', async () => {
      const made = dataOf(await write({ text: 'Hello', name: 'Mine', trim_user: 'true' }))
      const [listed] = listOf(await ann.get('/posts?post_type=PUBLISHED&trim_user=true'))
      const { text, ...same } = made
      assert.deepEqual(listed, {
        ...same,
        full_text: text,
        display_text_range: [0, 5],
        conversation_settings: 'EVERYONE',
        nullcast: true,
        scheduled_at: null,
        scheduled_status: null,
        post_type: 'PUBLISHED',
        post_id: made.id_str,
      })
    })

    test('pages hold each post once, whatever is posted meanwhile', async () => {
      for (let n = 1; n <= 5; n++)
        await makePost(context(), { authorId: ann.person.id, text: `P${n}`, nullcast: n % 2 === 0 })
      const seen: unknown[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const reply = await ann.get(`/posts?post_type=PUBLISHED&timeline_type=ALL&count=2${next}`)
        assert.ok(listOf(reply).length <= 2)
        seen.push(...texts(listOf(reply)))
        cursor = cursorOf(reply)
        await makePost(context(), { authorId: ann.person.id, nullcast: true })
      }
      assert.deepEqual(seen, ['P5', 'P4', 'P3', 'P2', 'P1'])
    })

    test('a cursor belongs to the list that it came from', async () => {
      await write({ text: 'One' })
      await write({ text: 'Two' })
      const cursor = cursorOf(await ann.get('/posts?post_type=PUBLISHED&count=1'))
      const bob = await Desk.open(opened.plaza, client)
      for (const reply of [
        await ann.get(`/posts?post_type=PUBLISHED&timeline_type=ALL&cursor=${cursor}`),
        await bob.get(`/posts?post_type=PUBLISHED&cursor=${cursor}`),
        await ann.get('/posts?post_type=PUBLISHED&cursor=nonsense'),
      ])
        assert.deepEqual(errorOf(reply), [400, 'INVALID_PARAMETER cursor'])
      const next = await ann.get(`/posts?post_type=PUBLISHED&count=1&cursor=${cursor}`)
      assert.deepEqual(texts(listOf(next)), ['One'])
      assert.equal(cursorOf(next), null)
    })

    test('posts are found by the beginning of their name, in any case', async () => {
      await write({ text: 'One', name: 'Spring sale' })
      await write({ text: 'Two', name: 'SPRING 2' })
      await write({ text: 'Three', name: 'Sprint' })
      await write({ text: 'Four' })
      const found = async (query: string) =>
        texts(listOf(await ann.get(`/posts?post_type=PUBLISHED&${query}`)))
      assert.deepEqual(await found('name=sPRING'), ['Two', 'One'])
      assert.deepEqual(await found('name=spring%20sale'), ['One'])
      assert.deepEqual(await found('name=%25'), [])
      assert.deepEqual(await found('name=spring&timeline_type=ORGANIC'), [])
      const first = await ann.get('/posts?post_type=PUBLISHED&name=spr&count=2')
      const rest = await ann.get(`/posts?post_type=PUBLISHED&name=spr&count=2&cursor=${cursorOf(first)}`)
      assert.deepEqual([texts(listOf(first)), texts(listOf(rest))], [['Three', 'Two'], ['One']])
    })

    test('posts are found by their ids, when the account may know them', async () => {
      const [bob, carol] = [await newPerson(opened.plaza), await newPerson(opened.plaza)]
      await letRepost(context(), ann.advertiser, bob.id)
      const mine = await makePost(context(), { authorId: ann.person.id, nullcast: true, text: 'Mine' })
      const own = await makePost(context(), { authorId: ann.person.id, text: '@nobody own' })
      const friends = await makePost(context(), { authorId: bob.id, text: 'Of a friend' })
      const secret = await makePost(context(), { authorId: bob.id, nullcast: true })
      const foreign = await makePost(context(), { authorId: carol.id })
      const played = await makePost(context(), { authorId: ann.person.id, environment: 'sandbox' })
      const ids = [mine, own, friends, secret, foreign, played].map(({ id }) => id)
      const list = async (query = '') =>
        texts(listOf(await ann.get(`/posts?post_type=PUBLISHED&post_ids=${ids.join(',')},1${query}`)))
      assert.deepEqual(await list(), ['Of a friend', '@nobody own', 'Mine'])
      assert.deepEqual(await list('&timeline_type=NULLCAST'), ['Mine'])
      assert.deepEqual(await list(`&user_id=${bob.id}`), ['Of a friend'])
      assert.deepEqual(await list('&name=a'), [])
      const first = await ann.get(`/posts?post_type=PUBLISHED&post_ids=${ids.join(',')}&count=2`)
      const rest = await ann.get(
        `/posts?post_type=PUBLISHED&post_ids=${ids.join(',')}&count=2&cursor=${cursorOf(first)}`,
      )
      assert.deepEqual(texts(listOf(rest)), ['Mine'])
    })

    test('of a user whose posts may be reposted, what everyone sees is listed', async () => {
      const bob = await newPerson(opened.plaza)
      await makePost(context(), { authorId: bob.id, text: 'Seen' })
      await makePost(context(), { authorId: bob.id, text: 'Unseen', nullcast: true })
      const list = (query: string) => ann.get(`/posts?post_type=PUBLISHED&user_id=${bob.id}${query}`)
      assert.deepEqual(errorOf(await list('')), [400, 'INVALID_USER_ID user_id'])
      await letRepost(context(), ann.advertiser, bob.id)
      assert.deepEqual(texts(listOf(await list('&timeline_type=ALL'))), ['Seen'])
      assert.deepEqual(listOf(await list('')), [])
    })

    test('of such a user, posts for a few are not there: neither listed, nor found, nor named', async () => {
      const bob = await newPerson(opened.plaza)
      await letRepost(context(), ann.advertiser, bob.id)
      const of = async (authorId: string) => {
        const parts = [{}, { superFollowersOnly: true }, { communityId: '42' }]
        const posts = []
        for (const part of parts) posts.push(await makePost(context(), { authorId, ...part }))
        posts.push(await makePost(context(), { authorId, communityId: '42', shareWithFollowers: true }))
        return posts.map(({ id }) => id)
      }
      const [theirs, own] = [await of(bob.id), await of(ann.person.id)]
      const list = async (query: string) =>
        listOf(await ann.get(`/posts?post_type=PUBLISHED&timeline_type=ORGANIC${query}`)).map(
          ({ id_str }) => id_str,
        )
      const seen = [theirs[3], theirs[0]]
      const pages = [
        `&user_id=${bob.id}`,
        `&user_id=${bob.id}&include_mentions_and_replies=true`,
        `&user_id=${bob.id}&count=2`,
        `&post_ids=${theirs.join(',')}`,
      ]
      for (const query of pages) assert.deepEqual(await list(query), seen, query)
      assert.deepEqual(await list(''), own.toReversed())
      assert.deepEqual(await list(`&post_ids=${own.join(',')}`), own.toReversed())
      const statuses = []
      for (const id of [...theirs, ...own])
        statuses.push((await ann.send('PUT', `/posts/${id}/name`, { name: 'Good one' })).status)
      assert.deepEqual(statuses, [200, 404, 404, 200, 200, 200, 200, 200])
      assert.deepEqual(await list(`&user_id=${bob.id}&name=good`), seen)
      assert.deepEqual(await list('&name=good'), own.toReversed())
      const preview = async (id = '') =>
        listOf(await ann.get(`/post_previews?post_type=PUBLISHED&post_ids=${id}`)).length
      assert.deepEqual([await preview(theirs[0]), await preview(theirs[1])], [1, 0])
    })

    test('a name is given, changed and taken away, and no other account sees it', async () => {
      const { id } = await makePost(context(), { authorId: ann.person.id, text: 'Hello' })
      const other = await Desk.open(opened.plaza, client, { person: ann.person })
      const name = (value: string, desk = ann) => desk.send('PUT', `/posts/${id}/name`, { name: value })
      const given = await name('First')
      assert.equal(given.status, 200, given.text)
      const { name: shown, full_text, post_id, post_type } = dataOf(given)
      assert.deepEqual([shown, full_text, post_id, post_type], ['First', 'Hello', id, 'PUBLISHED'])
      assert.equal(paramsOf(given).post_id, id)
      assert.equal(dataOf(await name('Theirs', other)).name, 'Theirs')
      assert.equal(dataOf(await name('x'.repeat(80))).name, 'x'.repeat(80))
      const namesIn = async (desk: Desk, query: string) =>
        listOf(await desk.get(`/posts?post_type=PUBLISHED&post_ids=${id}${query}`)).map((one) => one.name)
      assert.deepEqual(await namesIn(ann, ''), ['x'.repeat(80)])
      assert.deepEqual(await namesIn(other, '&name=th'), ['Theirs'])
      assert.deepEqual(await namesIn(ann, '&name=th'), [])
      const cleared = await name('')
      assert.equal(dataOf(cleared).name, null)
      assert.equal(paramsOf(cleared).name, null)
      assert.deepEqual(errorOf(await name('x'.repeat(81))), [400, 'INVALID_PARAMETER name'])
      assert.deepEqual(errorOf(await name('a\0')), [400, 'INVALID_PARAMETER name'])
      assert.deepEqual(await namesIn(other, ''), ['Theirs'])
    })

    test('an account cannot name posts that it cannot see', async () => {
      const bob = await newPerson(opened.plaza)
      const foreign = await makePost(context(), { authorId: bob.id })
      const played = await makePost(context(), { authorId: ann.person.id, environment: 'sandbox' })
      const rename = (id: string) => ann.send('PUT', `/posts/${id}/name`, { name: 'Mine now' })
      for (const id of [foreign.id, played.id, '1'])
        assert.deepEqual(errorOf(await rename(id)), [404, 'POST_NOT_FOUND post_id'])
      await letRepost(context(), ann.advertiser, bob.id)
      assert.equal((await rename(foreign.id)).status, 200)
      assert.deepEqual(errorOf(await rename('abc')), [404, 'INVALID_ID_ILLEGAL_CHARACTERS post_id'])
    })

    test('posts of the sandbox stay in the sandbox', async () => {
      const sandbox = await Desk.open(opened.plaza, client, { environment: 'sandbox', person: ann.person })
      await write({ text: 'Played', nullcast: 'false' }, sandbox)
      const path = '/posts?post_type=PUBLISHED&timeline_type=ALL'
      assert.deepEqual(texts(listOf(await sandbox.get(path))), ['Played'])
      assert.deepEqual(listOf(await ann.get(path)), [])
    })
  })
}
