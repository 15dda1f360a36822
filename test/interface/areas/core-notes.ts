import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Area, Exchange } from '../support/exchange.ts'
import { each, id64, keep, like, string } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { send } from '../support/world.ts'

const TEXT = 'The bridge was opened in 1932: https://example.com/bridge'
const info = {
  text: TEXT,
  classification: 'misinformed_or_potentially_misleading',
  misleading_tags: ['factual_error'],
  trustworthy_sources: true,
}
const NOTES = 'POST /2/notes'
const WRITTEN = 'GET /2/notes/search/notes_written'
const FEED = 'GET /2/notes/search/posts_eligible_for_notes'
const number = like(/^\d+$/)

const write = (
  row: Pick<Exchange, 'it' | 'status' | 'reply'> & Partial<Exchange>,
  body: object = {},
): Exchange => ({
  send: NOTES,
  as: 'user',
  json: { test_mode: true, post_id: '{noted_post}', info, ...body },
  ...row,
  has: {
    'x-user-limit-24hour-limit': '250',
    'x-user-limit-24hour-remaining': number,
    'x-user-limit-24hour-reset': number,
  },
})

const wrongInfo = (it: string, changed: object, name: string, value: string, says: string) =>
  write(
    { it, status: 400, reply: problem.invalidRequest([{ [name]: [value] }, says]) },
    { info: { ...info, ...changed } },
  )

const notEnrolled = (request: string, more: Partial<Exchange>): Exchange => ({
  it: 'a user who is not a writer',
  send: request,
  as: 'advertiser',
  status: 403,
  reply: problem.forbidden('User must be an API Note Writer to access this endpoint.'),
  ...more,
})

const wrongQuery = (send: string, name: string, value: string, message: string): Exchange => ({
  it: `${name} is ${value}`,
  send,
  query: { test_mode: 'true', [name]: value },
  status: 400,
  reply: problem.invalidRequest([{ [name]: [value] }, message]),
})

const NO_RATINGS = { helpful_count: 0, somewhat_helpful_count: 0, not_helpful_count: 0 }
const UrlValidity = { evaluator_score_bucket: 'High', evaluator_type: 'UrlValidity' }

