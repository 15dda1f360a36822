import type { Area } from '../support/exchange.ts'
import { keep, like } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const key = { public_key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE', signing_public_key: 'MFkwEwYHKoZI' }
const shown = { ...key, public_key_version: '1767225600000' }
const notIn = problem.forbidden('You are not a participant of this conversation.')
const nothing = 'CwBkAAAAAXgLAGUAAAABMQA='
const conflict = (detail: string) => ({
  ...{ title: 'Conflict', status: 409, detail },
  type: '{problem_base}/2/problems/conflict',
})

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
  ],
}
