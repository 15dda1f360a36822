import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Area } from '../support/exchange.ts'
import { id64, keep, objectTime } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { send } from '../support/world.ts'

const SEARCH = 'GET /2/news/search'
/** Words that only this run uses, because posts of earlier runs belong to other stories. */
const [QUAY, PIER, TAG] = ['Quay{run}', 'pier{run}', 'Storm{run}'] as const
const TEXTS = [
  ['advertiser', `The old ${QUAY} lost its ${PIER} #${TAG}`],
  ['user', `At ${QUAY} the ${PIER} is gone #${TAG}`],
  ['user', `They say ${QUAY} and its ${PIER} are gone #${TAG}`],
] as const
/** Without the command line of its machine, a Plaza builds stories every minute. */
const TRIES = 180
const TRY_MS = 500

const missing = {
  title: 'Not Found Error',
  type: '{problem_base}/2/problems/resource-not-found',
  detail: 'Could not find news with id: [456].',
  value: '456',
  parameter: 'id',
  resource_id: '456',
  resource_type: 'news',
}

const FIELDS =
  'category,cluster_posts_results,contexts,disclaimer,hook,id,keywords,last_updated_at_ms,name,rest_id,summary,updated_at'
const story = { id: '{story}', rest_id: '{story}', name: `${QUAY}, ${TAG}, ${PIER}` }

const wrong = (name: string, value: string, message: string) => ({
  it: `${name} is ${value}`,
  send: SEARCH,
  query: { query: 'quay', [name]: value },
  status: 400,
  reply: problem.invalidRequest([{ [name]: [value] }, message]),
})

/** Sources: core reference, 04 section 2; 00 sections 3 and 5.2; 01 section 5.6. */
export const coreNews: Area = {
  name: 'news',
  base: '{base_url}',
  as: 'app',
  rows: [
    {
      it: 'a story is made of posts that share a name',
      needs: 'advertiser',
      async run(world) {
        for (const [at, [as, text]] of TEXTS.entries()) {
          const made = await send(world, { send: 'POST {base_url}/2/posts', as, json: { text } })
          assert.equal(made.status, 201, made.text)
          world.variables[`story_post_${at + 1}`] = JSON.parse(made.text).data.id
        }
        for (let tries = 0; ; tries++) {
          await world.server.command?.('news', 'refresh')
          const reply = await send(world, {
            send: 'GET {base_url}/2/news/search',
            as: 'advertiser',
            query: { query: TAG },
          })
          if (JSON.parse(reply.text).meta?.result_count === 1) return
          assert.ok(tries < TRIES, reply.text)
          await sleep(TRY_MS)
        }
      },
    },
    {
      it: 'a story is found by its words',
      send: SEARCH,
      query: { query: `${TAG} ${QUAY} ${PIER}`, max_results: '1', max_age_hours: '1' },
      status: 200,
      reply: { data: [{ ...story, id: keep('story', id64) }], meta: { result_count: 1 } },
      limit: 200,
    },
    {
      it: 'every field may be requested',
      send: 'GET /2/news/{story}',
      as: 'user',
      query: { 'news.fields': FIELDS },
      status: 200,
      reply: {
        data: {
          ...story,
          category: 'Other',
          cluster_posts_results: [
            { post_id: '{story_post_1}' },
            { post_id: '{story_post_2}' },
            { post_id: '{story_post_3}' },
          ],
          contexts: {
            topics: [TAG, QUAY],
            entities: { events: [], organizations: [], people: [], places: [], products: [] },
            finance: { tickers: [] },
            sports: { teams: [] },
          },
          disclaimer:
            'This story is a summary that was made from posts automatically. It changes as posts are added, and it may be wrong.',
          hook: `The old ${QUAY} lost its ${PIER} #${TAG}`,
          keywords: [QUAY, TAG, PIER],
          last_updated_at_ms: objectTime,
          summary: `The old ${QUAY} lost its ${PIER} #${TAG}. At ${QUAY} the ${PIER} is gone #${TAG}.`,
          updated_at: objectTime,
        },
      },
      limit: 200,
    },
    {
      it: 'nothing is found',
      send: SEARCH,
      as: 'user',
      query: { query: 'nothing{run}' },
      status: 200,
      reply: { meta: { result_count: 0 } },
      limit: 200,
    },
    {
      it: 'a story that there is not',
      send: 'GET /2/news/456',
      status: 200,
      reply: { errors: [missing] },
      limit: 200,
    },
    {
      it: 'an id that is none',
      send: 'GET /2/news/abc',
      status: 400,
      reply: problem.invalidRequest([{ id: ['abc'] }, 'The `id` path parameter value [abc] is not valid']),
    },
    {
      it: 'a query is needed',
      send: SEARCH,
      status: 400,
      reply: problem.invalidRequest([{ query: [] }, 'The `query` query parameter can not be empty']),
    },
    wrong('max_results', '101', 'The `max_results` query parameter value [101] is not between 1 and 100'),
    wrong('max_age_hours', '721', 'The `max_age_hours` query parameter value [721] is not between 1 and 720'),
    wrong('news.fields', 'foo', `The \`news.fields\` query parameter value [foo] is not one of [${FIELDS}]`),
    {
      it: 'no one reads news without signing in',
      send: SEARCH,
      as: 'anonymous',
      query: { query: 'quay' },
      status: 401,
      reply: problem.unauthorized,
    },
  ],
}
