import type { Area } from '../support/exchange.ts'
import { id64, keep } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const post = { id: '{timed_post}', text: 'for @advertiser, {run}', edit_history_post_ids: ['{timed_post}'] }
const page = { result_count: 1, newest_id: '{timed_post}', oldest_id: '{timed_post}' }
const before = { since_id: '{before_timed}' }

const missing = {
  title: 'Not Found Error',
  type: '{problem_base}/2/problems/resource-not-found',
  detail: 'Could not find user with id: [456].',
  value: '456',
  parameter: 'id',
  resource_id: '456',
  resource_type: 'user',
}

/** Sources: core reference, 00 sections 3.3 and 7, and the paths of client libraries. */
export const timelines: Area = {
  name: 'timelines',
  base: '{base_url}',
  as: 'user',
  rows: [
    {
      it: 'an earlier post, for the rows below',
      send: 'POST /2/posts',
      json: { text: 'before, {run}' },
      status: 201,
      reply: {
        data: { id: keep('before_timed', id64), text: 'before, {run}', edit_history_post_ids: [id64] },
      },
    },
    {
      it: 'a post that mentions someone',
      send: 'POST /2/posts',
      json: { text: 'for @advertiser, {run}' },
      status: 201,
      reply: { data: { ...post, id: keep('timed_post', id64), edit_history_post_ids: [id64] } },
    },
    {
      it: 'posts of a user',
      send: 'GET /2/users/{user}/posts',
      as: 'app',
      query: { ...before, exclude: 'replies,reposts' },
      status: 200,
      reply: { data: [post], meta: page },
      limit: 1500,
    },
    {
      it: 'posts of a user, for a user',
      send: 'GET /2/users/{user}/posts',
      as: 'advertiser',
      query: { ...before, max_results: '5' },
      status: 200,
      reply: { data: [post], meta: page },
      limit: 900,
    },
    {
      it: 'mentions',
      send: 'GET /2/users/{advertiser}/mentions',
      query: before,
      status: 200,
      reply: { data: [post], meta: page },
      limit: 180,
    },
    {
      it: 'mentions, for an app',
      send: 'GET /2/users/{advertiser}/mentions',
      as: 'app',
      query: { since_id: '{timed_post}' },
      status: 200,
      reply: { meta: { result_count: 0 } },
      limit: 450,
    },
    {
      it: 'the home timeline has own posts',
      send: 'GET /2/users/{user}/timelines/reverse_chronological',
      query: before,
      status: 200,
      reply: { data: [post], meta: page },
      limit: 180,
    },
    {
      it: 'the home timeline of another user',
      send: 'GET /2/users/{advertiser}/timelines/reverse_chronological',
      status: 400,
      reply: problem.invalidRequest([
        { id: ['{advertiser}'] },
        'The `id` path parameter value [{advertiser}] must be the same as the authenticating user [{user}]',
      ]),
    },
    {
      it: 'an app has no home timeline',
      send: 'GET /2/users/{user}/timelines/reverse_chronological',
      as: 'app',
      status: 403,
      reply: problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS),
    },
    {
      it: 'a user who does not exist',
      send: 'GET /2/users/456/posts',
      status: 200,
      reply: { errors: [missing] },
    },
    {
      it: 'a window that ends before it begins',
      send: 'GET /2/users/{user}/posts',
      query: { start_time: '2026-03-02T00:00:00Z', end_time: '2026-03-01T00:00:00Z' },
      status: 400,
      reply: problem.invalidRequest([
        { end_time: ['2026-03-01T00:00:00Z'] },
        "Invalid 'end_time':'2026-03-01T00:00:00Z'. 'end_time' must be after 'start_time'.",
      ]),
    },
    {
      it: 'a time without a time of day',
      send: 'GET /2/users/{user}/posts',
      query: { start_time: '2026-03-02' },
      status: 400,
      reply: problem.invalidRequest([
        { start_time: ['2026-03-02'] },
        'The `start_time` query parameter value [2026-03-02] is not valid',
      ]),
    },
    {
      it: 'what cannot be excluded',
      send: 'GET /2/users/{user}/posts',
      query: { exclude: 'likes' },
      status: 400,
      reply: problem.invalidRequest([
        { exclude: ['likes'] },
        'The `exclude` query parameter value [likes] is not one of [replies,reposts]',
      ]),
    },
  ],
}
