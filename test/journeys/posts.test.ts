import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { countryLocationId } from '../../src/domain/reference-data/locations.ts'
import { createAccessToken } from '../../src/identity/tokens/access-tokens.ts'
import { readEvents } from '../../src/platform/events/log.ts'
import { Client, demoKeys, type Keys, type Reply } from '../support/client.ts'
import { makeCommunity } from '../support/communities.ts'
import { gif, png, uploaded } from '../support/media.ts'
import { Person } from '../support/person.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const subscribe = query<{ id: string; type: string }>('subscribeOfTest', (db, at) =>
  db.updateTable('users').set({ subscription_type: at.type }).where('id', '=', at.id),
)
const verify = query<{ id: string; value: number }>('verifyOfTest', (db, at) =>
  db.updateTable('users').set({ verified: at.value }).where('id', '=', at.id),
)
const follow = query<{ follower: string; followed: string }>('followInTest', (db, at) =>
  db.insertInto('relations').values({
    source_id: at.follower,
    target_id: at.followed,
    kind: 'follow',
    created_at: 0,
  }),
)

const referencesOfPost = query<{ id: string }, { quoted_post_id: string | null }>(
  'referencesOfPostInTest',
  (db, at) => db.selectFrom('posts').select('quoted_post_id').where('id', '=', at.id),
)

interface Created {
  id: string
  text: string
  edit_history_post_ids: string[]
}

const created = (reply: Reply): Created => {
  assert.equal(reply.status, 201, reply.text)
  return (reply.json as { data: Created }).data
}

/** The sentence of the first wrong member. */
const sentence = (reply: Reply) => [
  reply.status,
  (reply.json as { errors?: { message: string }[] }).errors?.[0]?.message,
]
const detail = (reply: Reply) => [reply.status, (reply.json as { detail?: string }).detail]

