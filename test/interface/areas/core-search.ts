import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Area, Exchange } from '../support/exchange.ts'
import { including, like, objectTime } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { send } from '../support/world.ts'

const LAST_ID = '9223372036854775807'
/** A word that only this run uses. */
const WORD = 'search{run}'
const post = { id: '{found_post}', text: `${WORD} #quokka`, edit_history_post_ids: ['{found_post}'] }
const found = {
  data: [post],
  meta: { newest_id: '{found_post}', oldest_id: '{found_post}', result_count: 1 },
}
const SEARCH = 'GET /2/posts/search/recent'
const COUNTS = 'GET /2/posts/counts/recent'

/** An invalid query, and its error (core reference, 03 section 5.4). */
const wrongQuery = (it: string, query: string, message: string, path = SEARCH): Exchange => ({
  it,
  send: path,
  query: { query },
  status: 400,
  reply: problem.invalidRequest([
    // Errors show at most 200 characters of a value.
    { query: [query.length > 200 ? `${query.slice(0, 200)}…` : query] },
    `There were errors processing your request: ${message}`,
  ]),
})

/** Times have seconds, and an offset from UTC. */
const NO_TIMES = [
  '2026-03-01T13:00:00+0100',
  '2026-03-01T13:00:00+01:60',
  '2026-03-01T12:00Z',
  '2026-03-01 12:00',
]

const wrong = (it: string, parameter: string, value: string, message: unknown, path = SEARCH): Exchange => ({
  it,
  send: path,
  query: { query: WORD, [parameter]: value },
  status: 400,
  reply: problem.invalidRequest([{ [parameter]: [value] }, message]),
})

const tooEarly = (name: string) =>
  like(
    new RegExp(
      `^Invalid '${name}':'2020-01-01T00:00Z'\\. '${name}' must be on or after \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\dZ$`,
    ),
  )

const bearerOnly = (path: string): Exchange => ({
  it: `only apps may call ${path}`,
  send: `GET ${path}`,
  as: 'user',
  query: { query: WORD },
  status: 403,
  reply: problem.unsupportedAuthentication('OAuth 1.0a User Context', 'OAuth 2.0 Application-Only'),
})

