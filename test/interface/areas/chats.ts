import assert from 'node:assert/strict'
import {
  keyFor,
  message,
  signedDeletion,
  signedGroup,
  signedKeys,
  signedMembers,
  VERSION,
} from '../support/chat.ts'
import type { Area, Story } from '../support/exchange.ts'
import { keep, like } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { send, type World } from '../support/world.ts'

const key = { public_key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE', signing_public_key: 'MFkwEwYHKoZI' }
const shown = { ...key, public_key_version: '1767225600000' }
const notIn = problem.forbidden('You are not a participant of this conversation.')
const nothing = 'CwBkAAAAAXgLAGUAAAABMQA='
const conflict = (detail: string) => ({
  ...{ title: 'Conflict', status: 409, detail },
  type: '{problem_base}/2/problems/conflict',
})

type Data = Record<string, unknown>

/** Calls of one conversation after another, each with its status; resolves to the data. */
const caller =
  (world: World) =>
  async (status: number, request: string, json?: object, form?: Record<string, string>): Promise<Data> => {
    const [method = '', path = ''] = request.split(' ')
    const body = { ...(json && { json }), ...(form && { form }) }
    const reply = await send(world, { send: `${method} {base_url}${path}`, as: 'user', ...body })
    assert.equal(reply.status, status, `${request}: ${reply.text}`)
    world.seen.calls.push({ method, path })
    return /json/.test(String(reply.headers['content-type']))
      ? (JSON.parse(reply.text) as { data: Data }).data
      : {}
  }

const conversation: Story = {
  it: 'keys, messages, a group and a file',
  needs: 'user',
  async run(world) {
    const { user, advertiser, chat_group: group } = world.variables as Record<string, string>
    const call = caller(world)
    const advertisers = `POST {base_url}/2/users/${advertiser}/public_keys`
    const own = { version: VERSION, public_key: key }
    assert.equal((await send(world, { send: advertisers, as: 'advertiser', json: own })).status, 200)
    const keys = (...users: (string | undefined)[]) => users.map((one) => keyFor(String(one)))
    const pair = keys(user, advertiser)
    const chat = `/2/chat/conversations/${advertiser}`
    const added = await call(200, `POST ${chat}/keys`, {
      ...{ conversation_key_version: '1', conversation_participant_keys: pair },
      action_signatures: [signedKeys('1', pair)],
    })
    const sent = message('1')
    const { encoded_message_event } = await call(201, `POST ${chat}/messages`, sent)
    assert.deepEqual(
      (await call(201, `POST ${chat}/messages`, sent)).encoded_message_event,
      encoded_message_event,
    )
    const { type } = await call(200, `GET ${chat}`)
    assert.equal(type, 'direct')
    const seen = { seen_until_sequence_id: added.sequence_id }
    assert.deepEqual(await call(200, `POST ${chat}/read`, seen), { success: true })
    assert.deepEqual(await call(200, `POST ${chat}/typing`), { success: true })
    const [event] = (await call(200, `GET ${chat}/events`)) as unknown as Data[]
    const ids = [String(event?.id)]
    assert.deepEqual(
      await call(200, `POST ${chat}/messages/delete`, {
        ...{ sequence_ids: ids, delete_message_action: 'delete_for_self' },
        action_signatures: [signedDeletion(ids)],
      }),
      { deleted: true },
    )

    const alone = keys(user)
    const made = await call(201, 'POST /2/chat/conversations/group', {
      ...{ conversation_id: group, group_members: [user], conversation_key_version: '1' },
      conversation_participant_keys: alone,
      action_signatures: [signedGroup([String(user)]), signedKeys('1', alone)],
    })
    assert.equal(made.conversation_id, group)
    const { current_member_ids } = await call(200, `POST /2/chat/conversations/${group}/members`, {
      ...{ user_ids: [advertiser], conversation_key_version: '2', conversation_participant_keys: pair },
      action_signatures: [signedMembers([String(advertiser)]), signedKeys('2', pair)],
    })
    assert.equal((current_member_ids as string[]).length, 2)

    const upload = { conversation_id: group, total_bytes: 3 }
    const opened = await call(200, 'POST /2/chat/media/upload/initialize', upload)
    const named = { conversation_id: String(group), media_hash_key: String(opened.media_hash_key) }
    const path = `/2/chat/media/upload/${String(opened.session_id)}`
    await call(200, `POST ${path}/append`, { ...named, segment_index: 0, media: 'YWJj' })
    assert.deepEqual(await call(200, `POST ${path}/finalize`, named), { success: true })
    await call(200, `GET /2/chat/media/${group}/${named.media_hash_key}`)
  },
}

/** Source: core reference, 09 part A. */
export const chats: Area = {
  name: 'encrypted chats',
  base: '{base_url}',
  as: 'user',
  rows: [
    {
      it: 'a user adds a version of their public keys',
      send: 'POST /2/users/{user}/public_keys',
      json: { version: '1767225600000', public_key: key },
      status: 200,
      reply: { data: shown },
      limit: 300,
    },
    {
      it: 'other keys with the same version',
      send: 'POST /2/users/{user}/public_keys',
      json: { version: '1767225600000', public_key: { ...key, public_key: 'AAAA' } },
      status: 409,
      reply: conflict('You have other public keys with this version.'),
    },
    {
      it: 'the keys of another user',
      send: 'POST /2/users/{advertiser}/public_keys',
      json: { version: '1767225600000', public_key: key },
      status: 403,
      reply: {
        ...problem.forbidden('You may only add public keys of your own.'),
      },
    },
    {
      it: 'the public keys of a user',
      send: 'GET /2/users/{user}/public_keys',
      as: 'advertiser',
      status: 200,
      reply: { data: [shown] },
      limit: 300,
    },
    {
      it: 'a user without keys',
      send: 'GET /2/users/456/public_keys',
      status: 200,
      reply: { data: [] },
    },
    {
      it: 'the keys of several users, with some fields',
      send: 'GET /2/users/public_keys',
      query: { ids: '{user},456', 'public_key.fields': 'public_key_version' },
      status: 200,
      reply: { data: [shown] },
      limit: 300,
    },
    {
      it: 'conversations of a user who has none',
      send: 'GET /2/chat/conversations',
      status: 200,
      reply: { data: [], meta: { result_count: 0, has_more: false, has_message_requests: false } },
      limit: 300,
    },
    {
      it: 'an id for a group',
      send: 'POST /2/chat/conversations/group/initialize',
      status: 200,
      reply: { data: { conversation_id: keep('chat_group', like(/^g[0-9]{1,19}$/)) } },
      limit: 300,
    },
    {
      it: 'a group that does not exist yet',
      send: 'POST /2/chat/conversations/{chat_group}/typing',
      status: 403,
      reply: notIn,
      limit: 900,
    },
    {
      it: 'the conversation of two other users',
      send: 'GET /2/chat/conversations/1-2/events',
      status: 403,
      reply: notIn,
      limit: 300,
    },
    {
      it: 'events of a conversation that there is not',
      send: 'GET /2/chat/conversations/{advertiser}/events',
      status: 200,
      reply: { data: [], meta: { result_count: 0, has_more: false, conversation_key_events: [] } },
    },
    {
      it: 'a message before the first key',
      send: 'POST /2/chat/conversations/{advertiser}/messages',
      json: { message_id: '3f6a1e1c-7a54-4c0f-9a39-2f0f4d0e8b11', encoded_message_create_event: nothing },
      status: 400,
      reply: problem.invalidRequest([
        { encoded_message_create_event: [''] },
        'The conversation has no key: add one first.',
      ]),
      limit: 300,
    },
    {
      it: 'a file of a conversation that there is not',
      send: 'GET /2/chat/media/{advertiser}/abc',
      status: 403,
      reply: notIn,
      limit: 500,
    },
    conversation,
  ],
}
