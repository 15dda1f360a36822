import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { decodeStruct, structAt, textAt } from '../../src/domain/chat/thrift.ts'
import {
  type ChatKeys,
  chatKeys,
  chatMessage,
  deleteAction,
  groupCreateAction,
  keyBody,
  keyChange,
  keyChangeAction,
  memberAddAction,
  participantKey,
  signedMessage,
} from '../support/chats.ts'
import { Client, type Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'

type Data = Record<string, unknown>
interface Body {
  data: Data[]
  meta: { result_count: number; has_more: boolean; next_token?: string; conversation_key_events: string[] }
}

const dataOf = (reply: Reply, status = 200): Data => {
  assert.equal(reply.status, status, reply.text)
  return (reply.json as { data: Data }).data
}
const eventIn = (encoded: unknown) => decodeStruct(Buffer.from(String(encoded), 'base64'))

for (const stage of stages) {
  describe(`encrypted chats on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let [ann, bob, cat] = [] as unknown as [Person, Person, Person]
    let keys: ChatKeys

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
      keys = chatKeys('1')
      ;[ann, bob, cat] = [await join(), await join(), await join()]
    })

    const join = async () => {
      const person = await Person.join(opened.plaza, client)
      dataOf(await person.core('POST', `/2/users/${person.id}/public_keys`, keyBody(keys)))
      return person
    }
    const pairKeys = (version: string, messageId?: string) =>
      keyChange(version, [participantKey(ann.id), participantKey(bob.id)], messageId)
    const path = (other: Person | string, rest: string) =>
      `/2/chat/conversations/${typeof other === 'string' ? other : other.id}${rest}`
    const begin = async () => dataOf(await ann.core('POST', path(bob, '/keys'), pairKeys('1')))
    const send = async (from: Person, to: Person | string, body: object = chatMessage()) =>
      eventIn(dataOf(await from.core('POST', path(to, '/messages'), body), 201).encoded_message_event)
    const events = async (as: Person, chat: Person | string, more = ''): Promise<Body> => {
      const reply = await as.core('GET', path(chat, `/events${more}`))
      assert.equal(reply.status, 200, reply.text)
      return reply.json as Body
    }
    const status = async (as: Person, target: string, body?: object) =>
      (await as.core('POST', target, body)).status
    const block = async (by: Person, whom: Person) =>
      dataOf(await by.core('POST', `/2/users/${by.id}/blocking`, { target_user_id: whom.id }))
    /** A group of Ann and Bob. */
    const group = async (more: object = {}) => {
      const made = dataOf(await ann.core('POST', '/2/chat/conversations/group/initialize'))
      const id = String(made.conversation_id)
      const members = [participantKey(ann.id), participantKey(bob.id)]
      const body = {
        ...{ conversation_id: id, group_members: [bob.id], group_name: 'bmFtZQ' },
        ...{ conversation_key_version: '1', conversation_participant_keys: members },
        action_signatures: [
          groupCreateAction([ann.id, bob.id], { title: 'bmFtZQ' }),
          keyChangeAction('1', members),
        ],
        ...more,
      }
      return { id, body, reply: await ann.core('POST', '/2/chat/conversations/group', body) }
    }

    test('public keys are kept byte for byte, in versions that do not change', async () => {
      const mine = `/2/users/${ann.id}/public_keys`
      const again = dataOf(await ann.core('POST', mine, keyBody(keys)))
      assert.equal(again.public_key, keys.publicKey)
      assert.equal(await status(ann, mine, keyBody(chatKeys('1'))), 409)
      assert.equal(await status(bob, mine, keyBody(keys)), 403)
      assert.equal(
        await status(ann, mine, { version: '9999999999999999999', public_key: { public_key: 'a' } }),
        400,
      )
      assert.equal(await status(ann, mine, { version: '2', public_key: {} }), 400)
      const made = dataOf(await ann.core('POST', mine, { ...keyBody(chatKeys('2')), generate_version: true }))
      assert.equal(made.public_key_version, String(opened.plaza.clock.now()))
      const all = (await bob.core('GET', mine)).json as Body
      assert.deepEqual(
        all.data.map((one) => one.public_key_version),
        [made.public_key_version, '1'],
      )
      const many = (await bob.core('GET', `/2/users/public_keys?ids=${bob.id},1,${ann.id}`)).json as Body
      assert.equal(many.data.length, 3)
      assert.deepEqual((await bob.core('GET', '/2/users/1/public_keys')).json, { data: [] })
    })

    test('keys begin a conversation of two, and messages reach both and no one else', async () => {
      assert.equal(await status(ann, path(bob, '/messages'), chatMessage()), 400)
      const { conversation_id: id, sequence_id } = await begin()
      assert.equal(id, `${ann.id}-${bob.id}`)
      const body = signedMessage({}, { sender: ann.id, chat: `${ann.id}:${bob.id}`, keys })
      const event = await send(ann, bob, body)
      assert.equal(textAt(event, 2), body.message_id)
      assert.equal(textAt(event, 3), ann.id)
      assert.equal(textAt(event, 4), `${ann.id}:${bob.id}`)
      assert.equal(textAt(event, 10), sequence_id)
      const create = structAt(structAt(event, 7), 1)
      assert.equal(textAt(create, 100), 'ciphertext')
      for (const [who, named] of [
        [ann, `${bob.id}-${ann.id}`],
        [bob, ann.id],
      ] as const) {
        const { data, meta } = await events(who, named)
        assert.deepEqual(
          data.map((one) => one.id),
          [textAt(event, 1)],
        )
        assert.equal(meta.conversation_key_events.length, 1)
      }
      assert.equal((await cat.core('GET', path(String(id), '/events'))).status, 403)
      assert.equal(await status(cat, path(String(id), '/messages'), chatMessage()), 403)
      const listed = (await bob.core('GET', '/2/chat/conversations')).json as Body
      assert.deepEqual(listed.data, [{ id, type: 'direct' }])
      const fields = 'chat_conversation.fields=participant_ids,admin_ids&expansions=participant_ids'
      const one = (await bob.core('GET', path(ann, `?${fields}`))).json as { data: Data; includes: Data }
      assert.deepEqual(one.data, { id, type: 'direct', participant_ids: [ann.id, bob.id] })
      assert.equal((one.includes.users as Data[]).length, 2)
    })

    test('a message that is sent again, even at once, is one message', async () => {
      await begin()
      const body = chatMessage()
      const replies = await Promise.all([1, 2, 3].map(() => ann.core('POST', path(bob, '/messages'), body)))
      const encoded = replies.map((reply) => dataOf(reply, 201).encoded_message_event)
      assert.equal(new Set(encoded).size, 1)
      assert.equal((await events(bob, ann)).meta.result_count, 1)
    })

    test('malformed messages and wrong signatures are rejected, and change nothing', async () => {
      await begin()
      const good = signedMessage({}, { sender: ann.id, chat: `${ann.id}:${bob.id}`, keys })
      for (const wrong of [
        { ...good, encoded_message_create_event: 'AAAA' },
        { ...good, encoded_message_create_event: '!' },
        { ...good, encoded_message_event_signature: 'AAAA' },
        { ...good, message_id: 'other' },
        signedMessage({}, { sender: bob.id, chat: `${ann.id}:${bob.id}`, keys }),
        chatMessage({ contents: 'x'.repeat(70_000) }),
        chatMessage({ keyVersion: '2' }),
        chatMessage({ keyVersion: 'x' }),
        chatMessage({ ttlMs: -1 }),
      ])
        assert.equal(
          await status(ann, path(bob, '/messages'), wrong),
          400,
          JSON.stringify(wrong).slice(0, 200),
        )
      assert.equal((await events(bob, ann)).meta.result_count, 0)
    })

    test('the version of a key grows; of two writers, one is too late', async () => {
      await begin()
      assert.equal(await status(ann, path(bob, '/keys'), pairKeys('1')), 409)
      const bodies = [pairKeys('2'), pairKeys('2')]
      const replies = await Promise.all(bodies.map((body) => ann.core('POST', path(bob, '/keys'), body)))
      assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 409])
      const winner = bodies[replies.findIndex((reply) => reply.status === 200)]
      const first = replies.find((reply) => reply.status === 200)
      assert.deepEqual(dataOf(await ann.core('POST', path(bob, '/keys'), winner)), first && dataOf(first))
      assert.equal(await status(ann, path(bob, '/messages'), chatMessage({ keyVersion: '1' })), 409)
      await send(ann, bob, chatMessage({ keyVersion: '2' }))
      assert.equal((await events(bob, ann)).meta.conversation_key_events.length, 2)
      const one = [participantKey(ann.id)]
      for (const wrong of [
        { ...pairKeys('3'), action_signatures: [] },
        { ...pairKeys('3'), conversation_key_version: '4' },
        keyChange('3', one),
        keyChange('3', [...one, ...one]),
        keyChange('3', [...one, participantKey(bob.id, '7')]),
      ])
        assert.equal(await status(ann, path(bob, '/keys'), wrong), 400)
    })

    test('users who do not accept messages cannot be written to', async () => {
      await begin()
      await block(bob, ann)
      assert.equal(await status(ann, path(bob, '/messages'), chatMessage()), 403)
      assert.equal(await status(bob, path(ann, '/messages'), chatMessage()), 403)
      assert.equal(await status(ann, path(bob, '/keys'), pairKeys('2')), 403)
      assert.equal(await status(ann, path('1', '/keys'), pairKeys('2')), 400)
      assert.equal((await group()).reply.status, 400)
    })

    test('pages of events, newest first', async () => {
      await begin()
      const sent: unknown[] = []
      for (let n = 0; n < 5; n++) sent.unshift(textAt(await send(ann, bob), 1))
      const found: unknown[] = []
      for (let token = ''; ; ) {
        const { data, meta } = await events(bob, ann, `?max_results=2${token}`)
        found.push(...data.map((one) => one.id))
        assert.equal(meta.has_more, meta.next_token !== undefined)
        assert.equal(meta.conversation_key_events.length, 1)
        if (!meta.next_token) break
        token = `&pagination_token=${meta.next_token}`
      }
      assert.deepEqual(found, sent)
    })

    test('messages expire', async () => {
      await begin()
      await send(ann, bob, chatMessage({ ttlMs: 5_000 }))
      await send(ann, bob)
      assert.equal((await events(bob, ann)).meta.result_count, 2)
      opened.plaza.clock.advance(300_000)
      assert.equal((await events(bob, ann)).meta.result_count, 1)
      await opened.plaza.tasks.runDue('remove expired chat messages')
      assert.equal((await events(bob, ann)).meta.result_count, 1)
    })

    test('a group begins with a signed creation, and its id is used once', async () => {
      const { id, body, reply } = await group()
      const made = dataOf(reply, 201)
      assert.equal(made.conversation_id, id)
      assert.deepEqual(dataOf(await ann.core('POST', '/2/chat/conversations/group', body), 201), made)
      assert.equal(await status(bob, '/2/chat/conversations/group', body), 409)
      assert.equal((await group({ group_name: 'other' })).reply.status, 400)
      assert.equal((await group({ action_signatures: [] })).reply.status, 400)
      assert.equal((await group({ group_admins: [cat.id] })).reply.status, 400)
      assert.equal((await group({ conversation_id: 'g1' })).reply.status, 400)
      const fields = 'chat_conversation.fields=admin_ids,member_ids,group_name'
      const seen = (await bob.core('GET', path(id, `?${fields}`))).json as { data: Data }
      assert.deepEqual(seen.data, {
        ...{ id, type: 'group', admin_ids: [ann.id], member_ids: [ann.id, bob.id], group_name: 'bmFtZQ' },
      })
      const hidden = (await cat.core('GET', path(id, ''))).json as { errors: Data[] }
      assert.equal(hidden.errors.length, 1)
      await send(bob, id)
      assert.equal(await status(cat, path(id, '/messages'), chatMessage()), 403)
    })

    test('new members see what happens from then on; only admins add them', async () => {
      const { id } = await group()
      await send(ann, id)
      const members = [ann, bob, cat].map((one) => participantKey(one.id))
      const body = {
        ...{ user_ids: [cat.id], conversation_key_version: '2', conversation_participant_keys: members },
        action_signatures: [memberAddAction([cat.id]), keyChangeAction('2', members)],
      }
      assert.equal(await status(bob, path(id, '/members'), body), 403)
      assert.equal(await status(ann, path(id, '/members'), { ...body, user_ids: [bob.id] }), 400)
      assert.equal(await status(ann, path(id, '/members'), { ...body, action_signatures: [] }), 400)
      const reply = await ann.core('POST', path(id, '/members'), body)
      const added = dataOf(reply)
      assert.deepEqual(added.current_member_ids, [ann.id, bob.id, cat.id])
      assert.deepEqual(reply.json, { ...added, data: added })
      assert.deepEqual(dataOf(await ann.core('POST', path(id, '/members'), body)), added)
      await send(bob, id, chatMessage({ keyVersion: '2' }))
      const seen = await events(cat, id)
      assert.equal(seen.meta.result_count, 2)
      assert.equal(seen.meta.conversation_key_events.length, 1)
      assert.equal((await events(bob, id)).meta.conversation_key_events.length, 2)
    })

    test('deleting for all and for oneself', async () => {
      await begin()
      const ids = [textAt(await send(ann, bob), 1), textAt(await send(ann, bob), 1)] as [string, string]
      const remove = (one: string, forAll: boolean, signed = one) => ({
        sequence_ids: [one],
        delete_message_action: forAll ? 'delete_for_all' : 'delete_for_self',
        action_signatures: [deleteAction([signed], forAll)],
      })
      const target = (other: Person) => path(other, '/messages/delete')
      assert.equal(await status(bob, target(ann), remove(ids[0], true)), 403)
      assert.equal(await status(bob, target(ann), remove(ids[0], false, ids[1])), 400)
      assert.equal(await status(cat, target(ann), remove(ids[0], false)), 403)
      assert.equal(await status(bob, target(ann), remove(ids[0], false)), 200)
      assert.equal((await events(ann, bob)).data.length, 2)
      assert.equal((await events(bob, ann)).data.length, 2)
      assert.equal(await status(ann, target(bob), remove(ids[1], true)), 200)
      const kinds = async (as: Person, other: Person) =>
        (await events(as, other)).data.map((one) => [
          ...(structAt(eventIn(one.encoded_event), 7)?.keys() ?? []),
        ])
      assert.deepEqual(await kinds(ann, bob), [[7], [1]])
      assert.deepEqual(await kinds(bob, ann), [[7], [7]])
    })

    test('reading has an event for the reader alone; typing has none', async () => {
      await begin()
      const id = textAt(await send(ann, bob), 1)
      const body = { seen_until_sequence_id: id }
      assert.equal(await status(bob, path(ann, '/read'), body), 200)
      assert.equal(await status(bob, path(ann, '/read'), body), 200)
      assert.equal(await status(bob, path(ann, '/read'), { seen_until_sequence_id: '1' }), 400)
      assert.equal(await status(cat, path(ann, '/read'), body), 403)
      assert.equal(await status(bob, path(ann, '/typing')), 200)
      assert.equal(await status(cat, path(ann, '/typing')), 403)
      assert.equal((await events(bob, ann)).meta.result_count, 2)
      assert.equal((await events(ann, bob)).meta.result_count, 1)
    })

    test('encrypted files are for members, in parts', async () => {
      const { conversation_id: chat } = await begin()
      const conversation_id = String(chat).replace('-', ':')
      const opening = { conversation_id, total_bytes: 6 }
      assert.equal(await status(cat, '/2/chat/media/upload/initialize', opening), 403)
      const made = dataOf(await ann.core('POST', '/2/chat/media/upload/initialize', opening))
      assert.equal(made.conversation_id, conversation_id)
      const upload = `/2/chat/media/upload/${made.session_id}`
      const common = { conversation_id, media_hash_key: made.media_hash_key }
      const part = (segment_index: number, text: string) => ({
        ...{ ...common, segment_index, media: Buffer.from(text).toString('base64') },
      })
      assert.equal(await status(ann, `${upload}/append`, part(1, 'def')), 200)
      assert.equal(await status(ann, `${upload}/finalize`, { ...common, num_parts: '2' }), 400)
      assert.equal(await status(ann, `${upload}/append`, part(0, 'abcd')), 400)
      assert.equal(await status(bob, `${upload}/append`, part(0, 'abc')), 400)
      assert.equal(await status(ann, `${upload}/append`, part(0, 'abc')), 200)
      const file = `/2/chat/media/${ann.id}/${made.media_hash_key}`
      assert.equal((await bob.core('GET', file)).status, 404)
      for (let times = 0; times < 2; times++)
        assert.equal(await status(ann, `${upload}/finalize`, { ...common, num_parts: '2' }), 200)
      const read = await bob.core('GET', file)
      assert.equal(read.status, 200, read.text)
      assert.equal(read.text, 'abcdef')
      assert.equal((await cat.core('GET', file)).status, 403)
    })
  })
}