/** Sources: core reference, 00 sections 3 and 5.2; 03 sections 5 to 7. */
export const coreSearch: Area = {
  name: 'search and counts of posts',
  base: '{base_url}',
  as: 'app',
  rows: [
    {
      it: 'a post is found once it was published',
      needs: 'advertiser',
      async run(world) {
        const made = await send(world, {
          send: 'POST {ads_url}/12/accounts/{production_account}/post',
          as: 'advertiser',
          form: { as_user_id: '{advertiser}', text: `${WORD} #quokka`, nullcast: 'false' },
        })
        assert.equal(made.status, 201, made.text)
        world.variables.found_post = JSON.parse(made.text).data.id_str
        for (let tries = 0; ; tries++) {
          const reply = await send(world, {
            send: 'GET {base_url}/2/posts/search/recent',
            as: 'app',
            query: { query: WORD, until_id: LAST_ID },
          })
          if (JSON.parse(reply.text).meta?.result_count === 1) return
          assert.ok(tries < 200, reply.text)
          await sleep(50)
        }
      },
    },
    {
      it: 'a search of the last seven days',
      send: SEARCH,
      query: { query: `${WORD} #quokka -is:reply`, until_id: LAST_ID },
      status: 200,
      reply: found,
      limit: 450,
    },
    {
      it: 'a user has limits of its own',
      send: SEARCH,
      as: 'user',
      query: { query: `from:advertiser ${WORD}`, until_id: LAST_ID, sort_order: 'relevancy' },
      status: 200,
      reply: found,
      limit: 300,
    },
    // A space is how `+` arrives when it is not percent-encoded.
    ...[
      '2020-01-01T12:00:00+00:00',
      '2020-01-01T13:00:00.5+01:00',
      '2020-01-01T13:00:00 01:00',
      '2020-01-01T04:00:00-08:00',
    ].map(
      (start_time): Exchange => ({
        it: `the time ${start_time} has an offset`,
        send: 'GET /2/posts/counts/all',
        query: { query: WORD, start_time, end_time: '2020-01-01T13:00:00Z' },
        status: 200,
        reply: {
          data: [{ start: '2020-01-01T12:00:00.000Z', end: '2020-01-01T13:00:00.000Z', post_count: 0 }],
          meta: { total_post_count: 0 },
        },
      }),
    ),
    {
      it: 'a search of all posts',
      send: 'GET /2/posts/search/all',
      query: { query: WORD, until_id: LAST_ID, start_time: '2006-03-21T00:00:00Z' },
      status: 200,
      reply: found,
      limit: 300,
    },
    {
      it: 'an expansion adds the author',
      send: SEARCH,
      query: { query: WORD, until_id: LAST_ID, expansions: 'author_id' },
      status: 200,
      reply: {
        ...found,
        data: [{ ...post, author_id: '{advertiser}' }],
        includes: { users: [{ id: '{advertiser}', name: 'Demo Advertiser', username: 'advertiser' }] },
      },
    },
    {
      it: 'a search that finds nothing has no data',
      send: SEARCH,
      query: { query: `${WORD} nothing`, until_id: LAST_ID },
      status: 200,
      reply: { meta: { result_count: 0 } },
    },
    {
      it: 'the last 30 seconds are left out unless the call says otherwise',
      send: SEARCH,
      query: { query: WORD, since_id: '{found_post}' },
      status: 200,
      reply: { meta: { result_count: 0 } },
    },
    {
      it: 'counts of all time, oldest first',
      send: 'GET /2/posts/counts/all',
      query: {
        query: WORD,
        granularity: 'day',
        start_time: '2020-01-01T12:00:00Z',
        end_time: '2020-01-03T06:00:00Z',
      },
      status: 200,
      reply: {
        data: [
          { start: '2020-01-01T12:00:00.000Z', end: '2020-01-02T00:00:00.000Z', post_count: 0 },
          { start: '2020-01-02T00:00:00.000Z', end: '2020-01-03T00:00:00.000Z', post_count: 0 },
          { start: '2020-01-03T00:00:00.000Z', end: '2020-01-03T06:00:00.000Z', post_count: 0 },
        ],
        meta: { total_post_count: 0 },
      },
      limit: 300,
    },
    {
      it: 'counts are by the hour, and their members can be chosen',
      send: 'GET /2/posts/counts/all',
      query: {
        query: WORD,
        start_time: '2020-01-01T12:00:00Z',
        end_time: '2020-01-01T13:30:00Z',
        'search_count.fields': 'start,post_count',
      },
      status: 200,
      reply: {
        data: [
          { start: '2020-01-01T12:00:00.000Z', post_count: 0 },
          { start: '2020-01-01T13:00:00.000Z', post_count: 0 },
        ],
        meta: { total_post_count: 0 },
      },
    },
    {
      it: 'counts of the last seven days',
      send: COUNTS,
      query: { query: 'nobody{run}wrote', granularity: 'day' },
      status: 200,
      reply: {
        data: including({ start: objectTime, end: objectTime, post_count: 0 }),
        meta: { total_post_count: 0 },
      },
      limit: 300,
    },
    {
      it: 'a search without a query',
      send: SEARCH,
      status: 400,
      reply: problem.invalidRequest([{ query: [] }, 'The `query` query parameter can not be empty']),
    },
    wrong(
      'too few results',
      'max_results',
      '5',
      'The `max_results` query parameter value [5] is not between 10 and 100',
    ),
    wrong(
      'too many results of all posts',
      'max_results',
      '501',
      'The `max_results` query parameter value [501] is not between 10 and 500',
      'GET /2/posts/search/all',
    ),
    wrong(
      'an order that there is not',
      'sort_order',
      'oldest',
      'The `sort_order` query parameter value [oldest] is not one of [recency,relevancy]',
    ),
    wrong(
      'a span that there is not',
      'granularity',
      'week',
      'The `granularity` query parameter value [week] is not one of [minute,hour,day]',
      COUNTS,
    ),
    wrong(
      'a token that is none',
      'next_token',
      'abc',
      'The `next_token` query parameter value [abc] is not valid',
    ),
    wrong(
      'counts of seven days have one page',
      'pagination_token',
      'abc',
      'The `pagination_token` query parameter value [abc] is not valid',
      COUNTS,
    ),
    wrong('a start that is too early', 'start_time', '2020-01-01T00:00:00Z', tooEarly('start_time')),
    wrong('an end that is too early', 'end_time', '2020-01-01T00:00:00Z', tooEarly('end_time')),
    wrong(
      'an end that has not come',
      'end_time',
      '2999-01-01T00:00:00Z',
      "Invalid 'end_time':'2999-01-01T00:00Z'. 'end_time' must be a minimum of 10 seconds prior to the request time.",
    ),
    wrong(
      'an old id',
      'since_id',
      '1200000000000000000',
      like(
        /^Invalid 'since_id':'1200000000000000000'\. 'since_id' must be the id of a post created on or after \d{4}-\d\d-\d\dT\d\d:\d\dZ$/,
      ),
    ),
    wrong(
      'a time that is none',
      'start_time',
      'now',
      'The `start_time` query parameter value [now] is not valid',
    ),
    ...NO_TIMES.map((time) =>
      wrong(
        `the time ${time}, which is not RFC 3339`,
        'start_time',
        time,
        `The \`start_time\` query parameter value [${time}] is not valid`,
        COUNTS,
      ),
    ),
    {
      it: 'pages with annotations are small',
      send: 'GET /2/posts/search/all',
      query: { query: WORD, max_results: '101', 'post.fields': 'context_annotations' },
      status: 400,
      reply: problem.invalidRequest([
        { max_results: ['101'] },
        'The `max_results` query parameter value [101] is not between 10 and 100',
      ]),
    },
    wrong(
      'a start before the first post',
      'start_time',
      '2006-03-20T23:59:59Z',
      "Invalid 'start_time':'2006-03-20T23:59Z'. 'start_time' must be on or after 2006-03-21T00:00Z",
      'GET /2/posts/search/all',
    ),
    {
      it: 'an id wins over a start, since clients send both',
      send: 'GET /2/posts/search/all',
      query: {
        query: WORD,
        until_id: LAST_ID,
        start_time: '2020-01-01T00:00:00Z',
        since_id: '{found_post}',
      },
      status: 200,
      reply: { meta: { result_count: 0 } },
    },
    {
      it: 'an end and an id exclude each other',
      send: 'GET /2/posts/counts/all',
      query: { query: WORD, end_time: '2020-01-01T00:00:00Z', until_id: '1200000000000000000' },
      status: 400,
      reply: problem.invalidRequest([
        { until_id: ['1200000000000000000'] },
        "Invalid 'until_id':'1200000000000000000'. 'until_id' can not be used with 'end_time'.",
      ]),
    },
    wrongQuery(
      'a query of conditions that cannot stand alone',
      'has:links',
      'is/has/lang cannot be used as a standalone operator (at position 1)',
    ),
    wrongQuery(
      'a query of what posts must not have',
      '-cat',
      'Rules must contain at least one positive, non-stopword clause (at position 1)',
    ),
    wrongQuery(
      'an operator that there is not',
      'foo:bar',
      "Reference to invalid operator 'foo'. Operator is not available in current product or product packaging. Please refer to complete available operator list at docs/reference/query-language.md (at position 1), Reference to invalid field 'foo' (at position 1)",
      'GET /2/posts/counts/all',
    ),
    wrongQuery('a bracket that closes none', 'cat)', "missing EOF at ')' (at position 4)"),
    wrongQuery('a phrase without an end', '"cat', `mismatched character '<EOF>' expecting '"'`, COUNTS),
    wrongQuery(
      'AND as a word',
      'cat AND dog',
      'Ambiguous use of and as a keyword. Use a space to logically join two clauses, or "and" to find occurrences of and in text (at position 5)',
    ),
    wrongQuery(
      'a query that is too long',
      'a'.repeat(513),
      'Query is too long. Must be no more than 512 characters',
    ),
    wrongQuery(
      'a query of counts that is too long',
      'a'.repeat(1025),
      'Query is too long. Must be no more than 1024 characters',
      COUNTS,
    ),
    bearerOnly('/2/posts/search/all'),
    {
      it: 'counts of the last seven days for a user: clients offer that',
      send: COUNTS,
      as: 'user',
      query: { query: 'nobody{run}wrote', granularity: 'day', 'search_count.fields': 'post_count' },
      status: 200,
      reply: { data: including({ post_count: 0 }), meta: { total_post_count: 0 } },
      limit: 300,
    },
    bearerOnly('/2/posts/counts/all'),
  ],
}