/** Sources: core reference, 04 section 3; 00 sections 3 and 5.2; 01 section 5.6. */
export const coreNotes: Area = {
  name: 'community notes',
  base: '{base_url}',
  as: 'user',
  rows: [
    {
      it: 'a post is in the feed of writers once it was published',
      needs: 'advertiser',
      async run(world) {
        const made = await send(world, {
          send: 'POST {base_url}/2/posts',
          as: 'advertiser',
          json: { text: 'This famous bridge was opened in the year 1952, {run}' },
        })
        assert.equal(made.status, 201, made.text)
        world.variables.noted_post = JSON.parse(made.text).data.id
        for (let tries = 0; ; tries++) {
          const reply = await send(world, {
            send: 'GET {base_url}/2/notes/search/posts_eligible_for_notes',
            as: 'user',
            query: { test_mode: 'true', max_results: '100', post_selection: 'feed_lang: all' },
          })
          const { data = [] } = JSON.parse(reply.text) as { data?: { id: string; text: string }[] }
          if (data.some(({ id }) => id === world.variables.noted_post)) return
          assert.ok(tries < 200, reply.text)
          await sleep(50)
        }
      },
    },
    {
      it: 'a page of the feed',
      send: FEED,
      query: { test_mode: 'true', max_results: '1', post_selection: 'feed_size: small, feed_lang: all' },
      status: 200,
      reply: {
        data: [{ id: id64, text: string, edit_history_post_ids: each(id64) }],
        meta: { result_count: 1, next_token: string },
      },
      limit: 90,
    },
    {
      it: 'a text that reads like a claim with a source',
      send: 'POST /2/evaluate_note',
      json: { post_id: '{noted_post}', note_text: TEXT },
      status: 200,
      reply: { data: { claim_opinion_score: 1.5 } },
      limit: 90,
    },
    {
      it: 'a text that reads like an opinion, under the later path',
      send: 'POST /2/notes/evaluate',
      json: { post_id: '{noted_post}', note_text: 'I think this is terrible!' },
      status: 200,
      reply: { data: { claim_opinion_score: -4.5 } },
    },
    {
      it: 'a text that is too long',
      send: 'POST /2/evaluate_note',
      json: { post_id: '{noted_post}', note_text: 'a'.repeat(281) },
      status: 400,
      reply: problem.invalidRequest([
        { note_text: [`${'a'.repeat(200)}…`] },
        'The note is too long: it may have 280 characters, and each URL counts as one.',
      ]),
    },
    write({ it: 'a note', status: 200, reply: { data: { id: keep('note', id64) } }, limit: 90 }),
    write({
      it: 'a second note on the post',
      status: 403,
      reply: problem.forbidden('User already created a note for this post.'),
    }),
    write(
      { it: 'a note that is no test', status: 200, reply: { data: { id: keep('public_note', id64) } } },
      { test_mode: false },
    ),
    write(
      {
        it: 'a post that there is not',
        status: 403,
        reply: problem.forbidden(
          'This Post is not eligible for notes: it must be public, not a repost, and at most 7 days old.',
        ),
      },
      { post_id: '456' },
    ),
    wrongInfo(
      'a note without a source',
      { text: 'It was not.' },
      'info.text',
      'It was not.',
      'The note needs an http or https URL.',
    ),
    wrongInfo(
      'a misleading post without a reason',
      { misleading_tags: [] },
      'info.misleading_tags',
      '',
      'The note needs at least one of the misleading_tags.',
    ),
    wrongInfo(
      'a reason for what is not misleading',
      { classification: 'not_misleading' },
      'info.misleading_tags',
      'factual_error',
      'A note that is not_misleading has no misleading_tags.',
    ),
    write(
      {
        it: 'a member that there is not',
        status: 400,
        reply: problem.invalidRequest([{ foo: ['1'] }, '$.foo: is not one of [test_mode,post_id,info]']),
      },
      { foo: 1 },
    ),
    {
      it: 'the tests of a writer, with all fields',
      send: WRITTEN,
      query: {
        test_mode: 'true',
        max_results: '1',
        'note.fields': 'id,info,scoring_status,status,test_result',
      },
      status: 200,
      reply: {
        data: [
          {
            id: '{note}',
            post_id: '{noted_post}',
            info: { ...info, is_media_note: false },
            scoring_status: { has_access: false },
            test_result: {
              evaluation_outcome: [
                UrlValidity,
                { evaluator_score_bucket: 'High', evaluator_type: 'ClaimOpinion' },
                { evaluator_score_bucket: 'High', evaluator_type: 'HarassmentAbuse' },
              ],
              ...UrlValidity,
            },
          },
        ],
        meta: { result_count: 1 },
      },
      limit: 90,
    },
    {
      it: 'a public note has a status',
      send: WRITTEN,
      query: { test_mode: 'false', 'note.fields': 'status,scoring_status' },
      status: 200,
      reply: {
        data: [
          {
            id: '{public_note}',
            post_id: '{noted_post}',
            status: 'needs_more_ratings',
            scoring_status: {
              has_access: true,
              rating_counts_per_model: {
                model_name: 'core',
                value: {
                  positive_factor_bucket_counts: NO_RATINGS,
                  neutral_factor_bucket_counts: NO_RATINGS,
                  negative_factor_bucket_counts: NO_RATINGS,
                },
              },
            },
          },
        ],
        meta: { result_count: 1 },
      },
    },
    {
      it: 'a writer without notes',
      send: WRITTEN,
      as: 'stranger',
      query: { test_mode: 'true' },
      status: 200,
      reply: { meta: { result_count: 0 } },
    },
    {
      it: 'whether the list is that of the test mode must be said',
      send: WRITTEN,
      status: 400,
      reply: problem.invalidRequest([{ test_mode: [] }, 'The `test_mode` query parameter can not be empty']),
    },
    wrongQuery(
      WRITTEN,
      'max_results',
      '101',
      'The `max_results` query parameter value [101] is not between 1 and 100',
    ),
    wrongQuery(
      WRITTEN,
      'pagination_token',
      'No',
      'The `pagination_token` query parameter value [No] is not valid',
    ),
    wrongQuery(
      WRITTEN,
      'note.fields',
      'foo',
      'The `note.fields` query parameter value [foo] is not one of [id,info,post_id,scoring_status,status,test_result]',
    ),
    {
      it: 'a large feed is for top writers',
      send: FEED,
      as: 'stranger',
      query: { test_mode: 'true', post_selection: 'feed_size: large' },
      status: 403,
      reply: problem.forbidden('Only top writers may read feeds of the sizes large, xl and xxl.'),
    },
    wrongQuery(
      FEED,
      'post_selection',
      'huge',
      'Invalid post_selection: write feed_size: small, large, xl, xxl and feed_lang: a language code or all, with a comma between, for example feed_size: small, feed_lang: en',
    ),
    wrongQuery(
      FEED,
      'pagination_token',
      'No',
      'The `pagination_token` query parameter value [No] is not valid',
    ),
    notEnrolled(WRITTEN, { query: { test_mode: 'true' } }),
    notEnrolled(FEED, { query: { test_mode: 'true' } }),
    notEnrolled('POST /2/evaluate_note', { json: { post_id: '{noted_post}', note_text: TEXT } }),
    notEnrolled('DELETE /2/notes/{note}', {}),
    write({ ...notEnrolled(NOTES, {}), as: 'advertiser' }),
    {
      it: 'a bearer writes no notes',
      send: NOTES,
      as: 'app',
      json: { test_mode: true, post_id: '{noted_post}', info },
      status: 403,
      reply: problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS),
    },
    {
      it: 'a note of another writer',
      send: 'DELETE /2/notes/{note}',
      as: 'stranger',
      status: 403,
      reply: problem.forbidden('You are not authorized to delete this note.'),
    },
    {
      it: 'a note is deleted',
      send: 'DELETE /2/notes/{note}',
      status: 200,
      reply: { data: { deleted: true } },
      limit: 90,
    },
    {
      it: 'and is gone then',
      send: 'DELETE /2/notes/{note}',
      status: 404,
      reply: problem.plain(404, 'Not Found'),
    },
    {
      it: 'the public note is deleted',
      send: 'DELETE /2/notes/{public_note}',
      status: 200,
      reply: { data: { deleted: true } },
    },
  ],
}
