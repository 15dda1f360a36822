import type { Area } from '../support/exchange.ts'
import { png } from '../support/files.ts'
import { id64, keep, like, number, objectTime, string } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const image = png(21, 34)
const message = { id: '{dm_event}', event_type: 'MessageCreate', text: 'Hello @advertiser, {run}' }

/** What a successful reply reports about an event that the caller does not see. */
const missing = (value: string) => ({
  title: 'Not Found Error',
  type: '{problem_base}/2/problems/resource-not-found',
  detail: `Could not find dm_event with event_id: [${value}].`,
  value,
  parameter: 'event_id',
  resource_id: value,
  resource_type: 'dm_event',
})

const FIELDS =
  'attachments,created_at,dm_conversation_id,entities,event_type,id,participant_ids,referenced_posts,sender_id,text'

/** An event of a conversation. */
const madeIn = (conversation: string) => ({
  data: { dm_conversation_id: conversation, dm_event_id: id64 },
})
const groupOf = (...participant_ids: string[]) => ({
  conversation_type: 'Group',
  participant_ids,
  message: { text: 'Hello all, {run}' },
})

const cannotMessage = {
  ...problem.forbidden('You cannot send messages to this user.'),
  errors: [{ code: 349, message: 'You cannot send messages to this user.' }],
}
const notIn = problem.forbidden('You are not a participant of this conversation.')

/**
 * Sources: interface, Authentication rule 3 and Events; core reference, 00 section 4 and 01 section
 * 1.
 */
