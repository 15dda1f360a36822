import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { mediaById } from '../../src/domain/media/queries.ts'
import { lockPair } from '../../src/identity/relations/relations.ts'
import { readEvents } from '../../src/platform/events/log.ts'
import { Client, type Reply } from '../support/client.ts'
import { png, uploaded } from '../support/media.ts'
import { Person } from '../support/person.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

const DAY_MS = 86_400_000

const closeInbox = query<{ id: string }>('closeInboxOfTest', (db, at) =>
  db.updateTable('users').set({ direct_messages_from: 'followed' }).where('id', '=', at.id),
)
const suspend = query<{ id: string }>('suspendRecipient', (db, at) =>
  db.updateTable('users').set({ suspended: 1 }).where('id', '=', at.id),
)
interface Body {
  data?: Record<string, unknown>[]
  includes?: Record<string, Record<string, unknown>[]>
  errors?: Record<string, unknown>[]
  meta?: { result_count: number; next_token?: string; previous_token?: string }
}

interface Made {
  dm_conversation_id: string
  dm_event_id: string
}

const made = (reply: Reply, status = 201): Made => {
  assert.equal(reply.status, status, reply.text)
  return (reply.json as { data: Made }).data
}

/** The sentence of the first wrong parameter. */
const sentence = (reply: Reply) => [
  reply.status,
  (reply.json as { errors?: { message: string }[] }).errors?.[0]?.message,
]
const detail = (reply: Reply) => [reply.status, (reply.json as { detail?: string }).detail]

const TO_USER = [403, 'You cannot send messages to this user.']
const NOT_IN = [403, 'You are not a participant of this conversation.']