for (const stage of stages) {
  describe(`writing posts on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let one: { id: string; keys: Keys }
    let other: { id: string; keys: Keys }
    let count = 0

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      const keys = demoKeys(opened.plaza)
      const [first, second] = opened.plaza.seeded?.users ?? []
      const app = opened.plaza.seeded?.apps[0]
      assert.ok(first && second && app)
      const { context } = opened.plaza
      const granted = app.grants.find((grant) => grant.userId === second.id)
      const token =
        granted ??
        (await context.store.write((tx) =>
          createAccessToken(tx, { appId: app.id, userId: second.id, access: 'read-write' }, context),
        ))
      one = { id: first.id, keys }
      other = { id: second.id, keys: { ...keys, token: token.token, tokenSecret: token.secret } }
      await makeCommunity(context, { id: '42', members: [one.id] })
    })
    after(async () => {
      await client.close()
      await opened.close()
    })
    beforeEach(() => opened.plaza.clock.advance(1000))

    const write = (json: unknown, as = one) => client.signed('POST', '/2/posts', as.keys, { json })
    const remove = (id: string, as = one) => client.signed('DELETE', `/2/posts/${id}`, as.keys)
    const read = async (target: string, as = one) => {
      const reply = await client.signed('GET', target, as.keys)
      assert.equal(reply.status, 200, reply.text)
      return reply.json as { data?: Record<string, unknown>; errors?: { detail: string }[] }
    }
    /** A count that everyone sees of a user or a post. */
    const metric = async (target: string, name: string, as = one): Promise<number | undefined> => {
      const { data } = await read(target, as)
      return (data?.public_metrics as Record<string, number> | undefined)?.[name]
    }
    const postCount = async (as = one): Promise<number> =>
      (await metric('/2/users/me?user.fields=public_metrics', 'post_count', as)) ?? -1
    const text = () => `Post ${++count} of the journey`
    /** The events about some posts, in their order. */
    const eventsOf = async (...ids: string[]) => {
      const events = await readEvents(opened.plaza.context.store, { after: 0, limit: 10_000 })
      return events.filter(({ subject }) => ids.includes(subject)).map(({ kind, subject }) => [kind, subject])
    }

    test('a post is published, shown, counted, and deleted once', async () => {
      const before = await postCount()
      const said = text()
      const post = created(await write({ text: `  ${said} ` }))
      assert.deepEqual(post, { id: post.id, text: said, edit_history_post_ids: [post.id] })
      assert.equal(await postCount(), before + 1)
      assert.equal((await read(`/2/posts/${post.id}`, other)).data?.text, said)
      assert.deepEqual(detail(await remove(post.id, other)), [
        403,
        'You are not authorized to delete this Post.',
      ])
      const gone = await remove(post.id)
      assert.deepEqual([gone.status, gone.json], [200, { data: { deleted: true } }])
      assert.equal(await postCount(), before)
      const again = await remove(post.id)
      assert.equal(again.status, 200)
      assert.equal(
        (again.json as { errors: { detail: string }[] }).errors[0]?.detail,
        `Could not find post with id: [${post.id}].`,
      )
      assert.equal((await read(`/2/posts/${post.id}`)).errors?.length, 1)
      assert.deepEqual(await eventsOf(post.id), [
        ['post.published', post.id],
        ['post.deleted', post.id],
      ])
    })

    test('nothing to say, and too much of it', async () => {
      assert.deepEqual(sentence(await write({})), [400, 'A post needs text or an attachment.'])
      assert.deepEqual(sentence(await write({ text: '   ' })), [400, 'A post needs text or an attachment.'])
      const long = 'é'.repeat(281)
      assert.deepEqual(sentence(await write({ text: long })), [
        400,
        'Your Post text is too long: it may weigh 280.',
      ])
      assert.equal(
        (await write({ text: `${'é'.repeat(256)} https://example.com/${'a'.repeat(900)}` })).status,
        201,
      )
    })

    test('a user with a subscription writes long posts', async () => {
      const { store } = opened.plaza.context
      const long = 'long '.repeat(100).trim()
      assert.equal((await write({ text: long }, other)).status, 400)
      await store.write((tx) => tx.run(subscribe, { id: other.id, type: 'Premium' }))
      const post = created(await write({ text: long }, other))
      assert.equal(post.text, long)
      const shown = await read(`/2/posts/${post.id}?post.fields=note_post`)
      assert.deepEqual(shown.data?.note_post, { text: long })
      await store.write((tx) => tx.run(subscribe, { id: other.id, type: 'None' }))
    })

    test('the same text again is a duplicate for a day, unless it refers to something else', async () => {
      const said = { text: text() }
      const first = created(await write(said))
      assert.deepEqual(detail(await write(said)), [
        403,
        'You are not allowed to create a Post with duplicate content.',
      ])
      assert.equal((await write(said, other)).status, 201)
      assert.equal((await write({ ...said, quote_post_id: first.id })).status, 201)
      assert.equal((await write({ ...said, reply: { in_reply_to_post_id: first.id } })).status, 201)
      opened.plaza.clock.advance(DAY_MS)
      assert.equal((await write(said)).status, 201)
    })

    test('attachments that exclude each other', async () => {
      const poll = { options: ['a', 'b'], duration_minutes: 5 }
      assert.deepEqual(sentence(await write({ text: text(), poll, quote_post_id: '1' })), [
        400,
        'You can only provide one of quote_post_id, poll.',
      ])
    })

    test('ids of nothing that there is', async () => {
      const cases: [object, string][] = [
        [{ media: { media_ids: ['1'] } }, 'Your media IDs are invalid.'],
        [{ quote_post_id: '1' }, 'Your quote post ID is invalid.'],
        [{ reply: { in_reply_to_post_id: '1' } }, 'Your reply post ID is invalid.'],
        [{ geo: { place_id: '0000000000000000' } }, 'Your place ID is invalid.'],
      ]
      for (const [more, message] of cases)
        assert.deepEqual(sentence(await write({ text: text(), ...more })), [400, message])
      const target = created(await write({ text: text() }))
      const reply = { in_reply_to_post_id: target.id, exclude_reply_user_ids: ['1'] }
      assert.deepEqual(sentence(await write({ text: text(), reply })), [
        400,
        'Your exclude reply user IDs are invalid.',
      ])
    })

    test('media of the user are shown; those of others, and too many, are rejected', async () => {
      const { context } = opened.plaza
      const media = await Promise.all([1, 2].map((size) => uploaded(context, one.id, png(10, size))))
      const ids = media.map(({ id }) => id)
      const post = created(await write({ media: { media_ids: ids, tagged_user_ids: [other.id] } }))
      const shown = await read(`/2/posts/${post.id}?post.fields=attachments`)
      assert.deepEqual(shown.data?.attachments, { media_keys: media.map((medium) => medium.media_key) })
      assert.equal((await write({ text: text(), media: { media_ids: ids } }, other)).status, 400)
      const moving = await uploaded(context, one.id, gif(9, 9))
      await opened.plaza.tasks.runDue('process medium')
      assert.deepEqual(sentence(await write({ media: { media_ids: [...ids, moving.id] } })), [
        400,
        'A post has up to 4 images, or 1 GIF, or 1 video.',
      ])
    })

    test('a poll is open for as long as it was made for', async () => {
      const poll = { options: ['Yes', 'No'], duration_minutes: 5 }
      const post = created(await write({ text: text(), poll }))
      const target = `/2/posts/${post.id}?expansions=attachments.poll_ids&poll.fields=voting_status`
      const status = async () =>
        ((await read(target)) as { includes?: { polls: { voting_status: string }[] } }).includes?.polls[0]
          ?.voting_status
      assert.equal(await status(), 'open')
      opened.plaza.clock.advance(5 * 60_000)
      assert.equal(await status(), 'closed')
    })

    test('a reply belongs to the conversation, and is counted', async () => {
      const root = created(await write({ text: text() }))
      const first = created(await write({ text: text(), reply: { in_reply_to_post_id: root.id } }, other))
      const second = created(await write({ text: text(), reply: { in_reply_to_post_id: first.id } }))
      const shown = await read(
        `/2/posts/${second.id}?post.fields=conversation_id,in_reply_to_user_id,referenced_posts`,
      )
      assert.equal(shown.data?.conversation_id, root.id)
      assert.equal(shown.data?.in_reply_to_user_id, other.id)
      assert.deepEqual(shown.data?.referenced_posts, [{ type: 'replied_to', id: first.id }])
      const replies = (id: string) => metric(`/2/posts/${id}?post.fields=public_metrics`, 'reply_count')
      assert.equal(await replies(first.id), 1)
      await remove(second.id)
      assert.equal(await replies(first.id), 0)
      await remove(first.id, other)
      const reply = { in_reply_to_post_id: first.id }
      assert.deepEqual(detail(await write({ text: text(), reply })), [
        403,
        'You attempted to reply to a Post that is deleted or not visible to you.',
      ])
    })

    test('a reply names whom it answers when it is asked to', async () => {
      const root = created(await write({ text: `${text()} @advertiser` }))
      const reply = { in_reply_to_post_id: root.id, auto_populate_reply_metadata: true }
      const said = text()
      assert.equal(created(await write({ text: said, reply }, other)).text, `@demo ${said}`)
      const alone = text()
      const excluding = { ...reply, exclude_reply_user_ids: [one.id] }
      assert.equal(created(await write({ text: alone, reply: excluding }, other)).text, alone)
    })

    test('the names of a reply never make it longer than its author may write', async () => {
      const people = await Promise.all(Array.from({ length: 60 }, () => Person.join(opened.plaza, client)))
      const { store } = opened.plaza.context
      await store.write((tx) => tx.run(subscribe, { id: one.id, type: 'Premium' }))
      const names = people.map(({ screenName }) => `@${screenName}`)
      const root = created(await write({ text: `${text()} ${names.join(' ')}` }))
      const reply = { in_reply_to_post_id: root.id, auto_populate_reply_metadata: true }
      const textOf = async (said: string, who: typeof one) => {
        const { id } = created(await write({ text: said, reply }, who))
        const { data } = await read(`/2/posts/${id}?post.fields=note_post`)
        return (data?.note_post as { text: string } | undefined)?.text ?? data?.text
      }
      // Names have 14 characters with the sign, and the user who is answered has 5.
      const said = text()
      const fitting = Math.floor((280 - said.length - '@demo '.length) / 15)
      assert.equal(await textOf(said, other), ['@demo', ...names.slice(0, fitting), said].join(' '))
      const full = `${text()} `.padEnd(280, 'x')
      assert.equal(await textOf(full, other), full)

      await store.write((tx) => tx.run(subscribe, { id: other.id, type: 'Premium' }))
      const long = text()
      assert.equal(await textOf(long, other), ['@demo', ...names.slice(0, 49), long].join(' '))
      const longest = `${text()} `.padEnd(24_990, 'x')
      assert.equal(await textOf(longest, other), `@demo ${longest}`)
      for (const { id } of [one, other]) await store.write((tx) => tx.run(subscribe, { id, type: 'None' }))
    })

    test('who may reply is decided by the post that began the conversation', async () => {
      const { store } = opened.plaza.context
      const restricted = 'The author of the conversation has limited who may reply to this Post.'
      const answer = async (settings: string, more = '') => {
        const root = created(await write({ text: `${text()}${more}`, reply_settings: settings }))
        assert.equal((await write({ text: text(), reply: { in_reply_to_post_id: root.id } })).status, 201)
        return write({ text: text(), reply: { in_reply_to_post_id: root.id } }, other)
      }
      for (const settings of ['following', 'mentionedUsers', 'subscribers', 'verified']) {
        assert.deepEqual(detail(await answer(settings)), [403, restricted], settings)
        assert.equal((await answer(settings, ' @advertiser')).status, 201, settings)
      }
      await store.write((tx) => tx.run(verify, { id: other.id, value: 1 }))
      assert.equal((await answer('verified')).status, 201)
      await store.write((tx) => tx.run(verify, { id: other.id, value: 0 }))
      await store.write((tx) => tx.run(follow, { follower: one.id, followed: other.id }))
      assert.equal((await answer('following')).status, 201)
    })

    test('a quote is counted', async () => {
      const quoted = created(await write({ text: text() }))
      await write({ text: text(), quote_post_id: quoted.id }, other)
      assert.equal(await metric(`/2/posts/${quoted.id}?post.fields=public_metrics`, 'quote_count'), 1)
    })

    test('a post of a community says whether followers see it', async () => {
      assert.deepEqual(sentence(await write({ text: text(), share_with_followers: true })), [
        400,
        'share_with_followers needs community_id.',
      ])
      const post = created(
        await write({ text: text(), community_id: '42', share_with_followers: true, paid_partnership: true }),
      )
      const shown = await read(`/2/posts/${post.id}?post.fields=community_id,scopes,paid_partnership`)
      assert.deepEqual(shown.data, {
        id: post.id,
        text: post.text,
        edit_history_post_ids: [post.id],
        community_id: '42',
        paid_partnership: true,
        scopes: { followers: true },
      })
    })

    test('a long post has up to 25,000 characters, whatever they weigh', async () => {
      const { store } = opened.plaza.context
      await store.write((tx) => tx.run(subscribe, { id: other.id, type: 'Premium' }))
      const longest = '🦀'.repeat(25_000)
      const post = created(await write({ text: longest }, other))
      const shown = await read(`/2/posts/${post.id}?post.fields=note_post`)
      assert.deepEqual(shown.data?.note_post, { text: longest })
      // Some clients escape what is not ASCII.
      const escaped = `{"text":"${'\\ud83d\\udc1f'.repeat(25_000)}"}`
      const headers = { 'content-type': 'application/json' }
      const sent = await client.signed('POST', '/2/posts', other.keys, {
        headers,
        body: Buffer.from(escaped),
      })
      assert.equal(created(sent).text, '🐟'.repeat(25_000))
      assert.equal((await write({ text: `${longest}🦀` }, other)).status, 400)
      // Each of these is two characters in NFC.
      assert.deepEqual(sentence(await write({ text: '\u0958'.repeat(12_501) }, other)), [
        400,
        'Your Post text is too long: it may have 25000 characters.',
      ])
      await store.write((tx) => tx.run(subscribe, { id: other.id, type: 'None' }))
    })

    test('null for what a post leaves out counts as absent', async () => {
      const said = text()
      const absent = {
        media: null,
        reply: null,
        geo: null,
        nullcast: null,
        reply_settings: null,
        card_uri: null,
      }
      const poll = { options: ['Yes', 'No'], duration_minutes: 5, reply_settings: null }
      assert.equal(created(await write({ text: said, ...absent, poll: null })).text, said)
      created(await write({ text: text(), ...absent, poll }))
      const missing = await write({ text: text(), reply: { in_reply_to_post_id: null } })
      assert.equal(missing.status, 400)
    })

    test('a place is named', async () => {
      const place_id = countryLocationId('DE')
      const post = created(await write({ text: text(), geo: { place_id } }))
      assert.deepEqual((await read(`/2/posts/${post.id}?post.fields=geo`)).data?.geo, { place_id })
    })

    test('a new version takes the place of a post, for an hour, five times, with a subscription', async () => {
      const { store } = opened.plaza.context
      const { clock } = opened.plaza
      const first = created(await write({ text: text() }))
      const edit = (id: string, as = one) =>
        write({ text: text(), edit_options: { previous_post_id: id } }, as)
      const refused = [403, 'You are not permitted to edit this Post.']
      assert.deepEqual(detail(await edit(first.id)), refused)
      await store.write((tx) => tx.run(subscribe, { id: one.id, type: 'Premium' }))
      assert.deepEqual(detail(await edit(first.id, other)), refused)
      const counted = await postCount()
      const versions = [first.id]
      for (let edits = 0; edits < 5; edits++) {
        const made = created(await edit(versions.at(-1) ?? ''))
        versions.push(made.id)
        assert.deepEqual(made.edit_history_post_ids, versions)
      }
      assert.equal(await postCount(), counted)
      assert.deepEqual(detail(await edit(versions.at(-1) ?? '')), refused)
      assert.deepEqual(detail(await edit(first.id)), refused)
      for (const id of versions) {
        const shown = await read(`/2/posts/${id}?post.fields=conversation_id,edit_controls`)
        assert.deepEqual(shown.data?.edit_history_post_ids, versions)
        assert.equal(shown.data?.conversation_id, first.id)
      }
      const late = created(await write({ text: text() }))
      clock.advance(HOUR_MS)
      assert.equal((await edit(late.id)).status, 201)
      const later = created(await write({ text: text() }))
      clock.advance(HOUR_MS + 1)
      assert.deepEqual(detail(await edit(later.id)), refused)
      await remove(first.id)
      for (const id of versions) assert.equal((await read(`/2/posts/${id}`)).errors?.length, 1)
      assert.equal(await postCount(), counted + 1)
      const [original = '', ...edits] = versions
      assert.deepEqual(await eventsOf(...versions), [
        ['post.published', original],
        ...edits.map((id) => ['post.edited', id]),
        ['post.deleted', versions.at(-1)],
      ])
      await store.write((tx) => tx.run(subscribe, { id: one.id, type: 'None' }))
    })

    test('a new version may say what another version of the post says', async () => {
      const { store } = opened.plaza.context
      await store.write((tx) => tx.run(subscribe, { id: one.id, type: 'Premium' }))
      const said = text()
      const edit = async (of: string, body: object) =>
        created(await write({ ...body, edit_options: { previous_post_id: of } })).id
      const first = created(await write({ text: said })).id
      const labelled = await edit(first, { text: said, paid_partnership: true })
      const changed = await edit(labelled, { text: text() })
      const back = await edit(changed, { text: said })
      const refused = [403, 'You are not allowed to create a Post with duplicate content.']
      assert.deepEqual(detail(await write({ text: said })), refused)
      const other = created(await write({ text: text() })).id
      const asOther = { text: said, edit_options: { previous_post_id: other } }
      assert.deepEqual(detail(await write(asOther)), refused)
      await remove(back)
      await store.write((tx) => tx.run(subscribe, { id: one.id, type: 'None' }))
    })

    test('a new version keeps what the post refers to, its community, and who sees it and replies', async () => {
      const { store } = opened.plaza.context
      await store.write((tx) => tx.run(subscribe, { id: one.id, type: 'Premium' }))
      const edit = (id: string, more: object = {}) =>
        write({ text: text(), edit_options: { previous_post_id: id }, ...more })
      const fields =
        'post.fields=community_id,scopes,reply_settings,conversation_id,in_reply_to_user_id,referenced_posts'
      const keptOf = async (id: string) => {
        const {
          text: _,
          id: __,
          edit_history_post_ids: ___,
          ...kept
        } = (await read(`/2/posts/${id}?${fields}`)).data as Record<string, unknown>
        return kept
      }
      const replies = (id: string) => metric(`/2/posts/${id}?post.fields=public_metrics`, 'reply_count')
      const quotes = (id: string) => metric(`/2/posts/${id}?post.fields=public_metrics`, 'quote_count')
      const foreign = created(await write({ text: text() }, other))

      const plain = created(await write({ text: text() }))
      for (const [name, more] of [
        ['in_reply_to_post_id', { reply: { in_reply_to_post_id: foreign.id } }],
        ['nullcast', { nullcast: true }],
        ['community_id', { community_id: '42' }],
        ['quote_post_id', { quote_post_id: foreign.id }],
        ['reply_settings', { reply_settings: 'following' }],
        ['for_super_followers_only', { for_super_followers_only: true }],
      ] as const)
        assert.deepEqual(sentence(await edit(plain.id, more)), [
          400,
          `A new version of a post cannot change ${name}.`,
        ])
      const same = created(await edit(plain.id, { nullcast: false, for_super_followers_only: false }))
      assert.deepEqual(await keptOf(same.id), { conversation_id: plain.id, reply_settings: 'everyone' })
      assert.deepEqual([await replies(foreign.id), await quotes(foreign.id)], [0, 0])

      const shared = { community_id: '42', share_with_followers: true, reply_settings: 'following' }
      const inCommunity = created(await write({ text: text(), ...shared }))
      const later = created(await edit(inCommunity.id))
      const again = created(await edit(later.id, shared))
      for (const id of [later.id, again.id])
        assert.deepEqual(await keptOf(id), {
          community_id: '42',
          conversation_id: inCommunity.id,
          reply_settings: 'following',
          scopes: { followers: true },
        })
      assert.deepEqual(sentence(await edit(again.id, { share_with_followers: false })), [
        400,
        'A new version of a post cannot change share_with_followers.',
      ])

      const root = created(await write({ text: text() }))
      const reply = created(await write({ text: text(), reply: { in_reply_to_post_id: root.id } }))
      const edited = created(await edit(reply.id, { reply: { in_reply_to_post_id: root.id } }))
      assert.deepEqual(await keptOf(edited.id), {
        conversation_id: root.id,
        in_reply_to_user_id: one.id,
        referenced_posts: [{ type: 'replied_to', id: root.id }],
        reply_settings: 'everyone',
      })
      assert.equal(await replies(root.id), 1)

      const quote = created(await write({ text: text(), quote_post_id: foreign.id }))
      const media_ids = [(await uploaded(opened.plaza.context, one.id, png(8, 8))).id]
      assert.deepEqual(sentence(await edit(quote.id, { media: { media_ids } })), [
        400,
        'You can only provide one of quote_post_id, media.',
      ])
      await remove(foreign.id, other)
      // What it quotes is gone, and stays.
      const requoted = created(await edit(quote.id))
      const references = (await store.all(referencesOfPost, { id: requoted.id }))[0]
      assert.deepEqual(references, { quoted_post_id: foreign.id })
      await store.write((tx) => tx.run(subscribe, { id: one.id, type: 'None' }))
    })

    test('a post of advertisements only is not counted', async () => {
      const before = await postCount()
      created(await write({ text: text(), nullcast: true }))
      assert.equal(await postCount(), before)
    })

    test('users are found by their ids and names, in any case; and as whom they call', async () => {
      const demo = { id: one.id, name: 'Demo Developer', username: 'demo' }
      const advertiser = { id: other.id, name: 'Demo Advertiser', username: 'advertiser' }
      assert.deepEqual(await read('/2/users/me'), { data: demo })
      assert.deepEqual(await read(`/2/users/${other.id}`), { data: advertiser })
      assert.deepEqual(await read(`/2/users?ids=${other.id},${one.id}`), { data: [advertiser, demo] })
      assert.deepEqual(await read('/2/users/by/username/DEMO'), { data: demo })
      const body = await read('/2/users/by?usernames=nobody,Demo')
      assert.deepEqual(body.data, [demo])
      assert.equal(body.errors?.[0]?.detail, 'Could not find user with usernames: [nobody].')
    })

    test('the newest and the pinned post of a user are included, and how users are related', async () => {
      const post = await makePost(opened.plaza.context, { authorId: other.id })
      const body = (await read(
        `/2/users/${other.id}?expansions=most_recent_post_id&user.fields=connection_status`,
      )) as { data?: Record<string, unknown>; includes?: { posts: { id: string }[] } }
      assert.equal(body.data?.most_recent_post_id, post.id)
      assert.deepEqual(body.data?.connection_status, ['following'])
      assert.deepEqual(
        body.includes?.posts.map(({ id }) => id),
        [post.id],
      )
    })
  })
}