export const directMessages: Area = {
  name: 'direct messages',
  base: '{base_url}',
  as: 'user',
  rows: [
    {
      it: 'a user sends a message to another one',
      send: 'POST /2/dm_conversations/with/{advertiser}/messages',
      json: { text: ' Hello @advertiser, {run} ' },
      status: 201,
      reply: {
        data: {
          dm_conversation_id: keep('conversation', like(/^[0-9]{1,19}-[0-9]{1,19}$/)),
          dm_event_id: keep('dm_event', id64),
        },
      },
      limit: 15,
    },
    {
      it: 'who receives it sees it',
      send: 'GET /2/dm_events/{dm_event}',
      as: 'advertiser',
      status: 200,
      reply: { data: message },
      limit: 15,
    },
    {
      it: 'every field may be requested, and what is empty is left out',
      send: 'GET /2/dm_events/{dm_event}',
      query: { 'dm_event.fields': FIELDS, expansions: 'sender_id' },
      status: 200,
      reply: {
        data: {
          ...message,
          created_at: objectTime,
          dm_conversation_id: '{conversation}',
          entities: { mentions: [{ start: 6, end: 17, username: 'advertiser', id: '{advertiser}' }] },
          sender_id: '{user}',
        },
        includes: { users: [{ id: '{user}', name: 'Demo Developer', username: 'demo' }] },
      },
    },
    {
      it: 'an event that there is not',
      send: 'GET /2/dm_events/456',
      status: 200,
      reply: { errors: [missing('456')] },
    },
    {
      it: 'a reply to the conversation',
      send: 'POST /2/dm_conversations/{conversation}/messages',
      as: 'advertiser',
      json: { text: 'Reply, {run}' },
      status: 201,
      reply: { data: { dm_conversation_id: '{conversation}', dm_event_id: keep('dm_reply', id64) } },
      limit: 15,
    },
    {
      it: 'the messages of two users, newest first, page by page',
      send: 'GET /2/dm_conversations/with/{advertiser}/dm_events',
      query: { max_results: '1' },
      status: 200,
      reply: {
        data: [{ id: '{dm_reply}', event_type: 'MessageCreate', text: 'Reply, {run}' }],
        meta: { result_count: 1, next_token: keep('dm_next', like(/^o[0-9a-z]{24}$/)) },
      },
      limit: 15,
    },
    {
      it: 'the next page of a conversation',
      send: 'GET /2/dm_conversations/{conversation}/dm_events',
      query: { max_results: '1', pagination_token: '{dm_next}' },
      status: 200,
      reply: {
        data: [message],
        meta: { result_count: 1, previous_token: like(/^n[0-9a-z]{24}$/) },
      },
      limit: 15,
    },
    {
      it: 'events of all conversations, by their types',
      send: 'GET /2/dm_events',
      query: { event_types: 'ParticipantsLeave' },
      status: 200,
      reply: { meta: { result_count: 0 } },
      limit: 15,
    },
    {
      it: 'a type that there is not',
      send: 'GET /2/dm_events',
      query: { event_types: 'Typing' },
      status: 400,
      reply: problem.invalidRequest([
        { event_types: ['Typing'] },
        'The `event_types` query parameter value [Typing] is not one of [MessageCreate,ParticipantsJoin,ParticipantsLeave]',
      ]),
    },
    {
      it: 'a page that there is not',
      send: 'GET /2/dm_events',
      query: { pagination_token: 'x' },
      status: 400,
      reply: problem.invalidRequest([
        { pagination_token: ['x'] },
        'The `pagination_token` query parameter value [x] is not valid',
      ]),
    },
    {
      it: 'a token of another level sends nothing',
      send: 'POST /2/dm_conversations/with/{advertiser}/messages',
      as: 'stranger',
      json: { text: 'x' },
      status: 403,
      reply: {
        ...problem.permissions,
        errors: [
          {
            code: 93,
            message: 'This application is not allowed to access or delete your direct messages.',
          },
        ],
      },
    },
    {
      it: 'a message without content',
      send: 'POST /2/dm_conversations/with/{advertiser}/messages',
      json: {},
      status: 400,
      reply: problem.invalidRequest([{ text: [''] }, 'A message needs text or an attachment.']),
    },
    {
      it: 'a message with a medium that there is not',
      send: 'POST /2/dm_conversations/with/{advertiser}/messages',
      json: { attachments: [{ media_id: '1' }] },
      status: 400,
      reply: problem.invalidRequest([{ 'attachments.media_id': ['1'] }, 'Your media ID is invalid.']),
    },
    {
      it: 'a message to an unknown user',
      send: 'POST /2/dm_conversations/with/456/messages',
      json: { text: 'x' },
      status: 400,
      reply: problem.invalidRequest([{ participant_id: ['456'] }, 'There is no user with the id 456.']),
    },
    {
      it: 'messages of a user are blocked',
      send: 'POST /2/users/{advertiser}/dm/block',
      status: 200,
      reply: { data: { blocked: true } },
      limit: 10,
      has: { 'x-user-limit-24hour-limit': '400', 'x-app-limit-24hour-limit': '1000' },
    },
    {
      it: 'the blocked user cannot write',
      send: 'POST /2/dm_conversations/with/{user}/messages',
      as: 'advertiser',
      json: { text: 'x' },
      status: 403,
      reply: cannotMessage,
    },
    {
      it: 'nobody blocks messages of oneself',
      send: 'POST /2/users/{user}/dm/block',
      status: 400,
      reply: problem.invalidRequest([{ id: ['{user}'] }, 'You cannot do this to yourself.']),
    },
    {
      it: 'messages are allowed again',
      send: 'POST /2/users/{advertiser}/dm/unblock',
      status: 200,
      reply: { data: { blocked: false } },
      limit: 10,
    },
    {
      it: 'a block of messages needs a user',
      send: 'POST /2/users/{advertiser}/dm/block',
      as: 'app',
      status: 403,
      reply: problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS),
    },
    {
      it: 'a user who takes messages from those whom they follow',
      send: 'GET /2/users/by/username/closed',
      status: 200,
      reply: { data: { id: keep('closed', id64), name: 'Who takes no messages', username: 'closed' } },
    },
    {
      it: 'takes none of others',
      send: 'POST /2/dm_conversations/with/{closed}/messages',
      json: { text: 'x' },
      status: 403,
      reply: cannotMessage,
    },
    {
      it: 'and joins none of their groups',
      send: 'POST /2/dm_conversations',
      json: groupOf('{advertiser}', '{closed}'),
      status: 403,
      reply: cannotMessage,
    },
    {
      it: 'a user cannot be in a group twice',
      send: 'POST /2/dm_conversations',
      json: groupOf('{user}', '{advertiser}'),
      status: 400,
      reply: problem.invalidRequest([{ participant_ids: ['{user}'] }, 'You cannot message yourself.']),
    },
    ...['stranger', 'visitor'].map((username) => ({
      it: `a user who takes messages from everyone: ${username}`,
      send: `GET /2/users/by/username/${username}`,
      status: 200,
      reply: { data: { id: keep(`dm_${username}`, id64), name: string, username } },
    })),
    {
      it: 'a group begins',
      send: 'POST /2/dm_conversations',
      json: groupOf('{advertiser}', '{dm_stranger}'),
      status: 201,
      reply: { data: { dm_conversation_id: keep('dm_group', id64), dm_event_id: id64 } },
      limit: 15,
    },
    {
      it: 'another user joins it',
      send: 'POST /2/dm_conversations/{dm_group}/participants',
      as: 'advertiser',
      json: { participant_ids: ['{dm_visitor}'] },
      status: 201,
      reply: madeIn('{dm_group}'),
      limit: 15,
    },
    {
      it: 'who joins it is not in it yet',
      send: 'POST /2/dm_conversations/{dm_group}/participants',
      json: { participant_ids: ['{dm_visitor}'] },
      status: 400,
      reply: problem.invalidRequest([
        { participant_ids: ['{dm_visitor}'] },
        'The user {dm_visitor} is already a participant.',
      ]),
    },
    {
      it: 'no one removes another user',
      send: 'DELETE /2/dm_conversations/{dm_group}/participants/{dm_visitor}',
      status: 400,
      reply: problem.invalidRequest([
        { participant_id: ['{dm_visitor}'] },
        'The `participant_id` path parameter value [{dm_visitor}] must be the same as the authenticating user [{user}]',
      ]),
    },
    {
      it: 'a user leaves it',
      send: 'DELETE /2/dm_conversations/{dm_group}/participants/{advertiser}',
      as: 'advertiser',
      status: 200,
      reply: madeIn('{dm_group}'),
      limit: 15,
    },
    {
      it: 'events name those who joined or left, and no one else',
      send: 'GET /2/dm_conversations/{dm_group}/dm_events',
      query: { 'dm_event.fields': 'participant_ids,sender_id' },
      status: 200,
      reply: {
        data: [
          {
            id: id64,
            event_type: 'ParticipantsLeave',
            participant_ids: ['{advertiser}'],
            sender_id: '{advertiser}',
          },
          {
            id: id64,
            event_type: 'ParticipantsJoin',
            participant_ids: ['{dm_visitor}'],
            sender_id: '{advertiser}',
          },
          { id: id64, event_type: 'MessageCreate', text: 'Hello all, {run}', sender_id: '{user}' },
          {
            id: id64,
            event_type: 'ParticipantsJoin',
            participant_ids: ['{advertiser}', '{dm_stranger}'],
            sender_id: '{user}',
          },
        ],
        meta: { result_count: 4 },
      },
    },
    {
      it: 'whoever left sends nothing',
      send: 'POST /2/dm_conversations/{dm_group}/messages',
      as: 'advertiser',
      json: { text: 'x' },
      status: 403,
      reply: notIn,
    },
    {
      it: 'a conversation of others is unknown',
      send: 'POST /2/dm_conversations/123-456/messages',
      json: { text: 'x' },
      status: 403,
      reply: notIn,
    },
    {
      it: 'no one joins a conversation of two',
      send: 'POST /2/dm_conversations/{conversation}/participants',
      json: { participant_ids: ['{closed}'] },
      status: 403,
      reply: notIn,
    },
    {
      it: 'no one leaves a conversation of two',
      send: 'DELETE /2/dm_conversations/{conversation}/participants/{user}',
      status: 403,
      reply: notIn,
    },
    {
      it: 'the user is typing',
      send: 'POST /1.1/direct_messages/indicate_typing.json',
      form: { recipient_id: '{advertiser}' },
      status: 204,
      limit: 1000,
    },
    {
      it: '50: nobody is typing to a user who does not exist',
      send: 'POST /1.1/direct_messages/indicate_typing.json',
      form: { recipient_id: '456' },
      status: 404,
      reply: { errors: [{ code: 50, message: 'User not found.' }] },
    },
    {
      it: '63: nor to a user who is suspended',
      needs: 'a command',
      send: 'POST /1.1/direct_messages/indicate_typing.json',
      form: { recipient_id: '{suspended_user}' },
      status: 403,
      reply: { errors: [{ code: 63, message: 'User has been suspended.' }] },
    },
    {
      it: '349: nor to a user who takes no messages',
      send: 'POST /1.1/direct_messages/indicate_typing.json',
      form: { recipient_id: '{closed}' },
      status: 403,
      reply: { errors: [{ code: 349, message: 'You cannot send messages to this user.' }] },
    },
    {
      it: 'the user has read the reply',
      send: 'POST /1.1/direct_messages/mark_read.json',
      form: { recipient_id: '{advertiser}', last_read_event_id: '{dm_reply}' },
      status: 204,
      limit: 1000,
    },
    {
      it: 'what the user does not see cannot be read',
      send: 'POST /1.1/direct_messages/mark_read.json',
      form: { recipient_id: '{advertiser}', last_read_event_id: '456' },
      status: 400,
      reply: { errors: [{ code: 44, message: 'last_read_event_id parameter is invalid.' }] },
    },
    {
      it: 'a message leaves the view of one user',
      send: 'DELETE /2/dm_events/{dm_event}',
      status: 200,
      reply: { data: { deleted: true } },
      limit: 300,
    },
    {
      it: 'and is gone there',
      send: 'DELETE /2/dm_events/{dm_event}',
      status: 200,
      reply: { errors: [missing('{dm_event}')] },
    },
    {
      it: 'while the other one keeps it',
      send: 'GET /2/dm_events/{dm_event}',
      as: 'advertiser',
      status: 200,
      reply: { data: message },
    },
    {
      it: 'an image of a message is uploaded',
      send: 'POST {base_url}/1.1/media/upload.json',
      form: { media_data: image.toString('base64'), media_category: 'dm_image' },
      status: 200,
      reply: {
        media_id: number,
        media_id_string: keep('dm_image', id64),
        media_key: keep('dm_image_key', string),
        size: image.length,
        expires_after_secs: number,
        image: { image_type: 'image/png', w: 21, h: 34 },
      },
    },
    {
      it: 'a message shows it',
      send: 'POST /2/dm_conversations/with/{advertiser}/messages',
      json: { attachments: [{ media_id: '{dm_image}' }] },
      status: 201,
      reply: { data: { dm_conversation_id: '{conversation}', dm_event_id: keep('dm_shown', id64) } },
    },
    {
      it: 'its file has a URL of the message',
      send: 'GET /2/dm_events/{dm_shown}',
      query: { expansions: 'attachments.media_keys', 'media.fields': 'url' },
      as: 'advertiser',
      status: 200,
      reply: {
        data: {
          id: '{dm_shown}',
          event_type: 'MessageCreate',
          attachments: { media_keys: ['{dm_image_key}'] },
        },
        includes: {
          media: [{ media_key: '{dm_image_key}', type: 'photo', url: keep('dm_file', string) }],
        },
      },
    },
    {
      it: 'who receives it fetches the file',
      send: 'GET {dm_file}',
      as: 'advertiser',
      status: 200,
      type: 'image/png',
      reply: string,
      has: { 'accept-ranges': 'bytes', 'cache-control': string },
    },
    {
      it: 'a file of a message that does not exist',
      send: 'GET /2/dm_conversations/media/456/{dm_image}/none.png',
      status: 404,
      reply: problem.plain(404, 'Not Found'),
    },
    {
      it: 'apps see no files of messages',
      send: 'GET /2/dm_conversations/media/456/456/none.png',
      as: 'app',
      status: 403,
      reply: problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS),
    },
  ],
}