for (const stage of stages) {
  describe(`direct messages on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Person
    let bob: Person
    let cat: Person

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client.close()
      await opened.close()
    })
    beforeEach(async () => {
      opened.plaza.clock.advance(1000)
      ;[ann, bob, cat] = [await join(), await join(), await join()]
    })

    const join = () => Person.join(opened.plaza, client)
    const run = (statement: typeof closeInbox, id: string) =>
      opened.plaza.context.store.write((tx) => tx.run(statement, { id }))
    const send = (from: Person, to: Person, json: object) =>
      from.core('POST', `/2/dm_conversations/with/${to.id}/messages`, json)
    const relate = async (source: Person, how: 'following' | 'blocking', target: Person) => {
      const reply = await source.core('POST', `/2/users/${source.id}/${how}`, { target_user_id: target.id })
      assert.equal(reply.status, 200, reply.text)
    }
    const read = async (as: Person, target: string): Promise<Body> => {
      const reply = await as.core('GET', target)
      assert.equal(reply.status, 200, reply.text)
      return reply.json as Body
    }
    const texts = async (as: Person, target = '/2/dm_events'): Promise<unknown[]> =>
      ((await read(as, target)).data ?? []).map((one) => one.text ?? one.event_type)
    const begin = async (by: Person, others: Person[], text = 'Hello all') =>
      made(
        await by.core('POST', '/2/dm_conversations', {
          conversation_type: 'Group',
          participant_ids: others.map(({ id }) => id),
          message: { text },
        }),
      ).dm_conversation_id
    /** The events of the log about a conversation. */
    const logged = async (conversation: string) => {
      const events = await readEvents(opened.plaza.context.store, { after: 0, limit: 10_000 })
      return events.filter(({ subject }) => subject === conversation)
    }

    test('a message reaches the other user and no one else', async () => {
      const { dm_conversation_id: conversation, dm_event_id: id } = made(
        await send(ann, bob, { text: '  Hello #World @demo ' }),
      )
      assert.equal(conversation, `${ann.id}-${bob.id}`)
      const fields = 'dm_event.fields=created_at,dm_conversation_id,entities,participant_ids,sender_id'
      for (const who of [ann, bob]) {
        const { data, meta } = await read(who, `/2/dm_conversations/${conversation}/dm_events?${fields}`)
        assert.deepEqual(meta, { result_count: 1 })
        assert.deepEqual(data, [
          {
            id,
            event_type: 'MessageCreate',
            text: 'Hello #World @demo',
            created_at: new Date(opened.plaza.clock.now()).toISOString(),
            dm_conversation_id: conversation,
            entities: {
              hashtags: [{ start: 6, end: 12, tag: 'World' }],
              mentions: [{ start: 13, end: 18, username: 'demo', id: opened.plaza.seeded?.users[0]?.id }],
            },
            sender_id: ann.id,
          },
        ])
      }
      assert.deepEqual(await texts(ann, `/2/dm_conversations/with/${bob.id}/dm_events`), [
        'Hello #World @demo',
      ])
      assert.deepEqual(await texts(cat), [])
      assert.deepEqual(await texts(cat, `/2/dm_conversations/${conversation}/dm_events`), [])
      const foreign = await read(cat, `/2/dm_events/${id}`)
      assert.equal(foreign.data, undefined)
      assert.deepEqual(
        foreign.errors?.map((one) => [one.resource_type, one.detail]),
        [['dm_event', `Could not find dm_event with event_id: [${id}].`]],
      )
      assert.deepEqual(
        (await logged(conversation)).map(({ kind, data }) => [kind, data]),
        [
          [
            'direct-message.created',
            {
              event_id: id,
              conversation_id: conversation,
              sender_id: ann.id,
              app_id: opened.plaza.seeded?.apps[0]?.id,
            },
          ],
        ],
      )
    })

    test('a reply by the id of the conversation; others are rejected like unknown ones', async () => {
      const { dm_conversation_id: conversation } = made(await send(ann, bob, { text: 'Question' }))
      const target = `/2/dm_conversations/${conversation}/messages`
      made(await bob.core('POST', target, { text: 'Answer' }))
      assert.deepEqual(await texts(ann), ['Answer', 'Question'])
      for (const path of [conversation, `${bob.id}-${ann.id}`, '123-456', '1900000000000000000']) {
        const reply = await cat.core('POST', `/2/dm_conversations/${path}/messages`, { text: 'Intrusion' })
        assert.deepEqual(detail(reply), NOT_IN)
      }
      assert.deepEqual(await texts(ann), ['Answer', 'Question'])
    })

    test('who may send messages: what the recipient chose, whom they follow, whom they wrote to', async () => {
      await run(closeInbox, bob.id)
      await relate(bob, 'following', cat)
      const takes = async (as: Person) => {
        const { data } = await read(
          as,
          `/2/users?ids=${ann.id},${bob.id},${cat.id}&user.fields=receives_your_dm`,
        )
        return data?.map((one) => one.receives_your_dm)
      }
      assert.deepEqual(await takes(ann), [false, false, true])
      assert.deepEqual(await takes(cat), [true, true, false])
      assert.deepEqual(detail(await send(ann, bob, { text: 'No' })), TO_USER)
      const group = { conversation_type: 'Group', participant_ids: [bob.id, cat.id], message: { text: 'No' } }
      assert.deepEqual(detail(await ann.core('POST', '/2/dm_conversations', group)), TO_USER)
      assert.deepEqual(await texts(ann), [])
      made(await send(bob, ann, { text: 'May I?' }))
      assert.deepEqual(await takes(ann), [false, true, true])
      made(await send(ann, bob, { text: 'You may' }))
      made(await send(cat, bob, { text: 'Followed' }))
      await run(suspend, bob.id)
      assert.deepEqual(detail(await send(cat, bob, { text: 'No' })), TO_USER)
    })

    test('a block ends messages in both directions', async () => {
      const { dm_conversation_id: conversation } = made(await send(ann, bob, { text: 'Hello' }))
      made(await send(bob, ann, { text: 'Hello' }))
      await relate(bob, 'blocking', ann)
      for (const [from, to] of [
        [ann, bob],
        [bob, ann],
      ] as const) {
        assert.deepEqual(detail(await send(from, to, { text: 'No' })), TO_USER)
        const reply = await from.core('POST', `/2/dm_conversations/${conversation}/messages`, { text: 'No' })
        assert.deepEqual(detail(reply), TO_USER)
        const { data } = await read(from, `/2/users?ids=${to.id}&user.fields=receives_your_dm`)
        assert.equal(data?.[0]?.receives_your_dm, false)
      }
      assert.deepEqual(await texts(ann), ['Hello', 'Hello'])
    })

    test('a block of messages ends them in both directions, and nothing else', async () => {
      made(await send(bob, ann, { text: 'Hello' }))
      const block = (who: Person, segment: 'block' | 'unblock', whom: string) =>
        who.core('POST', `/2/users/${whom}/dm/${segment}`)
      for (let round = 0; round < 2; round++) {
        const reply = await block(bob, 'block', ann.id)
        assert.deepEqual([reply.status, reply.json], [200, { data: { blocked: true } }])
      }
      for (const [from, to] of [
        [ann, bob],
        [bob, ann],
      ] as const) {
        assert.deepEqual(detail(await send(from, to, { text: 'No' })), TO_USER)
        const { data } = await read(
          from,
          `/2/users?ids=${to.id}&user.fields=receives_your_dm,connection_status`,
        )
        assert.equal(data?.[0]?.receives_your_dm, false)
        assert.deepEqual(data?.[0]?.connection_status, [])
        assert.deepEqual(await texts(from), ['Hello'])
      }
      await relate(ann, 'following', bob)
      made(await send(cat, bob, { text: 'Others may' }))
      const ended = await block(ann, 'unblock', bob.id)
      assert.deepEqual([ended.status, ended.json], [200, { data: { blocked: false } }])
      assert.deepEqual(
        detail(await send(ann, bob, { text: 'No' })),
        TO_USER,
        'the block is of the other user',
      )
      assert.equal((await block(bob, 'unblock', ann.id)).status, 200)
      made(await send(ann, bob, { text: 'Again' }))
      const unknown = await block(ann, 'block', '456')
      assert.deepEqual(
        [unknown.status, (unknown.json as { errors: { detail: string }[] }).errors[0]?.detail],
        [200, 'Could not find user with id: [456].'],
      )
      assert.equal((await block(ann, 'block', ann.id)).status, 400)
    })

    test('a level without direct messages may neither send nor read', async () => {
      const dan = await Person.join(opened.plaza, client, 'read-write')
      const sent = await send(dan, ann, { text: 'No' })
      const got = await dan.core('GET', '/2/dm_events')
      for (const reply of [sent, got])
        assert.deepEqual(
          [reply.status, (reply.json as { errors?: unknown }).errors],
          [
            403,
            [
              {
                code: 93,
                message: 'This application is not allowed to access or delete your direct messages.',
              },
            ],
          ],
        )
    })

    test('a group: participants join and leave, and see what happens while they take part', async () => {
      const dan = await join()
      const group = await begin(ann, [bob, cat])
      const target = `/2/dm_conversations/${group}`
      assert.deepEqual(await texts(bob), ['Hello all', 'ParticipantsJoin'])
      assert.deepEqual(
        detail(await dan.core('POST', `${target}/participants`, { participant_ids: [dan.id] })),
        NOT_IN,
      )
      made(await bob.core('POST', `${target}/participants`, { participant_ids: [dan.id] }))
      made(await dan.core('POST', `${target}/messages`, { text: 'I am here' }))
      assert.deepEqual(await texts(dan), ['I am here', 'ParticipantsJoin'])
      const removal = await ann.core('DELETE', `${target}/participants/${cat.id}`)
      assert.equal(removal.status, 400)
      const left = made(await cat.core('DELETE', `${target}/participants/${cat.id}`), 200)
      made(await dan.core('POST', `${target}/messages`, { text: 'Bye' }))
      assert.deepEqual(detail(await cat.core('POST', `${target}/messages`, { text: 'No' })), NOT_IN)
      assert.deepEqual(await texts(cat), [
        'ParticipantsLeave',
        'I am here',
        'ParticipantsJoin',
        'Hello all',
        'ParticipantsJoin',
      ])
      const expanded = '&dm_event.fields=sender_id&expansions=participant_ids'
      const seen = await read(
        ann,
        `${target}/dm_events?event_types=ParticipantsJoin,ParticipantsLeave${expanded}`,
      )
      assert.deepEqual(
        seen.data?.map(({ id: _, ...one }) => one),
        [
          { event_type: 'ParticipantsLeave', sender_id: cat.id, participant_ids: [cat.id] },
          { event_type: 'ParticipantsJoin', sender_id: bob.id, participant_ids: [dan.id] },
          { event_type: 'ParticipantsJoin', sender_id: ann.id, participant_ids: [bob.id, cat.id] },
        ],
      )
      assert.deepEqual(seen.includes?.users?.map((one) => one.id).sort(), [bob.id, cat.id, dan.id].sort())
      assert.deepEqual(
        (await logged(group)).map(({ kind }) => kind.slice('direct-message.'.length)),
        ['participants-joined', 'created', 'participants-joined', 'created', 'participants-left', 'created'],
      )
      assert.ok((await logged(group)).some(({ data }) => data.event_id === left.dm_event_id))
    })

    test('a group has up to 50 participants, each once, who exist and are not the caller', async () => {
      const group = await begin(ann, [bob, cat])
      const add = async (ids: string[]) =>
        sentence(
          await ann.core('POST', `/2/dm_conversations/${group}/participants`, { participant_ids: ids }),
        )
      assert.deepEqual(await add([bob.id]), [400, `The user ${bob.id} is already a participant.`])
      assert.deepEqual(await add(['456']), [400, 'There is no user with the id 456.'])
      const many = Array.from({ length: 48 }, (_, index) => String(index + 1))
      assert.deepEqual(await add(many), [400, 'A group has up to 50 participants.'])
      const own = { conversation_type: 'Group', participant_ids: [ann.id, bob.id], message: { text: 'Hi' } }
      assert.deepEqual(sentence(await ann.core('POST', '/2/dm_conversations', own)), [
        400,
        'You cannot message yourself.',
      ])
      assert.deepEqual(await texts(cat), ['Hello all', 'ParticipantsJoin'])
    })

    test('a message that cannot be sent changes nothing', async () => {
      const wrong: [object, string][] = [
        [{}, 'A message needs text or an attachment.'],
        [{ text: ' \n ' }, 'A message needs text or an attachment.'],
        [{ text: '\u200b\u2060' }, 'A message needs text or an attachment.'],
        [{ text: 'x'.repeat(10_001) }, '$.text: must be between 1 and 10000 long'],
        [{ text: 'a\ufffeb' }, 'The text contains invalid characters.'],
        [{ text: 'a', attachments: [{ media_id: '456' }] }, 'Your media ID is invalid.'],
      ]
      for (const [body, said] of wrong) assert.deepEqual(sentence(await send(ann, bob, body)), [400, said])
      assert.deepEqual(sentence(await send(ann, ann, { text: 'I' })), [400, 'You cannot message yourself.'])
      const nobody = await ann.core('POST', '/2/dm_conversations/with/456/messages', { text: 'Who?' })
      assert.deepEqual(sentence(nobody), [400, 'There is no user with the id 456.'])
      assert.deepEqual(await texts(bob), [])
      made(await send(ann, bob, { text: 'x'.repeat(10_000) }))
    })

    test('a medium of the sender is shown by one message, and kept as long as someone sees it', async () => {
      const { context, clock } = opened.plaza
      const medium = await uploaded(context, ann.id, png(12, 12, Number(ann.id.slice(-3))))
      const body = { attachments: [{ media_id: medium.id }] }
      assert.deepEqual(sentence(await send(bob, ann, body)), [400, 'Your media ID is invalid.'])
      const { dm_event_id: id } = made(await send(ann, bob, body))
      assert.deepEqual(sentence(await send(ann, bob, body)), [400, 'Your media ID is invalid.'])
      const shown = await read(bob, `/2/dm_events/${id}?expansions=attachments.media_keys&media.fields=width`)
      assert.deepEqual(shown.data, {
        id,
        event_type: 'MessageCreate',
        attachments: { media_keys: [medium.media_key] },
      })
      assert.deepEqual(shown.includes?.media, [{ media_key: medium.media_key, type: 'photo', width: 12 }])
      const expiry = async () => (await context.store.first(mediaById, { id: medium.id }))?.expires_at
      const url = `/2/dm_events/${id}?expansions=attachments.media_keys&media.fields=url`
      const [withUrl] = (await read(bob, url)).includes?.media ?? []
      const path = String((withUrl as { url?: string }).url).slice(opened.plaza.urls.core.length)
      assert.ok(path.startsWith(`/2/dm_conversations/media/${id}/${medium.id}/`), path)
      for (const who of [ann, bob]) {
        const file = await who.core('GET', path)
        assert.deepEqual([file.status, file.headers['content-type']], [200, 'image/png'])
      }
      const absent = [path.replace(medium.id, '456'), path.replace(id, '456'), `${path}x`]
      const replies = [await cat.core('GET', path)]
      for (const other of absent) replies.push(await bob.core('GET', other))
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([404]))
      assert.equal(await expiry(), null)
      const remove = async (as: Person) => (await as.core('DELETE', `/2/dm_events/${id}`)).json as Body
      assert.deepEqual(await remove(ann), { data: { deleted: true } })
      assert.equal((await remove(ann)).errors?.length, 1)
      assert.equal((await remove(cat)).errors?.length, 1)
      assert.deepEqual(await texts(ann), [])
      assert.equal((await read(bob, `/2/dm_events/${id}`)).errors, undefined)
      assert.equal(await expiry(), null)
      assert.deepEqual(await remove(bob), { data: { deleted: true } })
      assert.ok(Number(await expiry()) > clock.now())
    })

    test('a message refers to posts that it links to and that its sender sees', async () => {
      const post = await makePost(opened.plaza.context, { authorId: ann.id })
      const link = (name: string) => `https://social.example.com/${name}/status/${post.id}`
      const text = `See ${link(ann.screenName)} and ${link(bob.screenName)} and https://example.com/`
      const { dm_event_id: id } = made(await send(cat, bob, { text: link(bob.screenName) }))
      assert.equal((await read(bob, `/2/dm_events/${id}?dm_event.fields=referenced_posts`)).errors, undefined)
      const other = made(await send(ann, bob, { text })).dm_event_id
      const expanded = await read(bob, `/2/dm_events/${other}?expansions=referenced_posts.id,sender_id`)
      const { referenced_posts, sender_id } = expanded.data as never as Record<string, unknown>
      assert.deepEqual([referenced_posts, sender_id], [[{ id: post.id }], ann.id])
      assert.deepEqual(
        expanded.includes?.posts?.map((one) => one.id),
        [post.id],
      )
      assert.deepEqual(
        expanded.includes?.users?.map((one) => one.id),
        [ann.id],
      )
    })

    test('pages continue in both directions, whatever is sent meanwhile; lists reach back 30 days', async () => {
      for (const text of ['1', '2', '3', '4', '5']) made(await send(ann, bob, { text }))
      const target = `/2/dm_conversations/with/${ann.id}/dm_events?max_results=2`
      const page = async (token?: string) =>
        read(bob, token === undefined ? target : `${target}&pagination_token=${token}`)
      const shown = ({ data = [] }: Body) => data.map((one) => one.text)
      const first = await page()
      assert.deepEqual([shown(first), first.meta?.previous_token], [['5', '4'], undefined])
      made(await send(ann, bob, { text: '6' }))
      const second = await page(first.meta?.next_token)
      const third = await page(second.meta?.next_token)
      assert.deepEqual([shown(second), shown(third)], [['3', '2'], ['1']])
      assert.equal(third.meta?.next_token, undefined)
      const back = await page(second.meta?.previous_token)
      assert.deepEqual(shown(back), ['5', '4'])
      const newest = await page(back.meta?.previous_token)
      assert.deepEqual([shown(newest), newest.meta?.previous_token], [['6'], undefined])
      assert.deepEqual(shown(await page(newest.meta?.next_token)), ['5', '4'])
      opened.plaza.clock.advance(30 * DAY_MS + 1000)
      assert.deepEqual(await page(), { meta: { result_count: 0 } })
    })

    test('typing and reading are events of the log; reading never goes back', async () => {
      const first = made(await send(ann, bob, { text: 'One' }))
      const second = made(await send(ann, bob, { text: 'Two' }))
      const call = (as: Person, path: string, form: Record<string, string>) =>
        client.signed('POST', `/1.1/direct_messages/${path}.json`, as.keys, { form })
      const typing = await call(bob, 'indicate_typing', { recipient_id: ann.id })
      assert.deepEqual([typing.status, typing.text], [204, ''])
      for (const id of [second.dm_event_id, first.dm_event_id, second.dm_event_id]) {
        const reply = await call(bob, 'mark_read', { recipient_id: ann.id, last_read_event_id: id })
        assert.deepEqual([reply.status, reply.text], [204, ''])
      }
      for (const [who, id] of [
        [cat, second.dm_event_id],
        [ann, second.dm_event_id],
        [bob, '456'],
      ] as const) {
        const other = who === ann ? bob : ann
        const reply = await call(who, 'mark_read', { recipient_id: other.id, last_read_event_id: id })
        assert.deepEqual(
          [reply.status, reply.json],
          [400, { errors: [{ code: 44, message: 'last_read_event_id parameter is invalid.' }] }],
        )
      }
      await run(closeInbox, cat.id)
      const refused = await call(bob, 'indicate_typing', { recipient_id: cat.id })
      assert.deepEqual(
        [refused.status, refused.json],
        [403, { errors: [{ code: 349, message: 'You cannot send messages to this user.' }] }],
      )
      const { dm_conversation_id: conversation_id } = first
      const said = { conversation_id, sender_id: bob.id, recipient_id: ann.id }
      assert.deepEqual(
        (await logged(conversation_id)).slice(2).map(({ kind, data }) => [kind, data]),
        [
          ['direct-message.typing', said],
          ['direct-message.read', { ...said, last_read_event_id: second.dm_event_id }],
        ],
      )
    })

    test('first messages of both users at once begin one conversation', async () => {
      const sent = await Promise.all([
        ...Array.from({ length: 5 }, () => send(ann, bob, { text: 'From Ann' })),
        ...Array.from({ length: 5 }, () => send(bob, ann, { text: 'From Bob' })),
      ])
      assert.equal(new Set(sent.map((reply) => made(reply).dm_conversation_id)).size, 1)
      assert.deepEqual(await texts(ann), await texts(bob))
      assert.equal((await texts(ann)).length, 10)
    })

    // On SQLite, one transaction writes at a time.
    if (stage.shared)
      test('messages and groups wait for no transaction that changes how their users relate', async () => {
        const { store } = opened.plaza.context
        const group = await begin(ann, [bob, cat])
        await store.write(async (tx) => {
          await lockPair(tx, { source: ann.id, target: bob.id })
          made(await send(ann, bob, { text: 'Meanwhile' }))
          made(await ann.core('POST', `/2/dm_conversations/${group}/messages`, { text: 'To all' }))
          await begin(bob, [ann, cat])
        })
      })
  })
}
