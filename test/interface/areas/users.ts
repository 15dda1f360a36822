import type { Area } from '../support/exchange.ts'
import { legacy } from '../support/legacy.ts'
import * as problem from '../support/problems.ts'
import { account } from './oauth.ts'

const demo = { id: '{user}', name: 'Demo Developer', username: 'demo' }
const advertiser = { id: '{advertiser}', name: 'Demo Advertiser', username: 'advertiser' }

/** What a successful reply reports about a user who does not exist. */
const missing = (parameter: string, value: string) => ({
  title: 'Not Found Error',
  type: '{problem_base}/2/problems/resource-not-found',
  detail: `Could not find user with ${parameter}: [${value}].`,
  value,
  parameter,
  resource_id: value,
  resource_type: 'user',
})

/** What a successful reply reports about a suspended user. */
const unavailable = (parameter: string, value: string) => ({
  title: 'Forbidden',
  type: '{problem_base}/2/problems/resource-unavailable',
  detail: `User has been suspended: [${value}].`,
  value,
  parameter,
  resource_id: value,
  resource_type: 'user',
})

/** The second user in classic form. */
const changed = (known: Record<string, unknown>) =>
  account({ id_str: '{advertiser}', name: 'Demo Advertiser', screen_name: 'advertiser', ...known })

const { entities: _entities, ...withoutEntities } = changed({})

/** Sources: core reference, 04 section 5; 00 sections 3.3 and 5.2. */
export const users: Area = {
  name: 'users',
  base: '{base_url}',
  as: 'app',
  rows: [
    {
      it: 'who signed',
      send: 'GET /2/users/me',
      as: 'user',
      status: 200,
      reply: { data: demo },
      limit: 75,
    },
    {
      it: 'a bearer token has no user',
      send: 'GET /2/users/me',
      status: 403,
      reply: problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS),
    },
    {
      it: 'one user, with fields',
      send: 'GET /2/users/{advertiser}',
      query: { 'user.fields': 'protected,verified,verified_type,subscription_type,description' },
      status: 200,
      reply: {
        data: {
          ...advertiser,
          description: '',
          protected: false,
          subscription_type: 'None',
          verified: false,
          verified_type: 'none',
        },
      },
      limit: 300,
    },
    {
      it: 'a user who does not exist',
      send: 'GET /2/users/456',
      as: 'user',
      status: 200,
      reply: { errors: [missing('id', '456')] },
      limit: 900,
    },
    {
      it: 'users in the order of their ids',
      send: 'GET /2/users',
      query: { ids: '{advertiser},456,{user}' },
      status: 200,
      reply: { data: [advertiser, demo], errors: [missing('ids', '456')] },
      limit: 300,
    },
    {
      it: 'a user by name, in any case',
      send: 'GET /2/users/by/username/DEMO',
      status: 200,
      reply: { data: demo },
      limit: 300,
    },
    {
      it: 'an invalid username',
      send: 'GET /2/users/by/username/a-b',
      status: 400,
      reply: problem.invalidRequest([
        { username: ['a-b'] },
        'The `username` path parameter value [a-b] is not valid',
      ]),
    },
    {
      it: 'users by their names',
      send: 'GET /2/users/by',
      query: { usernames: 'nobody1,advertiser' },
      as: 'user',
      status: 200,
      reply: { data: [advertiser], errors: [missing('usernames', 'nobody1')] },
      limit: 900,
    },
    {
      it: 'a user who is suspended',
      needs: 'a command',
      send: 'GET /2/users/by',
      query: { usernames: 'suspended,demo' },
      status: 200,
      reply: { data: [demo], errors: [unavailable('usernames', 'suspended')] },
    },
    {
      it: 'a user who is suspended, by id',
      needs: 'a command',
      send: 'GET /2/users/{suspended_user}',
      status: 200,
      reply: { errors: [unavailable('id', '{suspended_user}')] },
    },
    {
      it: 'a user changes the own profile',
      send: 'POST /1.1/account/update_profile.json',
      as: 'advertiser',
      form: {
        location: 'Here, {run}',
        url: 'https://example.com/me',
        description: 'See example.com/a',
      },
      status: 200,
      reply: changed({
        location: 'Here, {run}',
        url: 'https://example.com/me',
        description: 'See example.com/a',
        entities: {
          url: {
            urls: [
              {
                url: 'https://example.com/me',
                expanded_url: 'https://example.com/me',
                display_url: 'example.com/me',
                indices: [0, 22],
              },
            ],
          },
          description: {
            urls: [
              {
                url: 'example.com/a',
                expanded_url: 'http://example.com/a',
                display_url: 'example.com/a',
                indices: [4, 17],
              },
            ],
          },
        },
      }),
      limit: 15,
    },
    {
      it: 'what is sent empty is removed',
      send: 'POST /1.1/account/update_profile.json',
      as: 'advertiser',
      form: { location: '', url: '', description: '', include_entities: 'false' },
      status: 200,
      reply: withoutEntities,
    },
    {
      it: '44: a name is not empty, nor longer than 50 characters',
      send: 'POST /1.1/account/update_profile.json',
      as: 'advertiser',
      form: { name: 'x'.repeat(51) },
      status: 400,
      reply: legacy(44, 'name parameter is invalid.'),
    },
    {
      it: '44: a URL of the profile has up to 100 characters',
      send: 'POST /1.1/account/update_profile.json',
      as: 'advertiser',
      form: { url: `https://example.com/${'x'.repeat(90)}` },
      status: 400,
      reply: legacy(44, 'url parameter is invalid.'),
    },
    {
      it: '261: an app that may only read',
      send: 'POST /1.1/account/update_profile.json',
      as: 'reading user',
      form: { name: 'x' },
      status: 403,
      reply: legacy(261, 'Application cannot perform write actions.'),
    },
  ],
}
